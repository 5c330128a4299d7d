# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_find_library(<major> <directory>...)
#
# Puts found_library, and sets other_libraries, of another major release, and odd_libraries in the
# caller.
function(_cudnn_checked_find_library major)
  set(library "")
  set(other_libraries "")
  set(odd_libraries "")
  foreach(directory IN LISTS ARGN)
    _cudnn_checked_glob_escaped(escaped "${directory}")
    file(GLOB files "${escaped}/libcudnn.so" "${escaped}/libcudnn.so.[0-9]*")
    _cudnn_checked_seen(FILES ${files})
    foreach(file IN LISTS files)
      get_filename_component(name "${file}" NAME)
      _cudnn_checked_is_dangling(dangling "${file}")
      if(dangling)
        list(APPEND odd_libraries ${dangling})
      elseif(major AND name STREQUAL "libcudnn.so.${major}" AND NOT library)
        set(library "${file}")
      else()
        list(APPEND other_libraries "${file}")
      endif()
    endforeach()
  endforeach()
  # Without libcudnn.so.9: libcudnn.so.9.14.0, or a libcudnn.so whose release only the linker knows.
  foreach(file IN LISTS other_libraries)
    file(REAL_PATH "${file}" real)
    if(
      major
      AND NOT library
      AND (real MATCHES "/libcudnn\\.so\\.${major}(\\.|$)" OR real MATCHES "/libcudnn[^/]*\\.so$")
    )
      set(library "${file}")
    endif()
  endforeach()
  _cudnn_checked_put(found_library "${library}")
  set(other_libraries "${other_libraries}" PARENT_SCOPE)
  set(odd_libraries "${odd_libraries}" PARENT_SCOPE)
endfunction()
