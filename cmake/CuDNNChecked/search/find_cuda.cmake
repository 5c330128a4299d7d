# SPDX-License-Identifier: BSD-3-Clause
#
# The search for the CUDA runtime.

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
  _cudnn_checked_cuda_instructions(places "${wanted}")
  set(tried "")
  _cudnn_checked_rooted(places tried)
  _cudnn_checked_first_cuda(taken other tried "${wanted}" "${places}")
  if(NOT taken AND other)
    _cudnn_checked_find_cuda_in_prefix("${other}")
    set(taken "${other}")
  endif()
  set(instructions ${places})
  list(TRANSFORM instructions REPLACE "\t.*" "")
  list(FILTER instructions INCLUDE REGEX "CUDAToolkit_ROOT")
  if(NOT taken AND NOT instructions)
    _cudnn_checked_cuda_places(places tried "${beside}" "${site}" "${wanted}")
    _cudnn_checked_first_cuda(taken other tried "${wanted}" "${places}")
    # The packages of the active Python come last, because finding it may start it.
    _cudnn_checked_find_roots(roots mode)
    if(NOT taken AND NOT mode STREQUAL "ONLY")
      _cudnn_checked_site_packages(directories interpreter)
      foreach(directory IN LISTS directories)
        _cudnn_checked_cuda_wheels(wheels "${directory}/nvidia" "${wanted}")
        set(places "")
        _cudnn_checked_add_places(places "Python packages" "${wheels}")
        if(NOT taken)
          _cudnn_checked_first_cuda(taken other tried "${wanted}" "${places}")
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
  _cudnn_checked_no_cuda("${site}" "${wanted}" "${tried}" "${instructions}")
endfunction()

# _cudnn_checked_first_cuda(<taken> <other> <tried> <wanted> <places>)
#
# The first of the places that has a runtime of the CUDA major <wanted>, which may be empty, and
# the first that has one of another major.  Adds to the variable <tried> what is passed over, and
# why.
function(
  _cudnn_checked_first_cuda
  taken
  other
  in_out_tried
  wanted
  places
)
  set(all "${${in_out_tried}}")
  set(${taken} "" PARENT_SCOPE)
  set(${other} "" PARENT_SCOPE)
  set(first_other "")
  foreach(place IN LISTS places)
    _cudnn_checked_read_place(label prefix "${place}")
    _cudnn_checked_find_cuda_in_prefix("${prefix}")
    _cudnn_checked_get(found)
    if(found_why STREQUAL "" AND wanted AND NOT found_version MATCHES "^${wanted}\\.")
      set(found_why "CUDA ${found_version}, and this cuDNN is for CUDA ${wanted}")
      if(NOT first_other)
        set(first_other "${prefix}")
        set(${other} "${prefix}" PARENT_SCOPE)
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

# No runtime was found.  <instructions>: what names CUDAToolkit_ROOT, if anything.
function(_cudnn_checked_no_cuda site wanted tried instructions)
  _cudnn_checked_get(place)
  list(TRANSFORM tried PREPEND "looked in" AT 0)
  set(cuda "CUDA")
  set(of "")
  if(wanted)
    set(cuda "CUDA ${wanted}")
    set(of " of CUDA ${wanted}")
  endif()
  _cudnn_checked_spelling("")
  set(because "cudnn.h includes cuda_runtime_api.h, and the probe links ${words_of_cudart}.")
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
  _cudnn_checked_refuse(NAME headers-missing
    SUMMARY "cuDNN ${place_version} was found, but no ${cuda} runtime to compile with"
    FACTS "cuDNN|${place_version}|${place_header}" ${tried}
    BECAUSE ${because}
    FIX ${fix}
  )
endfunction()

# _cudnn_checked_find_cuda_in_prefix(<prefix>)
#
# Puts found_include, found_library, found_version and found_why (empty: all is there).
function(_cudnn_checked_find_cuda_in_prefix prefix)
  _cudnn_checked_directories_of(library_directories header_directories "${prefix}")
  _cudnn_checked_put(found_why "no cuda_runtime_api.h")
  foreach(value IN ITEMS include version library)
    _cudnn_checked_put(found_${value} "")
  endforeach()
  foreach(directory IN LISTS header_directories)
    _cudnn_checked_seen(FILES "${directory}/cuda_runtime_api.h")
    _cudnn_checked_no_file(kind "${directory}/cuda_runtime_api.h")
    if(kind)
      _cudnn_checked_put(found_why "cuda_runtime_api.h is ${kind}")
    elseif(EXISTS "${directory}/cuda_runtime_api.h")
      _cudnn_checked_find_cuda_headers("${directory}" "${prefix}")
      break()
    endif()
  endforeach()
  _cudnn_checked_get(found)
  if(found_why STREQUAL "")
    string(REGEX MATCH "^[0-9]+" major "${found_version}")
    _cudnn_checked_spelling("${major}")
    set(found_why "headers of CUDA ${found_version} without ${name_of_cudart}")
    foreach(directory IN LISTS library_directories)
      _cudnn_checked_glob_escaped(escaped "${directory}")
      list(TRANSFORM files_of_cudart PREPEND "${escaped}/" OUTPUT_VARIABLE patterns)
      file(GLOB files ${patterns})
      _cudnn_checked_seen(FILES ${files})
      foreach(file IN LISTS files)
        if(EXISTS "${file}" AND found_library STREQUAL "")
          _cudnn_checked_no_file(kind "${file}")
          if(kind)
            set(found_why "${file} is ${kind}")
            continue()
          endif()
          _cudnn_checked_other_machine(found_why "${file}")
          if(found_why STREQUAL "")
            set(found_library "${file}")
          endif()
        endif()
      endforeach()
    endforeach()
    _cudnn_checked_put(found_library "${found_library}")
    _cudnn_checked_put(found_why "${found_why}")
  endif()
endfunction()

# The part of the headers: puts found_include, found_version and found_why.
function(_cudnn_checked_find_cuda_headers directory prefix)
  _cudnn_checked_put(found_include "${directory}")
  # A search for plain text: file(STRINGS) with a pattern takes 10 ms for this header.
  file(READ "${directory}/cuda_runtime_api.h" text LIMIT 65536)
  string(FIND "${text}" "define CUDART_VERSION" position)
  set(definition "")
  if(NOT position EQUAL -1)
    string(SUBSTRING "${text}" ${position} 40 definition)
  endif()
  string(FIND "${text}" "crt/host_defines.h" needs_crt)
  if(NOT definition MATCHES "CUDART_VERSION[ \t]+([0-9]+)")
    _cudnn_checked_put(found_why "cuda_runtime_api.h defines no CUDART_VERSION")
    return()
  endif()
  math(EXPR major "${CMAKE_MATCH_1} / 1000")
  math(EXPR minor "${CMAKE_MATCH_1} % 1000 / 10")
  _cudnn_checked_put(found_version "${major}.${minor}")
  _cudnn_checked_put(found_why "")
  _cudnn_checked_seen(TIMES "${directory}/crt/host_defines.h")
  if(NOT needs_crt EQUAL -1 AND NOT EXISTS "${directory}/crt/host_defines.h")
    # Wheels that have a folder each keep crt/ in that of the compiler.
    get_filename_component(parent "${prefix}" DIRECTORY)
    _cudnn_checked_seen(TIMES "${parent}/cuda_nvcc/include/crt/host_defines.h")
    if(EXISTS "${parent}/cuda_nvcc/include/crt/host_defines.h")
      _cudnn_checked_put(found_include "${directory};${parent}/cuda_nvcc/include")
    else()
      _cudnn_checked_crt_package(crt ${major})
      _cudnn_checked_put(found_why "cuda_runtime_api.h without crt/host_defines.h (package ${crt})")
    endif()
  endif()
endfunction()

# The package that has the crt headers of that CUDA, from the tables that the tool has as well.
function(_cudnn_checked_crt_package result cuda)
  _cudnn_checked_get(where)
  set(identifier crt_wheel)
  set(ending "")
  file(
    STRINGS
    "${tool_directory}/core/model/cuda_majors.def"
    row
    REGEX "^CUDA_MAJOR_ROW\\(${cuda}, "
  )
  if(row MATCHES "[)], \"([^\"]+)\"")
    set(identifier nvcc_wheel)
    set(ending "${CMAKE_MATCH_1}")
  endif()
  set(table "${tool_directory}/core/judge/advice/packages.def")
  file(STRINGS "${table}" row REGEX "^PACKAGE\\(${identifier}, ")
  string(REGEX REPLACE "^.*\"(.*)\".*$" "\\1" name "${row}")
  set(${result} "${name}${ending}" PARENT_SCOPE)
endfunction()
