# SPDX-License-Identifier: BSD-3-Clause
#
# What is said where the probe itself could not answer.  Everything that it found out, it says in
# its own words.

# _cudnn_checked_judge_files()
#
# A cuDNN that cannot be linked or loaded may be a broken file.  Builds the probe without cuDNN and
# lets it judge the files; sets refusal in the caller to its message, or to nothing where the files
# are not to blame.
function(_cudnn_checked_judge_files)
  set(refusal "" PARENT_SCOPE)
  set(executable "${work_directory}/cudnn_checked_files")
  _cudnn_checked_build_probe("${executable}" FILES_ONLY)
  if(build_status STREQUAL "ok")
    _cudnn_checked_probe_arguments(arguments)
    _cudnn_checked_run_probe("${executable}" "${slot_directory}/files.json" ${arguments}
                             "library=${place_library}" "toolkit=${cuda_version}"
    )
    if(run_status STREQUAL "refused")
      set(refusal "${run_text}" PARENT_SCOPE)
    endif()
  endif()
endfunction()

# The message for build_status and build_lines.
function(_cudnn_checked_build_refusal result)
  set(flags "${CMAKE_CXX_FLAGS}")
  if(flags STREQUAL "")
    set(flags "(none)")
  endif()
  file(SIZE "${cuda_library}" size)
  set(cuda_words "${cuda_version}")
  if(size EQUAL 0)
    set(cuda_words "an empty file")
  endif()
  set(
    facts
    "cuDNN|${place_version}|${place_header}"
    "CUDA|${cuda_words}|${cuda_library}"
    "compiler|${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}|${CMAKE_CXX_COMPILER}"
    "flags|${flags}|CMAKE_CXX_FLAGS"
    "all of it|${work_directory}/build.log|"
  )
  if(build_status STREQUAL "not-linked")
    _cudnn_checked_message(text NAME probe-not-linked
      SUMMARY "the probe compiles, and the linker refuses it" FACTS ${facts}
      BECAUSE "A program that uses this cuDNN would not link either."
      FIX "mend what the linker says below"
    )
  else()
    _cudnn_checked_message(text NAME probe-not-compiled
      SUMMARY "the compiler refuses the probe, so cuDNN could not be checked" FACTS ${facts}
      BECAUSE "This says nothing about cuDNN: the compiler, its flags or a header is at fault."
      FIX "mend what the compiler says below"
    )
  endif()
  _cudnn_checked_quoted(quoted "${build_lines}")
  set(${result} "${text}${quoted}" PARENT_SCOPE)
endfunction()

# The message for run_status and its companions.
function(_cudnn_checked_run_refusal result)
  if(run_status STREQUAL "refused")
    set(${result} "${run_text}" PARENT_SCOPE)
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
      SUMMARY "the probe is asked for something that it does not have" FACTS ${facts}
      FIX "use what the probe lists below"
    )
    _cudnn_checked_quoted(quoted "${run_errors}")
    set(${result} "${text}${quoted}" PARENT_SCOPE)
    return()
  endif()
  set(signal "${run_signal}")
  set(errors "${run_errors}")
  set(stage "${run_stage}")
  set(status "${run_status}")
  # A probe that dies does not tell what it had found in the files before.
  _cudnn_checked_judge_files()
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
      FIX "mend what the loader says below"
    )
  elseif(status STREQUAL "ended")
    _cudnn_checked_message(text NAME probe-crashed
      SUMMARY "the probe ended with status ${signal}, and its report does not say why"
      FACTS "status|${signal}|" ${facts}
      BECAUSE "A library, a sanitizer or what is preloaded ended it; nothing was proved."
      FIX "start the probe by hand, and look for what ends it"
    )
  else()
    _cudnn_checked_message(text NAME probe-crashed
      SUMMARY "the probe crashed with ${signal}"
      FACTS "signal|${signal}|" ${facts}
      BECAUSE "A program that uses this cuDNN would crash in the same call."
      FIX "install cuDNN again, all of its packages in one release"
    )
  endif()
  _cudnn_checked_quoted(quoted "${errors}")
  set(${result} "${text}${quoted}" PARENT_SCOPE)
endfunction()

# The last lines of another program's output, set off by a bar.
function(_cudnn_checked_quoted result text)
  string(REGEX REPLACE "\n+$" "" text "${text}")
  if(text STREQUAL "")
    set(${result} "" PARENT_SCOPE)
    return()
  endif()
  string(REPLACE "\n" "\n  | " text "${text}")
  set(${result} "  | ${text}\n" PARENT_SCOPE)
endfunction()
