# SPDX-License-Identifier: BSD-3-Clause
#
# What was proved, as the variables result_<name> (the names are in
# _cudnn_checked_find); kept between two runs of CMake as a flat list of
# set() commands, which are read in a tenth of the time that JSON takes.  Only success is kept.
# _cudnn_checked_empty_result(): no result at all, in the caller.
function(_cudnn_checked_empty_result)
  foreach(name IN LISTS _cudnn_checked_result_names)
    set(result_${name} "" PARENT_SCOPE)
  endforeach()
endfunction()

# _cudnn_checked_unproved_result(<level> <reason>): what is known where the probe was not run.
function(_cudnn_checked_unproved_result level reason)
  set(result_level ${level} PARENT_SCOPE)
  set(result_verdict ok PARENT_SCOPE)
  set(result_toolkit "${cuda_version}" PARENT_SCOPE)
  set(line "cuDNN ${place_version} · CUDA ${cuda_version}, ${level} only")
  string(APPEND line "; nothing was run: ${reason} [not-verified]")
  set(result_line "${line}" PARENT_SCOPE)
endfunction()

# _cudnn_checked_save_result(<file> <signature>)
function(_cudnn_checked_save_result file signature)
  if(result_verdict STREQUAL "")
    return()
  endif()
  set(text "set(result_signature ${signature})\n")
  foreach(name IN LISTS _cudnn_checked_result_names)
    string(APPEND text "set(result_${name} [==[${result_${name}}]==])\n")
  endforeach()
  file(WRITE "${file}" "${text}")
endfunction()

# _cudnn_checked_load_result(<file> <signature>): sets result_loaded in the caller, and the result
# where that is true.
function(_cudnn_checked_load_result file signature)
  set(result_signature "")
  include("${file}" OPTIONAL)
  set(loaded FALSE)
  if(
    result_signature STREQUAL signature
    AND (result_report STREQUAL "" OR EXISTS "${result_report}")
  )
    set(loaded TRUE)
    foreach(name IN LISTS _cudnn_checked_result_names)
      set(result_${name} "${result_${name}}" PARENT_SCOPE)
    endforeach()
  endif()
  set(result_loaded ${loaded} PARENT_SCOPE)
endfunction()
