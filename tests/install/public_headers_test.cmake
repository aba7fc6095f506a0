# SPDX-License-Identifier: MIT
# Compiles every public header separately, and the old names of 0.1 that 0.2 still supports
# (deprecated.cpp).
cmake_minimum_required(VERSION 3.25)

set(compile ${COMPILER} -std=c++20 -fsyntax-only -Wall -Wextra -Werror
  -I${SOURCE_DIR}/include -I${BUILD_DIR}/include)
file(GLOB headers RELATIVE ${SOURCE_DIR}/include ${SOURCE_DIR}/include/knotwork/*.hpp)
list(LENGTH headers count)
if(count LESS 30)
  message(FATAL_ERROR "Only ${count} public headers were found.")
endif()
set(broken "")
foreach(header IN LISTS headers)
  execute_process(COMMAND ${compile} -include ${header} -x c++ /dev/null
    RESULT_VARIABLE result ERROR_VARIABLE message)
  if(NOT result EQUAL 0)
    string(APPEND broken "${header} does not compile by itself:\n${message}\n")
  endif()
endforeach()
execute_process(COMMAND ${compile} -Wno-deprecated-declarations ${OUTSIDE_DIR}/deprecated.cpp
  RESULT_VARIABLE result ERROR_VARIABLE message)
if(NOT result EQUAL 0)
  string(APPEND broken "A deprecated name does not compile any more:\n${message}\n")
endif()
# The old names must produce a warning.
execute_process(COMMAND ${compile} ${OUTSIDE_DIR}/deprecated.cpp
  RESULT_VARIABLE result ERROR_VARIABLE message)
if(result EQUAL 0 OR NOT message MATCHES "is Regularizer now")
  string(APPEND broken "Deprecated names give no warning:\n${message}\n")
endif()
if(broken)
  message(FATAL_ERROR "${broken}")
endif()
message(STATUS "${count} headers compile by themselves.")
