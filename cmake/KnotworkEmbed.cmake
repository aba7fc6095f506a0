# SPDX-License-Identifier: MIT
# Files that become part of a library.

# knotwork_embed(<name> <file>): sets <name> to the bytes of the file as elements of an array of
# char, and <name>_sha256 to their hash, for configure_file(). Arrays have no length limit as
# string literals have, and no byte needs an escape of its own. A change of the file makes the
# build configure itself anew.
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
