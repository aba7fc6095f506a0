# SPDX-License-Identifier: MIT
# Installs BUILD_DIR, moves the result, and builds and runs the programs in outside/ with it: one program
# for each library, once through find_package and once through pkg-config.
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

# With a path of the source or build folder, these files would work only on this machine.
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
  message(FATAL_ERROR "The license is not installed.")
endif()

if(EXISTS ${prefix}/bin/knotwork)
  foreach(file IN ITEMS bash-completion/completions/knotwork zsh/site-functions/_knotwork
          fish/vendor_completions.d/knotwork.fish)
    if(NOT EXISTS ${prefix}/share/${file})
      message(FATAL_ERROR "${file} is not installed.")
    endif()
  endforeach()
endif()

# The environment must not add warnings or paths.
unset(ENV{CXXFLAGS})
unset(ENV{LDFLAGS})
unset(ENV{CMAKE_PREFIX_PATH})

set(configure ${CMAKE_COMMAND} -S ${OUTSIDE_DIR} -G ${GENERATOR}
  -D CMAKE_PREFIX_PATH=${prefix} -D CMAKE_FIND_USE_PACKAGE_REGISTRY=OFF
  -D CMAKE_CXX_COMPILER=${COMPILER} -D CMAKE_BUILD_TYPE=${BUILD_TYPE} -D CMAKE_CXX_FLAGS=${flags}
  -D KNOTWORK_WANTED_VERSION=${VERSION})
# Without the component tools, the package must not search for the dependencies of the tools.
set(disabled -D CMAKE_DISABLE_FIND_PACKAGE_SQLite3=ON -D CMAKE_DISABLE_FIND_PACKAGE_Protobuf=ON
  -D CMAKE_DISABLE_FIND_PACKAGE_ONNX=ON)
foreach(component IN ITEMS knotwork insight tools)
  if(component STREQUAL "tools")
    set(disabled "")
  endif()
  run(${configure} -B ${WORK_DIR}/${component} -D KNOTWORK_COMPONENT=${component} ${disabled})
  run(${CMAKE_COMMAND} --build ${WORK_DIR}/${component})
  run(${WORK_DIR}/${component}/outside)
endforeach()
run(${configure} -B ${WORK_DIR}/all)
execute_process(COMMAND ${configure} -B ${WORK_DIR}/unheard_of -D KNOTWORK_COMPONENT=unheard_of
  RESULT_VARIABLE result OUTPUT_QUIET ERROR_VARIABLE message)
if(result EQUAL 0 OR NOT message MATCHES "but not[ \n]+unheard_of")
  message(FATAL_ERROR "A component that does not exist is not refused:\n${message}")
endif()
if(EXISTS ${prefix}/bin/knotwork)
  run(${prefix}/bin/knotwork --help)
endif()

set(ENV{PKG_CONFIG_PATH} ${prefix}/${LIBDIR}/pkgconfig)
foreach(module IN ITEMS knotwork knotwork-insight knotwork-tools)
  string(REPLACE "knotwork-" "" program ${module}.cpp)
  execute_process(COMMAND ${PKG_CONFIG} --cflags --libs ${module}
    OUTPUT_VARIABLE options OUTPUT_STRIP_TRAILING_WHITESPACE
    COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
  separate_arguments(options UNIX_COMMAND "${options}")
  run(${COMPILER} -std=c++20 ${flags} ${OUTSIDE_DIR}/${program} -o ${WORK_DIR}/with_${module}
    ${options} -Wl,-rpath,${prefix}/${LIBDIR})
  run(${WORK_DIR}/with_${module})
endforeach()
