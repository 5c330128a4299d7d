# SPDX-License-Identifier: BSD-3-Clause
#
# What the targets of the project took, compared with what was proved.

# Keeps the message where find_package(CuDNNChecked) was refused, until one is not.
function(_cudnn_checked_keep_refusal)
  get_property(found GLOBAL PROPERTY _cudnn_checked_stamp)
  get_property(refusal GLOBAL PROPERTY _cudnn_checked_refusal)
  if(found)
    set(refusal "")
  endif()
  set_property(GLOBAL PROPERTY _cudnn_checked_provider_refusal "${refusal}")
  set_property(GLOBAL PROPERTY _cudnn_checked_provider_asked TRUE)
endfunction()

# One line, or why there is nothing, once in a run of CMake: the project prints nothing of cuDNN.
function(_cudnn_checked_say_provided)
  get_property(said GLOBAL PROPERTY _cudnn_checked_provider_said)
  if(said)
    return()
  endif()
  set_property(GLOBAL PROPERTY _cudnn_checked_provider_said TRUE)
  get_property(refusal GLOBAL PROPERTY _cudnn_checked_provider_refusal)
  if(refusal)
    string(REGEX REPLACE "\n+$" "" refusal "${refusal}")
    message(STATUS "CuDNNCheckedProvider.cmake: no cuDNN is provided to this project\n${refusal}")
  else()
    get_property(line GLOBAL PROPERTY _cudnn_checked_result_line)
    string(REGEX REPLACE "\n.*" "" line "${line}")
    message(STATUS "${line}")
  endif()
endfunction()

# After all that the project itself has deferred.
function(_cudnn_checked_compare_later)
  get_property(asked GLOBAL PROPERTY _cudnn_checked_provider_asked)
  if(asked)
    cmake_language(DEFER CALL _cudnn_checked_compare_targets)
  endif()
endfunction()

function(_cudnn_checked_compare_targets)
  _cudnn_checked_load(target/links target/cudnn_names)
  get_property(refusal GLOBAL PROPERTY _cudnn_checked_provider_refusal)
  # Of the last answer, not of a later request that was refused.
  _cudnn_checked_names(names place)
  _cudnn_checked_get_stamp(${names})
  foreach(name IN LISTS names)
    _cudnn_checked_put(${name} "${${name}}")
  endforeach()
  _cudnn_checked_built_targets(targets "${CMAKE_SOURCE_DIR}")
  foreach(target IN LISTS targets)
    _cudnn_checked_linked_cudnn(found "${target}")
    if(NOT found)
      continue()
    endif()
    if(refusal)
      _cudnn_checked_refused_target("${target}" "${refusal}" ${found})
      return()
    endif()
    foreach(file IN LISTS found)
      if(IS_ABSOLUTE "${file}")
        _cudnn_checked_is_of_place(same "${file}")
        if(NOT same)
          _cudnn_checked_other_file("${target}" "links" "${file}")
        endif()
      endif()
    endforeach()
    _cudnn_checked_compare_header("${target}")
  endforeach()
endfunction()

# The first of the target's own include directories that has a cudnn.h.  It is often that of the CUDA
# toolkit, which is searched before those of imported targets.  Then the one that was proved is put
# before it, unless the user has named the other.
function(_cudnn_checked_compare_header target)
  get_target_property(directories "${target}" INCLUDE_DIRECTORIES)
  _cudnn_checked_get(place)
  foreach(directory IN LISTS directories)
    if(IS_ABSOLUTE "${directory}" AND EXISTS "${directory}/cudnn.h")
      file(REAL_PATH "${directory}/cudnn.h" taken)
      file(REAL_PATH "${place_include}/cudnn.h" proved)
      _cudnn_checked_entries_of(entries "${directory}")
      if(taken STREQUAL proved)
        return()
      elseif(entries STREQUAL "")
        # What is no system directory is searched before those that are, as the proved one is.
        target_include_directories(
          "${target}"
          SYSTEM
          BEFORE
          PRIVATE "${place_include}" "${directory}"
        )
      else()
        _cudnn_checked_other_file("${target}" "includes" "${directory}/cudnn.h")
      endif()
      return()
    endif()
  endforeach()
endfunction()

function(_cudnn_checked_refused_target target refusal)
  list(GET ARGN 0 file)
  string(REGEX REPLACE "\n+$" "" refusal "${refusal}")
  _cudnn_checked_indented(text "${refusal}\n  It is linked by ${target}: ${file}\n")
  message(FATAL_ERROR "${text}")
endfunction()

# The options of CMake that remove the cache entries which name this file or directory of headers.
function(_cudnn_checked_entries_of result named)
  set(entries "")
  _cudnn_checked_sub_libraries(sub_libraries)
  _cudnn_checked_provided_names(files others ${sub_libraries})
  foreach(row IN LISTS files)
    string(REGEX REPLACE "^[^ ]* " "" name "${row}")
    if("$CACHE{${name}}" STREQUAL "${named}")
      list(APPEND entries -U "${name}")
    endif()
  endforeach()
  set(${result} "${entries}" PARENT_SCOPE)
endfunction()

# The warning about a file of another cuDNN, once for each file.
function(_cudnn_checked_other_file target verb file)
  get_property(said GLOBAL PROPERTY _cudnn_checked_provider_others)
  if("${file}" IN_LIST said)
    return()
  endif()
  set_property(GLOBAL APPEND PROPERTY _cudnn_checked_provider_others "${file}")
  _cudnn_checked_get(place)
  _cudnn_checked_load(memory/seen search/files say/commands say/message)
  set(proved "${place_library}")
  get_filename_component(prefix "${file}" DIRECTORY)
  if(verb STREQUAL "includes")
    set(proved "${place_include}/cudnn.h")
  endif()
  get_filename_component(prefix "${prefix}" DIRECTORY)
  set(fixes "")
  string(REGEX REPLACE "/cudnn\\.h$" "" named "${file}")
  _cudnn_checked_entries_of(entries "${named}")
  if(entries)
    _cudnn_checked_cmake_command(fix ${entries})
    list(APPEND fixes "${fix}")
  endif()
  _cudnn_checked_set_command(fix CuDNNChecked_ROOT "${prefix}")
  list(APPEND fixes "${fix}")
  _cudnn_checked_refuse(NAME two-cudnns
    SUMMARY "${target} ${verb} another cuDNN than the one that was proved"
    FACTS "${verb}|${file}|${target}" "proved|${proved}|cuDNN ${place_version}"
    BECAUSE "Nothing is known of the other one, and together they are a mix."
    FIX ${fixes}
  )
  _cudnn_checked_get(refusal)
  string(REPLACE "cudnn_checked: refused:" "cudnn_checked: warning:" text "${refusal}")
  _cudnn_checked_put(refusal "")
  _cudnn_checked_indented(text "${text}")
  message(WARNING "${text}")
endfunction()
