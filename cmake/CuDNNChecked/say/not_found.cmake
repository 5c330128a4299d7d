# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_not_found()
#
# Refuses where no cuDNN is taken, from passed_*: an install that is found and not asked for, one of
# which half is missing, or none.
function(_cudnn_checked_not_found)
  _cudnn_checked_get(passed)
  _cudnn_checked_version_request(words fits "")
  set(facts "")
  if(words)
    set(facts "asked for|cuDNN ${words}|find_package")
  endif()
  list(APPEND facts ${passed_tried})
  _cudnn_checked_reason(name summary because repair "${words}")
  set(elsewhere "")
  _cudnn_checked_places_of(roots CuDNNChecked_ROOT)
  list(TRANSFORM roots REPLACE "^[^\t]*\t" "")
  if(roots)
    set(because "CuDNNChecked_ROOT is set, so no other directory was searched.")
    _cudnn_checked_find_elsewhere(elsewhere found ${roots})
    if(elsewhere)
      list(APPEND facts "elsewhere|cuDNN ${found}|${elsewhere}")
    endif()
  endif()
  _cudnn_checked_ways_to_find(fix "${repair}" "${elsewhere}" "${roots}" "${passed_empty}")
  _cudnn_checked_refuse(NAME ${name} SUMMARY "${summary}" FACTS ${facts}
                        BECAUSE "${because}" FIX ${fix}
  )
endfunction()

# What is the matter, and what repairs that: nothing where there is nothing to repair.
function(
  _cudnn_checked_reason
  finding
  summary
  because
  repair
  words
)
  _cudnn_checked_get(passed)
  set(told "")
  set(fix "")
  set(name library-missing)
  if(passed_version)
    set(name cudnn-not-found)
    set(what "no cuDNN ${words} was found, only others")
  elseif(passed_half STREQUAL "machine")
    set(name wrong-machine)
    set(what "the cuDNN that was found is for another machine")
    set(told "A library can only be linked with, and loaded by, programs for its own machine.")
    if(NOT CMAKE_CROSSCOMPILING)
      _cudnn_checked_advise(fix again "file=${passed_file}")
    endif()
  elseif(passed_half STREQUAL "headers")
    set(name headers-missing)
    set(what "cuDNN's library was found without its headers")
    set(told "Programs that use cuDNN can run here, but cannot be compiled.")
    _cudnn_checked_advise(fix again "file=${passed_file}" part=headers)
  elseif(passed_package)
    set(what "a Python package of cuDNN is recorded, but its libraries are missing")
    set(told "An installation that was interrupted leaves the record behind.")
    _cudnn_checked_advise(fix again "file=${passed_package}")
  elseif(passed_half STREQUAL "library")
    set(what "cuDNN's headers were found without their library")
    set(told "A header of one install is never taken with a library of another.")
    _cudnn_checked_advise(fix again "file=${passed_file}" part=libraries)
  elseif(passed_none)
    list(JOIN passed_none ", " hints)
    set(what "no cuDNN was found, and no directory is named by ${hints}")
  else()
    set(name cudnn-not-found)
    set(what "no cuDNN was found")
  endif()
  set(${finding} ${name} PARENT_SCOPE)
  set(${summary} "${what}" PARENT_SCOPE)
  set(${because} "${told}" PARENT_SCOPE)
  set(${repair} "${fix}" PARENT_SCOPE)
endfunction()

# What to type, the best first.  <empty> are the hints that name no directory.
function(
  _cudnn_checked_ways_to_find
  result
  repair
  elsewhere
  roots
  empty
)
  set(fix "${repair}")
  if(elsewhere)
    set(above ${roots})
    list(TRANSFORM above REPLACE "/+[^/]+/*$" "")
    if("${elsewhere}" IN_LIST above)
      _cudnn_checked_set_command(line CuDNNChecked_ROOT "${elsewhere}")
    else()
      _cudnn_checked_unset_command(line CuDNNChecked_ROOT)
    endif()
    list(APPEND fix "${line}")
  endif()
  # Nothing is installed where there is one.
  if(fix STREQUAL "")
    _cudnn_checked_advise(fix install)
  endif()
  _cudnn_checked_spelling("")
  # Its Python prints a path of this machine.
  if(empty AND NOT WIN32)
    list(GET empty 0 hint)
    string(REGEX REPLACE ".* " "" hint "${hint}")
    set(recipe "$(python3 -c 'import nvidia.cudnn as c; print(list(c.__path__)[0])')")
    _cudnn_checked_hidden(recipe "export ${hint}=\"${recipe}\"")
    list(APPEND fix "${recipe}")
  endif()
  _cudnn_checked_name_directory(line CuDNNChecked_ROOT "include/cudnn.h and ${shown_cudnn}")
  list(APPEND fix "${line}")
  set(${result} "${fix}" PARENT_SCOPE)
endfunction()

# In words, because only the person knows the directory.
function(_cudnn_checked_name_directory result variable files)
  set(line "name the directory above ${files}: -D ${variable}=DIRECTORY")
  if(NOT "${${variable}}" STREQUAL "$CACHE{${variable}}")
    set(line "name the directory above ${files}, in CMakeLists.txt: set(${variable} DIRECTORY)")
  endif()
  set(${result} "${line}" PARENT_SCOPE)
endfunction()

# A cuDNN that was asked for, and lies above the directories <roots>, or where the search would have
# come to without CuDNNChecked_ROOT.
function(_cudnn_checked_find_elsewhere prefix version)
  set(${prefix} "" PARENT_SCOPE)
  set(${version} "" PARENT_SCOPE)
  set(above ${ARGN})
  list(TRANSFORM above REPLACE "/+[^/]+/*$" "")
  list(FILTER above EXCLUDE REGEX "^$")
  _cudnn_checked_hints(hints)
  list(REMOVE_ITEM hints CuDNNChecked_ROOT)
  foreach(
    stage
    IN
    ITEMS above
    LISTS hints
    ITEMS CMAKE_PREFIX_PATH include python conda cuda system
  )
    if(stage STREQUAL "above")
      set(prefixes "${above}")
    else()
      _cudnn_checked_places_of_stage(prefixes "${stage}" "${hints}")
      list(TRANSFORM prefixes REPLACE "^[^\t]*\t" "")
    endif()
    foreach(place IN LISTS prefixes)
      _cudnn_checked_find_in_prefix("${place}")
      _cudnn_checked_get(found)
      if(found_missing STREQUAL "")
        _cudnn_checked_version_request(words fits "${found_version}")
        if(fits)
          set(${prefix} "${place}" PARENT_SCOPE)
          set(${version} "${found_version}" PARENT_SCOPE)
          return()
        endif()
      endif()
    endforeach()
  endforeach()
endfunction()
