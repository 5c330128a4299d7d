# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_read_inputs()
#
# Reads the variables and components that steer find_package.  Puts input_*, and refusal where a
# value is none of those that are possible.
function(_cudnn_checked_read_inputs)
  set(refusal "")
  include("${CMAKE_CURRENT_FUNCTION_LIST_DIR}/package_version.cmake")
  set(input_package "${_cudnn_checked_package_version}")
  set(input_require AUTO)
  if(CuDNNChecked_REQUIRE)
    string(TOUPPER "${CuDNNChecked_REQUIRE}" input_require)
  endif()
  _cudnn_checked_check_choice(refusal CuDNNChecked_REQUIRE "${input_require}"
                              AUTO LOCATED LINKED LOADED RAN
  )
  set(input_policy compatible)
  if(NOT "${CuDNNChecked_POLICY}" STREQUAL "")
    set(input_policy "${CuDNNChecked_POLICY}")
  endif()
  _cudnn_checked_check_choice(refusal CuDNNChecked_POLICY "${input_policy}" compatible exact major)
  set(input_timeout 120)
  if(DEFINED CuDNNChecked_PROBE_TIMEOUT)
    set(input_timeout "${CuDNNChecked_PROBE_TIMEOUT}")
  endif()
  if(NOT input_timeout MATCHES "^[0-9]*\\.?[0-9]+$" OR NOT input_timeout GREATER 0)
    _cudnn_checked_message(refusal NAME bad-input
      SUMMARY "CuDNNChecked_PROBE_TIMEOUT is no number of seconds"
      FACTS "value|${input_timeout}|CuDNNChecked_PROBE_TIMEOUT"
      FIX "cmake -D CuDNNChecked_PROBE_TIMEOUT=120"
    )
  endif()
  string(TOUPPER "${CuDNNChecked_KERNEL}" kernel)
  if(NOT kernel MATCHES "^(|ON|1|Y|YES|TRUE|OFF|0|N|NO|FALSE)$")
    _cudnn_checked_check_choice(refusal CuDNNChecked_KERNEL "${CuDNNChecked_KERNEL}" ON OFF)
  endif()
  set(input_convolutions "${CuDNNChecked_CONVOLUTIONS}")
  set(input_devices "${CuDNNChecked_DEVICES}")
  set(input_report "")
  if(CuDNNChecked_PROBE_REPORT)
    get_filename_component(
      input_report
      "${CuDNNChecked_PROBE_REPORT}"
      ABSOLUTE
      BASE_DIR "${CMAKE_SOURCE_DIR}"
    )
    _cudnn_checked_no_file(kind "${input_report}")
    if(kind)
      set(kind "which is ${kind}")
    endif()
    if(NOT EXISTS "${input_report}" OR kind)
      _cudnn_checked_message(refusal NAME bad-input
        SUMMARY "CuDNNChecked_PROBE_REPORT names no file"
        FACTS "value|${CuDNNChecked_PROBE_REPORT}|CuDNNChecked_PROBE_REPORT"
              "looked for|${input_report}|${kind}"
        FIX "name the report that the probe wrote where the program will run"
            "cmake -U CuDNNChecked_PROBE_REPORT"
      )
    endif()
  endif()

  set(
    known
    graph
    ops
    cnn
    adv
    engines_precompiled
    engines_runtime_compiled
    engines_tensor_ir
    heuristic
    ext
  )
  set(input_components "")
  foreach(component IN LISTS CuDNNChecked_FIND_COMPONENTS)
    # One that is optional may be of a release that this package does not know.
    if(CuDNNChecked_FIND_REQUIRED_${component})
      _cudnn_checked_check_choice(refusal "COMPONENTS" "${component}" ${known})
      list(APPEND input_components "${component}")
    endif()
  endforeach()
  list(SORT input_components)
  foreach(
    value
    IN
    ITEMS package require policy timeout convolutions devices components report
  )
    _cudnn_checked_put(input_${value} "${input_${value}}")
  endforeach()
  _cudnn_checked_put(refusal "${refusal}")
endfunction()

function(_cudnn_checked_check_choice result variable value)
  if(NOT "${value}" IN_LIST ARGN)
    list(JOIN ARGN ", " possible)
    set(fix "use one of the possible values")
    _cudnn_checked_did_you_mean(meant "${value}" ${ARGN})
    if(meant)
      set(fix "did you mean ${meant}?")
    endif()
    _cudnn_checked_message(text NAME bad-input
      SUMMARY "${variable} has a value that is not known"
      FACTS "value|${value}|${variable}" "possible|${possible}|"
      FIX "${fix}"
    )
    set(${result} "${text}" PARENT_SCOPE)
  endif()
endfunction()
