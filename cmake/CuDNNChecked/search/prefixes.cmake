# SPDX-License-Identifier: BSD-3-Clause
#
# Where a cuDNN may be, and the machine and the roots of the system that is built for.

# _cudnn_checked_add_places(<places> <label> <directories>)
#
# Adds each of the directories to the list in the variable <places>, with the <label>, what names
# it: an element is "label<tab>directory", which _cudnn_checked_read_place takes apart.  A relative
# path is one of the project's source directory, as for find_library.
function(_cudnn_checked_add_places in_out_places label directories)
  set(all "${${in_out_places}}")
  _cudnn_checked_plain_paths(directories "${directories}")
  foreach(directory IN LISTS directories)
    if(NOT directory STREQUAL "" AND NOT IS_ABSOLUTE "${directory}")
      get_filename_component(directory "${directory}" ABSOLUTE)
    endif()
    list(APPEND all "${label}\t${directory}")
  endforeach()
  set(${in_out_places} "${all}" PARENT_SCOPE)
endfunction()

# _cudnn_checked_plain_paths(<result> <paths>)
#
# The paths as CMake spells them: on Windows people write backslashes, quotes, \\?\ and small
# letters of drives in variables and in the environment.
function(_cudnn_checked_plain_paths result paths)
  if(CMAKE_HOST_WIN32)
    string(REPLACE "\\" "/" given "${paths}")
    set(paths "")
    foreach(path IN LISTS given)
      # CMake makes C:/here/"C:/x" of a quoted value of a variable of type PATH.
      string(REGEX REPLACE "^[^\"]*\"([^\"]*)\".*$" "\\1" path "${path}")
      string(REGEX REPLACE "^//[?]/(UNC(/))?" "\\2\\2" path "${path}")
      if(path MATCHES "^[a-z]:")
        string(TOUPPER "${CMAKE_MATCH_0}" drive)
        string(REGEX REPLACE "^[a-z]:" "${drive}" path "${path}")
      endif()
      list(APPEND paths "${path}")
    endforeach()
  endif()
  set(${result} "${paths}" PARENT_SCOPE)
endfunction()

function(_cudnn_checked_read_place label directory element)
  string(REGEX MATCH "^([^\t]*)\t(.*)$" _ "${element}")
  set(${label} "${CMAKE_MATCH_1}" PARENT_SCOPE)
  set(${directory} "${CMAKE_MATCH_2}" PARENT_SCOPE)
endfunction()

# _cudnn_checked_read_passed(<why> <label> <directory> <entry>)
#
# Takes an element of passed_places apart, "why<tab>label<tab>directory": a place that is not taken.
# <why> is empty where the place was searched, otherwise the reason why it was not.
function(_cudnn_checked_read_passed why label directory entry)
  string(REGEX MATCH "^([^\t]*)\t([^\t]*)\t(.*)$" _ "${entry}")
  set(${why} "${CMAKE_MATCH_1}" PARENT_SCOPE)
  set(${label} "${CMAKE_MATCH_2}" PARENT_SCOPE)
  set(${directory} "${CMAKE_MATCH_3}" PARENT_SCOPE)
endfunction()

# _cudnn_checked_places_of(<places> <stage> <roots>)
#
# The places of one stage of the search, except the stage cuda; <roots> are those of
# CuDNNChecked_ROOT.  The places of a stage are only collected if the stages before it have found
# nothing.
function(_cudnn_checked_places_of places stage roots)
  set(found "")
  if(stage STREQUAL "prefixes")
    _cudnn_checked_searched(variables prefixes)
    _cudnn_checked_named_places(found ${variables})
  elseif(stage STREQUAL "include")
    _cudnn_checked_include_places(found)
  elseif(stage STREQUAL "python")
    _cudnn_checked_python_places(found)
  elseif(stage STREQUAL "conda")
    _cudnn_checked_searched(variables conda)
    _cudnn_checked_environment_places(found ${variables})
  elseif(stage STREQUAL "system")
    _cudnn_checked_system_prefixes(directories)
    _cudnn_checked_add_places(found system "${directories}")
  elseif(stage STREQUAL "CuDNNChecked_ROOT")
    set(found "${roots}")
  else()
    _cudnn_checked_named_places(found "${stage}")
  endif()
  set(${places} "${found}" PARENT_SCOPE)
endfunction()

# The wheels of the active Python.
function(_cudnn_checked_python_places places)
  set(found "")
  set(directories "")
  _cudnn_checked_find_roots(roots mode)
  if(NOT mode STREQUAL "ONLY")
    _cudnn_checked_site_packages(directories interpreter)
  endif()
  _cudnn_checked_folders(folders wheel)
  foreach(directory IN LISTS directories)
    _cudnn_checked_seen("${directory}/nvidia")
    set(wheels "")
    foreach(folder IN LISTS folders)
      if(wheels STREQUAL "" OR IS_DIRECTORY "${directory}/${folder}")
        list(APPEND wheels "${directory}/${folder}")
      endif()
    endforeach()
    _cudnn_checked_add_places(found "Python packages of ${interpreter}" "${wheels}")
  endforeach()
  set(${places} "${found}" PARENT_SCOPE)
endfunction()

# _cudnn_checked_named_places(<places> <variable>...)
#
# The directories of each variable, and of the environment variable of that name.
function(_cudnn_checked_named_places places)
  set(found "")
  foreach(variable IN LISTS ARGN)
    _cudnn_checked_add_places(found "${variable}" "${${variable}}")
    _cudnn_checked_environment_places(found "${variable}")
  endforeach()
  set(${places} "${found}" PARENT_SCOPE)
endfunction()

# Adds the directories of these environment variables.
function(_cudnn_checked_environment_places in_out_places)
  set(all "${${in_out_places}}")
  foreach(variable IN LISTS ARGN)
    file(TO_CMAKE_PATH "$ENV{${variable}}" directories)
    _cudnn_checked_add_places(all "environment ${variable}" "${directories}")
  endforeach()
  set(${in_out_places} "${all}" PARENT_SCOPE)
endfunction()

# What lies above the directories with a cudnn.h that compilers search anyhow: environment modules
# (Lmod, EasyBuild) set CPATH, and Nix CMAKE_INCLUDE_PATH.  CPATH can have an entry for each module
# that is loaded, so those without a cudnn.h are not listed.
function(_cudnn_checked_include_places places)
  set(found "")
  _cudnn_checked_searched(variables include)
  _cudnn_checked_named_places(named ${variables})
  foreach(place IN LISTS named)
    _cudnn_checked_read_place(label directory "${place}")
    _cudnn_checked_seen("${directory}/cudnn.h")
    if(directory MATCHES "^((/|[A-Za-z]:).*)/include/*$" AND EXISTS "${directory}/cudnn.h")
      _cudnn_checked_add_places(found "${label}" "${CMAKE_MATCH_1}")
    endif()
  endforeach()
  set(${places} "${found}" PARENT_SCOPE)
endfunction()

# _cudnn_checked_system_prefixes(<result>)
#
# The directories of the system that is built for: /usr and /usr/local here; below its roots where
# it has some (CMAKE_SYSROOT, CMAKE_FIND_ROOT_PATH), and there the roots themselves as well, which
# can be an install of one package, and CMAKE_STAGING_PREFIX.  Roots without a cross build (vcpkg
# has them) leave out /usr only if their mode is ONLY.  A cross build for the same kind of machine
# without a root has none: this machine's libraries could not be told from the target's.
function(_cudnn_checked_system_prefixes result)
  set(${result} "" PARENT_SCOPE)
  if(DEFINED CMAKE_FIND_USE_CMAKE_SYSTEM_PATH AND NOT CMAKE_FIND_USE_CMAKE_SYSTEM_PATH)
    return()
  endif()
  _cudnn_checked_find_roots(roots mode)
  _cudnn_checked_target_machine(machine folders)
  set(found ${CMAKE_STAGING_PREFIX})
  foreach(root IN LISTS roots)
    _cudnn_checked_system_folders(folders "${root}")
    list(APPEND found ${folders} "${root}")
  endforeach()
  set(here TRUE)
  if(CMAKE_CROSSCOMPILING)
    if(roots OR machine STREQUAL CMAKE_HOST_SYSTEM_PROCESSOR)
      set(here FALSE)
    endif()
  elseif(mode STREQUAL "ONLY" OR CMAKE_SYSROOT)
    set(here FALSE)
  endif()
  if(here)
    _cudnn_checked_system_folders(folders "")
    list(APPEND found ${folders})
  endif()
  set(${result} "${found}" PARENT_SCOPE)
endfunction()

# _cudnn_checked_wheels_below(<wheels> <directory>)
#
# The wheels below a directory that may be a Python environment or its site-packages.
function(_cudnn_checked_wheels_below wheels directory)
  _cudnn_checked_spelling("")
  _cudnn_checked_folders(folders wheel)
  set(packages "${folders_of_python}/site-packages")
  _cudnn_checked_glob(parents "${directory}"
                      "${folders_of_python}" "${packages}" "${packages}/nvidia"
  )
  _cudnn_checked_seen("${directory}/nvidia" "${directory}/lib" ${parents})
  list(TRANSFORM folders PREPEND "${packages}/" OUTPUT_VARIABLE below)
  _cudnn_checked_glob(found "${directory}" ${folders} ${below})
  set(${wheels} "${found}" PARENT_SCOPE)
endfunction()

# _cudnn_checked_root_places(<places>)
#
# What CuDNNChecked_ROOT names, as _cudnn_checked_named_places has it.  The variable has two
# meanings: where cuDNN is, and for CMake where this package is (cmake-policies, CMP0074).  So those
# directories are left out that have this package and nothing of a cuDNN: scikit-build-core, for
# example, sets the variable to the directory of a Python package whose entry point is "cmake.root".
function(_cudnn_checked_root_places places)
  set(kept "")
  _cudnn_checked_named_places(named CuDNNChecked_ROOT)
  if(NOT named)
    # What a project that knows nothing of this package is told.
    _cudnn_checked_get(user)
    set(named "${user_roots}")
  endif()
  foreach(place IN LISTS named)
    _cudnn_checked_has_this_package(has_package "${place}")
    if(has_package)
      _cudnn_checked_has_cudnn(has_cudnn "${place}")
    endif()
    if(has_cudnn OR NOT has_package)
      list(APPEND kept "${place}")
    endif()
  endforeach()
  set(${places} "${kept}" PARENT_SCOPE)
endfunction()

# Whether find_package would find this package in that place.
function(_cudnn_checked_has_this_package result named)
  _cudnn_checked_read_place(label directory "${named}")
  set(${result} FALSE PARENT_SCOPE)
  foreach(folder IN ITEMS "" /cmake /share/CuDNNChecked/cmake)
    set(file "${directory}${folder}/CuDNNCheckedConfig.cmake")
    _cudnn_checked_seen("${file}")
    if(EXISTS "${file}")
      set(${result} TRUE PARENT_SCOPE)
    endif()
  endforeach()
endfunction()

# Whether a file of a cuDNN, or a wheel of it, is in that place.
function(_cudnn_checked_has_cudnn result named)
  _cudnn_checked_read_place(label directory "${named}")
  _cudnn_checked_wheels_below(found "${directory}")
  _cudnn_checked_directories_of(libraries headers "${directory}")
  _cudnn_checked_spelling("")
  foreach(one IN LISTS libraries headers)
    _cudnn_checked_glob(files "${one}" "${files_of_parts}" "cudnn*.h")
    list(APPEND found ${files})
  endforeach()
  set(${result} FALSE PARENT_SCOPE)
  if(found)
    set(${result} TRUE PARENT_SCOPE)
  endif()
endfunction()

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
      _cudnn_checked_seen("${root}${prefix}")
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
