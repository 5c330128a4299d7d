# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_remember_stamp(<answer>)
#
# Keeps stamp_*, what the stamp of a guarded target needs, from result_*, place_*, cuda_* and
# input_* of the caller, as global properties of the <answer>; the last answer is the one that
# counts.  The header with the stamp is written once, when the top-level directory is done, so that
# an unchanged one is never rewritten.
function(_cudnn_checked_remember_stamp answer)
  set(stamp_package "${input_package}")
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
  set(stamp_kernel_word "${result_kernel_word}")
  set(stamp_kernel_code "${result_kernel_code}")
  set(stamp_swept_seconds 0)
  set(stamp_swept_plans 0)
  if(NOT result_swept_plans STREQUAL "")
    set(stamp_swept_seconds "${result_swept_seconds}")
    set(stamp_swept_plans "${result_swept_plans}")
  endif()
  set(stamp_templates "${package_directory}/templates")
  _cudnn_checked_names(names stamp)
  foreach(name IN LISTS names)
    set_property(GLOBAL PROPERTY ${answer}_${name} "${${name}}")
  endforeach()
  set_property(GLOBAL PROPERTY _cudnn_checked_stamp ${answer})
  set_property(GLOBAL APPEND PROPERTY _cudnn_checked_all_components ${input_components})

  get_property(deferred GLOBAL PROPERTY _cudnn_checked_stamp_deferred)
  if(NOT deferred)
    set_property(GLOBAL PROPERTY _cudnn_checked_stamp_deferred TRUE)
    cmake_language(DEFER DIRECTORY "${CMAKE_SOURCE_DIR}" CALL _cudnn_checked_write_stamp_header)
  endif()
  if(NOT EXISTS "${work_directory}/include/cudnn_checked/stamp.h")
    _cudnn_checked_write_stamp_header()
  endif()
endfunction()

# _cudnn_checked_get_stamp()
#
# Sets stamp_* of the last answer in the caller; stamp_answer is empty where there is none.
macro(_cudnn_checked_get_stamp)
  get_property(stamp_answer GLOBAL PROPERTY _cudnn_checked_stamp)
  _cudnn_checked_names(stamp_names stamp)
  foreach(stamp_name IN LISTS stamp_names)
    get_property(${stamp_name} GLOBAL PROPERTY ${stamp_answer}_${stamp_name})
  endforeach()
endmacro()

# _cudnn_checked_write_stamp_header()
#
# Writes <cudnn_checked/stamp.h>.  Where several find_package calls ask for different components, it
# names them all.  An unchanged header is not rewritten, so nothing is rebuilt.
function(_cudnn_checked_write_stamp_header)
  _cudnn_checked_get_stamp()
  get_property(stamp_components GLOBAL PROPERTY _cudnn_checked_all_components)
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
