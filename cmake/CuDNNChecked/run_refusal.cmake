# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_run_refusal(<result>)
#
# The message where the probe did not succeed, from run_* of _cudnn_checked_run_probe.  Everything
# that the probe found out, it says in its own words.
function(_cudnn_checked_run_refusal result)
  if(run_status STREQUAL "refused")
    set(${result} "${run_text}" PARENT_SCOPE)
    return()
  endif()
  _cudnn_checked_write_refusal(text "${slot_directory}" "${run_errors}")
  if(text)
    set(${result} "${text}" PARENT_SCOPE)
    return()
  endif()
  if(run_status STREQUAL "usage")
    set(facts "")
    foreach(name IN ITEMS CONVOLUTIONS DEVICES)
      string(TOLOWER ${name} option)
      if(NOT "${input_${option}}" STREQUAL "")
        list(JOIN input_${option} ", " value)
        list(APPEND facts "${option}|${value}|CuDNNChecked_${name}")
      endif()
    endforeach()
    _cudnn_checked_message(text NAME bad-input
      SUMMARY "an option of the probe has an invalid value" FACTS ${facts}
      FIX "use one of the values that the probe lists below"
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
    _cudnn_checked_message(text NAME probe-timeout
      SUMMARY "the probe did not finish within ${input_timeout} s"
      FACTS "limit|${input_timeout} s|CuDNNChecked_PROBE_TIMEOUT" ${facts}
      BECAUSE "A program that uses this cuDNN may hang in the same call."
      FIX "cmake -D CuDNNChecked_PROBE_TIMEOUT=600, if this machine is only slow"
          "nvidia-smi, to see whether the GPU answers"
    )
  elseif(status STREQUAL "not-started")
    _cudnn_checked_message(text NAME probe-crashed
      SUMMARY "the probe could not be started"
      FACTS "ended with|${signal}|" ${facts}
      BECAUSE "A program that uses this cuDNN would not start either."
      FIX "correct the loader's error below"
    )
  elseif(status STREQUAL "ended")
    _cudnn_checked_message(text NAME probe-crashed
      SUMMARY "the probe ended with status ${signal}, and its report gives no reason"
      FACTS "status|${signal}|" ${facts}
      BECAUSE "A library, a sanitizer or a preloaded library ended it; nothing was proved."
      FIX "run the probe by hand, and find what ends it"
    )
  else()
    set(because "A program that uses this cuDNN would crash in the same call.")
    set(fix "reinstall cuDNN, all of its packages of one release")
    if(stage MATCHES "^the kernel")
      set(
        because
        "What ran is a kernel that this project's CUDA compiler made, and nothing of cuDNN."
      )
      set(fix "cmake -D CuDNNChecked_KERNEL=OFF, which leaves the kernel out")
    endif()
    _cudnn_checked_message(text NAME probe-crashed
      SUMMARY "the probe crashed with ${signal}"
      FACTS "signal|${signal}|" ${facts}
      BECAUSE "${because}"
      FIX "${fix}"
    )
  endif()
  _cudnn_checked_quoted(quoted "${errors}")
  set(${result} "${text}${quoted}" PARENT_SCOPE)
endfunction()
