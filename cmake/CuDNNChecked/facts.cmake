# SPDX-License-Identifier: BSD-3-Clause
#
# The facts of the running find_package.  What each part finds out is written once, by the part that
# knows, and read where it is needed; it is a global property, so that no function in between has to
# pass it on.
#
# _cudnn_checked_names(<names> <group>...)
#
# The names of the facts of these groups:
#   refusal    the message, where something was refused; empty otherwise
#   input      what was asked for (_cudnn_checked_read_inputs)
#   found      what lies below the prefix that was looked at last (_cudnn_checked_find_in_prefix,
#              _cudnn_checked_find_cuda_in_prefix)
#   place      the cuDNN that was found (_cudnn_checked_find_cudnn)
#   cuda       the CUDA runtime that was found (_cudnn_checked_find_cuda)
#   result     what was proved (_cudnn_checked_prove)
#   stamp      what the stamp of a guarded target needs (_cudnn_checked_remember_stamp)
#   published  the result variables, without CuDNNChecked_ (_cudnn_checked_publish)
function(_cudnn_checked_names names)
  set(refusal refusal)
  set(
    input
    input_package
    input_require
    input_components
    input_convolutions
    input_devices
    input_timeout
    input_sweep
    input_policy
    input_report
  )
  set(
    found
    found_header
    found_version
    found_include
    found_library
    found_missing
    found_why
    found_file
    found_package
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
  set(cuda cuda_include cuda_library cuda_version cuda_opened)
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
    result_kernel_word
    result_kernel_code
    result_swept_seconds
    result_swept_plans
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
    stamp_kernel_word
    stamp_kernel_code
    stamp_swept_seconds
    stamp_swept_plans
    stamp_templates
  )
  # VERSION_TWEAK has never a value: the version file of a package may leave one behind.
  set(
    published
    FOUND
    VERSION
    VERSION_MAJOR
    VERSION_MINOR
    VERSION_PATCH
    VERSION_TWEAK
    VERSION_COUNT
    LIBRARY_VERSION
    LEVEL
    CUDA_VERSION
    CUDART_VERSION
    DRIVER_VERSION
    ARCHITECTURES
    REPORT
    INCLUDE_DIRS
    LIBRARIES
    PACKAGE_VERSION
  )
  set(all "")
  foreach(group IN LISTS ARGN)
    list(APPEND all ${${group}})
  endforeach()
  set(${names} ${all} PARENT_SCOPE)
endfunction()

# Writes down a fact.
function(_cudnn_checked_put name value)
  set_property(GLOBAL PROPERTY _cudnn_checked_${name} "${value}")
endfunction()

# _cudnn_checked_get(<group>...)
#
# Sets the facts of these groups in the caller, as variables of the same names.
function(_cudnn_checked_get)
  _cudnn_checked_names(names ${ARGN})
  foreach(name IN LISTS names)
    get_property(value GLOBAL PROPERTY _cudnn_checked_${name})
    set(${name} "${value}" PARENT_SCOPE)
  endforeach()
endfunction()

# _cudnn_checked_read_facts(<whole> <file>)
#
# Sets the facts that _cudnn_checked_write_facts wrote in the caller.  <whole> is false, and nothing
# is set, where the file is absent, was cut or was changed.
function(_cudnn_checked_read_facts whole file)
  set(${whole} FALSE PARENT_SCOPE)
  if(NOT EXISTS "${file}")
    return()
  endif()
  file(READ "${file}" text)
  string(FIND "${text}" "whole=" end REVERSE)
  if(end EQUAL -1)
    return()
  endif()
  string(SUBSTRING "${text}" 0 ${end} facts)
  string(SUBSTRING "${text}" ${end} -1 end)
  string(MD5 hash "${facts}")
  if(NOT end STREQUAL "whole=${hash}\n")
    return()
  endif()
  string(ASCII 1 line_mark)
  string(ASCII 2 backslash)
  string(ASCII 3 opening)
  string(ASCII 4 closing)
  string(ASCII 5 semicolon)
  set(escaped FALSE)
  if(facts MATCHES "[${line_mark}${backslash}${opening}${closing}]")
    set(escaped TRUE)
  endif()
  string(REPLACE "\n" ";" lines "${facts}")
  list(POP_BACK lines)
  foreach(line IN LISTS lines)
    string(REGEX MATCH "^((input|place|cuda|result|seen)_[a-z_]+)=(.*)$" line "${line}")
    string(REPLACE "${semicolon}" ";" value "${CMAKE_MATCH_3}")
    if(escaped)
      string(REPLACE "${line_mark}" "\n" value "${value}")
      string(REPLACE "${backslash}" "\\" value "${value}")
      string(REPLACE "${opening}" "[" value "${value}")
      string(REPLACE "${closing}" "]" value "${value}")
    endif()
    set(${CMAKE_MATCH_1} "${value}" PARENT_SCOPE)
  endforeach()
  set(${whole} TRUE PARENT_SCOPE)
endfunction()
