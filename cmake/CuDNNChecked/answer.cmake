# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_answer(<answer>)
#
# The whole of find_package(CuDNNChecked) but its last word: finds and proves, makes the targets,
# and publishes the answer as global properties with names that begin with <answer>, which stands
# for the request (see _cudnn_checked_publish).
# The same request in the same run of CMake has the same answer; that of an earlier run is taken
# where nothing has changed since.  Only success is remembered.
function(_cudnn_checked_answer result)
  _cudnn_checked_request(request name)
  set(answer _cudnn_checked_answer_${request})
  set(${result} ${answer} PARENT_SCOPE)
  get_property(outcome GLOBAL PROPERTY ${answer}_outcome)
  if(outcome MATCHES "^(ok|warning|unknown)$")
    set_property(GLOBAL PROPERTY _cudnn_checked_stamp ${answer})
    return()
  endif()

  get_filename_component(package_directory "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../.." ABSOLUTE)
  set(tool_directory "${package_directory}/tool")
  set(work_directory "${CMAKE_BINARY_DIR}/CuDNNChecked")
  set(file "${work_directory}/answer-${name}.txt")
  _cudnn_checked_recall_answer(recalled "${file}" ${request} ${answer})
  if(recalled)
    return()
  endif()
  string(TIMESTAMP begin "%s" UTC)
  _cudnn_checked_include_parts()
  foreach(kind IN ITEMS FILES TIMES SOURCES)
    set_property(GLOBAL PROPERTY _cudnn_checked_seen_${kind} "")
  endforeach()
  _cudnn_checked_prove()
  _cudnn_checked_get(refusal)
  if(NOT refusal)
    _cudnn_checked_get(input place cuda)
    _cudnn_checked_watched_files(watched)
    _cudnn_checked_put(place_watched "${watched}")
    _cudnn_checked_remember_answer("${file}" ${request} ${begin})
  endif()
  _cudnn_checked_get(input place cuda result)
  _cudnn_checked_publish(${answer})
endfunction()

# The parts that only an answer that was not remembered needs.
function(_cudnn_checked_include_parts)
  include(FindPackageHandleStandardArgs) # find_package_check_version
  foreach(
    part
    IN
    ITEMS
      advise
      build_kernel
      build_probe
      build_program
      build_refusal
      build_words
      cuda_prefixes
      commands
      cudnn_prefixes
      did_you_mean
      directories_of
      file_facts
      find_cuda
      find_cuda_in_prefix
      find_cudnn
      find_header
      find_in_prefix
      find_library
      find_opened
      find_roots
      flag_sources
      glob_escaped
      keep_result
      kept_result
      kernel_refusal
      machine
      message
      no_file
      not_found
      on_path
      path_refusal
      prove
      put_place
      quoted
      read_inputs
      read_json
      read_report
      read_version
      remember_answer
      report_proof
      run_probe
      run_refusal
      run_sweep
      seen
      signature
      site_packages
      system_prefixes
      take_report
      unproved_result
      unusable
      unwritable
      value
      version_request
      watched_files
      wheel_of
      wheel_record
      wheels_below
      write_facts
  )
    include("${CMAKE_CURRENT_FUNCTION_LIST_DIR}/${part}.cmake")
  endforeach()
endfunction()
