# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_signature(<build> <run>)
#
# Two texts: everything that the probe's executable depends on, and everything that its result
# depends on.  While they stay the same, nothing is compiled, and no process is started.  Reads
# place_*, cuda_* and input_* of the caller.
function(_cudnn_checked_signature build run)
  _cudnn_checked_glob_escaped(tool "${tool_directory}")
  file(
    GLOB_RECURSE sources
    "${tool}/core/*.h"
    "${tool}/core/*.inc"
    "${tool}/core/*.def"
    "${tool}/core/*.cpp"
    "${tool}/probe/*.h"
    "${tool}/probe/*.inc"
    "${tool}/probe/*.cpp"
  )
  set(text "")
  foreach(source IN LISTS sources)
    file(MD5 "${source}" hash)
    string(APPEND text "${source} ${hash}\n")
  endforeach()
  _cudnn_checked_file_facts(compiler "${CMAKE_CXX_COMPILER}")
  string(APPEND text "compiler ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION} ${compiler}")
  foreach(
    variable
    IN
    ITEMS
      CMAKE_CXX_COMPILER_TARGET
      CMAKE_CXX_FLAGS
      CMAKE_EXE_LINKER_FLAGS
      CMAKE_TOOLCHAIN_FILE
      CMAKE_SYSROOT
      CMAKE_TRY_COMPILE_CONFIGURATION
      CMAKE_POSITION_INDEPENDENT_CODE
      CMAKE_SKIP_RPATH
      CMAKE_SKIP_BUILD_RPATH
      CMAKE_BUILD_RPATH
      CMAKE_BUILD_WITH_INSTALL_RPATH
      CMAKE_INSTALL_RPATH
      cuda_include
      cuda_library
      place_include
      place_library
  )
    string(APPEND text "${variable} ${${variable}}\n")
  endforeach()
  _cudnn_checked_glob_escaped(escaped "${place_include}")
  file(GLOB headers "${escaped}/cudnn*.h")
  # The shim too: the linker must refuse one of another machine, which the loader passes over.
  _cudnn_checked_file_facts(facts ${headers} "${cuda_library}" "${place_library}")
  file(MD5 "${place_header}" hash)
  string(APPEND text "${facts}cudnn_version.h ${hash}\n")
  set(${build} "${text}" PARENT_SCOPE)

  get_filename_component(directory "${place_library}" DIRECTORY)
  # The directory of the CUDA runtime is on the probe's RUNPATH too.
  get_filename_component(cuda_directory "${cuda_library}" DIRECTORY)
  set(directories "${directory}" "${cuda_directory}")
  file(TO_CMAKE_PATH "$ENV{LD_LIBRARY_PATH}" override)
  list(APPEND directories ${override})
  list(REMOVE_DUPLICATES directories)
  set(files "/etc/ld.so.cache")
  foreach(directory IN LISTS directories)
    if(directory)
      _cudnn_checked_glob_escaped(escaped "${directory}")
      file(
        GLOB libraries
        "${escaped}/libcudnn*"
        "${escaped}/libcuda.so*"
        "${escaped}/libnvidia-ml.so*"
      )
      list(APPEND files ${libraries})
    endif()
  endforeach()
  _cudnn_checked_file_facts(facts ${files})
  string(APPEND text "${facts}")
  if(input_report)
    file(MD5 "${input_report}" hash)
    string(APPEND text "report ${hash}\n")
  endif()
  foreach(
    variable
    IN
    ITEMS
      input_require
      input_components
      input_convolutions
      input_devices
      input_report
      CMAKE_CROSSCOMPILING
      CMAKE_CROSSCOMPILING_EMULATOR
  )
    string(APPEND text "${variable} ${${variable}}\n")
  endforeach()
  foreach(
    variable
    IN
    ITEMS LD_LIBRARY_PATH LD_PRELOAD CUDA_DEVICE_ORDER CUDA_VISIBLE_DEVICES NVIDIA_VISIBLE_DEVICES
  )
    string(APPEND text "${variable}=$ENV{${variable}}\n")
  endforeach()
  _cudnn_checked_driver_facts(facts)
  set(${run} "${text}${facts}" PARENT_SCOPE)
endfunction()

# The driver's release and the GPUs, from files that cost nothing to read.
function(_cudnn_checked_driver_facts result)
  set(text "")
  file(GLOB files "/proc/driver/nvidia/version" "/proc/driver/nvidia/gpus/*/information")
  foreach(file IN LISTS files)
    file(STRINGS "${file}" lines REGEX "^(NVRM version|Model|GPU UUID|Device Minor|GPU Excluded)")
    string(APPEND text "${file} ${lines}\n")
  endforeach()
  # Which of them a container was given; WSL2 has /dev/dxg, Jetson /dev/nvhost-gpu.
  file(GLOB devices "/dev/nvidia[0-9]*" "/dev/dxg" "/dev/nvhost-gpu")
  set(${result} "${text}devices ${devices}\n" PARENT_SCOPE)
endfunction()
