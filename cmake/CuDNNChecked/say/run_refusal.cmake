# SPDX-License-Identifier: BSD-3-Clause
#
# What is said of a run of the probe, and where there was none.

# _cudnn_checked_run_refusal()
#
# Refuses where the probe did not succeed, from run_*.  Everything that the probe found out, it says
# in its own words.
function(_cudnn_checked_run_refusal)
  _cudnn_checked_get(where run)
  if(run_status STREQUAL "refused")
    _cudnn_checked_refused_by_probe()
    return()
  endif()
  _cudnn_checked_write_refusal("${slot_directory}" "${run_errors}")
  _cudnn_checked_get(refusal)
  if(NOT refusal AND run_status STREQUAL "usage")
    _cudnn_checked_usage_refusal()
  elseif(NOT refusal)
    # A probe that dies does not report what it had found in the files before.
    _cudnn_checked_steps(judge_files death_refusal)
  endif()
endfunction()

function(_cudnn_checked_refused_by_probe)
  _cudnn_checked_get(where run)
  _cudnn_checked_read_facts(whole "${slot_directory}/report.json.proof")
  if(whole)
    _cudnn_checked_other_headers("${proof_header}")
  endif()
  _cudnn_checked_get(refusal)
  if(NOT refusal AND run_text MATCHES "\n  try: ")
    _cudnn_checked_judge_files("${slot_directory}/report.json")
    _cudnn_checked_get(refusal)
  endif()
  if(NOT refusal)
    _cudnn_checked_put(refusal "${run_text}")
  endif()
endfunction()

function(_cudnn_checked_usage_refusal)
  _cudnn_checked_get(input run)
  set(facts "")
  set(fix "")
  foreach(name IN ITEMS CONVOLUTIONS OPERATIONS DEVICES)
    string(TOLOWER ${name} option)
    if(NOT "${input_${option}}" STREQUAL "")
      list(JOIN input_${option} ", " value)
      list(APPEND facts "${option}|${value}|CuDNNChecked_${name}")
      if(run_errors MATCHES "${option}=")
        _cudnn_checked_unset_command(unset CuDNNChecked_${name})
        list(APPEND fix "${unset}")
      endif()
    endif()
  endforeach()
  _cudnn_checked_refuse(NAME bad-input
    SUMMARY "an option of the probe has an invalid value" FACTS ${facts}
    FIX ${fix} "name one of the values that the probe lists below" QUOTED "${run_errors}"
  )
endfunction()

# It did not end by itself, or not as it does.
function(_cudnn_checked_death_refusal)
  _cudnn_checked_get(where input place cuda run)
  if(run_stage STREQUAL "")
    set(run_stage "loading the libraries")
  endif()
  set(
    facts
    "during|${run_stage}|"
    "cuDNN|${place_version}|${place_library}"
    "CUDA|${cuda_version}|${cuda_library}"
    "probe|${work_directory}/cudnn_checked_probe${CMAKE_EXECUTABLE_SUFFIX}|"
  )
  set(name probe-crashed)
  if(run_status STREQUAL "timeout")
    set(name probe-timeout)
    set(summary "the probe did not finish within ${input_timeout} s")
    list(PREPEND facts "limit|${input_timeout} s|CuDNNChecked_PROBE_TIMEOUT")
    set(because "A program that uses this cuDNN may hang in the same call.")
    _cudnn_checked_set_command(longer CuDNNChecked_PROBE_TIMEOUT 600)
    set(fix "${longer}" "check whether the GPU answers: nvidia-smi")
  elseif(run_status STREQUAL "not-started")
    set(summary "the probe could not be started")
    list(PREPEND facts "ended with|${run_signal}|")
    set(because "A program that uses this cuDNN would not start either.")
    set(fix "correct the loader's error below")
    if(NOT run_signal MATCHES "^exit status")
      set(because "No program that is built in this directory can be started.")
      set(fix "name a build directory on a file system without noexec: cmake -B DIRECTORY")
    endif()
  elseif(run_status STREQUAL "ended")
    set(summary "the probe ended with status ${run_signal}, and its report gives no reason")
    list(PREPEND facts "status|${run_signal}|")
    set(because "A library, a sanitizer or a preloaded library ended it; nothing was proved.")
    set(fix "find what ends the probe, in its words below or with a debugger")
  else()
    set(summary "the probe crashed with ${run_signal}")
    list(PREPEND facts "signal|${run_signal}|")
    _cudnn_checked_why_crashed(because fix "${run_stage}")
  endif()
  _cudnn_checked_refuse(NAME ${name}
    SUMMARY "${summary}" FACTS ${facts} BECAUSE "${because}" FIX ${fix} QUOTED "${run_errors}"
  )
endfunction()

function(_cudnn_checked_why_crashed because fix stage)
  if(stage MATCHES "^the kernel")
    set(
      ${because}
      "What ran is a kernel that this project's CUDA compiler made, and nothing of cuDNN."
      PARENT_SCOPE
    )
    _cudnn_checked_set_command(line CuDNNChecked_KERNEL OFF)
    set(${fix} "${line}" PARENT_SCOPE)
    return()
  endif()
  _cudnn_checked_get(place)
  set(${because} "A program that uses this cuDNN would crash in the same call." PARENT_SCOPE)
  # The code of a library is not judged.
  _cudnn_checked_advise(again again "file=${place_library}" shown=no)
  set(debug "find where it crashes, with a debugger on the probe")
  set(lines "${again}" "${debug}")
  if(NOT again)
    _cudnn_checked_advise(install install "release=${place_version}" shown=no)
    set(lines "${debug}" ${install})
  endif()
  _cudnn_checked_advise(first step "step=${stage}" shown=no)
  set(${fix} ${first} "${lines}" PARENT_SCOPE)
endfunction()

# _cudnn_checked_unproved_result(<level> <reason>)
#
# Puts what is known where the probe was not run.
function(_cudnn_checked_unproved_result level reason)
  _cudnn_checked_get(place cuda)
  _cudnn_checked_put(result_level ${level})
  _cudnn_checked_put(result_verdict ok)
  _cudnn_checked_put(result_toolkit "${cuda_version}")
  set(line "cuDNN ${place_version} · CUDA ${cuda_version}, ${level} only")
  string(APPEND line "; nothing was run: ${reason} [not-verified]")
  get_property(guessed GLOBAL PROPERTY _cudnn_checked_guessed_headers)
  if("${place_header}" IN_LIST guessed)
    _cudnn_checked_one_line(place_header)
    string(
      APPEND
      line
      "\n  ${place_header} was read without a compiler, which may see another release"
    )
  endif()
  _cudnn_checked_put(result_line "${line}")
endfunction()
