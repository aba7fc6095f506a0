# SPDX-License-Identifier: MIT
# Builds Knotwork as shared libraries. They must be complete, export the public interface and no symbol
# of their dependencies, and work when installed.
cmake_minimum_required(VERSION 3.25)

# With the settings of the ordinary build and a folder beside it, a compiler cache has all files.
execute_process(COMMAND ${CMAKE_COMMAND} -S ${SOURCE_DIR} -B ${BUILD_DIR} -G ${GENERATOR}
  -D CMAKE_CXX_COMPILER=${COMPILER} -D CMAKE_BUILD_TYPE=${BUILD_TYPE} -D BUILD_SHARED_LIBS=ON
  -D CMAKE_SHARED_LINKER_FLAGS=-Wl,--no-undefined -D CMAKE_INSTALL_LIBDIR=${LIBDIR}
  -D KNOTWORK_BUILD_CLI=OFF -D KNOTWORK_BUILD_TESTS=OFF -D KNOTWORK_BUILD_EXAMPLES=OFF
  COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} --build ${BUILD_DIR} --parallel 2
  COMMAND_ERROR_IS_FATAL ANY)

foreach(name IN ITEMS knotwork knotwork_insight knotwork_tools)
  file(GLOB_RECURSE library ${BUILD_DIR}/lib${name}.so)
  # Lists name, type, value and size without versions. The names are not demangled, because the demangled
  # name of a function template begins with its return type.
  execute_process(COMMAND ${NM} -D --defined-only --format=posix ${library}
    OUTPUT_VARIABLE exported COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "[^\n]+" exported "${exported}")
  set(ours ${exported})
  list(FILTER ours INCLUDE REGEX "^_Z(T[VTIS]|T[hv][^ ]*_|GV)?Z?N[KRO]*8knotwork")
  set(functions ${ours})
  list(FILTER functions INCLUDE REGEX "^_ZN[KRO]*8knotwork[^ ]* T")
  set(others ${exported})
  list(FILTER others EXCLUDE REGEX "^_Z(T[VTIS]|T[hv][^ ]*_|GV)?Z?N[KRO]*8knotwork")

  list(LENGTH ours count)
  message(STATUS "lib${name}.so exports ${count} symbols of namespace knotwork")
  if(NOT functions)
    message(FATAL_ERROR "lib${name}.so exports no function of namespace knotwork.")
  endif()
  if(others)
    list(JOIN others "\n  " others)
    message(FATAL_ERROR "lib${name}.so exports symbols that are not Knotwork's:\n  ${others}")
  endif()
endforeach()

include(${CMAKE_CURRENT_LIST_DIR}/package_test.cmake)
