# SPDX-License-Identifier: BSD-3-Clause
#
# What the linker is given.

# _cudnn_checked_find_links(place cuda <again> input)
#
# Sets place_link, place_sublinks and cuda_link: what the linker is given, the libraries themselves.
# <again> is false.
function(_cudnn_checked_find_links place cuda again input)
  set(${again} FALSE PARENT_SCOPE)
  set(place_link "${place_library}" PARENT_SCOPE)
  set(place_sublinks "${place_sublibraries}" PARENT_SCOPE)
  set(cuda_link "${cuda_library}" PARENT_SCOPE)
endfunction()

# _cudnn_checked_find_opened(<result> place cuda)
#
# The libraries of CUDA's wheels that this cuDNN opens by name when it computes,
# and that the loader would not find for it.  A program that is linked with them has them loaded
# when cuDNN asks, and what is loaded is found by its SONAME.  Nothing else a program brings helps:
# the libraries of cuDNN have a RUNPATH, so the loader obeys neither the RPATH nor the RUNPATH of
# the program for what they open (ld.so(8)).
#
# It costs time at every start (38 ms for NVRTC, 290 ms for cuBLAS 13), so it is only done where the
# run path of cuDNN does not lead there (docs/decisions.md).
function(_cudnn_checked_find_opened result place cuda)
  set(${result} "" PARENT_SCOPE)
  _cudnn_checked_wheel_of(site major_of_cuda "${place_prefix}")
  if(NOT major_of_cuda)
    return()
  endif()
  get_filename_component(lib "${place_library}" DIRECTORY)
  string(REGEX MATCH "^[0-9]+" major "${place_version}")
  # All sub-libraries of a release have one run path; cuDNN 8 has no graph library.
  set(asker "${lib}/libcudnn_graph.so.${major}")
  if(NOT EXISTS "${asker}")
    set(asker "${lib}/libcudnn_ops_infer.so.${major}")
  endif()
  _cudnn_checked_run_path(directories "${asker}")
  # All that is linked of CUDA lies in one place.  The runtime is a toolkit's where the project
  # compiles CUDA; the directory of the wheels would bring a second one onto the run path.
  get_filename_component(toolkit "${cuda_library}" DIRECTORY)
  string(FIND "${toolkit}/" "${site}/" position)
  if(position EQUAL 0)
    set(toolkit "")
  endif()
  set(names nvrtc)
  set(folders cuda_nvrtc)
  # cuDNN 8 names cuBLAS among what it needs, and finds it; a JIT-only cuDNN does not use it.
  if(EXISTS "${lib}/libcudnn_engines_precompiled.so.${major}")
    list(APPEND names cublasLt)
    list(APPEND folders cublas)
  endif()
  set(opened "")
  foreach(name folder IN ZIP_LISTS names folders)
    if(EXISTS "${site}/nvidia/cu${major_of_cuda}")
      set(folder cu${major_of_cuda})
    endif()
    set(file "${site}/nvidia/${folder}/lib/lib${name}.so.${major_of_cuda}")
    if(toolkit)
      set(file "${toolkit}/lib${name}.so.${major_of_cuda}")
    endif()
    _cudnn_checked_add_opened(opened "${file}" "${toolkit}" "${directories}")
  endforeach()
  set(${result} "${opened}" PARENT_SCOPE)
endfunction()

# Adds a library to a list where it is there and the <directories> of the run path do not lead
# to one of that name.  NVRTC needs its builtins too.
function(_cudnn_checked_add_opened in_out_opened file toolkit directories)
  _cudnn_checked_seen("${file}")
  if(NOT EXISTS "${file}")
    return()
  endif()
  get_filename_component(name "${file}" NAME)
  set(reached "")
  foreach(directory IN LISTS directories)
    if(reached STREQUAL "" AND EXISTS "${directory}/${name}")
      set(reached "${directory}/${name}")
    endif()
  endforeach()
  set(builtins "")
  if(name MATCHES "^libnvrtc[.]")
    if(toolkit AND reached)
      _cudnn_checked_builtins(builtins "${reached}")
      if(builtins)
        set(reached "")
      endif()
    endif()
    if(NOT toolkit OR NOT reached)
      _cudnn_checked_builtins(builtins "${file}")
    endif()
  endif()
  set(opened ${${in_out_opened}})
  if(NOT reached)
    list(APPEND opened "${file}")
  endif()
  list(APPEND opened ${builtins})
  set(${in_out_opened} "${opened}" PARENT_SCOPE)
endfunction()

# NVRTC opens its builtins by a name with its own release.  Since 13.1 it has a run path that finds
# them beside it; 13.0 has none.
function(_cudnn_checked_builtins result nvrtc)
  set(${result} "" PARENT_SCOPE)
  get_filename_component(directory "${nvrtc}" DIRECTORY)
  _cudnn_checked_run_path(directories "${nvrtc}")
  if(NOT "${directory}" IN_LIST directories)
    _cudnn_checked_glob(files "${directory}" "libnvrtc-builtins.so.[0-9]*")
    # A toolkit has the file by its full release as well.
    list(FILTER files INCLUDE REGEX "[.]so[.][0-9]+[.][0-9]+$")
    set(${result} "${files}" PARENT_SCOPE)
  endif()
endfunction()

# The directories of the run path of a library; none where there is no readelf.
function(_cudnn_checked_run_path result file)
  set(${result} "" PARENT_SCOPE)
  _cudnn_checked_seen("${file}")
  if(NOT CMAKE_READELF OR NOT EXISTS "${file}")
    return()
  endif()
  execute_process(
    COMMAND "${CMAKE_COMMAND}" -E env LC_ALL=C "${CMAKE_READELF}" -d "${file}"
    OUTPUT_VARIABLE dynamic
    ERROR_QUIET
  )
  set(found "")
  if(dynamic MATCHES "\\((RUNPATH|RPATH)\\)[^[]*\\[([^]\n]*)\\]")
    get_filename_component(origin "${file}" DIRECTORY)
    string(REPLACE ":" ";" found "${CMAKE_MATCH_2}")
    list(REMOVE_ITEM found "")
    list(TRANSFORM found REPLACE "\\$(ORIGIN|{ORIGIN})" "${origin}")
  endif()
  set(${result} "${found}" PARENT_SCOPE)
endfunction()
