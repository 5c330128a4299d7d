# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_run_probe(<seconds> <name> <report> [<argument>...])
#
# Runs cudnn_checked_<name> under a time limit.  It supervises itself (tool/probe/supervise.h): CMake
# would keep all that a library prints, and would wait for what one leaves running.  Puts
#   run_status   "ok", "refused", "usage", "crashed", "timeout", "ended" or "not-started"; "ended":
#                with a status that its report does not explain
#   run_text     what it printed: one line on what was proved, unless it refuses, and the findings
#   run_signal   where it crashed: "SIGSEGV"; where it ended: the status; where it was not started:
#                the status or the error
#   run_stage    where it did not finish: what it was doing, from the report that it left
#   run_errors   the last of its standard error, and how much was left out
function(_cudnn_checked_run_probe seconds name report)
  _cudnn_checked_get(where)
  file(REMOVE "${report}" "${report}.proof" "${report}.end")
  get_filename_component(directory "${report}" DIRECTORY)
  file(MAKE_DIRECTORY "${directory}")
  # Leaks of the libraries are not what is asked; the user's own options come later and win.
  set(sanitizer "$ENV{ASAN_OPTIONS}")
  set(ENV{ASAN_OPTIONS} "detect_leaks=0:${sanitizer}")
  _cudnn_checked_loader_variable(loader value)
  if(loader)
    set(loader_before "$ENV{${loader}}")
    set(ENV{${loader}} "${value}")
  endif()
  set(program "${work_directory}/cudnn_checked_${name}${CMAKE_EXECUTABLE_SUFFIX}")
  # Should it not do so: a sanitizer forbids it.
  string(REGEX REPLACE "[.].*$" "" longest "0${seconds}")
  math(EXPR longest "${longest} + 10")
  execute_process(
    COMMAND
      ${CMAKE_CROSSCOMPILING_EMULATOR} "${program}" "report=${report}" "supervise=${seconds}"
      ${ARGN}
    WORKING_DIRECTORY "${work_directory}"
    TIMEOUT ${longest}
    RESULT_VARIABLE ended
    OUTPUT_VARIABLE output
    ERROR_VARIABLE errors
  )
  if(loader)
    _cudnn_checked_set_environment(${loader} "${loader_before}")
  endif()
  _cudnn_checked_set_environment(ASAN_OPTIONS "${sanitizer}")
  # Lines of Windows.
  string(REPLACE "\r\n" "\n" output "${output}")
  string(REPLACE "\r\n" "\n" errors "${errors}")
  _cudnn_checked_put(run_text "${output}")
  _cudnn_checked_read_note(ended errors "${report}.end")
  _cudnn_checked_put(run_errors "${errors}")
  _cudnn_checked_put_end("${ended}" "${report}")
endfunction()

# What the supervisor tells in <file>: that the time was up, and how much it has not kept.  Of the
# errors the last twenty lines are kept.
function(_cudnn_checked_read_note in_out_ended in_out_errors file)
  set(dropped 0)
  if(EXISTS "${file}")
    file(STRINGS "${file}" lines)
    if("timeout" IN_LIST lines)
      set(${in_out_ended} "timeout" PARENT_SCOPE)
    endif()
    list(FILTER lines INCLUDE REGEX "^dropped=[0-9]+$")
    list(JOIN lines "" dropped)
    string(REGEX REPLACE "^dropped=" "" dropped "0${dropped}")
    string(REGEX REPLACE "[^0-9]" "" dropped "${dropped}")
  endif()
  string(REGEX REPLACE "\n+$" "" errors "${${in_out_errors}}")
  string(LENGTH "${errors}" whole)
  _cudnn_checked_last_lines(errors 20 "${errors}")
  string(LENGTH "${errors}" length)
  math(EXPR dropped "${dropped} + ${whole} - ${length}")
  if(dropped GREATER 0)
    string(PREPEND errors "(${dropped} bytes before this are left out)\n")
  endif()
  set(${in_out_errors} "${errors}" PARENT_SCOPE)
endfunction()

# The last lines of a text, and no more than 20,000 bytes of it.
function(_cudnn_checked_last_lines result count text)
  string(LENGTH "${text}" length)
  if(length GREATER 20000)
    math(EXPR begin "${length} - 20000")
    string(SUBSTRING "${text}" ${begin} -1 text)
  endif()
  set(rest "${text}")
  set(kept "")
  foreach(line RANGE 1 ${count})
    string(FIND "${rest}" "\n" position REVERSE)
    if(position EQUAL -1)
      set(${result} "${text}" PARENT_SCOPE)
      return()
    endif()
    string(SUBSTRING "${rest}" ${position} -1 piece)
    string(SUBSTRING "${rest}" 0 ${position} rest)
    string(PREPEND kept "${piece}")
  endforeach()
  string(SUBSTRING "${kept}" 1 -1 kept)
  set(${result} "${kept}" PARENT_SCOPE)
endfunction()

# Sets a variable of the environment; an empty value removes it.
function(_cudnn_checked_set_environment name value)
  if(value STREQUAL "")
    unset(ENV{${name}})
  else()
    set(ENV{${name}} "${value}")
  endif()
endfunction()

# Puts run_status, run_signal and run_stage, from what CMake says of the end of the process, and
# from the report that it left.
function(_cudnn_checked_put_end ended report)
  _cudnn_checked_get(run)
  # Where it has finished, the stage is what comes after it.
  set(verdict "")
  set(run_stage "")
  _cudnn_checked_read_facts(whole "${report}.proof")
  if(whole AND proof_stage STREQUAL "")
    set(verdict "${proof_verdict}")
    set(run_stage "its end, after all checks")
  elseif(whole)
    set(run_stage "${proof_stage}")
  endif()
  set(run_signal "")
  _cudnn_checked_spelling("")
  if(ended STREQUAL "0" AND verdict MATCHES "^(ok|warning|unknown)$")
    set(run_status ok)
  elseif(ended STREQUAL "1" AND verdict STREQUAL "refused" AND NOT run_text STREQUAL "")
    set(run_status refused)
  elseif(ended STREQUAL "2" AND run_errors MATCHES "cudnn_checked_(probe|sweep): error:")
    set(run_status usage)
  elseif(ended MATCHES "${status_of_loader}" AND NOT EXISTS "${report}")
    set(run_status not-started)
    set(run_signal "exit status ${ended}")
  elseif(ended MATCHES "^[0-9]+$")
    # Somebody else's exit(), a sanitizer: nothing that the probe says.
    set(run_status ended)
    set(run_signal "${ended}")
  elseif(ended MATCHES "timeout")
    set(run_status timeout)
  else()
    set(run_status crashed)
    _cudnn_checked_signal_name(run_signal "${ended}")
    if(run_signal STREQUAL "")
      # The system's error, on a file system that is mounted with noexec, for example.  CMake 3.31
      # has it in lower case.
      set(run_status not-started)
      string(SUBSTRING "${ended}" 0 1 first)
      string(SUBSTRING "${ended}" 1 -1 rest)
      string(TOUPPER "${first}" first)
      set(run_signal "${first}${rest}")
    endif()
  endif()
  _cudnn_checked_put_group(run)
endfunction()

# CMake gives a signal by its description; the name is what people search for.  Empty: it is none.
# The table is that of the programs.
function(_cudnn_checked_signal_name result description)
  set(${result} "" PARENT_SCOPE)
  if(description MATCHES "^SIG[A-Z0-9]+$|^Signal [0-9]+$")
    set(${result} "${description}" PARENT_SCOPE)
    return()
  endif()
  _cudnn_checked_rows(rows signals)
  list(FILTER rows INCLUDE REGEX "^SIGNAL\\(.*, \"..*\"\\)$")
  foreach(row IN LISTS rows)
    string(REGEX MATCH "^SIGNAL\\(([A-Z]+), \"(.*)\"\\)$" whole "${row}")
    set(name "${CMAKE_MATCH_1}")
    if(description MATCHES "${CMAKE_MATCH_2}")
      set(${result} "${name}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()
