# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_locate_cuda(<prefix of cuDNN>)
#
# Finds the headers of the CUDA runtime and its shared library: of a toolkit, or of NVIDIA's wheels
# (nvidia-cuda-runtime and nvidia-cuda-crt, or for CUDA 12 nvidia-cuda-runtime-cu12 and
# nvidia-cuda-nvcc-cu12).  Sets in the caller cuda_include (one directory or two), cuda_library,
# cuda_version, or refusal where there is none.
function(_cudnn_checked_locate_cuda beside)
  set(tried "")
  _cudnn_checked_cuda_prefixes(prefixes labels)
  get_filename_component(wheels "${beside}" DIRECTORY)
  _cudnn_checked_system_root(root)
  _cudnn_checked_insert_beside(prefixes labels "${beside}" "${root}")
  if(NOT "$ENV{CONDA_PREFIX}" STREQUAL "")
    list(APPEND prefixes "$ENV{CONDA_PREFIX}")
    list(APPEND labels "environment CONDA_PREFIX")
  endif()
  if(NOT root STREQUAL "none")
    list(APPEND prefixes "${root}/usr")
    list(APPEND labels "system")
  endif()
  foreach(stage IN ITEMS toolkits wheels)
    if(stage STREQUAL "wheels")
      _cudnn_checked_cuda_wheels(prefixes labels "${wheels}")
    endif()
    foreach(prefix label IN ZIP_LISTS prefixes labels)
      _cudnn_checked_look_at_cuda("${prefix}")
      if(look_why STREQUAL "")
        set(cuda_include "${look_include}" PARENT_SCOPE)
        set(cuda_library "${look_library}" PARENT_SCOPE)
        set(cuda_version "${look_version}" PARENT_SCOPE)
        set(refusal "" PARENT_SCOPE)
        return()
      endif()
      list(APPEND tried "|${prefix}|${label}: ${look_why}")
    endforeach()
  endforeach()
  list(REMOVE_DUPLICATES tried)
  list(TRANSFORM tried PREPEND "looked in" AT 0)
  _cudnn_checked_message(text NAME headers-missing
    SUMMARY "cuDNN ${place_version} was found, and no CUDA runtime to compile it with"
    FACTS "cuDNN|${place_version}|${place_header}" ${tried}
    BECAUSE "cudnn.h includes cuda_runtime_api.h, and the probe links libcudart."
    FIX "cmake -D CUDAToolkit_ROOT=DIRECTORY, the one with include/cuda_runtime_api.h"
        "python3 -m pip install nvidia-cuda-runtime nvidia-cuda-crt, and configure again"
  )
  set(refusal "${text}" PARENT_SCOPE)
endfunction()

# Puts the prefix of cuDNN behind what was named for sure and before what is only a hint: the directory
# of a hint's runtime would be searched first, and it may hold another cuDNN.  A system prefix comes
# last, because its runtime is the distribution's, older than the toolkit that was installed on purpose.
function(_cudnn_checked_insert_beside prefixes labels beside root)
  set(position 0)
  foreach(label IN LISTS ${labels})
    if(
      NOT beside STREQUAL "${root}/usr"
      AND NOT beside STREQUAL "${root}/usr/local"
      AND NOT label MATCHES "CMAKE_CUDA_COMPILER|CUDAToolkit_ROOT"
    )
      break()
    endif()
    math(EXPR position "${position} + 1")
  endforeach()
  list(LENGTH ${labels} count)
  if(position EQUAL count)
    list(APPEND ${prefixes} "${beside}")
    list(APPEND ${labels} "beside cuDNN")
  else()
    list(INSERT ${prefixes} ${position} "${beside}")
    list(INSERT ${labels} ${position} "beside cuDNN")
  endif()
  set(${prefixes} "${${prefixes}}" PARENT_SCOPE)
  set(${labels} "${${labels}}" PARENT_SCOPE)
endfunction()

# The directories of CUDA's wheels in the nvidia/ directory beside cuDNN's, then in those of the
# active Python.
function(_cudnn_checked_cuda_wheels prefixes labels beside)
  set(found "")
  set(names "")
  _cudnn_checked_site_packages(sites interpreter)
  list(TRANSFORM sites APPEND "/nvidia")
  foreach(directory IN LISTS beside sites)
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

# Sets look_include, look_library, look_version and look_why (empty: all is there) in the caller.
function(_cudnn_checked_look_at_cuda prefix)
  _cudnn_checked_directories_of(library_directories header_directories "${prefix}")
  set(look_why "no cuda_runtime_api.h")
  set(look_include "")
  set(look_version "")
  set(look_library "")
  foreach(directory IN LISTS header_directories)
    if(EXISTS "${directory}/cuda_runtime_api.h")
      _cudnn_checked_look_at_cuda_headers("${directory}" "${prefix}")
      break()
    endif()
  endforeach()
  if(look_why STREQUAL "")
    string(REGEX MATCH "^[0-9]+" major "${look_version}")
    set(look_why "headers of CUDA ${look_version} without libcudart.so.${major}")
    # libcudart.so.13 is the name that programs ask for; CUDA 11 has libcudart.so.11.0.
    foreach(directory IN LISTS library_directories)
      _cudnn_checked_glob_escaped(escaped "${directory}")
      file(GLOB files "${escaped}/libcudart.so.${major}" "${escaped}/libcudart.so.${major}.0")
      foreach(file IN LISTS files)
        if(EXISTS "${file}" AND look_library STREQUAL "")
          set(look_library "${file}")
          set(look_why "")
        endif()
      endforeach()
    endforeach()
  endif()
  foreach(value IN ITEMS include library version why)
    set(look_${value} "${look_${value}}" PARENT_SCOPE)
  endforeach()
endfunction()

# The part of the headers: look_include, look_version and look_why.
function(_cudnn_checked_look_at_cuda_headers directory prefix)
  set(look_include "${directory}" PARENT_SCOPE)
  # A search for plain text: file(STRINGS) with a pattern takes 10 ms for this header.
  file(READ "${directory}/cuda_runtime_api.h" text LIMIT 65536)
  string(FIND "${text}" "define CUDART_VERSION" position)
  set(definition "")
  if(NOT position EQUAL -1)
    string(SUBSTRING "${text}" ${position} 40 definition)
  endif()
  string(FIND "${text}" "crt/host_defines.h" needs_crt)
  if(NOT definition MATCHES "CUDART_VERSION[ \t]+([0-9]+)")
    set(look_why "cuda_runtime_api.h defines no CUDART_VERSION" PARENT_SCOPE)
    return()
  endif()
  math(EXPR major "${CMAKE_MATCH_1} / 1000")
  math(EXPR minor "${CMAKE_MATCH_1} % 1000 / 10")
  set(look_version "${major}.${minor}" PARENT_SCOPE)
  set(look_why "" PARENT_SCOPE)
  if(NOT needs_crt EQUAL -1 AND NOT EXISTS "${directory}/crt/host_defines.h")
    # The wheels of CUDA 12 keep crt/ in the compiler's package.
    get_filename_component(parent "${prefix}" DIRECTORY)
    if(EXISTS "${parent}/cuda_nvcc/include/crt/host_defines.h")
      set(look_include "${directory}" "${parent}/cuda_nvcc/include" PARENT_SCOPE)
    else()
      set(
        look_why
        "cuda_runtime_api.h without crt/host_defines.h (package nvidia-cuda-crt)"
        PARENT_SCOPE
      )
    endif()
  endif()
endfunction()
