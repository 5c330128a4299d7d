# SPDX-License-Identifier: BSD-3-Clause
#
# Where a CUDA toolkit may be: two lists of the same length, the directories and what names each of
# them.  The order is FindCUDAToolkit's, which is not called because it starts nvcc (67 to 307 ms at
# every configure).

# _cudnn_checked_cuda_prefixes(<prefixes> <labels>)
#
# All toolkits, the one that compiles this project first.
function(_cudnn_checked_cuda_prefixes prefixes labels)
  _cudnn_checked_cuda_instructions(found names "")
  _cudnn_checked_cuda_hints(more more_names)
  set(${prefixes} "${found};${more}" PARENT_SCOPE)
  set(${labels} "${names};${more_names}" PARENT_SCOPE)
  if(NOT found)
    set(${prefixes} "${more}" PARENT_SCOPE)
    set(${labels} "${more_names}" PARENT_SCOPE)
  elseif(NOT more)
    set(${prefixes} "${found}" PARENT_SCOPE)
    set(${labels} "${names}" PARENT_SCOPE)
  endif()
endfunction()

# _cudnn_checked_cuda_instructions(<prefixes> <labels> <CUDA major>)
#
# What compiles the CUDA language of this project, and CUDAToolkit_ROOT, which may also name a
# Python environment, its site-packages or the nvidia directory there: then the wheels below it.
function(_cudnn_checked_cuda_instructions prefixes labels cuda)
  set(found "")
  set(names "")
  foreach(directory IN LISTS CMAKE_CUDA_COMPILER_TOOLKIT_ROOT)
    list(APPEND found "${directory}")
    list(APPEND names "CMAKE_CUDA_COMPILER_TOOLKIT_ROOT")
  endforeach()
  file(TO_CMAKE_PATH "$ENV{CUDAToolkit_ROOT}" environment)
  foreach(label IN ITEMS "CUDAToolkit_ROOT" "environment CUDAToolkit_ROOT")
    set(named ${CUDAToolkit_ROOT})
    if(label MATCHES "environment")
      set(named ${environment})
    endif()
    foreach(directory IN LISTS named)
      string(REGEX REPLACE "(.)/+$" "\\1" directory "${directory}")
      _cudnn_checked_glob_escaped(escaped "${directory}")
      file(GLOB parents "${escaped}/nvidia" "${escaped}/lib/python3*/*-packages/nvidia")
      if(directory MATCHES "/nvidia$")
        list(PREPEND parents "${directory}")
      endif()
      _cudnn_checked_seen(TIMES "${directory}/nvidia" "${directory}/lib")
      set(wheels "")
      foreach(parent IN LISTS parents)
        _cudnn_checked_cuda_wheels(below "${parent}" "${cuda}")
        list(APPEND wheels ${below})
      endforeach()
      foreach(place IN ITEMS "${directory}" ${wheels})
        list(APPEND found "${place}")
        list(APPEND names "${label}")
      endforeach()
    endforeach()
  endforeach()
  set(${prefixes} "${found}" PARENT_SCOPE)
  set(${labels} "${names}" PARENT_SCOPE)
endfunction()

# _cudnn_checked_cuda_hints(<prefixes> <labels>)
#
# What only hints at a toolkit.
function(_cudnn_checked_cuda_hints prefixes labels)
  set(found "")
  set(names "")
  foreach(variable IN ITEMS CUDA_PATH CUDA_HOME)
    if(NOT "$ENV{${variable}}" STREQUAL "")
      file(TO_CMAKE_PATH "$ENV{${variable}}" directory)
      list(GET directory 0 directory)
      list(APPEND found "${directory}")
      list(APPEND names "environment ${variable}")
    endif()
  endforeach()
  _cudnn_checked_on_path(nvcc nvcc)
  if(nvcc)
    file(REAL_PATH "${nvcc}" nvcc)
    get_filename_component(directory "${nvcc}" DIRECTORY)
    get_filename_component(directory "${directory}" DIRECTORY)
    list(APPEND found "${directory}")
    list(APPEND names "nvcc on PATH")
  endif()
  _cudnn_checked_system_prefixes(system)
  list(FILTER system INCLUDE REGEX "/usr/local$")
  foreach(directory IN LISTS system)
    list(APPEND found "${directory}/cuda")
    list(APPEND names "default CUDA toolkit")
  endforeach()
  set(${prefixes} "${found}" PARENT_SCOPE)
  set(${labels} "${names}" PARENT_SCOPE)
endfunction()

# _cudnn_checked_cuda_places(<prefixes> <labels> <outside> <prefix of cuDNN> <site> <CUDA major>)
#
# Where a runtime may be that no instruction names: beside cuDNN and in the wheels of the same
# site-packages first, because the directory of a hint's runtime would be on the run path before
# that of cuDNN's, and it may hold another cuDNN.  A system prefix of cuDNN comes last, because its
# runtime is the distribution's, older than the toolkit that was installed on purpose.  Appends to
# <outside> what CMAKE_FIND_ROOT_PATH excludes.
function(
  _cudnn_checked_cuda_places
  prefixes
  labels
  outside
  beside
  site
  cuda
)
  _cudnn_checked_cuda_hints(places words)
  if(NOT "$ENV{CONDA_PREFIX}" STREQUAL "")
    list(APPEND places "$ENV{CONDA_PREFIX}")
    list(APPEND words "environment CONDA_PREFIX")
  endif()
  set(passed_over "${${outside}}")
  _cudnn_checked_rooted(places words passed_over)
  _cudnn_checked_system_prefixes(system)
  if("${beside}" IN_LIST system)
    list(APPEND places "${beside}")
    list(APPEND words "beside cuDNN")
  else()
    set(own "")
    if(site)
      _cudnn_checked_cuda_wheels(own "${site}/nvidia" "${cuda}")
    endif()
    list(TRANSFORM own REPLACE ".+" "Python packages beside cuDNN" OUTPUT_VARIABLE own_names)
    list(PREPEND places "${beside}" ${own})
    list(PREPEND words "beside cuDNN" ${own_names})
  endif()
  list(FILTER system EXCLUDE REGEX "/usr/local$")
  foreach(directory IN LISTS system)
    list(APPEND places "${directory}")
    list(APPEND words "system")
  endforeach()
  set(${prefixes} "${places}" PARENT_SCOPE)
  set(${labels} "${words}" PARENT_SCOPE)
  set(${outside} "${passed_over}" PARENT_SCOPE)
endfunction()
