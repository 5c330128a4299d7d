# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_build_kernel(<file>)
#
# Builds the probe like _cudnn_checked_build_probe, and with it tool/probe/kernel/kernel.cu, which
# is compiled as the CUDA sources of this project are: with its CUDA compiler, host compiler, flags,
# standard and CMAKE_CUDA_ARCHITECTURES.  build_status can also be "no-kernel": without the kernel
# the probe is built.
#
# One build, and not a library first: two compilers at the same time, and one run of CMake less.
function(_cudnn_checked_build_kernel file)
  # CMake ends with an error of its own if it is asked to.
  if(
    CMAKE_CUDA_ARCHITECTURES STREQUAL "native"
    AND CMAKE_VERSION VERSION_GREATER_EQUAL 3.24
    AND "${CMAKE_CUDA_ARCHITECTURES_NATIVE}" STREQUAL ""
  )
    set(build_status no-kernel PARENT_SCOPE)
    set(build_lines "" PARENT_SCOPE)
    return()
  endif()
  _cudnn_checked_build_probe("${file}" KERNEL)
  set(status "${build_status}")
  set(lines "${build_lines}")
  if(NOT status STREQUAL "ok")
    file(READ "${work_directory}/build.log" log)
    _cudnn_checked_build_probe("${file}")
    file(REMOVE "${file}")
    if(build_status STREQUAL "ok")
      file(WRITE "${work_directory}/build.log" "${log}")
      set(status no-kernel)
    else()
      set(status "${build_status}")
      set(lines "${build_lines}")
    endif()
  endif()
  set(build_status "${status}" PARENT_SCOPE)
  set(build_lines "${lines}" PARENT_SCOPE)
endfunction()

# _cudnn_checked_add_kernel()
#
# Changes what _cudnn_checked_build_probe passes to try_compile (sources, flags, options, includes,
# and variables that try_compile reads), so that the kernel is built as well.  Options and include
# directories of the probe are those of C++ only: nvcc finds its own headers, as it does in the
# project.
macro(_cudnn_checked_add_kernel)
  list(APPEND sources "${tool_directory}/probe/kernel/kernel.cu")
  list(APPEND definitions -DCUDNN_CHECKED_PROBE_KERNEL)
  string(REPLACE ">" "$<ANGLE-R>" includes "${includes}")
  list(TRANSFORM includes REPLACE "(.+)" "$<$<COMPILE_LANGUAGE:CXX>:\\1>")
  list(JOIN options " " options)
  string(TOUPPER "${CMAKE_TRY_COMPILE_CONFIGURATION}" configuration)
  foreach(suffix IN ITEMS "" "_DEBUG" "_${configuration}")
    string(APPEND CMAKE_CXX_FLAGS${suffix} " ${options}")
    string(APPEND CMAKE_CUDA_FLAGS${suffix} " -w")
  endforeach()
  set(options "")
  # It uses the runtime that the probe is linked with.
  list(APPEND flags -DCMAKE_CUDA_RUNTIME_LIBRARY=None)
  # The flag alone, with the property on the targets that need it.
  set(relocatable "(^| )(-rdc|--relocatable-device-code)[= ]true( |$)")
  if(CMAKE_CUDA_SEPARABLE_COMPILATION OR CMAKE_CUDA_FLAGS MATCHES "${relocatable}")
    list(APPEND flags -DCMAKE_CUDA_SEPARABLE_COMPILATION=ON)
  endif()
  # Without a value of its own it is that of the language CXX, which for the probe is ON.
  if(NOT DEFINED CMAKE_CUDA_STANDARD_REQUIRED)
    set(CMAKE_CUDA_STANDARD_REQUIRED OFF)
    if(CMAKE_CXX_STANDARD_REQUIRED)
      set(CMAKE_CUDA_STANDARD_REQUIRED ON)
    endif()
  endif()
  # A project of CMP0104's old behaviour has no value, which is an error in the new one.
  if("${CMAKE_CUDA_ARCHITECTURES}" STREQUAL "")
    set(CMAKE_CUDA_ARCHITECTURES OFF)
  endif()
endmacro()

# _cudnn_checked_kernel_facts(<result>)
#
# What the kernel depends on; empty where the probe is built without one.
function(_cudnn_checked_kernel_facts result)
  set(${result} "" PARENT_SCOPE)
  _cudnn_checked_kernel_variables(text)
  if(text STREQUAL "")
    return()
  endif()
  _cudnn_checked_cuda_host(host where)
  if(host STREQUAL "")
    _cudnn_checked_on_path(host gcc)
  endif()
  set(compilers "${CMAKE_CUDA_COMPILER}" ${host})
  _cudnn_checked_seen(FILES ${compilers})
  _cudnn_checked_file_facts(facts ${compilers})
  if(CMAKE_CUDA_ARCHITECTURES STREQUAL "native")
    _cudnn_checked_driver_facts(gpus)
    string(APPEND facts "${gpus}")
  endif()
  set(${result} "${text}${facts}" PARENT_SCOPE)
endfunction()

# _cudnn_checked_cuda_host(<compiler> <where>)
#
# The host compiler that the CUDA compiler was told to take, and the variable that names it; empty
# where none was named.
function(_cudnn_checked_cuda_host compiler where)
  set(${compiler} "" PARENT_SCOPE)
  set(${where} "" PARENT_SCOPE)
  # The last one that nvcc reads counts.
  if(CMAKE_CUDA_FLAGS MATCHES "(-ccbin|--compiler-bindir)[= ]+([^ ]+)")
    set(${compiler} "${CMAKE_MATCH_2}" PARENT_SCOPE)
    set(${where} "CMAKE_CUDA_FLAGS" PARENT_SCOPE)
  elseif(CMAKE_CUDA_HOST_COMPILER)
    set(${compiler} "${CMAKE_CUDA_HOST_COMPILER}" PARENT_SCOPE)
    set(${where} "CMAKE_CUDA_HOST_COMPILER" PARENT_SCOPE)
  endif()
endfunction()

# _cudnn_checked_read_kernel_code(<report>)
#
# Puts result_kernel_word, where CMAKE_CUDA_ARCHITECTURES is a word whose meaning only the CUDA
# compiler knows, and result_kernel_code, what the probe found in itself of a kernel that was
# compiled so: "75-real", "90-virtual", or "86" for both forms.
function(_cudnn_checked_read_kernel_code report)
  if(NOT CMAKE_CUDA_ARCHITECTURES MATCHES "^(all|all-major|native)$")
    return()
  endif()
  _cudnn_checked_read_json(text fault "${report}")
  set(value_fault "")
  _cudnn_checked_values(code cuda_code "${text}" kernel compiled)
  if(value_fault STREQUAL "" AND NOT "${code}" STREQUAL "")
    _cudnn_checked_put(result_kernel_word "${CMAKE_CUDA_ARCHITECTURES}")
    _cudnn_checked_put(result_kernel_code "${code}")
  endif()
endfunction()
