# SPDX-License-Identifier: BSD-3-Clause
#
# Where a CUDA toolkit may be: lists of places (_cudnn_checked_add_places).  The order is
# FindCUDAToolkit's, which is not called because it starts nvcc (67 to 307 ms at every configure).

# _cudnn_checked_cuda_instructions(<places> <major>)
#
# What compiles the CUDA language of this project, and CUDAToolkit_ROOT.
function(_cudnn_checked_cuda_instructions places major)
  set(found "")
  _cudnn_checked_add_places(found CMAKE_CUDA_COMPILER_TOOLKIT_ROOT
                            "${CMAKE_CUDA_COMPILER_TOOLKIT_ROOT}"
  )
  _cudnn_checked_named_toolkits(named "${major}")
  set(${places} ${found} ${named} PARENT_SCOPE)
endfunction()

# What CUDAToolkit_ROOT names, which may also be a Python environment, its site-packages or the
# nvidia directory there: then the wheels below it.
function(_cudnn_checked_named_toolkits places major)
  set(found "")
  _cudnn_checked_named_places(named CUDAToolkit_ROOT)
  foreach(place IN LISTS named)
    _cudnn_checked_read_place(label directory "${place}")
    if(directory STREQUAL "")
      continue()
    endif()
    string(REGEX REPLACE "(.)/+$" "\\1" directory "${directory}")
    _cudnn_checked_spelling("")
    _cudnn_checked_glob(parents "${directory}" nvidia "${folders_of_python}/*-packages/nvidia")
    if(directory MATCHES "/nvidia$")
      list(PREPEND parents "${directory}")
    endif()
    _cudnn_checked_seen("${directory}/nvidia" "${directory}/lib")
    set(wheels "")
    foreach(parent IN LISTS parents)
      _cudnn_checked_cuda_wheels(below "${parent}" "${major}")
      list(APPEND wheels ${below})
    endforeach()
    list(PREPEND wheels "${directory}")
    _cudnn_checked_add_places(found "${label}" "${wheels}")
  endforeach()
  set(${places} "${found}" PARENT_SCOPE)
endfunction()

# _cudnn_checked_cuda_hints(<places>)
#
# What only hints at a toolkit.
function(_cudnn_checked_cuda_hints places)
  set(found "")
  _cudnn_checked_searched(variables cuda)
  set(directories ${variables})
  list(FILTER directories INCLUDE REGEX "^/")
  list(REMOVE_ITEM variables ${directories})
  _cudnn_checked_environment_places(found ${variables})
  _cudnn_checked_on_path(nvcc nvcc)
  if(nvcc)
    file(REAL_PATH "${nvcc}" nvcc)
    get_filename_component(directory "${nvcc}" DIRECTORY)
    get_filename_component(directory "${directory}" DIRECTORY)
    _cudnn_checked_add_places(found "nvcc on PATH" "${directory}")
  endif()
  foreach(directory IN LISTS directories)
    get_filename_component(above "${directory}" DIRECTORY)
    get_filename_component(name "${directory}" NAME)
    _cudnn_checked_system_prefixes(system)
    list(FILTER system INCLUDE REGEX "${above}$")
    list(TRANSFORM system APPEND "/${name}")
    _cudnn_checked_add_places(found "default CUDA toolkit" "${system}")
  endforeach()
  set(${places} "${found}" PARENT_SCOPE)
endfunction()

# _cudnn_checked_cuda_places(passed <places> <prefix of cuDNN> <site> <major>)
#
# Where a runtime may be that no instruction names: beside cuDNN and in the wheels of the same
# site-packages first, because the directory of a hint's runtime would be on the run path before
# that of cuDNN's, and it may hold another cuDNN.  A system prefix of cuDNN comes last, because its
# runtime is the distribution's, older than the toolkit that was installed on purpose.  Adds to
# passed_places what is not to be searched.
function(
  _cudnn_checked_cuda_places
  passed
  places
  beside
  site
  major
)
  _cudnn_checked_cuda_hints(found)
  _cudnn_checked_places_of(conda conda "")
  list(APPEND found ${conda})
  _cudnn_checked_rooted(passed found)
  _cudnn_checked_system_prefixes(system)
  if("${beside}" IN_LIST system)
    _cudnn_checked_add_places(found "beside cuDNN" "${beside}")
  else()
    set(own "")
    if(site)
      _cudnn_checked_cuda_wheels(own "${site}/nvidia" "${major}")
    endif()
    set(first "")
    _cudnn_checked_add_places(first "beside cuDNN" "${beside}")
    _cudnn_checked_add_places(first "Python packages beside cuDNN" "${own}")
    list(PREPEND found ${first})
  endif()
  list(FILTER system EXCLUDE REGEX "/usr/local$")
  _cudnn_checked_add_places(found "system" "${system}")
  _cudnn_checked_hand_up(passed)
  set(${places} "${found}" PARENT_SCOPE)
endfunction()

# _cudnn_checked_cuda_of_python(<places> <major>)
#
# The wheels of the active Python.
function(_cudnn_checked_cuda_of_python places major)
  set(found "")
  set(directories "")
  _cudnn_checked_find_roots(roots mode)
  if(NOT mode STREQUAL "ONLY")
    _cudnn_checked_site_packages(directories interpreter)
  endif()
  foreach(directory IN LISTS directories)
    _cudnn_checked_cuda_wheels(wheels "${directory}/nvidia" "${major}")
    _cudnn_checked_add_places(found "Python packages" "${wheels}")
  endforeach()
  set(${places} "${found}" PARENT_SCOPE)
endfunction()
