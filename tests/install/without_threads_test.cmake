# SPDX-License-Identifier: MIT
# Builds Knotwork::knotwork and Knotwork::insight without threads, as for a language binding or a browser.
# The build must not search for dependencies of the other parts, must not use threads, and must give the
# bits of the ordinary build in ORDINARY_DIR.
cmake_minimum_required(VERSION 3.25)

function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()

set(disabled "")
foreach(package IN ITEMS Threads SQLite3 Protobuf ONNX OpenSSL CLI11 tomlplusplus MPI GTest rapidcheck)
  list(APPEND disabled -D CMAKE_DISABLE_FIND_PACKAGE_${package}=ON)
endforeach()
file(REMOVE_RECURSE ${WORK_DIR})
# The build is faster without optimization, and the bits do not depend on it.
run(${CMAKE_COMMAND} -S ${SOURCE_DIR} -B ${BUILD_DIR} -G ${GENERATOR}
  -D CMAKE_CXX_COMPILER=${COMPILER} -D CMAKE_BUILD_TYPE= -D CMAKE_INSTALL_LIBDIR=${LIBDIR}
  -D KNOTWORK_WITH_THREADS=OFF -D KNOTWORK_BUILD_TOOLS=OFF -D KNOTWORK_BUILD_CLI=OFF
  -D KNOTWORK_BUILD_TESTS=OFF -D KNOTWORK_BUILD_EXAMPLES=OFF ${disabled})
run(${CMAKE_COMMAND} --build ${BUILD_DIR} --parallel 2)

foreach(name IN ITEMS knotwork knotwork_insight)
  file(GLOB_RECURSE library ${BUILD_DIR}/lib${name}.a)
  execute_process(COMMAND ${NM} --undefined-only --format=posix ${library}
    OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "[^\n]*(pthread_|St6thread|St5mutex|condition_variable|__future_base)[^\n]*"
    threads "${symbols}")
  if(threads)
    list(JOIN threads "\n  " threads)
    message(FATAL_ERROR "lib${name}.a was built without threads but refers to\n  ${threads}")
  endif()
endforeach()

foreach(kind IN ITEMS alone ordinary)
  set(from ${BUILD_DIR})
  if(kind STREQUAL "ordinary")
    set(from ${ORDINARY_DIR})
  endif()
  run(${CMAKE_COMMAND} --install ${from} --prefix ${WORK_DIR}/${kind}/installed)
  run(${CMAKE_COMMAND} -S ${OUTSIDE_DIR} -B ${WORK_DIR}/${kind}/outside -G ${GENERATOR}
    -D CMAKE_PREFIX_PATH=${WORK_DIR}/${kind}/installed -D CMAKE_FIND_USE_PACKAGE_REGISTRY=OFF
    -D CMAKE_CXX_COMPILER=${COMPILER} -D KNOTWORK_WANTED_VERSION=${VERSION}
    -D KNOTWORK_COMPONENT=insight -D KNOTWORK_PROGRAM=bits)
  run(${CMAKE_COMMAND} --build ${WORK_DIR}/${kind}/outside)
  execute_process(COMMAND ${WORK_DIR}/${kind}/outside/outside WORKING_DIRECTORY ${WORK_DIR}/${kind}
    OUTPUT_VARIABLE ${kind} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
message(STATUS "Without threads:\n${alone}")
if(NOT alone MATCHES "ensemble [0-9a-f]+\n.*table [0-9a-f]+ of")
  message(FATAL_ERROR "The program printed something else than its hashes.")
endif()
if(NOT alone STREQUAL ordinary)
  message(FATAL_ERROR "The ordinary build has other bits:\n${ordinary}")
endif()
