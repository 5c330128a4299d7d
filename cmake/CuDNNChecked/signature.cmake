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
    "${tool}/convolution/*.h"
    "${tool}/convolution/*.cpp"
    "${tool}/probe/*.h"
    "${tool}/probe/*.inc"
    "${tool}/probe/*.cpp"
    "${tool}/probe/*.cu"
  )
  if(input_sweep)
    file(
      GLOB_RECURSE more
      "${tool}/opened/*.h"
      "${tool}/opened/*.def"
      "${tool}/opened/*.cpp"
      "${tool}/spawn/*.h"
      "${tool}/spawn/*.def"
      "${tool}/spawn/*.cpp"
      "${tool}/sweep/*.h"
      "${tool}/sweep/*.def"
      "${tool}/sweep/*.cpp"
    )
    list(APPEND sources ${more})
  endif()
  set(text "")
  set(folders ${sources})
  list(TRANSFORM folders REPLACE "/[^/]*$" "")
  list(REMOVE_DUPLICATES folders)
  # Another release of this package replaces these files.
  set(own "${CMAKE_CURRENT_FUNCTION_LIST_DIR}")
  _cudnn_checked_seen(TIMES "${tool_directory}" "${own}" "${own}/.." "${own}/package_version.cmake")
  _cudnn_checked_seen(SOURCES ${folders})
  # In a working tree, where files are edited in place; that of FetchContent is no such.
  string(FIND "${package_directory}/" "${CMAKE_BINARY_DIR}/" below)
  if(EXISTS "${package_directory}/.git" AND NOT below EQUAL 0)
    _cudnn_checked_seen(SOURCES ${sources})
  endif()
  foreach(source IN LISTS sources)
    file(MD5 "${source}" hash)
    string(APPEND text "${source} ${hash}\n")
  endforeach()
  _cudnn_checked_seen(FILES "${CMAKE_CXX_COMPILER}")
  _cudnn_checked_file_facts(compiler "${CMAKE_CXX_COMPILER}")
  string(APPEND text "compiler ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION} ${compiler}")
  _cudnn_checked_build_variables(variables)
  _cudnn_checked_kernel_facts(kernel)
  string(APPEND text "${variables}${kernel}")
  foreach(
    variable
    IN
    ITEMS cuda_include cuda_library cuda_opened place_include place_library
  )
    string(APPEND text "${variable} ${${variable}}\n")
  endforeach()
  _cudnn_checked_glob_escaped(escaped "${place_include}")
  file(GLOB headers "${escaped}/cudnn*.h")
  # The shim too: the linker must refuse one of another machine, which the loader passes over.
  _cudnn_checked_seen(FILES ${headers} "${cuda_library}" ${cuda_opened} "${place_library}")
  _cudnn_checked_file_facts(facts ${headers} "${cuda_library}" ${cuda_opened} "${place_library}")
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
  _cudnn_checked_seen(TIMES ${directories})
  _cudnn_checked_seen(FILES ${files})
  _cudnn_checked_file_facts(facts ${files})
  string(APPEND text "${facts}")
  if(input_report)
    _cudnn_checked_seen(FILES "${input_report}")
    file(MD5 "${input_report}" hash)
    string(APPEND text "report ${hash}\n")
  endif()
  if(CuDNNChecked_ROOT OR NOT "$ENV{CuDNNChecked_ROOT}" STREQUAL "")
    string(APPEND text "named\n")
  endif()
  foreach(variable IN ITEMS input_require input_components input_report)
    string(APPEND text "${variable} ${${variable}}\n")
  endforeach()
  _cudnn_checked_run_variables(variables)
  string(APPEND text "${variables}")
  _cudnn_checked_driver_facts(facts)
  set(${run} "${text}${facts}" PARENT_SCOPE)
endfunction()
