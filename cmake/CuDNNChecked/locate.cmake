# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_locate()
#
# Finds the first place, in the documented order, that holds both halves of one cuDNN whose release
# was asked for.  Sets in the caller place_prefix, place_header, place_version, place_include and
# place_library, or, where there is none, refusal: the message that lists every place and why it was
# passed over.
function(_cudnn_checked_locate)
  set(tried "")
  set(half "")
  set(first_version "")
  set(package "")
  set(nothing "")
  set(none "")
  set(seen "")
  foreach(stage IN LISTS _cudnn_checked_stages)
    _cudnn_checked_candidates(stage_prefixes stage_labels "${stage}")
    _cudnn_checked_wheels_below(stage_prefixes stage_labels "${stage}")
    foreach(prefix label IN ZIP_LISTS stage_prefixes stage_labels)
      string(REGEX REPLACE "(.)/+$" "\\1" prefix "${prefix}")
      if("${prefix}" IN_LIST seen)
        continue()
      endif()
      list(APPEND seen "${prefix}")
      _cudnn_checked_look_at("${prefix}")
      if(look_missing STREQUAL "")
        _cudnn_checked_version_request(words fits "${look_version}")
        if(fits)
          set(place_prefix "${prefix}" PARENT_SCOPE)
          foreach(value IN ITEMS header version include library)
            set(place_${value} "${look_${value}}" PARENT_SCOPE)
          endforeach()
          set(refusal "" PARENT_SCOPE)
          return()
        endif()
        set(look_why "cuDNN ${look_version}")
        set(first_version "${look_version}")
      elseif(NOT look_missing STREQUAL "both" AND half STREQUAL "")
        set(half "${look_missing}")
      endif()
      if(NOT look_package STREQUAL "")
        set(package "${look_package}")
      endif()
      if(prefix MATCHES "(^|/)None$")
        list(APPEND nothing "${label}")
        list(APPEND none "${label}")
      endif()
      list(APPEND tried "|${prefix}|${label}: ${look_why}")
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
  set(refusal "${text}" PARENT_SCOPE)
endfunction()

# A hint may name a Python environment or its site-packages: adds the wheels below the directories
# in the caller's variable <in_out_prefixes>, and what names them to <in_out_labels>.
function(_cudnn_checked_wheels_below in_out_prefixes in_out_labels stage)
  if(NOT stage MATCHES "^(CuDNNChecked_ROOT|CUDNN_.*)$")
    return()
  endif()
  set(all "")
  set(names "")
  set(places "${${in_out_prefixes}}")
  set(words "${${in_out_labels}}")
  foreach(place word IN ZIP_LISTS places words)
    _cudnn_checked_glob_escaped(escaped "${place}")
    file(
      GLOB wheels
      "${escaped}/nvidia/cudnn"
      "${escaped}/nvidia/cudnn_jit"
      "${escaped}/lib/python3*/site-packages/nvidia/cudnn"
      "${escaped}/lib/python3*/site-packages/nvidia/cudnn_jit"
    )
    foreach(directory IN ITEMS "${place}" ${wheels})
      list(APPEND all "${directory}")
      list(APPEND names "${word}")
    endforeach()
  endforeach()
  set(${in_out_prefixes} "${all}" PARENT_SCOPE)
  set(${in_out_labels} "${names}" PARENT_SCOPE)
endfunction()

# What names the hint of a stage where that is set and empty, otherwise nothing: a command that was
# meant to print the directory printed none.
function(_cudnn_checked_empty_hint result stage)
  set(${result} "" PARENT_SCOPE)
  if(stage MATCHES "^(CuDNNChecked_ROOT|CUDNN_.*)$")
    if(DEFINED ENV{${stage}} AND "$ENV{${stage}}" STREQUAL "")
      set(${result} "environment ${stage}" PARENT_SCOPE)
    elseif(DEFINED ${stage} AND "${${stage}}" STREQUAL "")
      set(${result} "${stage}" PARENT_SCOPE)
    endif()
  endif()
endfunction()

# The message: <half> is what the first incomplete install lacks, <version> a release that was
# found and not asked for, <tried>... the places.  Reads of the caller package, the one to install
# again, nothing, what names the hints that are empty or None, and none, those that are None.
function(_cudnn_checked_not_found result half version)
  set(tried "${ARGN}")
  _cudnn_checked_version_request(words fits "")
  set(facts "")
  if(words)
    set(facts "asked for|cuDNN ${words}|find_package")
  endif()
  set(label "looked in")
  foreach(place IN LISTS tried)
    list(APPEND facts "${label}${place}")
    set(label "")
  endforeach()
  set(because "")
  set(root "cmake -D CuDNNChecked_ROOT=DIRECTORY")
  set(pip "python3 -m pip install nvidia-cudnn-cu13  (or nvidia-cudnn-cu12)")
  set(
    fix
    "${root}, the one with include/cudnn.h and lib/libcudnn.so.9"
    "${pip}, and configure again"
  )
  if(version)
    set(name cudnn-not-found)
    set(summary "no cuDNN ${words} was found, only others")
  elseif(half STREQUAL "headers")
    set(name headers-missing)
    set(summary "cuDNN's library was found without its headers")
    set(because "Programs that use cuDNN can run here, and none can be compiled.")
    set(apt "apt install libcudnn9-dev-cuda-13  (the -dev package of the library's release)")
    list(INSERT fix 1 "${apt}")
  elseif(package)
    set(name library-missing)
    set(summary "a Python package of cuDNN is recorded, and its libraries are not there")
    set(because "An installation that was interrupted leaves the record behind.")
    list(PREPEND fix "python3 -m pip install --force-reinstall ${package}")
  elseif(half STREQUAL "library")
    set(name library-missing)
    set(summary "cuDNN's headers were found without their library")
    set(because "A header of one install is never taken with a library of another.")
    list(INSERT fix 1 "apt install libcudnn9-cuda-13  (the package of the headers' release)")
  elseif(none)
    set(name library-missing)
    list(JOIN none ", " hints)
    set(summary "no cuDNN was found, and no directory stands in ${hints}")
  else()
    set(name cudnn-not-found)
    set(summary "no cuDNN was found")
  endif()
  if(nothing)
    list(GET nothing 0 hint)
    string(REGEX REPLACE ".* " "" hint "${hint}")
    list(
      PREPEND
      fix
      "export ${hint}=\"$(python3 -c 'import nvidia.cudnn as c\\; print(list(c.__path__)[0])')\""
    )
  endif()
  if(CuDNNChecked_ROOT OR NOT "$ENV{CuDNNChecked_ROOT}" STREQUAL "")
    set(because "CuDNNChecked_ROOT is set, so nothing else was looked at.")
    set(unset "cmake -U CuDNNChecked_ROOT  (and: unset CuDNNChecked_ROOT), to search elsewhere")
    list(APPEND fix "${unset}")
  endif()
  _cudnn_checked_message(text NAME ${name} SUMMARY "${summary}" FACTS ${facts}
                         BECAUSE "${because}" FIX ${fix}
  )
  set(${result} "${text}" PARENT_SCOPE)
endfunction()
