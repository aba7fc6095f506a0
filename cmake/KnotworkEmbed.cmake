# SPDX-License-Identifier: MIT
# A function that embeds files in a library.

# knotwork_embed(<name> <file>): sets <name> to the bytes of the file as elements of an array of
# char, and <name>_sha256 to their hash, for configure_file(). Unlike string
# literals, arrays have no length limit, and their bytes need no escapes. After a change of the file the
# build configures itself again.
function(knotwork_embed name file)
  cmake_path(ABSOLUTE_PATH file)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  file(READ ${file} bytes HEX)
  file(SHA256 ${file} sha256)
  string(REGEX REPLACE "(..)" "'\\\\x\\1'," bytes "${bytes}")
  string(REGEX REPLACE "('[^']*','[^']*','[^']*','[^']*','[^']*','[^']*','[^']*','[^']*',)" "\\1\n"
    bytes "${bytes}")
  set(${name} "${bytes}" PARENT_SCOPE)
  set(${name}_sha256 "${sha256}" PARENT_SCOPE)
endfunction()
