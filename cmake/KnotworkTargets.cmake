# SPDX-License-Identifier: MIT
# How every target of this project is compiled, and how tests are declared.

# Settings shared by all targets of the project. Warnings and sanitizers are private, so programs that
# link Knotwork do not inherit them.
function(knotwork_configure target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  set_target_properties(${target} PROPERTIES
    CXX_EXTENSIONS OFF
    CXX_VISIBILITY_PRESET hidden
    VISIBILITY_INLINES_HIDDEN ON
    POSITION_INDEPENDENT_CODE ON)
  # Contracting a*b+c into one rounding would make a row's result depend on where the compiler
  # happens to do so (vector body or remainder loop); kernels ask for fused operations explicitly.
  target_compile_options(${target} PRIVATE
    -Wall -Wextra -Wconversion -Wshadow -ffp-contract=off
    # Clang's -Wconversion includes this warning, GCC's does not.
    $<$<CXX_COMPILER_ID:Clang>:-Wno-sign-conversion>
    $<$<BOOL:${KNOTWORK_WERROR}>:-Werror>)
  if(KNOTWORK_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${KNOTWORK_SANITIZE}
      -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(${target} PRIVATE -fsanitize=${KNOTWORK_SANITIZE})
  endif()
endfunction()

# knotwork_precompile(<target> [<header>...]): precompiles headers that nearly every file of a target
# includes. Sources must still include what they use, because presets without KNOTWORK_QUICK_BUILD do
# not precompile. Precompiled headers are used only with optimization: without it, GCC 12 assumes
# optimization in headers of intrinsics after a precompiled header, and these do not compile.
function(knotwork_precompile target)
  if(KNOTWORK_QUICK_BUILD AND CMAKE_BUILD_TYPE MATCHES "^Rel")
    target_precompile_headers(${target} PRIVATE <algorithm> <cmath> <functional> <map> <memory>
      <optional> <span> <string> <vector> <fmt/format.h> ${ARGN})
  endif()
endfunction()

# knotwork_unite(<target> <mode>): compiles files of the target together, by folder (GROUP, see
# knotwork_sources()) or a few at a time (BATCH), unless KNOTWORK_QUICK_BUILD is off.
function(knotwork_unite target mode)
  if(KNOTWORK_QUICK_BUILD)
    set_target_properties(${target} PROPERTIES
      UNITY_BUILD ON UNITY_BUILD_MODE ${mode} UNITY_BUILD_BATCH_SIZE 6)
    # In a unity build GCC takes the private types of a source for types of a header, and warns.
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  else()
    set_target_properties(${target} PROPERTIES UNITY_BUILD OFF)
  endif()
endfunction()

# knotwork_sources(<library> <file>...): adds sources to a library and compiles those of a folder
# together, so headers are parsed once and templates are instantiated once. Names without linkage must
# therefore be unique in a folder. Presets without KNOTWORK_QUICK_BUILD compile every file separately,
# and files that are added by target_sources() are always compiled separately.
function(knotwork_sources library)
  target_sources(${library} PRIVATE ${ARGN})
  foreach(file IN LISTS ARGN)
    cmake_path(ABSOLUTE_PATH file NORMALIZE OUTPUT_VARIABLE path)
    cmake_path(GET path PARENT_PATH folder)
    cmake_path(RELATIVE_PATH folder BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
    string(MAKE_C_IDENTIFIER ${folder} group)
    set_source_files_properties(${path} TARGET_DIRECTORY ${library}
      PROPERTIES UNITY_GROUP ${group})
  endforeach()
endfunction()

# knotwork_tests(<stage> <file>... [LONG <pattern>...] [SLOW <pattern>...]): adds a test program
# `<stage>_test` and registers every case with ctest. Tests whose names match a pattern of LONG try
# thousands of cases and have the label `long`. Tests that match SLOW have the label `long_slow`: they
# also take very long under a sanitizer, which finds little in them, so the sanitizer presets leave them
# out. KNOTWORK_TEST_STAGES, if set, lists the stages whose tests are built.
function(knotwork_tests stage)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LONG;SLOW")
  if(NOT KNOTWORK_BUILD_TESTS)
    return()
  endif()
  add_executable(${stage}_test ${arg_UNPARSED_ARGUMENTS})
  knotwork_configure(${stage}_test)
  knotwork_unite(${stage}_test BATCH)
  set(libraries knotwork_internal)
  if(stage IN_LIST KNOTWORK_CORE_STAGES)
    set(libraries knotwork_internal_core)
  endif()
  target_link_libraries(${stage}_test PRIVATE ${libraries} GTest::gmock GTest::gtest_main)
  # Most of the build time is spent on the tests, and they need not be fast themselves.
  target_compile_options(${stage}_test PRIVATE $<$<CONFIG:Release>:-O1>)
  if(KNOTWORK_SANITIZE)
    target_compile_options(${stage}_test PRIVATE -O0)
  endif()
  if(stage STREQUAL "base")
    target_precompile_headers(${stage}_test PRIVATE <gmock/gmock.h> <gtest/gtest.h>
      <nlohmann/json.hpp>)
  else()
    target_precompile_headers(${stage}_test REUSE_FROM base_test)
  endif()
  set_target_properties(${stage}_test PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  if(KNOTWORK_TEST_STAGES AND NOT stage IN_LIST KNOTWORK_TEST_STAGES)
    set_target_properties(${stage}_test PROPERTIES EXCLUDE_FROM_ALL ON)
    return()
  endif()
  # Properties are tested on random cases with a fixed seed, so that a failure can be repeated.
  set(as_all TEST_PREFIX ${stage}. DISCOVERY_TIMEOUT 120)
  set(with_properties PROPERTIES TIMEOUT 900 ENVIRONMENT RC_PARAMS=seed=1)
  set(labelled "")
  set(label_of_LONG long)
  set(label_of_SLOW long_slow)
  foreach(kind IN ITEMS LONG SLOW)
    if(arg_${kind})
      list(JOIN arg_${kind} ":" patterns)
      gtest_discover_tests(${stage}_test ${as_all} TEST_FILTER ${patterns}
        TEST_LIST ${stage}_${label_of_${kind}} ${with_properties} LABELS ${label_of_${kind}})
      list(APPEND labelled ${patterns})
    endif()
  endforeach()
  set(patterns "")
  if(labelled)
    list(JOIN labelled ":" labelled)
    set(patterns TEST_FILTER "-${labelled}")
  endif()
  gtest_discover_tests(${stage}_test ${as_all} ${patterns} ${with_properties})
endfunction()
