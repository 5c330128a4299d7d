# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_find_header(<directory>...)
#
# Puts found_header, found_version and found_include, and sets odd_headers, sentences about broken
# files, in the caller.
function(_cudnn_checked_find_header)
  set(header "")
  set(version "")
  set(include "")
  set(odd_headers "")
  foreach(directory IN LISTS ARGN)
    foreach(name IN ITEMS cudnn.h cudnn_version.h)
      _cudnn_checked_is_dangling(dangling "${directory}/${name}")
      list(APPEND odd_headers ${dangling})
    endforeach()
    _cudnn_checked_seen(
      FILES
      "${directory}/cudnn.h"
      "${directory}/cudnn_version.h"
      "${directory}/cudnn_version_v9.h"
      "${directory}/cudnn_version_v8.h"
    )
    if(NOT EXISTS "${directory}/cudnn.h")
      continue()
    endif()
    # Debian's package keeps the versioned name; the plain one is a link of update-alternatives.
    foreach(name IN ITEMS cudnn_version.h cudnn_version_v9.h cudnn_version_v8.h)
      if(NOT header AND EXISTS "${directory}/${name}")
        _cudnn_checked_read_version(version "${directory}/${name}")
        if(version)
          set(header "${directory}/${name}")
          set(include "${directory}")
        else()
          list(APPEND odd_headers "${directory}/${name} defines no version")
        endif()
      endif()
    endforeach()
    if(header)
      break()
    endif()
  endforeach()
  foreach(value IN ITEMS header version include)
    _cudnn_checked_put(found_${value} "${${value}}")
  endforeach()
  set(odd_headers "${odd_headers}" PARENT_SCOPE)
endfunction()
