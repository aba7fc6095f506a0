# SPDX-License-Identifier: MIT
# Installs BUILD_DIR, moves the result, and builds and runs the program in outside/ against it:
# once through find_package, once through pkg-config.
cmake_minimum_required(VERSION 3.25)

function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()

set(prefix ${WORK_DIR}/moved)
set(flags "")
if(SANITIZE)
  set(flags -fsanitize=${SANITIZE})
endif()

file(REMOVE_RECURSE ${WORK_DIR})
run(${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${WORK_DIR}/installed)
file(RENAME ${WORK_DIR}/installed ${prefix})

# A path of the source or build folder in these files would work here and nowhere else.
file(GLOB_RECURSE package_files ${prefix}/*.cmake ${prefix}/*.pc ${prefix}/*.hpp)
foreach(file IN LISTS package_files)
  file(READ ${file} text)
  string(FIND "${text}" ${SOURCE_DIR} source_at)
  string(FIND "${text}" ${BUILD_DIR} build_at)
  if(NOT source_at EQUAL -1 OR NOT build_at EQUAL -1)
    message(FATAL_ERROR "${file} names the folder Knotwork was built in.")
  endif()
endforeach()
if(NOT EXISTS ${prefix}/share/doc/Knotwork/LICENSE)
  message(FATAL_ERROR "The licence is not installed.")
endif()

# The defaults of the environment must not add warnings or paths of their own.
unset(ENV{CXXFLAGS})
unset(ENV{LDFLAGS})
unset(ENV{CMAKE_PREFIX_PATH})

run(${CMAKE_COMMAND} -S ${OUTSIDE_DIR} -B ${WORK_DIR}/outside -G ${GENERATOR}
  -D CMAKE_PREFIX_PATH=${prefix} -D CMAKE_FIND_USE_PACKAGE_REGISTRY=OFF
  -D CMAKE_CXX_COMPILER=${COMPILER} -D CMAKE_BUILD_TYPE=${BUILD_TYPE} -D CMAKE_CXX_FLAGS=${flags}
  -D KNOTWORK_WANTED_VERSION=${VERSION})
run(${CMAKE_COMMAND} --build ${WORK_DIR}/outside)
run(${WORK_DIR}/outside/outside)
run(${WORK_DIR}/outside/outside_tools)
if(EXISTS ${prefix}/bin/knotwork)
  run(${prefix}/bin/knotwork --help)
endif()

set(ENV{PKG_CONFIG_PATH} ${prefix}/${LIBDIR}/pkgconfig)
foreach(module IN ITEMS knotwork knotwork-tools)
  set(program main.cpp)
  if(module STREQUAL "knotwork-tools")
    set(program tools.cpp)
  endif()
  execute_process(COMMAND ${PKG_CONFIG} --cflags --libs ${module}
    OUTPUT_VARIABLE options OUTPUT_STRIP_TRAILING_WHITESPACE
    COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
  separate_arguments(options UNIX_COMMAND "${options}")
  run(${COMPILER} -std=c++20 ${flags} ${OUTSIDE_DIR}/${program} -o ${WORK_DIR}/with_${module}
    ${options} -Wl,-rpath,${prefix}/${LIBDIR})
  run(${WORK_DIR}/with_${module})
endforeach()
