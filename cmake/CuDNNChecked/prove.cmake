# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_prove()
#
# Goes from level to level: located, linked, and what the probe reaches when it runs.  Sets in the
# caller the place_* and cuda_* of what was found, input_*, the result_* of
# _cudnn_checked_read_report, or refusal: the message that says why not.
function(_cudnn_checked_prove)
  set(refusal "")
  _cudnn_checked_check_inputs()
  if(NOT refusal)
    get_property(pinned GLOBAL PROPERTY _cudnn_checked_pinned)
    if(pinned)
      _cudnn_checked_use_pinned("${pinned}")
    else()
      _cudnn_checked_locate()
    endif()
  endif()
  if(NOT refusal)
    _cudnn_checked_locate_cuda("${place_prefix}")
  endif()
  if(NOT refusal)
    _cudnn_checked_reach_level()
  endif()
  foreach(value IN ITEMS ${_cudnn_checked_result_names})
    set(result_${value} "${result_${value}}" PARENT_SCOPE)
  endforeach()
  foreach(
    value
    IN
    ITEMS
      input_components
      input_policy
      input_report
      place_prefix
      place_header
      place_include
      place_library
      place_version
      cuda_include
      cuda_library
      cuda_version
      refusal
  )
    set(${value} "${${value}}" PARENT_SCOPE)
  endforeach()
endfunction()

# One build tree has one cuDNN, because imported targets cannot be changed: a later find_package is
# held against the place of the first.
function(_cudnn_checked_use_pinned prefix)
  _cudnn_checked_look_at("${prefix}")
  _cudnn_checked_version_request(words fits "${look_version}")
  _cudnn_checked_candidates(roots labels CuDNNChecked_ROOT)
  _cudnn_checked_wheels_below(roots labels CuDNNChecked_ROOT)
  list(TRANSFORM roots REPLACE "(.)/+$" "\\1")
  set(asked "")
  if(NOT fits)
    set(asked "asked for|cuDNN ${words}|find_package")
  elseif(roots AND NOT "${prefix}" IN_LIST roots)
    list(GET roots 0 root)
    list(GET labels 0 label)
    set(asked "asked for|${root}|${label}")
  endif()
  set(refusal "")
  if(asked)
    _cudnn_checked_message(refusal NAME cudnn-not-found
      SUMMARY "this build tree already uses another cuDNN than the one asked for"
      FACTS "${asked}" "in use|cuDNN ${look_version}|${look_library}"
      BECAUSE "All targets of a build tree share one CuDNNChecked::cudnn."
      FIX "ask for the same cuDNN in every find_package(CuDNNChecked)"
    )
  endif()
  set(place_prefix "${prefix}" PARENT_SCOPE)
  foreach(value IN ITEMS header version include library)
    set(place_${value} "${look_${value}}" PARENT_SCOPE)
  endforeach()
  set(refusal "${refusal}" PARENT_SCOPE)
endfunction()

# From a located cuDNN to the highest level that is wanted, or to the remembered result of the same
# journey.
function(_cudnn_checked_reach_level)
  list(JOIN input_components "-" slot)
  if(slot STREQUAL "")
    set(slot all)
  endif()
  set(slot_directory "${work_directory}/${slot}")
  _cudnn_checked_signature(build_signature run_signature)
  string(MD5 build_signature "${build_signature}")
  string(MD5 run_signature "${run_signature}")
  _cudnn_checked_load_result("${slot_directory}/result.cmake" "${run_signature}")
  if(NOT result_loaded)
    set(refusal "")
    _cudnn_checked_empty_result()
    if(input_require STREQUAL "LOCATED")
      _cudnn_checked_unproved_result(located "CuDNNChecked_REQUIRE=LOCATED")
    else()
      _cudnn_checked_link_probe("${build_signature}")
      if(NOT refusal)
        _cudnn_checked_load_and_run()
      endif()
    endif()
    if(NOT refusal)
      _cudnn_checked_save_result("${slot_directory}/result.cmake" "${run_signature}")
    endif()
    set(refusal "${refusal}" PARENT_SCOPE)
  endif()
  foreach(value IN ITEMS ${_cudnn_checked_result_names})
    set(result_${value} "${result_${value}}" PARENT_SCOPE)
  endforeach()
endfunction()

# LINKED: the probe's executable is there, and it is the one of this signature.
function(_cudnn_checked_link_probe signature)
  set(executable "${work_directory}/cudnn_checked_probe")
  set(stored "")
  if(EXISTS "${executable}" AND EXISTS "${executable}.signature")
    file(READ "${executable}.signature" stored)
  endif()
  if(stored STREQUAL signature)
    return()
  endif()
  file(REMOVE "${executable}" "${executable}.signature")
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  if(NOT "CXX" IN_LIST languages)
    _cudnn_checked_message(refusal NAME probe-not-compiled
      SUMMARY "the probe is C++, and this project does not enable that language"
      FACTS "languages|${languages}|project()"
      FIX "project(... LANGUAGES C CXX), before find_package(CuDNNChecked)"
    )
    set(refusal "${refusal}" PARENT_SCOPE)
    return()
  endif()
  _cudnn_checked_build_probe("${executable}")
  if(build_status STREQUAL "ok")
    file(WRITE "${executable}.signature" "${signature}")
    return()
  endif()
  set(refusal "")
  if(build_status STREQUAL "not-linked")
    _cudnn_checked_judge_files()
  endif()
  if(NOT refusal)
    _cudnn_checked_build_refusal(refusal)
  endif()
  set(refusal "${refusal}" PARENT_SCOPE)
endfunction()

# LOADED and RAN, which the probe tells apart; LINKED where nothing can or shall be run.
function(_cudnn_checked_load_and_run)
  set(reason "")
  if(input_require STREQUAL "LINKED")
    set(reason "CuDNNChecked_REQUIRE=LINKED")
  elseif(input_report)
    _cudnn_checked_take_report()
  elseif(CMAKE_CROSSCOMPILING AND NOT CMAKE_CROSSCOMPILING_EMULATOR)
    set(reason "cross-compiling without CMAKE_CROSSCOMPILING_EMULATOR")
    if(NOT input_require STREQUAL "AUTO")
      _cudnn_checked_message(refusal NAME not-verified
        SUMMARY "the level that is required cannot be reached in this cross build"
        FACTS "required|${input_require}|CuDNNChecked_REQUIRE"
              "reached|LINKED|CMAKE_CROSSCOMPILING_EMULATOR is not set"
        BECAUSE "The probe is built for another machine and cannot be started here."
        FIX "cmake -D CMAKE_CROSSCOMPILING_EMULATOR=PROGRAM  (qemu-aarch64, for example)"
            "cmake -D CuDNNChecked_PROBE_REPORT=FILE, the report that \
${work_directory}/cudnn_checked_probe wrote there"
            "cmake -D CuDNNChecked_REQUIRE=AUTO"
      )
      set(refusal "${refusal}" PARENT_SCOPE)
      return()
    endif()
  endif()
  if(reason)
    _cudnn_checked_unproved_result(linked "${reason}")
  elseif(NOT input_report)
    set(report "${slot_directory}/report.json")
    _cudnn_checked_probe_arguments(arguments)
    _cudnn_checked_run_probe("${work_directory}/cudnn_checked_probe" "${report}" ${arguments})
    if(run_status STREQUAL "ok")
      _cudnn_checked_read_report("${report}" "${run_text}")
    else()
      _cudnn_checked_run_refusal(refusal)
    endif()
  endif()
  set(refusal "${refusal}" PARENT_SCOPE)
  foreach(value IN ITEMS ${_cudnn_checked_result_names})
    set(result_${value} "${result_${value}}" PARENT_SCOPE)
  endforeach()
endfunction()

# What the probe is asked; only what was chosen is said.
function(_cudnn_checked_probe_arguments result)
  string(TOLOWER "${input_require}" require)
  set(arguments "require=${require}" "header=${place_header}")
  foreach(option IN ITEMS components convolutions devices)
    if(NOT "${input_${option}}" STREQUAL "")
      list(JOIN input_${option} "," value)
      list(APPEND arguments "${option}=${value}")
    endif()
  endforeach()
  set(${result} "${arguments}" PARENT_SCOPE)
endfunction()
