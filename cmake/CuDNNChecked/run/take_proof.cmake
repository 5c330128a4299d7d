# SPDX-License-Identifier: BSD-3-Clause
#
# What was proved, of what the probe has written for CMake, here or on another machine: lines of
# name=value and their hash (tool/core/report/proof.h).  No report is read here.

# _cudnn_checked_read_verdict(<verdict> <file>)
#
# "accepted" or "refused", the verdict of a finished report whose facts are in <file>; empty where
# that file is not whole, or its report is not finished.
function(_cudnn_checked_read_verdict verdict file)
  _cudnn_checked_read_facts(whole "${file}" proof)
  set(${verdict} "" PARENT_SCOPE)
  if(NOT proof_stage STREQUAL "")
    return()
  elseif(proof_verdict MATCHES "^(ok|warning|unknown)$")
    set(${verdict} accepted PARENT_SCOPE)
  elseif(proof_verdict STREQUAL "refused")
    set(${verdict} refused PARENT_SCOPE)
  endif()
endfunction()

# _cudnn_checked_read_proof(proved <report> <line>)
#
# Sets proved_* from the report that the probe has just written, and <line>, what it printed.
function(_cudnn_checked_read_proof proved report line)
  # Whole: without it no run of the probe counts as ended well (_cudnn_checked_read_end).
  _cudnn_checked_read_facts(whole "${report}.proof" proof)
  _cudnn_checked_without_controls(line "${line}")
  string(REGEX REPLACE "\n+$" "" line "${line}")
  set(proved_report "${report}")
  set(proved_line "${line}")
  _cudnn_checked_result_of_proof(proved "${proof_kernel_code}")
  _cudnn_checked_hand_up(proved)
endfunction()

# Sets proved_* from proof_*.  The code of a kernel that the probe has is that of
# CMAKE_CUDA_ARCHITECTURES where that is a word whose meaning only the CUDA compiler knows:
# "75-real", "90-virtual", or "86" for both forms.
function(_cudnn_checked_result_of_proof proved kernel_code)
  _cudnn_checked_names(facts proved)
  list(FILTER facts EXCLUDE REGEX "^proved_(line|signature|report.*|kernel_.*)$")
  foreach(fact IN LISTS facts)
    string(REPLACE "proved_" "proof_" proof "${fact}")
    set(${fact} "${${proof}}")
  endforeach()
  if(
    CMAKE_CUDA_ARCHITECTURES MATCHES "^(all|all-major|native)$"
    AND NOT "${kernel_code}" STREQUAL ""
  )
    set(proved_kernel_word "${CMAKE_CUDA_ARCHITECTURES}")
    set(proved_kernel_code "${kernel_code}")
  endif()
  _cudnn_checked_hand_up(proved)
endfunction()

# _cudnn_checked_take_report(proved <slot_directory> <built_signature> <prover_program> place cuda
#                            input)
#
# Takes what was proved from input_report, which the probe wrote on another machine, instead of
# running the probe here.  Sets proved_*, or puts refusal where the configure program refuses the
# report: it is not whole, not finished, refused, contradicts itself, or is of another cuDNN than
# the one that was found.  What its findings mean was judged where it was written.
function(
  _cudnn_checked_take_report
  proved
  slot_directory
  built_signature
  prover_program
  place
  cuda
  input
)
  _cudnn_checked_get(where)
  if(input_sweep AND NOT WIN32)
    # The refusal names it, to be copied.
    _cudnn_checked_load(run/run_sweep)
    _cudnn_checked_link_sweep("${built_signature}" place cuda input)
    _cudnn_checked_return_if_refused()
  endif()
  set(proof "${slot_directory}/taken.proof")
  file(REMOVE "${proof}")
  _cudnn_checked_check_report(answer text "${proof}" "${prover_program}" place cuda input)
  if(answer STREQUAL "accepted")
    _cudnn_checked_read_facts(whole "${proof}" proof)
    set(proved_report "${input_report}")
    set(proved_line "${proof_line}")
    _cudnn_checked_result_of_proof(proved "")
    _cudnn_checked_hand_up(proved)
  elseif(answer STREQUAL "refused")
    _cudnn_checked_put(refusal "${text}")
  else()
    _cudnn_checked_refuse(
      SUMMARY "the report of the probe cannot be used: it cannot be checked here"
      FACTS "report|${text}|${input_report}"
      BECAUSE "No program of this machine can tell whether it is of the cuDNN that is used here."
      FIX "@unset CuDNNChecked_PROBE_REPORT"
    )
  endif()
endfunction()

# Has the configure program write to <file> what the report proves.  <answer> is "accepted", or
# "refused" with the <text> that it printed; empty where it has none, and <text> says why.
function(
  _cudnn_checked_check_report
  answer
  text
  file
  prover_program
  place
  cuda
  input
)
  _cudnn_checked_get(where)
  _cudnn_checked_build_configure(program starter why configure)
  set(${answer} "" PARENT_SCOPE)
  set(${text} "${why}" PARENT_SCOPE)
  if(NOT program)
    return()
  endif()
  set(words "")
  _cudnn_checked_add_words(words component ${input_components})
  _cudnn_checked_add_words(words operation ${input_operations})
  if(input_sweep AND NOT WIN32)
    list(APPEND words "sweep=${input_sweep}" "sweep_program=${work_directory}/cudnn_checked_sweep")
  endif()
  _cudnn_checked_start_configure(ended output "${starter}" "${program}" proof
    "report=${input_report}" "proof=${file}" "require=${input_require}" "place=${place_version}"
    "header=${place_header}" "library=${place_library}" "toolkit=${cuda_version}"
    "cudart=${cuda_library}" "judge=${prover_program}"
    "probe=${work_directory}/cudnn_checked_probe${CMAKE_EXECUTABLE_SUFFIX}" ${words}
  )
  _cudnn_checked_read_verdict(verdict "${file}")
  if(ended STREQUAL "0" AND verdict STREQUAL "accepted")
    set(${answer} accepted PARENT_SCOPE)
  elseif(ended STREQUAL "1" AND NOT output STREQUAL "")
    set(${answer} refused PARENT_SCOPE)
    set(${text} "${output}" PARENT_SCOPE)
  else()
    set(${text} "${program} ended with: ${ended}" PARENT_SCOPE)
  endif()
endfunction()
