# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_wheel_record(<why> <prefix>)
#
# Where <prefix> is, or would be, the directory of NVIDIA's wheel, and the wheel's record lists
# libraries that are not there: a sentence about it.  An installation that was interrupted leaves the
# record behind.
function(_cudnn_checked_wheel_record why prefix)
  set(${why} "" PARENT_SCOPE)
  if(NOT prefix MATCHES "^(.*)/nvidia/(cudnn|cudnn_jit)$")
    return()
  endif()
  set(site "${CMAKE_MATCH_1}")
  set(folder "nvidia/${CMAKE_MATCH_2}")
  _cudnn_checked_glob_escaped(escaped "${site}")
  file(GLOB records "${escaped}/nvidia_cudnn*.dist-info/RECORD")
  foreach(record IN LISTS records)
    file(STRINGS "${record}" lines REGEX "^${folder}/lib/libcudnn[^,]*,")
    set(absent "")
    foreach(line IN LISTS lines)
      string(REGEX REPLACE ",.*" "" file "${line}")
      if(NOT EXISTS "${site}/${file}")
        string(REGEX REPLACE ".*/" "" name "${file}")
        list(APPEND absent "${name}")
      endif()
    endforeach()
    if(absent)
      list(JOIN absent ", " names)
      set(${why} "${record} lists what is not there: ${names}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()
