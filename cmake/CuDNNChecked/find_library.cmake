# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_find_library(<major> <directory>...)
#
# Puts found_library, and sets in the caller other_libraries, of another major release, and
# sentences: odd_libraries about files that cannot be used, and foreign_libraries about those of
# another machine.
function(_cudnn_checked_find_library major)
  set(library "")
  set(other_libraries "")
  set(odd_libraries "")
  set(foreign_libraries "")
  set(strange FALSE)
  foreach(directory IN LISTS ARGN)
    _cudnn_checked_glob_escaped(escaped "${directory}")
    file(GLOB files "${escaped}/libcudnn.so" "${escaped}/libcudnn.so.[0-9]*")
    _cudnn_checked_seen(FILES ${files})
    foreach(file IN LISTS files)
      get_filename_component(name "${file}" NAME)
      _cudnn_checked_unusable(odd "${file}")
      _cudnn_checked_no_file(kind "${file}")
      if(kind)
        set(odd "${file} is ${kind}")
        # The loader would wait for it, whatever the linker is given.
        set(strange TRUE)
      endif()
      set(foreign "")
      if(NOT odd)
        _cudnn_checked_other_machine(foreign "${file}")
      endif()
      if(odd)
        list(APPEND odd_libraries "${odd}")
      elseif(foreign)
        list(APPEND foreign_libraries "${foreign}")
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
      AND NOT strange
      AND (real MATCHES "/libcudnn\\.so\\.${major}(\\.|$)" OR real MATCHES "/libcudnn[^/]*\\.so$")
    )
      set(library "${file}")
    endif()
  endforeach()
  _cudnn_checked_put(found_library "${library}")
  set(other_libraries "${other_libraries}" PARENT_SCOPE)
  set(odd_libraries "${odd_libraries}" PARENT_SCOPE)
  set(foreign_libraries "${foreign_libraries}" PARENT_SCOPE)
endfunction()
