# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_run_refusal(<result>)
#
# The message where the probe did not succeed, from run_* of _cudnn_checked_run_probe.  Everything
# that the probe found out, it says in its own words.
function(_cudnn_checked_run_refusal result)
  if(run_status STREQUAL "refused")
    _cudnn_checked_read_json(json fault "${slot_directory}/report.json")
    set(text "")
    if(NOT fault)
      _cudnn_checked_other_headers(text "${json}")
    endif()
    if(NOT text AND run_text MATCHES "\n  try: ")
      _cudnn_checked_judge_files(text "${slot_directory}/report.json")
    endif()
    if(NOT text)
      set(text "${run_text}")
    endif()
    set(${result} "${text}" PARENT_SCOPE)
    return()
  endif()
  _cudnn_checked_write_refusal(text "${slot_directory}" "${run_errors}")
  if(text)
    set(${result} "${text}" PARENT_SCOPE)
    return()
  endif()
  if(run_status STREQUAL "usage")
    set(facts "")
    set(fix "")
    foreach(name IN ITEMS CONVOLUTIONS DEVICES)
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
    _cudnn_checked_message(text NAME bad-input
      SUMMARY "an option of the probe has an invalid value" FACTS ${facts}
      FIX ${fix} "name one of the values that the probe lists below"
    )
    _cudnn_checked_quoted(quoted "${run_errors}")
    set(${result} "${text}${quoted}" PARENT_SCOPE)
    return()
  endif()
  set(signal "${run_signal}")
  set(errors "${run_errors}")
  set(stage "${run_stage}")
  set(status "${run_status}")
  # A probe that dies does not report what it had found in the files before.
  _cudnn_checked_judge_files(refusal)
  if(refusal)
    set(${result} "${refusal}" PARENT_SCOPE)
    return()
  endif()
  if(stage STREQUAL "")
    set(stage "loading the libraries")
  endif()
  set(
    facts
    "during|${stage}|"
    "cuDNN|${place_version}|${place_library}"
    "CUDA|${cuda_version}|${cuda_library}"
    "probe|${work_directory}/cudnn_checked_probe|"
  )
  if(status STREQUAL "timeout")
    _cudnn_checked_set_command(longer CuDNNChecked_PROBE_TIMEOUT 600)
    _cudnn_checked_message(text NAME probe-timeout
      SUMMARY "the probe did not finish within ${input_timeout} s"
      FACTS "limit|${input_timeout} s|CuDNNChecked_PROBE_TIMEOUT" ${facts}
      BECAUSE "A program that uses this cuDNN may hang in the same call."
      FIX "${longer}" "check whether the GPU answers: nvidia-smi"
    )
  elseif(status STREQUAL "not-started")
    set(because "A program that uses this cuDNN would not start either.")
    set(fix "correct the loader's error below")
    if(NOT signal MATCHES "^exit status")
      set(because "No program that is built in this directory can be started.")
      set(fix "name a build directory on a file system without noexec: cmake -B DIRECTORY")
    endif()
    _cudnn_checked_message(text NAME probe-crashed
      SUMMARY "the probe could not be started"
      FACTS "ended with|${signal}|" ${facts}
      BECAUSE "${because}"
      FIX "${fix}"
    )
  elseif(status STREQUAL "ended")
    _cudnn_checked_message(text NAME probe-crashed
      SUMMARY "the probe ended with status ${signal}, and its report gives no reason"
      FACTS "status|${signal}|" ${facts}
      BECAUSE "A library, a sanitizer or a preloaded library ended it; nothing was proved."
      FIX "find what ends the probe, in its words below or with a debugger"
    )
  else()
    set(because "A program that uses this cuDNN would crash in the same call.")
    # The code of a library is not judged.
    _cudnn_checked_advise(again again "file=${place_library}" shown=no)
    set(debug "find where it crashes, with a debugger on the probe")
    if(again)
      set(fix "${again}" "${debug}")
    else()
      _cudnn_checked_advise(install install "release=${place_version}" shown=no)
      set(fix "${debug}" ${install})
    endif()
    if(stage MATCHES "^the kernel")
      set(
        because
        "What ran is a kernel that this project's CUDA compiler made, and nothing of cuDNN."
      )
      _cudnn_checked_set_command(fix CuDNNChecked_KERNEL OFF)
    endif()
    _cudnn_checked_message(text NAME probe-crashed
      SUMMARY "the probe crashed with ${signal}"
      FACTS "signal|${signal}|" ${facts}
      BECAUSE "${because}"
      FIX ${fix}
    )
  endif()
  _cudnn_checked_quoted(quoted "${errors}")
  set(${result} "${text}${quoted}" PARENT_SCOPE)
endfunction()
