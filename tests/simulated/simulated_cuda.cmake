# SPDX-License-Identifier: BSD-3-Clause
#
# libcudart, and the driver with NVML.

function(_simulated_cudart)
  string(REGEX MATCH "^[0-9]+" cuda_major "${arg_CUDA}")
  set(soversion ${cuda_major})
  if(cuda_major EQUAL 11)
    set(soversion 11.0)
  endif()
  set(version "${arg_CUDA}.0")
  if(arg_LAYOUT STREQUAL "wheel")
    set(version "")
  endif()
  _simulated_cuda_headers_to_compile(headers "${cuda_major}.0")
  set(runtime simulated_cuda${cuda_major}_runtime)
  _simulated_objects(${runtime} SOURCES cuda/cudart_errors.cpp cuda/kernels.cpp INCLUDES "${headers}")
  _simulated_cuda_number(number "${arg_CUDA}")
  _simulated_library(
    ${id}_cudart "${cuda_lib}" cudart "${soversion}" "${version}" NODE
    SOURCES cuda/cudart.cpp
    OBJECTS ${runtime} simulated_driver_functions
    EXPORTS "*cuda*"
    DEFINITIONS SIMULATED_CUDART_VERSION=${number}
    INCLUDES "${headers}"
  )
endfunction()

function(_simulated_driver)
  if(NOT arg_DRIVER MATCHES "^([0-9]+)(\\.[0-9]+)+$")
    message(
      FATAL_ERROR
      "simulated_sdk: \"${arg_DRIVER}\" is no version of a driver, as 580.65.06 is"
    )
  endif()
  _simulated_default(arg_DRIVER_CUDA "")
  if(arg_DRIVER_CUDA STREQUAL "")
    _simulated_cuda_of_branch(arg_DRIVER_CUDA ${CMAKE_MATCH_1})
  endif()
  _simulated_cuda_number(number "${arg_DRIVER_CUDA}")
  set(definitions "SIMULATED_DRIVER_CUDA=${number}" "SIMULATED_DRIVER_VERSION=\"${arg_DRIVER}\"")
  _simulated_objects(simulated_gpus SOURCES cuda/gpus.cpp)
  _simulated_objects(simulated_driver_work SOURCES cuda/driver_work.cpp)
  _simulated_library(
    ${id}_cuda "${driver_lib}" cuda 1 "${arg_DRIVER}"
    SOURCES cuda/driver.cpp
    OBJECTS simulated_driver_work simulated_gpus ${id}_default_gpus
    EXPORTS "cu*"
    DEFINITIONS ${definitions}
  )
  _simulated_library(
    ${id}_nvml "${driver_lib}" nvidia-ml 1 "${arg_DRIVER}"
    SOURCES cuda/nvml.cpp
    OBJECTS simulated_gpus ${id}_default_gpus
    EXPORTS "nvml*"
    DEFINITIONS ${definitions}
    INCLUDES "${_simulated_sources}/headers"
  )
endfunction()

# The CUDA version that a branch of the driver supports.
function(_simulated_cuda_of_branch result branch)
  file(
    STRINGS
    "${_simulated_sources}/../../tool/core/judge/rules/cuda_drivers.def"
    rows
    REGEX "^CUDA_DRIVER"
  )
  foreach(row IN LISTS rows)
    string(REGEX MATCH "([0-9]+), ([0-9]+), 0.*\\(([0-9]+)," whole "${row}")
    if(branch GREATER_EQUAL CMAKE_MATCH_3)
      set(${result} "${CMAKE_MATCH_1}.${CMAKE_MATCH_2}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
  message(FATAL_ERROR "simulated_sdk: DRIVER_CUDA must say what driver ${arg_DRIVER} supports")
endfunction()
