# SPDX-License-Identifier: BSD-3-Clause
#
# The message about a run of the probe, and the result without a run.

# _cudnn_checked_run_refusal(<built_signature> <slot_directory> place cuda run input)
#
# Refuses where the probe did not succeed, from run_*.  Where the probe has told what it found, the
# judge has written the message.
function(
  _cudnn_checked_run_refusal
  built_signature
  slot_directory
  place
  cuda
  run
  input
)
  _cudnn_checked_get(where)
  if(run_status STREQUAL "refused")
    _cudnn_checked_refused_by_probe("${built_signature}" "${run_text}" "${slot_directory}" place
                                    cuda input
    )
    return()
  endif()
  _cudnn_checked_write_refusal("${slot_directory}" "${run_errors}")
  _cudnn_checked_unwritten_refusal("${run_status}" "${slot_directory}")
  _cudnn_checked_return_if_refused()
  if(run_status STREQUAL "usage")
    _cudnn_checked_usage_refusal("${run_errors}" "${slot_directory}" input)
  else()
    _cudnn_checked_death_refusal(place cuda run input)
  endif()
endfunction()

# The judge has refused, and printed the message.
function(
  _cudnn_checked_refused_by_probe
  built_signature
  run_text
  slot_directory
  place
  cuda
  input
)
  _cudnn_checked_get(where)
  _cudnn_checked_read_facts(whole "${slot_directory}/report.json.proof" proof)
  _cudnn_checked_put(refusal "")
  _cudnn_checked_judge_files(judged place cuda input)
  _cudnn_checked_return_if_refused()
  _cudnn_checked_put(refusal "${run_text}")
  if(proof_untried)
    _cudnn_checked_judge_again("${built_signature}" "${slot_directory}" place cuda input)
  endif()
endfunction()

# Replaces the refusal by the same with fixes that were tried: the judge that is compiled first has
# no repairs.
function(
  _cudnn_checked_judge_again
  built_signature
  slot_directory
  place
  cuda
  input
)
  _cudnn_checked_is_unread(unread)
  if(unread)
    return()
  endif()
  _cudnn_checked_build_prover(prover said "${built_signature}" configure)
  if(NOT prover_program)
    return()
  endif()
  _cudnn_checked_get(where)
  _cudnn_checked_probe_arguments(arguments place input)
  _cudnn_checked_facts_of_install(facts CuDNNChecked_ROOT cudnn_wheels input)
  _cudnn_checked_start_prover(status output errors 60 judge-again probe prover place cuda
                              "report=${slot_directory}/report.json" ${arguments}
                              "library=${place_library}" "toolkit=${cuda_version}" ${facts}
  )
  if(status STREQUAL "0" AND output)
    string(REPLACE "\r\n" "\n" output "${output}")
    _cudnn_checked_put(refusal "${output}")
  endif()
endfunction()

# An option of the probe has a value that the judge does not know: it names the option in
# report.json.end.
function(_cudnn_checked_usage_refusal run_errors slot_directory input)
  _cudnn_checked_read_facts(whole "${slot_directory}/report.json.end" proof)
  set(words "option=${proof_option}")
  foreach(option IN ITEMS convolutions operations devices)
    _cudnn_checked_add_words(words ${option} ${input_${option}})
  endforeach()
  _cudnn_checked_add_words(words quoted "${run_errors}")
  _cudnn_checked_explain("an option of the probe has an invalid value" explain-option ${words})
endfunction()

# Refuses where the judge ended without its files and cannot write them: the directory is looked at.
function(_cudnn_checked_unwritten_refusal run_status slot_directory)
  _cudnn_checked_return_if_refused()
  if(NOT run_status STREQUAL "ended")
    return()
  elseif(EXISTS "${slot_directory}")
    _cudnn_checked_prepare_directories("${slot_directory}")
  else()
    _cudnn_checked_unwritable_refusal("${slot_directory}" "No such file or directory")
  endif()
endfunction()

# Refuses because the probe crashed, reached its time limit, ended without a report, or could not be
# started.  The configure program writes the message, unless the files are to blame.
function(_cudnn_checked_death_refusal place cuda run input)
  _cudnn_checked_get(where)
  string(TOLOWER "${input_require}" require)
  set(detail "${run_signal}")
  if(run_status STREQUAL "timeout")
    set(detail "${input_timeout} s")
  endif()
  set(
    words
    "library=${place_library}"
    "file=${place_library}"
    "header=${place_header}"
    "release=${place_version}"
    "toolkit=${cuda_version}"
    "require=${require}"
    "ended=${run_status}"
  )
  _cudnn_checked_add_words(words detail "${detail}")
  _cudnn_checked_add_words(words step "${run_stage}")
  _cudnn_checked_add_words(words step_kind "${run_stage_kind}")
  _cudnn_checked_add_words(words fact
    "cuDNN|${place_version}|${place_library}"
    "CUDA|${cuda_version}|${cuda_library}"
    "probe|${work_directory}/cudnn_checked_probe${CMAKE_EXECUTABLE_SUFFIX}|"
  )
  _cudnn_checked_add_words(words quoted "${run_errors}")
  # Nothing can be started there, or nothing compiled.
  set(what "the probe did not come to its end")
  if(run_status STREQUAL "not-started")
    set(what "the probe could not be started")
  endif()
  set(program "${work_directory}/cudnn_checked_probe${CMAKE_EXECUTABLE_SUFFIX}")
  _cudnn_checked_advise("${what}: ${program}, ${detail}" explain-end input ${words})
endfunction()

# _cudnn_checked_judge_files(<judged> place cuda input)
#
# In a build for Windows on Linux: puts refusal where the files of cuDNN are refused, as `doctor`
# refuses them, before anything of them is run.  <judged> is what was looked at; empty where no
# program here can.
function(_cudnn_checked_judge_files judged place cuda input)
  set(${judged} "" PARENT_SCOPE)
  _cudnn_checked_reads_dlls_here(here)
  if(NOT here)
    return()
  endif()
  _cudnn_checked_get(where)
  string(TOLOWER "${input_require}" require)
  set(
    words
    "library=${place_library}"
    "header=${place_header}"
    "program=${work_directory}/cudnn_checked_probe${CMAKE_EXECUTABLE_SUFFIX}"
    "toolkit=${cuda_version}"
    "require=${require}"
    report=yes
  )
  _cudnn_checked_searched_directories(directories place cuda)
  _cudnn_checked_add_words(words search ${directories})
  _cudnn_checked_facts_of_install(facts CuDNNChecked_ROOT cudnn_wheels input)
  _cudnn_checked_program_to_ask(program starter why configure)
  if(program)
    _cudnn_checked_start_configure(status text "" "${program}" judge-files ${words} ${facts})
    if(status STREQUAL "0" AND text)
      _cudnn_checked_put(refusal "${text}")
    elseif(status STREQUAL "0")
      set(${judged} "the files were judged" PARENT_SCOPE)
    endif()
  endif()
endfunction()

# _cudnn_checked_unproved_result(proved <level> <reason> <cuda_version> <place_version> [<judged>])
#
# Sets proved_*, what is known where the probe was not run; <judged> is what was done instead.
function(
  _cudnn_checked_unproved_result
  proved
  level
  reason
  cuda_version
  place_version
)
  set(proved_level ${level})
  set(proved_verdict ok)
  set(proved_toolkit "${cuda_version}")
  set(line "cuDNN ${place_version} · CUDA ${cuda_version}, ${level} only")
  if(ARGN)
    string(APPEND line "; ${ARGN}")
  endif()
  string(APPEND line "; nothing was run: ${reason} [not-verified]")
  set(proved_line "${line}")
  _cudnn_checked_hand_up(proved)
endfunction()
