# SPDX-License-Identifier: MIT
# Compiles Knotwork::knotwork and Knotwork::insight for a machine whose std::size_t has 32 bits, such as
# a browser: the test repeats every command of the ordinary build in BUILD_DIR with -m32. Nothing is
# linked or run, so only the headers of such a machine are needed. Files that the ordinary build compiles
# together are compiled one by one here, so each file must include what it uses.
cmake_minimum_required(VERSION 3.25)

# Debian's headers in the architecture's folder, such as zlib's, are the same for both.
set(machine -m32 -idirafter /usr/include/${ARCHITECTURE})
file(REMOVE_RECURSE ${WORK_DIR})
file(MAKE_DIRECTORY ${WORK_DIR})
file(WRITE ${WORK_DIR}/probe.cpp
  "#include <string>\n#include <vector>\nstatic_assert(sizeof(std::size_t) == 4);\n")
execute_process(COMMAND ${COMPILER} -std=c++20 ${machine} -fsyntax-only ${WORK_DIR}/probe.cpp
  RESULT_VARIABLE result OUTPUT_QUIET ERROR_QUIET)
if(result)
  message(STATUS "Skipped: ${COMPILER} has no headers for 32 bits; scripts/setup test installs "
    "them on PCs.")
  return()
endif()

# Some warnings of GCC are errors in other compilers, such as the compiler for browsers: numbers in braces
# and constants that do not fit. All other warnings are left to the ordinary build.
set(settings ${machine} -DKNOTWORK_NO_THREADS -Wno-error -Werror=narrowing -Werror=overflow
  -Werror=shift-count-overflow)

file(READ ${BUILD_DIR}/compile_commands.json commands)
string(JSON count LENGTH "${commands}")
math(EXPR last "${count} - 1")
set(compiled 0)
set(failed "")
foreach(k RANGE ${last})
  string(JSON command GET "${commands}" ${k} command)
  string(JSON file GET "${commands}" ${k} file)
  if(file MATCHES "cmake_pch" OR
     NOT command MATCHES " -o [^ ]*CMakeFiles/knotwork(_insight)?\\.dir/")
    continue()
  endif()
  string(JSON folder GET "${commands}" ${k} directory)
  # The precompiled header is for 64 bits; this one for 32 bits replaces it.
  if(command MATCHES " -include ([^ ]*/([^/ ]*)\\.dir/cmake_pch\\.hxx)")
    set(header ${CMAKE_MATCH_1})
    set(precompiled ${WORK_DIR}/${CMAKE_MATCH_2}.hpp)
    string(REPLACE " -include ${header}" "" alone "${command}")
    string(REGEX REPLACE " -o .*" "" alone "${alone}")
    string(REPLACE ${header} ${precompiled} command "${command}")
    if(NOT EXISTS ${precompiled}.gch)
      configure_file(${header} ${precompiled} COPYONLY)
      separate_arguments(alone UNIX_COMMAND "${alone}")
      execute_process(COMMAND ${alone} ${settings} -x c++-header ${precompiled}
        -o ${precompiled}.gch WORKING_DIRECTORY ${folder} COMMAND_ERROR_IS_FATAL ANY)
    endif()
  endif()
  set(sources ${file})
  if(file MATCHES "/Unity/")
    file(STRINGS ${file} sources REGEX "^#include \"")
    list(TRANSFORM sources REPLACE "^#include \"(.*)\"$" "\\1")
  endif()
  foreach(source IN LISTS sources)
    string(REPLACE " -c ${file}" " -c ${source}" one "${command}")
    separate_arguments(one UNIX_COMMAND "${one}")
    execute_process(COMMAND ${one} ${settings} -fsyntax-only WORKING_DIRECTORY ${folder}
      RESULT_VARIABLE result OUTPUT_VARIABLE said ERROR_VARIABLE said)
    math(EXPR compiled "${compiled} + 1")
    if(result)
      list(APPEND failed ${source})
      message(STATUS "${source}:\n${said}")
    endif()
  endforeach()
endforeach()
if(compiled EQUAL 0)
  message(FATAL_ERROR "No command of ${BUILD_DIR}/compile_commands.json is of the libraries.")
endif()
if(failed)
  list(JOIN failed "\n  " failed)
  message(FATAL_ERROR "By themselves, and where std::size_t has 32 bits, these do not compile:\n  ${failed}")
endif()
message(STATUS "${compiled} files compile by themselves where std::size_t has 32 bits.")
