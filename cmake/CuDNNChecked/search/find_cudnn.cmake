# SPDX-License-Identifier: BSD-3-Clause
#
# The search for cuDNN.

# _cudnn_checked_find_cudnn(place input)
#
# Finds the first place, in the documented order, that holds both halves of one cuDNN whose release
# was asked for.  Sets place_*, or, where there is none, puts refusal (_cudnn_checked_not_found).
function(_cudnn_checked_find_cudnn place input)
  _cudnn_checked_new(passed found)
  set(seen "")
  _cudnn_checked_stages(stages)
  foreach(stage IN LISTS stages)
    _cudnn_checked_places_of_stage(passed places "${stage}" "${input_roots}")
    set(lost "")
    foreach(candidate IN LISTS places)
      _cudnn_checked_prefixes_of(label named wheels "${candidate}" "${stage}")
      foreach(prefix IN ITEMS "${named}" ${wheels})
        if("${prefix}" IN_LIST seen)
          continue()
        endif()
        list(APPEND seen "${prefix}")
        _cudnn_checked_find_in_prefix(found "${prefix}")
        _cudnn_checked_version_request(words fits "${found_version}")
        if(found_library AND fits)
          _cudnn_checked_place_of_found(place "${prefix}" found)
          _cudnn_checked_list_tried("${passed_places}" "${prefix}" "${label}" "${found_version}")
          _cudnn_checked_tell_lost("${passed_lost}" "${prefix}" "${found_version}")
          _cudnn_checked_hand_up(place)
          return()
        endif()
        if(found_library)
          _cudnn_checked_put(absent release)
        endif()
        _cudnn_checked_pass_over(passed "${prefix}" "${label}" "${stage}")
        if(prefix STREQUAL named)
          _cudnn_checked_why_lost(why "${prefix}" "${found_library}" "${found_version}")
          list(APPEND lost "${label} names ${prefix}${why}")
        endif()
      endforeach()
    endforeach()
    _cudnn_checked_keep_lost(passed "${stage}" ${lost})
    _cudnn_checked_empty_hint(label "${stage}")
    if(label)
      list(APPEND passed_empty "${stage}")
      list(APPEND passed_places "set, and empty\t${label}\tnothing")
    endif()
    # A root that was named explicitly is an instruction, not a hint.
    if(stage STREQUAL "CuDNNChecked_ROOT" AND places)
      break()
    endif()
  endforeach()
  _cudnn_checked_not_found(input passed)
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

# _cudnn_checked_places_of_stage(passed <places> <stage> <roots>)
#
# Where to search in one stage; <roots> are the places of CuDNNChecked_ROOT.  Adds to passed_places
# what is not to be searched.
function(_cudnn_checked_places_of_stage passed places stage roots)
  if(stage STREQUAL "cuda")
    # The toolkit that compiles this project first.
    _cudnn_checked_cuda_instructions(found "")
    _cudnn_checked_rooted(passed found AS_NAMED)
    _cudnn_checked_cuda_hints(more)
    _cudnn_checked_rooted(passed more)
    list(APPEND found ${more})
  else()
    _cudnn_checked_places_of(found "${stage}" "${roots}")
  endif()
  if(stage STREQUAL "CuDNNChecked_ROOT")
    _cudnn_checked_rooted(passed found AS_NAMED)
  elseif(NOT stage MATCHES "^(cuda|system)$")
    _cudnn_checked_rooted(passed found)
  endif()
  _cudnn_checked_hand_up(passed)
  set(${places} "${found}" PARENT_SCOPE)
endfunction()

# _cudnn_checked_prefixes_of(<label> <named> <wheels> <element> <stage>)
#
# The label of a place of the list, and the prefixes that it stands for: the directory that it
# names, and, where that is a hint, which may name a Python environment or its site-packages, the
# wheels below it.
function(
  _cudnn_checked_prefixes_of
  label
  named
  wheels
  element
  stage
)
  _cudnn_checked_read_place(words directory "${element}")
  string(REGEX REPLACE "(.)/+$" "\\1" directory "${directory}")
  set(below "")
  _cudnn_checked_hints(hints)
  if("${stage}" IN_LIST hints)
    _cudnn_checked_wheels_below(below "${directory}")
  endif()
  set(${label} "${words}" PARENT_SCOPE)
  set(${named} "${directory}" PARENT_SCOPE)
  set(${wheels} "${below}" PARENT_SCOPE)
endfunction()

# Adds to passed_* a place that is not taken.
function(_cudnn_checked_pass_over passed prefix label stage)
  if(prefix MATCHES "(^|/)None$")
    _cudnn_checked_searched(variables "${stage}")
    set(variables ${variables} "${stage}")
    list(GET variables 0 variable)
    list(APPEND passed_empty "${variable}")
    list(APPEND passed_none "${label}")
  endif()
  list(APPEND passed_places "\t${label}\t${prefix}")
  _cudnn_checked_hand_up(passed)
endfunction()

# Why the cuDNN in <prefix> is not taken, of which <library> and <version> were found.
function(_cudnn_checked_why_lost why prefix library version)
  set(text " (no whole cuDNN)")
  if(NOT EXISTS "${prefix}")
    set(text ", which does not exist")
  elseif(library)
    set(text " (cuDNN ${version})")
  endif()
  set(${why} "${text}" PARENT_SCOPE)
endfunction()

# Adds the places of a hint that have no suitable cuDNN to passed_lost.
function(_cudnn_checked_keep_lost passed stage)
  _cudnn_checked_hints(hints)
  if("${stage}" IN_LIST hints)
    list(APPEND passed_lost ${ARGN})
    _cudnn_checked_hand_up(passed)
  endif()
endfunction()

# Reports each hint that was lost (passed_lost): the cuDNN of another prefix is taken.
function(_cudnn_checked_tell_lost lost prefix version)
  if(CuDNNChecked_FIND_QUIETLY)
    return()
  endif()
  foreach(line IN LISTS lost)
    set(line "cudnn_checked: note: ${line}: cuDNN ${version} of ${prefix} is taken")
    _cudnn_checked_without_controls(line "${line}")
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

# With --log-level=VERBOSE: what was looked at (passed_places), and what was taken.
function(_cudnn_checked_list_tried passed_places prefix label version)
  if(CuDNNChecked_FIND_QUIETLY)
    return()
  endif()
  set(taken "taken, cuDNN ${version}\t${label}\t${prefix}")
  foreach(entry IN LISTS passed_places taken)
    _cudnn_checked_read_passed(why name directory "${entry}")
    if(why STREQUAL "")
      set(why "not taken")
    endif()
    set(line "cudnn_checked: looked in: ${directory}   ${name}: ${why}")
    _cudnn_checked_without_controls(line "${line}")
    message(VERBOSE "${line}")
  endforeach()
endfunction()

# _cudnn_checked_place_of_found(place <prefix> found)
#
# Sets place_* from found_*, which are those of this prefix: the prefix, header, version, include
# directory and library, and the sub-libraries that lie beside it.
function(_cudnn_checked_place_of_found place prefix found)
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
