# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_names(<names> <group>...)
#
# The names of the facts of these groups; see _cudnn_checked_put.
function(_cudnn_checked_names names)
  set(refusal refusal)
  set(
    input
    input_require
    input_components
    input_convolutions
    input_devices
    input_timeout
    input_policy
    input_report
  )
  set(
    place
    place_prefix
    place_header
    place_version
    place_include
    place_library
    place_sublibraries
    place_watched
  )
  set(cuda cuda_include cuda_library cuda_version)
  set(
    result
    result_level
    result_verdict
    result_line
    result_report
    result_library_version
    result_cudart_version
    result_toolkit
    result_runtime
    result_driver
    result_architectures
    result_needs
  )
  set(
    stamp
    stamp_package
    stamp_level
    stamp_header
    stamp_library
    stamp_cudart
    stamp_toolkit
    stamp_runtime
    stamp_driver
    stamp_measured
    stamp_components
    stamp_sublibraries
    stamp_policy
    stamp_templates
  )
  set(all "")
  foreach(group IN LISTS ARGN)
    list(APPEND all ${${group}})
  endforeach()
  set(${names} ${all} PARENT_SCOPE)
endfunction()
