# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_find_cuda(<prefix of cuDNN>)
#
# Finds the headers of the CUDA runtime and its shared library: of a toolkit, or of NVIDIA's wheels
# (nvidia-cuda-runtime and nvidia-cuda-crt, or for CUDA 12 nvidia-cuda-runtime-cu12 and
# nvidia-cuda-nvcc-cu12).  Puts cuda_include (one directory or two), cuda_library, cuda_version, or
# refusal where there is none.
#
# What the project compiles with or names (instructions) is taken whatever its release: whether it
# fits is judged by the probe.  Of the other directories, those of another CUDA major than that of
# the wheel of cuDNN are passed over.
function(_cudnn_checked_find_cuda beside)
  _cudnn_checked_wheel_of(site wanted "${beside}")
  _cudnn_checked_cuda_instructions(prefixes labels "${wanted}")
  set(tried "")
  set(other "")
  _cudnn_checked_rooted(prefixes labels tried)
  _cudnn_checked_first_cuda(taken tried "${wanted}" "${prefixes}" "${labels}")
  if(NOT taken AND other)
    _cudnn_checked_find_cuda_in_prefix("${other}")
    set(taken "${other}")
  endif()
  set(instructions ${labels})
  list(FILTER instructions INCLUDE REGEX "CUDAToolkit_ROOT")
  if(NOT taken AND NOT instructions)
    _cudnn_checked_cuda_places(prefixes labels tried "${beside}" "${site}" "${wanted}")
    _cudnn_checked_first_cuda(taken tried "${wanted}" "${prefixes}" "${labels}")
    # The packages of the active Python come last, because finding it may start it.
    _cudnn_checked_find_roots(roots mode)
    if(NOT taken AND NOT mode STREQUAL "ONLY")
      _cudnn_checked_site_packages(directories interpreter)
      foreach(directory IN LISTS directories)
        _cudnn_checked_cuda_wheels(prefixes "${directory}/nvidia" "${wanted}")
        list(TRANSFORM prefixes REPLACE ".+" "Python packages" OUTPUT_VARIABLE labels)
        if(NOT taken)
          _cudnn_checked_first_cuda(taken tried "${wanted}" "${prefixes}" "${labels}")
        endif()
      endforeach()
    endif()
  endif()
  if(taken)
    _cudnn_checked_get(found)
    foreach(value IN ITEMS include library version)
      _cudnn_checked_put(cuda_${value} "${found_${value}}")
    endforeach()
    return()
  endif()
  _cudnn_checked_no_cuda(text "${site}" "${wanted}" "${tried}" "${instructions}")
  _cudnn_checked_put(refusal "${text}")
endfunction()

# _cudnn_checked_first_cuda(<taken> <in_out_tried> <wanted> <prefixes> <labels>)
#
# The first of the prefixes that has a runtime of the CUDA major <wanted>, which may be empty; the
# first of another major is put into <other> of the caller.
function(
  _cudnn_checked_first_cuda
  taken
  in_out_tried
  wanted
  prefixes
  labels
)
  set(all "${${in_out_tried}}")
  set(${taken} "" PARENT_SCOPE)
  foreach(prefix label IN ZIP_LISTS prefixes labels)
    _cudnn_checked_find_cuda_in_prefix("${prefix}")
    _cudnn_checked_get(found)
    if(found_why STREQUAL "" AND wanted AND NOT found_version MATCHES "^${wanted}\\.")
      set(found_why "CUDA ${found_version}, and this cuDNN is for CUDA ${wanted}")
      if(NOT other)
        set(other "${prefix}")
        set(other "${prefix}" PARENT_SCOPE)
      endif()
    endif()
    if(found_why STREQUAL "")
      set(${taken} "${prefix}" PARENT_SCOPE)
      return()
    endif()
    list(APPEND all "|${prefix}|${label}: ${found_why}")
  endforeach()
  list(REMOVE_DUPLICATES all)
  set(${in_out_tried} "${all}" PARENT_SCOPE)
endfunction()

# The message: no runtime was found.  <instructions>: what names CUDAToolkit_ROOT, if anything.
function(
  _cudnn_checked_no_cuda
  result
  site
  wanted
  tried
  instructions
)
  list(TRANSFORM tried PREPEND "looked in" AT 0)
  set(cuda "CUDA")
  set(of "")
  if(wanted)
    set(cuda "CUDA ${wanted}")
    set(of " of CUDA ${wanted}")
  endif()
  set(because "cudnn.h includes cuda_runtime_api.h, and the probe links libcudart.")
  _cudnn_checked_name_directory(toolkit CUDAToolkit_ROOT "include/cuda_runtime_api.h${of}")
  set(unset "")
  if(instructions)
    list(APPEND because "CUDAToolkit_ROOT is set, so no other directory was searched.")
    _cudnn_checked_unset_command(unset CUDAToolkit_ROOT)
  endif()
  get_filename_component(folder "${place_prefix}" NAME)
  _cudnn_checked_advise(
    fix
    runtime
    "site=${site}"
    "folder=${folder}"
    "cuda=${wanted}"
    "library=${place_library}"
    "then=${unset}"
  )
  string(FIND "${fix}" " && ${unset}" position)
  if(position GREATER 0)
    # Both are needed.
    set(unset "")
  endif()
  list(PREPEND fix ${unset})
  list(APPEND fix "${toolkit}")
  _cudnn_checked_message(text NAME headers-missing
    SUMMARY "cuDNN ${place_version} was found, but no ${cuda} runtime to compile with"
    FACTS "cuDNN|${place_version}|${place_header}" ${tried}
    BECAUSE ${because}
    FIX ${fix}
  )
  set(${result} "${text}" PARENT_SCOPE)
endfunction()
