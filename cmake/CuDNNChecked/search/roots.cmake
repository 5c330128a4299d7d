# SPDX-License-Identifier: BSD-3-Clause
#
# The machine and the roots of the system that is built for.

# _cudnn_checked_find_roots(<roots> <mode>)
#
# The directories that stand for the root of the system that is built for, and how they bind, as
# CMake's own find_library and find_path have it (cmake-variables, CMAKE_FIND_ROOT_PATH):
#   ONLY    nothing outside of them is searched
#   BOTH    they are searched first
#   NEVER   they are not used, or there are none
# A header and its library are of one install, so the stricter one of the two modes counts.
function(_cudnn_checked_find_roots roots mode)
  set(all ${CMAKE_FIND_ROOT_PATH} ${CMAKE_SYSROOT_COMPILE} ${CMAKE_SYSROOT_LINK} ${CMAKE_SYSROOT})
  list(TRANSFORM all REPLACE "/+$" "")
  list(REMOVE_ITEM all "")
  list(REMOVE_DUPLICATES all)
  set(modes "${CMAKE_FIND_ROOT_PATH_MODE_LIBRARY};${CMAKE_FIND_ROOT_PATH_MODE_INCLUDE}")
  set(found BOTH)
  if("ONLY" IN_LIST modes)
    set(found ONLY)
  elseif("NEVER" IN_LIST modes)
    set(found NEVER)
  endif()
  if(all STREQUAL "" OR found STREQUAL "NEVER")
    set(all "")
    set(found NEVER)
  endif()
  set(${roots} "${all}" PARENT_SCOPE)
  set(${mode} ${found} PARENT_SCOPE)
endfunction()

# _cudnn_checked_rooted(passed <places> [AS_NAMED])
#
# Applies CMAKE_FIND_ROOT_PATH and its modes to the list in the variable <places> of the caller.
# Adds to passed_places what is not to be searched.  AS_NAMED: instructions (CuDNNChecked_ROOT,
# CUDAToolkit_ROOT, the toolkit that compiles the project), which name a directory as it is.
function(_cudnn_checked_rooted passed in_out_places)
  _cudnn_checked_find_roots(roots mode)
  if(mode STREQUAL "NEVER")
    return()
  endif()
  set(kept "")
  foreach(place IN LISTS ${in_out_places})
    _cudnn_checked_read_place(label prefix "${place}")
    _cudnn_checked_rooted_directory(searched "${prefix}" ${ARGN})
    if(NOT searched)
      set(why "outside of CMAKE_FIND_ROOT_PATH, and its mode is ONLY")
      list(APPEND passed_places "${why}\t${label}\t${prefix}")
    endif()
    _cudnn_checked_add_places(kept "${label}" "${searched}")
  endforeach()
  _cudnn_checked_hand_up(passed)
  set(${in_out_places} "${kept}" PARENT_SCOPE)
endfunction()

# The directories that are searched for one that is named.
# The directory of a CUDA toolkit for the target is the target's wherever the toolkit is
# (FindCUDAToolkit adds it to CMAKE_FIND_ROOT_PATH).
function(_cudnn_checked_rooted_directory result prefix)
  _cudnn_checked_find_roots(roots mode)
  set(searched "")
  set(inside FALSE)
  foreach(root IN LISTS roots CMAKE_STAGING_PREFIX)
    string(FIND "${prefix}/" "${root}/" position)
    if(position EQUAL 0)
      set(inside TRUE)
    endif()
  endforeach()
  if(NOT inside AND IS_ABSOLUTE "${prefix}")
    foreach(root IN LISTS roots)
      _cudnn_checked_seen(FILES "${root}${prefix}")
      if(EXISTS "${root}${prefix}")
        list(APPEND searched "${root}${prefix}")
      endif()
    endforeach()
  endif()
  if(inside OR mode STREQUAL "BOTH" OR "AS_NAMED" IN_LIST ARGN OR NOT IS_ABSOLUTE "${prefix}")
    list(APPEND searched "${prefix}")
  else()
    _cudnn_checked_target_machine(machine folders)
    foreach(folder IN LISTS folders)
      if(IS_DIRECTORY "${prefix}/targets/${folder}")
        list(APPEND searched "${prefix}/targets/${folder}")
      endif()
    endforeach()
  endif()
  set(${result} "${searched}" PARENT_SCOPE)
endfunction()

# _cudnn_checked_target_machine(<machine> <folders>)
#
# The machine that is built for, "x86_64" or "aarch64" (or what CMAKE_SYSTEM_PROCESSOR has, or
# nothing where it is not known), and how CUDA toolkits name its directory in targets/.  The
# compiler's own triplet comes first: a compiler for another machine can be named without a
# toolchain file.
function(_cudnn_checked_target_machine machine folders)
  set(name "${CMAKE_LIBRARY_ARCHITECTURE}")
  if(NOT name)
    set(name "${CMAKE_CXX_LIBRARY_ARCHITECTURE}")
  endif()
  string(REGEX REPLACE "-.*" "" name "${name}")
  if(NOT name)
    set(name "${CMAKE_SYSTEM_PROCESSOR}")
  endif()
  string(REGEX REPLACE "^(amd64|AMD64)$" "x86_64" name "${name}")
  string(REGEX REPLACE "^(arm64|ARM64)$" "aarch64" name "${name}")
  _cudnn_checked_folders_in_targets(in_targets "${name}")
  set(${folders} "${in_targets}" PARENT_SCOPE)
  set(${machine} "${name}" PARENT_SCOPE)
endfunction()
