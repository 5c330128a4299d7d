# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_sweep(proved <slot_directory> <built_signature> prover place cuda input)
#
# What CuDNNChecked_SWEEP adds to a proof that reached RAN: every engine of cuDNN, for input_sweep
# seconds, by a program of its own.  Its findings become findings of the report.  Sets proved_*
# again, or puts refusal.  Where nothing computed there is nothing to sweep, and the line says so.
function(
  _cudnn_checked_sweep
  proved
  slot_directory
  built_signature
  prover
  place
  cuda
  input
)
  _cudnn_checked_get(where)
  set(why_not "")
  if(WIN32)
    set(why_not "not on Windows yet")
  elseif(proved_level STREQUAL "linked")
    # To be copied to where the program will run, as the probe is.
    set(why_not "not started here")
  elseif(NOT proved_level STREQUAL "ran")
    string(TOUPPER "${proved_level}" level)
    set(why_not "the proof ended at ${level}")
  elseif(CMAKE_CROSSCOMPILING)
    set(why_not "its processes cannot be started through an emulator")
  endif()
  if(input_report AND proved_report STREQUAL input_report AND NOT WIN32)
    # Its line says what was swept there (_cudnn_checked_take_report).
    return()
  endif()
  if(proved_level MATCHES "^(linked|ran)$" AND NOT WIN32)
    _cudnn_checked_link_sweep("${built_signature}" place cuda input)
    _cudnn_checked_return_if_refused()
  endif()
  if(why_not)
    _cudnn_checked_add_to_line(proved_line "not swept: ${why_not}")
    _cudnn_checked_hand_up(proved)
    return()
  endif()

  # It ends by itself; the last plans of a worker take a few seconds more.
  string(REGEX REPLACE "[.].*$" "" longer "0${input_timeout}")
  math(EXPR limit "${input_sweep} + ${longer} + 1")
  _cudnn_checked_run_probe(run watch ${limit} sweep "${slot_directory}/swept.json" prover place cuda
                           "probed=${proved_report}" "sweep=${slot_directory}/sweep.json"
  )
  if(run_status STREQUAL "ok")
    _cudnn_checked_take_swept(proved "${run_text}" "${slot_directory}")
    _cudnn_checked_hand_up(proved)
  else()
    _cudnn_checked_sweep_refusal(${limit} "${slot_directory}" "${input_sweep}" run place)
  endif()
endfunction()

# The report of the sweep takes the place of the probe's; <text> is what it printed.  Sets proved_*.
function(_cudnn_checked_take_swept proved text slot_directory)
  file(RENAME "${slot_directory}/swept.json" "${proved_report}")
  file(RENAME "${slot_directory}/swept.json.proof" "${proved_report}.proof")
  # The first line of both texts is what was proved; the rest are findings.
  string(REGEX MATCH "^([^\n]*)(.*)$" whole "${text}")
  set(findings "${CMAKE_MATCH_2}")
  _cudnn_checked_add_to_line(proved_line "${CMAKE_MATCH_1}")
  _cudnn_checked_read_proof(proved "${proved_report}" "${proved_line}${findings}")
  _cudnn_checked_hand_up(proved)
endfunction()

# Adds to the first line of what is printed, which says what was proved.
function(_cudnn_checked_add_to_line in_out_text words)
  string(REGEX MATCH "^([^\n]*)(.*)$" whole "${${in_out_text}}")
  set(${in_out_text} "${CMAKE_MATCH_1}; ${words}${CMAKE_MATCH_2}" PARENT_SCOPE)
endfunction()

# The executable is there, and it is the one of this signature.
function(_cudnn_checked_link_sweep built_signature place cuda input)
  _cudnn_checked_get(where)
  _cudnn_checked_build_program(built sweep "${built_signature}" place cuda input SWEEP)
  _cudnn_checked_return_if_refused()
  if(built_status STREQUAL "ok")
    return()
  endif()
  set(compiler "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}|${CMAKE_CXX_COMPILER}")
  _cudnn_checked_build_refusal(sweep "${built_log}" "${cuda_version}" place input
    "fact=asked for|${input_sweep} s|CuDNNChecked_SWEEP" "fact=compiler|${compiler}"
  )
endfunction()

# Refuses if the sweep refuses, or if it did not end by itself within <limit> seconds.
# It was asked for <sweep> seconds.
function(
  _cudnn_checked_sweep_refusal
  limit
  slot_directory
  sweep
  run
  place
)
  _cudnn_checked_get(where)
  if(run_status STREQUAL "refused")
    _cudnn_checked_put(refusal "${run_text}")
    return()
  endif()
  _cudnn_checked_write_refusal("${slot_directory}" "${run_errors}")
  _cudnn_checked_unwritten_refusal("${run_status}" "${slot_directory}")
  _cudnn_checked_return_if_refused()
  set(words "")
  _cudnn_checked_add_words(words detail "${run_signal}")
  _cudnn_checked_add_words(words quoted "${run_errors}")
  _cudnn_checked_explain("the sweep of all engines did not come to its end" explain-sweep
    "ended=${run_status}" "limit=${limit}" "sweep=${sweep}" "found=${place_version}"
    "library=${place_library}" "program=${work_directory}/cudnn_checked_sweep" ${words}
  )
endfunction()
