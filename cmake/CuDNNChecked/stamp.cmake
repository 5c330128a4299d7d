# SPDX-License-Identifier: BSD-3-Clause
#
# What was proved, as it goes into programs.

# _cudnn_checked_remember_stamp()
#
# Keeps what the stamp of a guarded target needs in a global property, from result_*, place_* and
# input_* of the caller, and writes <cudnn_checked/stamp.h>.  Where several find_package calls ask
# for different components, the header names them all; it is written once, when the top-level
# directory is done, so that an unchanged stamp is never rewritten and nothing is rebuilt.
function(_cudnn_checked_remember_stamp)
  set(stamp_package "${package_version}")
  set(stamp_level "${result_level}")
  set(stamp_header "${place_version}")
  set(stamp_library "${result_library_version}")
  set(stamp_cudart "${result_cudart_version}")
  set(stamp_toolkit "${cuda_version}")
  set(stamp_runtime "${result_runtime}")
  set(stamp_driver "${result_driver}")
  set(stamp_measured "${result_architectures}")
  set(stamp_components "${input_components}")
  set(stamp_sublibraries "${result_needs}")
  set(stamp_policy "${input_policy}")
  set(stamp_templates "${package_directory}/templates")
  set(text "")
  foreach(name IN LISTS _cudnn_checked_stamp_names)
    string(APPEND text "set(stamp_${name} [==[${stamp_${name}}]==])\n")
  endforeach()
  set_property(GLOBAL PROPERTY _cudnn_checked_stamp "${text}")
  set_property(GLOBAL APPEND PROPERTY _cudnn_checked_stamp_components ${stamp_components})

  get_property(deferred GLOBAL PROPERTY _cudnn_checked_stamp_deferred)
  if(NOT deferred)
    set_property(GLOBAL PROPERTY _cudnn_checked_stamp_deferred TRUE)
    cmake_language(DEFER DIRECTORY "${CMAKE_SOURCE_DIR}" CALL _cudnn_checked_write_stamp_header)
  endif()
  if(NOT EXISTS "${work_directory}/include/cudnn_checked/stamp.h")
    _cudnn_checked_write_stamp_header()
  endif()
endfunction()

# _cudnn_checked_read_stamp(): sets stamp_* in the caller, to what the last find_package proved.
macro(_cudnn_checked_read_stamp)
  get_property(stamp_text GLOBAL PROPERTY _cudnn_checked_stamp)
  cmake_language(EVAL CODE "${stamp_text}")
endmacro()

function(_cudnn_checked_write_stamp_header)
  _cudnn_checked_read_stamp()
  get_property(stamp_components GLOBAL PROPERTY _cudnn_checked_stamp_components)
  list(REMOVE_DUPLICATES stamp_components)
  list(SORT stamp_components)
  string(REPLACE "." ";" parts "${stamp_header}")
  list(GET parts 0 major)
  list(GET parts 1 minor)
  list(GET parts 2 patch)
  # The encoding of CUDNN_VERSION: cuDNN 9 gave the minor release two more digits of room.
  set(scale 10000)
  if(major LESS 9)
    set(scale 1000)
  endif()
  math(EXPR stamp_number "${major} * ${scale} + ${minor} * 100 + ${patch}")
  configure_file(
    "${stamp_templates}/stamp.h.in"
    "${CMAKE_BINARY_DIR}/CuDNNChecked/include/cudnn_checked/stamp.h"
    @ONLY
  )
endfunction()
