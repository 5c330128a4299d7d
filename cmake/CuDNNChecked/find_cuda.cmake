# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_find_cuda(<prefix of cuDNN>)
#
# Finds the headers of the CUDA runtime and its shared library: of a toolkit, or of NVIDIA's wheels
# (nvidia-cuda-runtime and nvidia-cuda-crt, or for CUDA 12 nvidia-cuda-runtime-cu12 and
# nvidia-cuda-nvcc-cu12).  Puts cuda_include (one directory or two), cuda_library, cuda_version, or
# refusal where there is none.
function(_cudnn_checked_find_cuda beside)
  set(tried "")
  _cudnn_checked_cuda_prefixes(prefixes labels)
  get_filename_component(wheels "${beside}" DIRECTORY)
  if(NOT "$ENV{CONDA_PREFIX}" STREQUAL "")
    list(APPEND prefixes "$ENV{CONDA_PREFIX}")
    list(APPEND labels "environment CONDA_PREFIX")
  endif()
  _cudnn_checked_rooted(prefixes labels tried)
  _cudnn_checked_system_prefixes(system)
  _cudnn_checked_insert_beside(prefixes labels "${beside}" "${system}")
  list(FILTER system EXCLUDE REGEX "/usr/local$")
  foreach(directory IN LISTS system)
    list(APPEND prefixes "${directory}")
    list(APPEND labels "system")
  endforeach()
  foreach(stage IN ITEMS toolkits wheels)
    if(stage STREQUAL "wheels")
      _cudnn_checked_cuda_wheels(prefixes labels "${wheels}")
    endif()
    foreach(prefix label IN ZIP_LISTS prefixes labels)
      _cudnn_checked_find_cuda_in_prefix("${prefix}")
      _cudnn_checked_get(found)
      if(found_why STREQUAL "")
        _cudnn_checked_put(cuda_include "${found_include}")
        _cudnn_checked_put(cuda_library "${found_library}")
        _cudnn_checked_put(cuda_version "${found_version}")
        return()
      endif()
      list(APPEND tried "|${prefix}|${label}: ${found_why}")
    endforeach()
  endforeach()
  list(REMOVE_DUPLICATES tried)
  list(TRANSFORM tried PREPEND "looked in" AT 0)
  _cudnn_checked_package_name(runtime cudart_wheel)
  _cudnn_checked_package_name(crt crt_wheel)
  _cudnn_checked_message(text NAME headers-missing
    SUMMARY "cuDNN ${place_version} was found, but no CUDA runtime to compile with"
    FACTS "cuDNN|${place_version}|${place_header}" ${tried}
    BECAUSE "cudnn.h includes cuda_runtime_api.h, and the probe links libcudart."
    FIX "cmake -D CUDAToolkit_ROOT=DIRECTORY, the one with include/cuda_runtime_api.h"
        "python3 -m pip install ${runtime} ${crt}, and configure again"
  )
  _cudnn_checked_put(refusal "${text}")
endfunction()

# Puts the prefix of cuDNN behind what was named for sure and before what is only a hint: the
# directory of a hint's runtime would be searched first, and it may hold another cuDNN.  A system
# prefix comes last, because its runtime is the distribution's, older than the toolkit that was
# installed on purpose.
function(_cudnn_checked_insert_beside prefix_list label_list beside system)
  set(all_prefixes "${${prefix_list}}")
  set(all_labels "${${label_list}}")
  list(LENGTH all_labels count)
  set(position ${count})
  if(NOT "${beside}" IN_LIST system)
    set(position 0)
    foreach(label IN LISTS all_labels)
      if(NOT label MATCHES "CMAKE_CUDA_COMPILER|CUDAToolkit_ROOT")
        break()
      endif()
      math(EXPR position "${position} + 1")
    endforeach()
  endif()
  if(position EQUAL count)
    list(APPEND all_prefixes "${beside}")
    list(APPEND all_labels "beside cuDNN")
  else()
    list(INSERT all_prefixes ${position} "${beside}")
    list(INSERT all_labels ${position} "beside cuDNN")
  endif()
  set(${prefix_list} "${all_prefixes}" PARENT_SCOPE)
  set(${label_list} "${all_labels}" PARENT_SCOPE)
endfunction()

# The directories of CUDA's wheels in the nvidia/ directory beside cuDNN's, then in those of the
# active Python.
function(_cudnn_checked_cuda_wheels prefixes labels beside)
  set(found "")
  set(names "")
  _cudnn_checked_find_roots(roots mode)
  set(sites "")
  if(NOT mode STREQUAL "ONLY")
    _cudnn_checked_site_packages(sites interpreter)
  endif()
  list(TRANSFORM sites APPEND "/nvidia")
  foreach(directory IN LISTS beside sites)
    _cudnn_checked_seen(TIMES "${directory}")
    _cudnn_checked_glob_escaped(escaped "${directory}")
    file(GLOB wheels "${escaped}/cu[0-9]*" "${escaped}/cuda_runtime")
    foreach(wheel IN LISTS wheels)
      list(APPEND found "${wheel}")
      list(APPEND names "Python packages")
    endforeach()
  endforeach()
  set(${prefixes} "${found}" PARENT_SCOPE)
  set(${labels} "${names}" PARENT_SCOPE)
endfunction()
