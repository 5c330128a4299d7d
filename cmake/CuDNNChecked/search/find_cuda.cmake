# SPDX-License-Identifier: BSD-3-Clause
#
# The search for the CUDA runtime.

# _cudnn_checked_find_cuda(cuda place input)
#
# Finds the first place, in the documented order, that has the headers of the CUDA runtime and its
# shared library: of a toolkit, or of NVIDIA's wheels (nvidia-cuda-runtime and nvidia-cuda-crt, or
# for CUDA 12 nvidia-cuda-runtime-cu12 and nvidia-cuda-nvcc-cu12).  Sets cuda_include (one directory
# or two), cuda_library, cuda_version, or, where there is none, puts refusal
# (_cudnn_checked_no_cuda).
#
# What the project compiles with or names (instructions) is taken whatever its release: whether it
# fits is judged by the probe.  Of the other directories, those of another CUDA major than that of
# the wheel of cuDNN are not taken.
function(_cudnn_checked_find_cuda cuda place input)
  _cudnn_checked_new(passed found)
  set(beside "${place_prefix}")
  _cudnn_checked_wheel_of(site wanted "${beside}")
  _cudnn_checked_cuda_instructions(places "${wanted}")
  _cudnn_checked_rooted(passed places AS_NAMED)
  _cudnn_checked_first_cuda(found passed taken "${wanted}" ${places})
  if(NOT taken)
    _cudnn_checked_first_cuda(found passed taken "" ${places})
  endif()
  _cudnn_checked_named_toolkits(instructions "${wanted}")
  if(NOT taken AND NOT instructions)
    _cudnn_checked_cuda_places(passed places "${beside}" "${site}" "${wanted}")
    _cudnn_checked_first_cuda(found passed taken "${wanted}" ${places})
  endif()
  if(NOT taken AND NOT instructions)
    # These come last, because finding the active Python may start it.
    _cudnn_checked_cuda_of_python(places "${wanted}")
    _cudnn_checked_first_cuda(found passed taken "${wanted}" ${places})
  endif()
  if(NOT taken)
    _cudnn_checked_no_cuda("${site}" "${wanted}" "${instructions}" "${passed_places}" place input)
    return()
  endif()
  foreach(value IN ITEMS include library version)
    set(cuda_${value} "${found_${value}}")
  endforeach()
  _cudnn_checked_hand_up(cuda)
endfunction()

# _cudnn_checked_first_cuda(found passed <taken> <wanted> <place>...)
#
# Sets found_* to the first of the places that has a runtime of the CUDA major <wanted>, which may
# be empty.  <taken> is whether there is one.  Adds to passed_places what comes before it.
function(_cudnn_checked_first_cuda found passed taken wanted)
  set(${taken} FALSE PARENT_SCOPE)
  foreach(place IN LISTS ARGN)
    _cudnn_checked_read_place(label prefix "${place}")
    _cudnn_checked_find_cuda_in_prefix(found "${prefix}")
    if(found_library AND (NOT wanted OR found_version MATCHES "^${wanted}\\."))
      set(${taken} TRUE PARENT_SCOPE)
      break()
    endif()
    list(APPEND passed_places "\t${place}")
  endforeach()
  _cudnn_checked_hand_up(found passed)
endfunction()

# _cudnn_checked_find_cuda_in_prefix(found <prefix>)
#
# Sets found_include and found_version, of the headers below <prefix>, and found_library if these
# are complete and a runtime of their release is there.
function(_cudnn_checked_find_cuda_in_prefix found prefix)
  _cudnn_checked_directories_of(library_directories header_directories "${prefix}")
  _cudnn_checked_new(found)
  _cudnn_checked_find_cuda_headers(found "${prefix}" ${header_directories})
  if(found_include)
    _cudnn_checked_find_cudart(found_library "${found_version}" ${library_directories})
  endif()
  _cudnn_checked_hand_up(found)
endfunction()

# _cudnn_checked_find_cudart(<result> <version> <directory>...)
#
# The runtime of this release in these directories, or nothing.
function(_cudnn_checked_find_cudart result version)
  set(${result} "" PARENT_SCOPE)
  string(REGEX MATCH "^[0-9]+" major "${version}")
  _cudnn_checked_spelling("${major}")
  foreach(directory IN LISTS ARGN)
    _cudnn_checked_glob(files "${directory}" ${files_of_cudart})
    _cudnn_checked_seen(${files})
    foreach(file IN LISTS files)
      _cudnn_checked_no_file(kind "${file}")
      if(EXISTS "${file}" AND NOT kind)
        _cudnn_checked_other_machine(another "${file}")
        if(NOT another)
          set(${result} "${file}" PARENT_SCOPE)
          return()
        endif()
      endif()
    endforeach()
  endforeach()
endfunction()

# Sets found_version and found_include from the first directory that has cuda_runtime_api.h.
function(_cudnn_checked_find_cuda_headers found prefix)
  foreach(directory IN LISTS ARGN)
    set(header "${directory}/cuda_runtime_api.h")
    _cudnn_checked_seen("${header}")
    _cudnn_checked_no_file(kind "${header}")
    if(NOT kind AND EXISTS "${header}")
      _cudnn_checked_cuda_version(version needs_crt "${header}")
      set(include "${directory}")
      _cudnn_checked_seen("${directory}/crt/host_defines.h")
      if(needs_crt AND NOT EXISTS "${directory}/crt/host_defines.h")
        # Wheels that have a folder each keep crt/ in that of the compiler.
        get_filename_component(parent "${prefix}" DIRECTORY)
        _cudnn_checked_seen("${parent}/cuda_nvcc/include/crt/host_defines.h")
        if(NOT EXISTS "${parent}/cuda_nvcc/include/crt/host_defines.h")
          return()
        endif()
        list(APPEND include "${parent}/cuda_nvcc/include")
      endif()
      if(version)
        set(found_version "${version}" PARENT_SCOPE)
        set(found_include "${include}" PARENT_SCOPE)
      endif()
      return()
    endif()
  endforeach()
endfunction()

# The release of a cuda_runtime_api.h, empty if it defines none, and whether it includes a header of
# the compiler.
function(_cudnn_checked_cuda_version result needs_crt header)
  set(${result} "" PARENT_SCOPE)
  # A search for plain text: file(STRINGS) with a pattern takes 10 ms for this header.
  file(READ "${header}" text LIMIT 65536)
  string(FIND "${text}" "define CUDART_VERSION" position)
  set(definition "")
  if(NOT position EQUAL -1)
    string(SUBSTRING "${text}" ${position} 40 definition)
  endif()
  if(definition MATCHES "CUDART_VERSION[ \t]+([0-9]+)")
    math(EXPR major "${CMAKE_MATCH_1} / 1000")
    math(EXPR minor "${CMAKE_MATCH_1} % 1000 / 10")
    set(${result} "${major}.${minor}" PARENT_SCOPE)
  endif()
  set(${needs_crt} FALSE PARENT_SCOPE)
  string(FIND "${text}" "crt/host_defines.h" position)
  if(NOT position EQUAL -1)
    set(${needs_crt} TRUE PARENT_SCOPE)
  endif()
endfunction()
