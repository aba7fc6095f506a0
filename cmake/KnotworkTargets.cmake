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

# knotwork_tests(<stage> <file>...): one test program `<stage>_test`, every case known to ctest.
# KNOTWORK_TEST_STAGES, if set, names the stages whose tests are built; the others are left out.
function(knotwork_tests stage)
  if(NOT KNOTWORK_BUILD_TESTS)
    return()
  endif()
  add_executable(${stage}_test ${ARGN})
  knotwork_configure(${stage}_test)
  target_link_libraries(${stage}_test PRIVATE knotwork_internal GTest::gmock GTest::gtest_main)
  # The tests are most of what there is to compile and need not be fast themselves.
  target_compile_options(${stage}_test PRIVATE $<$<CONFIG:Release>:-O1>)
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
  gtest_discover_tests(${stage}_test TEST_PREFIX ${stage}. DISCOVERY_TIMEOUT 120
    PROPERTIES TIMEOUT 900 ENVIRONMENT RC_PARAMS=seed=1)
endfunction()
