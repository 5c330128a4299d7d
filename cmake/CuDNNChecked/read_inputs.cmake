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
  if(NOT "${CuDNNChecked_REQUIRE}" STREQUAL "")
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
  set(gpu REQUIRED)
  if(NOT "${CuDNNChecked_GPU}" STREQUAL "")
    set(gpu "${CuDNNChecked_GPU}")
  endif()
  _cudnn_checked_check_choice(refusal CuDNNChecked_GPU "${gpu}" REQUIRED OPTIONAL)
  set(input_timeout 120)
  if(DEFINED CuDNNChecked_PROBE_TIMEOUT)
    set(input_timeout "${CuDNNChecked_PROBE_TIMEOUT}")
  endif()
  if(NOT input_timeout MATCHES "^[0-9]*\\.?[0-9]+$" OR NOT input_timeout GREATER 0)
    _cudnn_checked_set_command(fix CuDNNChecked_PROBE_TIMEOUT 120)
    _cudnn_checked_message(refusal NAME bad-input
      SUMMARY "CuDNNChecked_PROBE_TIMEOUT is no number of seconds"
      FACTS "value|${input_timeout}|CuDNNChecked_PROBE_TIMEOUT"
      FIX "${fix}"
    )
  endif()
  set(input_sweep 0)
  if(NOT "${CuDNNChecked_SWEEP}" STREQUAL "")
    set(input_sweep "${CuDNNChecked_SWEEP}")
  endif()
  if(NOT input_sweep MATCHES "^(0|[1-9][0-9]?[0-9]?[0-9]?[0-9]?)$")
    _cudnn_checked_set_command(fix CuDNNChecked_SWEEP 60)
    _cudnn_checked_unset_command(unset CuDNNChecked_SWEEP)
    _cudnn_checked_message(refusal NAME bad-input
      SUMMARY "CuDNNChecked_SWEEP is no whole number of seconds"
      FACTS "value|${input_sweep}|CuDNNChecked_SWEEP" "possible|0 (no sweep) to 99999|"
      FIX "${fix}" "${unset}"
    )
  endif()
  string(TOUPPER "${CuDNNChecked_KERNEL}" kernel)
  if(NOT kernel MATCHES "^(|ON|1|Y|YES|TRUE|OFF|0|N|NO|FALSE)$")
    _cudnn_checked_check_choice(refusal CuDNNChecked_KERNEL "${CuDNNChecked_KERNEL}" ON OFF)
  endif()
  string(TOUPPER "${CuDNNChecked_PROVIDE_CUDNN_TARGETS}" provide)
  if(NOT provide MATCHES "^(|ON|1|Y|YES|TRUE|OFF|0|N|NO|FALSE)$")
    _cudnn_checked_check_choice(refusal CuDNNChecked_PROVIDE_CUDNN_TARGETS
                                "${CuDNNChecked_PROVIDE_CUDNN_TARGETS}" ON OFF
    )
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
      _cudnn_checked_unset_command(unset CuDNNChecked_PROBE_REPORT)
      _cudnn_checked_message(refusal NAME bad-input
        SUMMARY "CuDNNChecked_PROBE_REPORT names no file"
        FACTS "value|${CuDNNChecked_PROBE_REPORT}|CuDNNChecked_PROBE_REPORT"
              "looked for|${input_report}|${kind}"
        FIX "${unset}" "name the report that the probe wrote where the program will run"
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
    ITEMS package require policy timeout sweep convolutions devices components report
  )
    _cudnn_checked_put(input_${value} "${input_${value}}")
  endforeach()
  _cudnn_checked_put(refusal "${refusal}")
endfunction()

# _cudnn_checked_check_choice(<result> <variable> <value> <possible>...)
#
# A message where the value is none of those that are possible, otherwise <result> stays.  "COMPONENTS"
# is no variable.
function(_cudnn_checked_check_choice result variable value)
  if("${value}" IN_LIST ARGN)
    return()
  endif()
  list(JOIN ARGN ", " possible)
  set(summary "${variable} has a value that is not known")
  _cudnn_checked_did_you_mean(meant "${value}" ${ARGN})
  if(meant)
    string(APPEND summary "; did you mean ${meant}?")
  endif()
  if(variable STREQUAL "COMPONENTS")
    set(fix "name one of the possible ones in COMPONENTS")
    if(meant)
      set(fix "name ${meant} in COMPONENTS")
    endif()
  elseif(meant)
    _cudnn_checked_set_command(fix ${variable} "${meant}")
  else()
    _cudnn_checked_unset_command(fix ${variable})
  endif()
  _cudnn_checked_message(text NAME bad-input
    SUMMARY "${summary}"
    FACTS "value|${value}|${variable}" "possible|${possible}|"
    FIX "${fix}"
  )
  set(${result} "${text}" PARENT_SCOPE)
endfunction()
