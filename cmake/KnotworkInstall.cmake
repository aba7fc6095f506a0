# SPDX-License-Identifier: MIT
# Rules for `cmake --install`, and the files by which other projects find Knotwork: a CMake package
# `Knotwork` with the targets and components knotwork, insight and tools, and the pkg-config modules
# knotwork, knotwork-insight and knotwork-tools. The installed folder can be moved as a whole.
include(CMakePackageConfigHelpers)

# The components that are built, each after its dependencies, and their targets.
set(components knotwork)
set(knotwork_target knotwork)
foreach(component IN ITEMS insight tools)
  if(TARGET knotwork_${component})
    list(APPEND components ${component})
    set(${component}_target knotwork_${component})
  endif()
endforeach()

# Each component has its own file of targets, so a user of the first component does not need the
# dependencies of the last.
foreach(component IN LISTS components)
  install(TARGETS ${${component}_target} EXPORT Knotwork-${component}
    RUNTIME COMPONENT Runtime
    LIBRARY COMPONENT Runtime NAMELINK_COMPONENT Development
    ARCHIVE COMPONENT Development)
endforeach()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/knotwork ${PROJECT_BINARY_DIR}/include/knotwork
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT Development FILES_MATCHING PATTERN "*.hpp")
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT Runtime)
set(programs "")
foreach(program IN ITEMS knotwork_cli knotwork_mpi)
  if(TARGET ${program})
    list(APPEND programs ${program})
  endif()
endforeach()
if(programs)
  install(TARGETS ${programs} RUNTIME COMPONENT Runtime)
  if(NOT CMAKE_CROSSCOMPILING)  # the program writes it when it is built
    install(FILES ${PROJECT_BINARY_DIR}/knotwork.bash RENAME knotwork COMPONENT Runtime
      DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
    install(FILES ${PROJECT_BINARY_DIR}/knotwork.zsh RENAME _knotwork COMPONENT Runtime
      DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
    install(FILES ${PROJECT_BINARY_DIR}/knotwork.fish COMPONENT Runtime
      DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
  endif()
endif()
if(BUILD_SHARED_LIBS)
  # The libraries find each other in their common folder, wherever it is, without ldconfig.
  file(RELATIVE_PATH bin_to_lib ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
  foreach(component IN LISTS components)
    set_target_properties(${${component}_target} PROPERTIES INSTALL_RPATH "$ORIGIN")
  endforeach()
  if(programs)
    set_target_properties(${programs} PROPERTIES INSTALL_RPATH "$ORIGIN/${bin_to_lib}")
  endif()
endif()

# The dependencies that a program must link with a static Knotwork. They are read from the targets, so
# that a new dependency cannot be forgotten here. For each of our libraries:
#   <target>_find       lines for KnotworkConfig.cmake
#   <target>_requires   pkg-config modules
#   <target>_libs       linker flags without a module
function(knotwork_link_dependencies target)
  get_target_property(libraries ${target} LINK_LIBRARIES)
  set(find "")
  set(requires "")
  set(libs "")
  foreach(library IN LISTS libraries)
    if(library MATCHES "^knotwork(_insight)?$|^\\$<BUILD_INTERFACE:")
      continue()
    elseif(library STREQUAL "Threads::Threads")
      list(APPEND find "find_dependency(Threads)")
      list(APPEND libs "-pthread")
    elseif(library STREQUAL "fmt::fmt")
      list(APPEND find "find_dependency(fmt)")
      list(APPEND requires "fmt")
    elseif(library STREQUAL "SQLite::SQLite3")
      list(APPEND find "find_dependency(SQLite3)")
      list(APPEND requires "sqlite3")
    elseif(library STREQUAL "onnx_proto")
      # Debian's ONNX has no pkg-config module and does not search for Protobuf itself.
      list(APPEND find "find_dependency(Protobuf)" "find_dependency(ONNX)")
      list(APPEND requires "protobuf")
      list(APPEND libs "-lonnx_proto")
    elseif(library STREQUAL "hwy::hwy")
      list(APPEND find "find_dependency(hwy)")
      list(APPEND requires "libhwy")
    elseif(library STREQUAL "ZLIB::ZLIB")
      list(APPEND find "find_dependency(ZLIB)")
      list(APPEND requires "zlib")
    elseif(library MATCHES "^zstd::libzstd_")
      list(APPEND find "find_dependency(zstd)")
      list(APPEND requires "libzstd")
    else()
      message(FATAL_ERROR "${target} links ${library}, but cmake/KnotworkInstall.cmake does not "
        "say how an installed Knotwork finds it; add it there.")
    endif()
  endforeach()
  list(JOIN find "\n" find)
  set(${target}_find "${find}" PARENT_SCOPE)
  list(JOIN requires ", " requires)
  set(${target}_requires "${requires}" PARENT_SCOPE)
  list(JOIN libs " " libs)
  set(${target}_libs "${libs}" PARENT_SCOPE)
endfunction()
foreach(component IN LISTS components)
  knotwork_link_dependencies(${${component}_target})
endforeach()

# The CMake package.
get_target_property(library_type knotwork TYPE)
foreach(component IN LISTS components)
  set(find_for_${component} "")
  if(library_type STREQUAL "STATIC_LIBRARY")
    set(find_for_${component} ${${${component}_target}_find})
  endif()
endforeach()
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Knotwork)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/KnotworkConfig.cmake.in
  ${PROJECT_BINARY_DIR}/KnotworkConfig.cmake
  INSTALL_DESTINATION ${package_dir} NO_SET_AND_CHECK_MACRO)
# Before 1.0 every minor version may change the interface.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/KnotworkConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/KnotworkConfig.cmake
              ${PROJECT_BINARY_DIR}/KnotworkConfigVersion.cmake
  DESTINATION ${package_dir} COMPONENT Development)
foreach(component IN LISTS components)
  install(EXPORT Knotwork-${component} NAMESPACE Knotwork:: DESTINATION ${package_dir}
    COMPONENT Development)
endforeach()

# The pkg-config modules. With a relative libdir they find the prefix from their own place.
set(pkgconfig_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
if(IS_ABSOLUTE ${CMAKE_INSTALL_LIBDIR})
  set(pc_prefix ${CMAKE_INSTALL_PREFIX})
else()
  file(RELATIVE_PATH up /prefix/${pkgconfig_dir} /prefix)
  string(REGEX REPLACE "/$" "" up "${up}")
  set(pc_prefix "\${pcfiledir}/${up}")
endif()
foreach(dir IN ITEMS LIBDIR INCLUDEDIR)
  string(TOLOWER pc_${dir} variable)
  if(IS_ABSOLUTE ${CMAKE_INSTALL_${dir}})
    set(${variable} ${CMAKE_INSTALL_${dir}})
  else()
    set(${variable} "\${prefix}/${CMAKE_INSTALL_${dir}}")
  endif()
endforeach()
# Users of a static library need all its dependencies, with or without --static.
set(private .private)
if(library_type STREQUAL "STATIC_LIBRARY")
  set(private "")
  set(pc_static_libs ${knotwork_libs})
  set(pc_insight_static_requires ", ${knotwork_insight_requires}")
  set(pc_insight_static_libs ${knotwork_insight_libs})
  set(pc_tools_static_requires ", ${knotwork_tools_requires}")
  set(pc_tools_static_libs ${knotwork_tools_libs})
endif()
foreach(component IN LISTS components)
  string(REPLACE _ - module ${${component}_target})
  configure_file(${PROJECT_SOURCE_DIR}/cmake/${module}.pc.in ${PROJECT_BINARY_DIR}/${module}.pc
    @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${module}.pc DESTINATION ${pkgconfig_dir}
    COMPONENT Development)
endforeach()
