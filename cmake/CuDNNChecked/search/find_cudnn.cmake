# SPDX-License-Identifier: BSD-3-Clause
#
# The search for cuDNN.

# _cudnn_checked_find_cudnn()
#
# Finds the first place, in the documented order, that holds both halves of one cuDNN whose release
# was asked for.  Sets place_*, or, where there is none, puts refusal (_cudnn_checked_not_found).
function(_cudnn_checked_find_cudnn)
  _cudnn_checked_new(passed found)
  set(seen "")
  _cudnn_checked_stages(stages)
  foreach(stage IN LISTS stages)
    _cudnn_checked_places_of_stage(places "${stage}")
    set(labels "")
    set(lost "")
    foreach(place IN LISTS places)
      _cudnn_checked_read_place(label prefix "${place}")
      string(REGEX REPLACE "(.)/+$" "\\1" prefix "${prefix}")
      if("${prefix}" IN_LIST seen)
        continue()
      endif()
      list(APPEND seen "${prefix}")
      _cudnn_checked_find_in_prefix("${prefix}")
      _cudnn_checked_version_request(words fits "${found_version}")
      if(found_library AND fits)
        _cudnn_checked_place_of_found("${prefix}")
        _cudnn_checked_list_tried("${prefix}" "${label}")
        _cudnn_checked_tell_lost("${prefix}")
        _cudnn_checked_hand_up(place)
        return()
      endif()
      _cudnn_checked_pass_over("${prefix}" "${label}" "${stage}")
      # A hint may name a Python environment, whose wheels lie below: only the first place is named.
      if(NOT "${label}" IN_LIST labels)
        list(APPEND labels "${label}")
        _cudnn_checked_why_lost(why "${prefix}")
        list(APPEND lost "${label} names ${prefix}${why}")
      endif()
    endforeach()
    _cudnn_checked_keep_lost("${stage}" ${lost})
    _cudnn_checked_empty_hint(label "${stage}")
    if(label)
      list(APPEND passed_empty "${stage}")
      list(APPEND passed_places "told\tlooked in|nothing|${label}: set, and empty")
    endif()
    # A root that was named explicitly is an instruction, not a hint.
    if(stage STREQUAL "CuDNNChecked_ROOT" AND places)
      break()
    endif()
  endforeach()
  _cudnn_checked_not_found()
endfunction()

# The stages of the search, in their order: each variable that names a cuDNN, and the other stages
# of the table of places.
function(_cudnn_checked_stages result)
  _cudnn_checked_hints(hints)
  _cudnn_checked_rows(stages search_places)
  list(FILTER stages INCLUDE REGEX "^SEARCHED")
  list(TRANSFORM stages REPLACE "^SEARCHED\\(([^,]*), .*$" "\\1")
  list(REMOVE_DUPLICATES stages)
  list(REMOVE_ITEM stages hint)
  set(${result} "${hints};${stages}" PARENT_SCOPE)
endfunction()

# Where to search in one stage.  Adds to passed_places what is not to be searched.
function(_cudnn_checked_places_of_stage places stage)
  if(stage STREQUAL "cuda")
    # The toolkit that compiles this project first.
    _cudnn_checked_cuda_instructions(found "")
    _cudnn_checked_rooted(found AS_NAMED)
    _cudnn_checked_cuda_hints(more)
    _cudnn_checked_rooted(more)
    list(APPEND found ${more})
  else()
    _cudnn_checked_places_of(found "${stage}")
  endif()
  if(stage STREQUAL "CuDNNChecked_ROOT")
    _cudnn_checked_rooted(found AS_NAMED)
  elseif(NOT stage MATCHES "^(cuda|system)$")
    _cudnn_checked_rooted(found)
  endif()
  _cudnn_checked_hints(hints)
  if("${stage}" IN_LIST hints)
    _cudnn_checked_wheels_below(found)
  endif()
  set(passed_places "${passed_places}" PARENT_SCOPE)
  set(${places} "${found}" PARENT_SCOPE)
endfunction()

# Adds to passed_* a place that is not taken.
function(_cudnn_checked_pass_over prefix label stage)
  if(prefix MATCHES "(^|/)None$")
    _cudnn_checked_searched(variables "${stage}")
    set(variables ${variables} "${stage}")
    list(GET variables 0 variable)
    list(APPEND passed_empty "${variable}")
    list(APPEND passed_none "${label}")
  endif()
  list(APPEND passed_places "${label}\t${prefix}")
  _cudnn_checked_hand_up(passed)
endfunction()

# Why the cuDNN in <prefix> is not taken.  Reads found_*, the facts of this prefix.
function(_cudnn_checked_why_lost why prefix)
  set(text " (no whole cuDNN)")
  if(NOT EXISTS "${prefix}")
    set(text ", which does not exist")
  elseif(found_library)
    set(text " (cuDNN ${found_version})")
  endif()
  set(${why} "${text}" PARENT_SCOPE)
endfunction()

# Adds the places of a hint that have no suitable cuDNN to passed_lost.
function(_cudnn_checked_keep_lost stage)
  _cudnn_checked_hints(hints)
  if("${stage}" IN_LIST hints)
    list(APPEND passed_lost ${ARGN})
    set(passed_lost "${passed_lost}" PARENT_SCOPE)
  endif()
endfunction()

# Reports each of passed_lost if the cuDNN of another prefix is taken, found_*.
function(_cudnn_checked_tell_lost prefix)
  if(CuDNNChecked_FIND_QUIETLY)
    return()
  endif()
  foreach(line IN LISTS passed_lost)
    set(line "cudnn_checked: note: ${line}: cuDNN ${found_version} of ${prefix} is taken")
    _cudnn_checked_one_line(line)
    message(STATUS "${line}")
  endforeach()
endfunction()

# The name of the hint of a stage if the hint is set and empty; otherwise empty.  Usually a command
# that should have printed the directory has printed nothing.
function(_cudnn_checked_empty_hint result stage)
  set(${result} "" PARENT_SCOPE)
  _cudnn_checked_hints(hints)
  if("${stage}" IN_LIST hints)
    if(DEFINED ENV{${stage}} AND "$ENV{${stage}}" STREQUAL "")
      set(${result} "environment ${stage}" PARENT_SCOPE)
    elseif(DEFINED ${stage} AND "${${stage}}" STREQUAL "")
      set(${result} "${stage}" PARENT_SCOPE)
    endif()
  endif()
endfunction()

# With --log-level=VERBOSE: what was looked at (passed_places), and what was taken (found_*).
function(_cudnn_checked_list_tried prefix label)
  if(CuDNNChecked_FIND_QUIETLY)
    return()
  endif()
  set(taken "told\tlooked in|${prefix}|${label}: taken, cuDNN ${found_version}")
  foreach(line IN LISTS passed_places taken)
    string(REGEX REPLACE "^told\t([^|]*)[|]([^|]*)[|]" "cudnn_checked: \\1: \\2   " line "${line}")
    string(
      REGEX REPLACE
      "^([^\t]*)\t(.*)$"
      "cudnn_checked: looked in: \\2   \\1: not taken"
      line
      "${line}"
    )
    _cudnn_checked_one_line(line)
    message(VERBOSE "${line}")
  endforeach()
endfunction()

# _cudnn_checked_place_of_found(<prefix>)
#
# Sets place_* from found_*, which are those of this prefix: the prefix, header, version, include
# directory and library, and the sub-libraries that lie beside it.
function(_cudnn_checked_place_of_found prefix)
  _cudnn_checked_new(place)
  set(place_prefix "${prefix}")
  foreach(value IN ITEMS header version include library)
    set(place_${value} "${found_${value}}")
  endforeach()
  get_filename_component(directory "${found_library}" DIRECTORY)
  get_filename_component(name "${found_library}" NAME)
  string(REGEX MATCH "^((lib)?cudnn)(.*)$" _ "${name}")
  set(parts "${CMAKE_MATCH_1}_*${CMAKE_MATCH_3}")
  _cudnn_checked_glob(files "${directory}" "${parts}")
  foreach(file IN LISTS files)
    if(EXISTS "${file}" AND file MATCHES "/(lib)?cudnn_[a-z_]+(\\.so[0-9.]*|64_[0-9]+\\.dll)$")
      list(APPEND place_sublibraries "${file}")
    endif()
  endforeach()
  _cudnn_checked_hand_up(place)
endfunction()

# _cudnn_checked_version_request(<words> <fits> <version>)
#
# The version that find_package asked for, in words ("9.1...<10", "exactly 9.14", "9.1 or newer",
# empty for any), and whether <version> is one of those.
function(_cudnn_checked_version_request words fits version)
  set(text "")
  if(CuDNNChecked_FIND_VERSION_RANGE)
    set(text "${CuDNNChecked_FIND_VERSION_RANGE}")
  elseif(CuDNNChecked_FIND_VERSION AND CuDNNChecked_FIND_VERSION_EXACT)
    set(text "exactly ${CuDNNChecked_FIND_VERSION}")
  elseif(CuDNNChecked_FIND_VERSION)
    set(text "${CuDNNChecked_FIND_VERSION} or newer")
  endif()
  set(answer TRUE)
  if(NOT version STREQUAL "")
    find_package_check_version("${version}" answer HANDLE_VERSION_RANGE)
  endif()
  set(${words} "${text}" PARENT_SCOPE)
  set(${fits} ${answer} PARENT_SCOPE)
endfunction()
