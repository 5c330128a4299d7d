# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_run_probe(<executable> <report> [<argument>...])
#
# Runs the probe under its time limit.  Sets in the caller
#   run_status   "ok", "refused", "usage", "crashed", "timeout" or "not-started"
#   run_text     what it printed: one line where all is well, otherwise the message
#   run_signal   where it crashed: "SIGSEGV (Segmentation fault)"
#   run_stage    where it did not finish: what it was doing, from the report that it left
#   run_errors   its standard error
function(_cudnn_checked_run_probe executable report)
  file(REMOVE "${report}")
  get_filename_component(directory "${report}" DIRECTORY)
  file(MAKE_DIRECTORY "${directory}")
  execute_process(
    COMMAND ${CMAKE_CROSSCOMPILING_EMULATOR} "${executable}" "report=${report}" ${ARGN}
    WORKING_DIRECTORY "${work_directory}"
    TIMEOUT ${input_timeout}
    RESULT_VARIABLE result
    OUTPUT_VARIABLE output
    ERROR_VARIABLE errors
  )
  set(signal "")
  if(result STREQUAL "0")
    set(status ok)
  elseif(result STREQUAL "1")
    set(status refused)
  elseif(result STREQUAL "2")
    set(status usage)
  elseif(result MATCHES "^[0-9]+$")
    # The loader ends a program with 127 when a library cannot be loaded.
    set(status not-started)
    set(signal "exit status ${result}")
  elseif(result MATCHES "timeout")
    set(status timeout)
  else()
    set(status crashed)
    _cudnn_checked_signal_name(signal "${result}")
  endif()
  set(stage "")
  if(status MATCHES "crashed|timeout|not-started" AND EXISTS "${report}")
    file(READ "${report}" text)
    string(JSON stage ERROR_VARIABLE error GET "${text}" stage)
    if(error)
      set(stage "")
    endif()
  endif()
  set(run_status ${status} PARENT_SCOPE)
  set(run_text "${output}" PARENT_SCOPE)
  set(run_signal "${signal}" PARENT_SCOPE)
  set(run_stage "${stage}" PARENT_SCOPE)
  set(run_errors "${errors}" PARENT_SCOPE)
endfunction()

# CMake tells a signal by its description; the name is what people search for.
function(_cudnn_checked_signal_name result description)
  set(name "")
  foreach(
    pair
    IN
    ITEMS
      "SIGSEGV|Segmentation"
      "SIGABRT|aborted"
      "SIGBUS|Bus error"
      "SIGILL|Illegal instruction"
      "SIGFPE|Floating|Divide"
      "SIGKILL|killed"
      "SIGTERM|terminated"
  )
    string(REGEX MATCH "^([^|]*)[|](.*)$" _ "${pair}")
    if(description MATCHES "${CMAKE_MATCH_2}" AND name STREQUAL "")
      string(REGEX REPLACE "[|].*" "" name "${pair}")
    endif()
  endforeach()
  if(name)
    set(${result} "${name}" PARENT_SCOPE)
  else()
    set(${result} "${description}" PARENT_SCOPE)
  endif()
endfunction()
