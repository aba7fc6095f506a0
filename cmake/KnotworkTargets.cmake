# SPDX-License-Identifier: MIT
# How every target of this project is compiled, and how tests are declared.

# Settings that all our own targets share. Warnings and sanitizers stay private: a program that
# links Knotwork never inherits them.
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
    # Clang's -Wconversion includes this one, GCC's does not.
    $<$<CXX_COMPILER_ID:Clang>:-Wno-sign-conversion>
    $<$<BOOL:${KNOTWORK_WERROR}>:-Werror>)
  if(KNOTWORK_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${KNOTWORK_SANITIZE}
      -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(${target} PRIVATE -fsanitize=${KNOTWORK_SANITIZE})
  endif()
endfunction()

# knotwork_precompile(<target> [<header>...]): headers that nearly every file of a target includes,
# parsed once. Sources still include what they use: presets without KNOTWORK_QUICK_BUILD compile
# them alone. Only with optimization: without it, headers of intrinsics that follow a precompiled
# header take GCC 12 to optimize and then do not compile.
function(knotwork_precompile target)
  if(KNOTWORK_QUICK_BUILD AND CMAKE_BUILD_TYPE MATCHES "^Rel")
    target_precompile_headers(${target} PRIVATE <algorithm> <cmath> <functional> <map> <memory>
      <optional> <span> <string> <vector> <fmt/format.h> ${ARGN})
  endif()
endfunction()

# knotwork_unite(<target> <mode>): compiles files of the target together, by folder (GROUP, see
# knotwork_sources()) or a few at a time (BATCH), unless every file is to be compiled by itself.
function(knotwork_unite target mode)
  if(KNOTWORK_QUICK_BUILD)
    set_target_properties(${target} PROPERTIES
      UNITY_BUILD ON UNITY_BUILD_MODE ${mode} UNITY_BUILD_BATCH_SIZE 6)
    # What is private to a file looks to GCC like something that a header gives away.
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  else()
    set_target_properties(${target} PROPERTIES UNITY_BUILD OFF)
  endif()
endfunction()

# knotwork_sources(<library> <file>...): sources of a library, compiled folder by folder: what the
# files of a folder include is parsed once, and templates are instantiated once. Names without
# linkage must therefore be unique in a folder. Presets without KNOTWORK_QUICK_BUILD compile every
# file by itself, and so do all for files that are given to target_sources() instead.
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

# knotwork_tests(<stage> <file>... [LONG <pattern>...] [SLOW <pattern>...]): one test program
# `<stage>_test`, every case known to ctest. Those whose names match a pattern of LONG try thousands
# of cases and have the label `long`. Those of SLOW also take so long under a sanitizer, which finds
# little there, that the sanitizers' presets leave them out; they have the label `long_slow`.
# KNOTWORK_TEST_STAGES, if set, names the stages whose tests are built; the others are left out.
function(knotwork_tests stage)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LONG;SLOW")
  if(NOT KNOTWORK_BUILD_TESTS)
    return()
  endif()
  add_executable(${stage}_test ${arg_UNPARSED_ARGUMENTS})
  knotwork_configure(${stage}_test)
  knotwork_unite(${stage}_test BATCH)
  target_link_libraries(${stage}_test PRIVATE knotwork_internal GTest::gmock GTest::gtest_main)
  # The tests are most of what there is to compile and need not be fast themselves.
  target_compile_options(${stage}_test PRIVATE $<$<CONFIG:Release>:-O1>)
  if(KNOTWORK_SANITIZE)
    target_compile_options(${stage}_test PRIVATE -O0)
  endif()
  if(stage STREQUAL "base")
    target_precompile_headers(${stage}_test PRIVATE <gmock/gmock.h> <gtest/gtest.h>)
  else()
    target_precompile_headers(${stage}_test REUSE_FROM base_test)
  endif()
  set_target_properties(${stage}_test PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  if(KNOTWORK_TEST_STAGES AND NOT stage IN_LIST KNOTWORK_TEST_STAGES)
    set_target_properties(${stage}_test PROPERTIES EXCLUDE_FROM_ALL ON)
    return()
  endif()
  # Properties are tried on random cases; from a fixed seed, so that a failure can be repeated.
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
