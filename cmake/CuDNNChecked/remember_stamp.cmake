# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_remember_stamp()
#
# Puts stamp_*, what the stamp of a guarded target needs, from result_*, place_* and input_* of the
# caller.  The header with the stamp is written once, when the top-level directory is done, so that
# an unchanged one is never rewritten.
function(_cudnn_checked_remember_stamp)
  _cudnn_checked_put(stamp_package "${package_version}")
  _cudnn_checked_put(stamp_level "${result_level}")
  _cudnn_checked_put(stamp_header "${place_version}")
  _cudnn_checked_put(stamp_library "${result_library_version}")
  _cudnn_checked_put(stamp_cudart "${result_cudart_version}")
  _cudnn_checked_put(stamp_toolkit "${cuda_version}")
  _cudnn_checked_put(stamp_runtime "${result_runtime}")
  _cudnn_checked_put(stamp_driver "${result_driver}")
  _cudnn_checked_put(stamp_measured "${result_architectures}")
  _cudnn_checked_put(stamp_components "${input_components}")
  _cudnn_checked_put(stamp_sublibraries "${result_needs}")
  _cudnn_checked_put(stamp_policy "${input_policy}")
  _cudnn_checked_put(stamp_templates "${package_directory}/templates")
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
