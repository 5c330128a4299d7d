# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_mixed_headers(<result>)
#
# The message where the headers that cudnn.h includes are not of one release, otherwise nothing:
# NVIDIA's own headers refuse to be compiled then.  Asked where the probe does not compile, because
# the compiler decides; a header of another release that none of them includes does not matter.
function(_cudnn_checked_mixed_headers result)
  set(${result} "" PARENT_SCOPE)
  # A flag may be to blame before any header is read.
  if(NOT build_lines MATCHES "cudnn[a-z0-9_]*[.]h|Version mismatch in cuDNN")
    return()
  endif()
  set(names cudnn.h)
  set(known "")
  set(releases "")
  set(facts "")
  set(absent "")
  set(by "")
  while(names)
    list(POP_FRONT names name)
    if("${name}" IN_LIST known)
      continue()
    endif()
    list(APPEND known "${name}")
    set(file "${place_include}/${name}")
    _cudnn_checked_header_release(release "${file}")
    if(release)
      list(APPEND releases ${release})
      list(APPEND facts "${name}|${release}|${file}")
    endif()
    file(
      STRINGS
      "${file}"
      lines
      LIMIT_INPUT 1048576
      REGEX "^[ \t]*#[ \t]*include[ \t]+[\"<]cudnn[A-Za-z0-9_]*\\.h[\">]"
    )
    foreach(line IN LISTS lines)
      string(REGEX MATCH "cudnn[A-Za-z0-9_]*\\.h" included "${line}")
      if(EXISTS "${place_include}/${included}")
        list(APPEND names "${included}")
      elseif(absent STREQUAL "")
        set(absent "${included}")
        set(by "${file}")
      endif()
    endforeach()
  endwhile()
  list(REMOVE_DUPLICATES releases)
  list(LENGTH releases count)
  if(absent)
    list(APPEND facts "${absent}|not there|included by ${by}")
  elseif(count LESS 2)
    return()
  endif()
  set(summary "the headers of cuDNN are of more than one release")
  if(count LESS 2)
    set(summary "a header of cuDNN includes another one that is not there")
  endif()
  list(APPEND facts "library|${place_library}|")
  _cudnn_checked_reinstall(fix "${place_header}")
  if(fix STREQUAL "")
    _cudnn_checked_install_cudnn(fix "" "${place_version}")
  endif()
  _cudnn_checked_message(text NAME header-mixed
    SUMMARY "${summary}" FACTS ${facts}
    BECAUSE "No program compiles with them: an upgrade of cuDNN has replaced some of them only."
    FIX ${fix}
  )
  _cudnn_checked_quoted(quoted "${build_lines}")
  set(${result} "${text}${quoted}" PARENT_SCOPE)
endfunction()

# The release that a header of cuDNN says of itself, as CUDNN_OPS_MAJOR, _MINOR and _PATCH; empty
# where it says none.
function(_cudnn_checked_header_release result header)
  set(${result} "" PARENT_SCOPE)
  file(
    STRINGS
    "${header}"
    lines
    LIMIT_INPUT 65536
    REGEX "^[ \t]*#[ \t]*define[ \t]+CUDNN_([A-Z]+_)*(MAJOR|MINOR|PATCH|PATCHLEVEL)[ \t]+[0-9]+"
  )
  set(release "")
  foreach(part IN ITEMS MAJOR MINOR PATCH)
    if(NOT "${lines}" MATCHES "_${part}[A-Z]*[ \t]+([0-9]+)")
      return()
    endif()
    list(APPEND release ${CMAKE_MATCH_1})
  endforeach()
  list(JOIN release "." release)
  set(${result} ${release} PARENT_SCOPE)
endfunction()
