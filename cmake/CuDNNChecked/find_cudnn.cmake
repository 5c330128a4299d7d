# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_find_cudnn()
#
# Finds the first place, in the documented order, that holds both halves of one cuDNN whose release
# was asked for.  Puts place_*, or, where there is none, refusal: the message that lists every place
# and why it was passed over.
function(_cudnn_checked_find_cudnn)
  set(tried "")
  set(half "")
  set(first_version "")
  set(package "")
  set(nothing "")
  set(none "")
  set(seen "")
  _cudnn_checked_hints(hints)
  foreach(
    stage
    IN
    LISTS hints
    ITEMS CMAKE_PREFIX_PATH python conda cuda system
  )
    _cudnn_checked_cudnn_prefixes(stage_prefixes stage_labels "${stage}")
    _cudnn_checked_wheels_below(stage_prefixes stage_labels "${stage}")
    foreach(prefix label IN ZIP_LISTS stage_prefixes stage_labels)
      string(REGEX REPLACE "(.)/+$" "\\1" prefix "${prefix}")
      if("${prefix}" IN_LIST seen)
        continue()
      endif()
      list(APPEND seen "${prefix}")
      _cudnn_checked_find_in_prefix("${prefix}")
      _cudnn_checked_get(found)
      if(found_missing STREQUAL "")
        _cudnn_checked_version_request(words fits "${found_version}")
        if(fits)
          _cudnn_checked_put_place("${prefix}")
          return()
        endif()
        set(found_why "cuDNN ${found_version}")
        set(first_version "${found_version}")
      elseif(NOT found_missing STREQUAL "both" AND half STREQUAL "")
        set(half "${found_missing}")
      endif()
      if(NOT found_package STREQUAL "")
        set(package "${found_package}")
      endif()
      if(prefix MATCHES "(^|/)None$")
        list(APPEND nothing "${label}")
        list(APPEND none "${label}")
      endif()
      list(APPEND tried "|${prefix}|${label}: ${found_why}")
    endforeach()
    _cudnn_checked_empty_hint(label "${stage}")
    if(label)
      list(APPEND nothing "${label}")
      list(APPEND tried "|nothing|${label}: set, and empty")
    endif()
    # A root that was named explicitly is an instruction, not a hint.
    if(stage STREQUAL "CuDNNChecked_ROOT" AND stage_prefixes)
      break()
    endif()
  endforeach()
  _cudnn_checked_not_found(text "${half}" "${first_version}" ${tried})
  _cudnn_checked_put(refusal "${text}")
endfunction()

# What names the hint of a stage where that is set and empty, otherwise nothing: a command that was
# meant to print the directory printed none.  Reads hints of the caller.
function(_cudnn_checked_empty_hint result stage)
  set(${result} "" PARENT_SCOPE)
  if("${stage}" IN_LIST hints)
    if(DEFINED ENV{${stage}} AND "$ENV{${stage}}" STREQUAL "")
      set(${result} "environment ${stage}" PARENT_SCOPE)
    elseif(DEFINED ${stage} AND "${${stage}}" STREQUAL "")
      set(${result} "${stage}" PARENT_SCOPE)
    endif()
  endif()
endfunction()
