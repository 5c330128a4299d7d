# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_read_inputs(input)
#
# Reads the variables and components that steer find_package.  Sets input_*, and puts refusal where
# a value is none of those that are possible.
function(_cudnn_checked_read_inputs input)
  _cudnn_checked_new(input)
  _cudnn_checked_own_release(input_package)
  _cudnn_checked_read_choice(input_require CuDNNChecked_REQUIRE AUTO LOCATED LINKED LOADED RAN)
  _cudnn_checked_read_choice(input_policy CuDNNChecked_POLICY compatible exact major)
  _cudnn_checked_read_choice(gpu CuDNNChecked_GPU REQUIRED OPTIONAL)
  _cudnn_checked_read_choice(guard CuDNNChecked_GUARD DECLARED ALL WARN OFF)
  _cudnn_checked_read_seconds(input_timeout input_sweep)
  foreach(switch IN ITEMS CuDNNChecked_KERNEL CuDNNChecked_PROVIDE_CUDNN_TARGETS)
    string(TOUPPER "${${switch}}" value)
    if(NOT value MATCHES "^(|ON|1|Y|YES|TRUE|OFF|0|N|NO|FALSE)$")
      _cudnn_checked_check_choice(${switch} "${${switch}}" ON OFF)
    endif()
  endforeach()
  string(TOLOWER "${CuDNNChecked_CONVOLUTIONS}" input_convolutions)
  string(TOLOWER "${CuDNNChecked_OPERATIONS}" input_operations)
  set(input_devices "${CuDNNChecked_DEVICES}")
  _cudnn_checked_check_laboratory("${input_sweep}" "${input_operations}")
  _cudnn_checked_read_report_name(input_report)
  _cudnn_checked_check_version()
  _cudnn_checked_read_components(input_components)
  _cudnn_checked_hand_up(input)
endfunction()

# Refuses what needs sources that a copy of this package may lack.
function(_cudnn_checked_check_laboratory sweep operations)
  _cudnn_checked_laboratory_fix(fix)
  if(fix STREQUAL "")
    return()
  endif()
  _cudnn_checked_get(where)
  _cudnn_checked_asks_for_fused(fused "${operations}")
  foreach(variable IN ITEMS SWEEP OPERATIONS)
    if((variable STREQUAL "SWEEP" AND sweep) OR (variable STREQUAL "OPERATIONS" AND fused))
      set(name "CuDNNChecked_${variable}")
      _cudnn_checked_refuse(
        SUMMARY "${name} needs sources that this copy of CuDNNChecked was made without"
        FACTS "value|${${name}}|${name}" "copy|${package_directory}|"
        FIX "${fix}" "@unset ${name}"
      )
      return()
    endif()
  endforeach()
endfunction()

# Refuses what no cuDNN can be shown to be: a fourth number, of which cudnn_version.h has three, and
# CUDNN_VERSION, which is 8907 for 8.9.7 and 90100 for 9.1.0.
function(_cudnn_checked_check_version)
  foreach(version IN ITEMS "${CuDNNChecked_FIND_VERSION}" "${CuDNNChecked_FIND_VERSION_MAX}")
    string(REGEX REPLACE "^8([0-9][0-9][0-9])$" "80\\1" number "${version}")
    if(version MATCHES "^([0-9]+\\.[0-9]+\\.[0-9]+)\\.")
      set(meant "${CMAKE_MATCH_1}")
      set(by "four numbers, and its header has three")
    elseif(number MATCHES "^([89]|[1-9][0-9])([0-9][0-9])([0-9][0-9])$")
      math(EXPR minor "1${CMAKE_MATCH_2} - 100")
      math(EXPR patch "1${CMAKE_MATCH_3} - 100")
      set(meant "${CMAKE_MATCH_1}.${minor}.${patch}")
      set(by "CUDNN_VERSION of its header")
    else()
      continue()
    endif()
    _cudnn_checked_refuse(
      SUMMARY "find_package asks for a cuDNN by ${by}"
      FACTS "asked for|${version}|find_package"
      FIX "in the find_package call: ${meant} in place of ${version}"
    )
  endforeach()
endfunction()

# The value of the variable, or the first of those that are possible where it is empty.
function(_cudnn_checked_read_choice result variable)
  _cudnn_checked_choice(value "${${variable}}" ${ARGN})
  if("${value}" STREQUAL "")
    list(GET ARGN 0 value)
  endif()
  _cudnn_checked_check_choice(${variable} "${value}" ${ARGN})
  set(${result} "${value}" PARENT_SCOPE)
endfunction()

# The seconds that the probe may take, and those of the sweep.
function(_cudnn_checked_read_seconds timeout_result sweep_result)
  set(timeout 120)
  if(DEFINED CuDNNChecked_PROBE_TIMEOUT)
    set(timeout "${CuDNNChecked_PROBE_TIMEOUT}")
  endif()
  if(NOT timeout MATCHES "^[0-9]*\\.?[0-9]+$" OR NOT timeout GREATER 0)
    _cudnn_checked_refuse(
      SUMMARY "CuDNNChecked_PROBE_TIMEOUT is no number of seconds"
      FACTS "value|${timeout}|CuDNNChecked_PROBE_TIMEOUT"
      FIX "@set CuDNNChecked_PROBE_TIMEOUT 120"
    )
  endif()
  set(sweep 0)
  if(NOT "${CuDNNChecked_SWEEP}" STREQUAL "")
    set(sweep "${CuDNNChecked_SWEEP}")
  endif()
  if(NOT sweep MATCHES "^(0|[1-9][0-9]?[0-9]?[0-9]?[0-9]?)$")
    _cudnn_checked_refuse(
      SUMMARY "CuDNNChecked_SWEEP is not a whole number of seconds"
      FACTS "value|${sweep}|CuDNNChecked_SWEEP" "possible|0 (no sweep) to 99999|"
      FIX "@set CuDNNChecked_SWEEP 60" "@unset CuDNNChecked_SWEEP"
    )
  endif()
  set(${timeout_result} "${timeout}" PARENT_SCOPE)
  set(${sweep_result} "${sweep}" PARENT_SCOPE)
endfunction()

# The whole path of a report that the probe wrote on another machine; empty where none is named.
function(_cudnn_checked_read_report_name result)
  set(${result} "" PARENT_SCOPE)
  if(NOT CuDNNChecked_PROBE_REPORT)
    return()
  endif()
  _cudnn_checked_plain_paths(report "${CuDNNChecked_PROBE_REPORT}")
  get_filename_component(report "${report}" ABSOLUTE BASE_DIR "${CMAKE_SOURCE_DIR}")
  set(${result} "${report}" PARENT_SCOPE)
  _cudnn_checked_no_file(kind "${report}")
  if(kind)
    set(kind "which is ${kind}")
  endif()
  if(NOT EXISTS "${report}" OR kind)
    _cudnn_checked_refuse(
      SUMMARY "CuDNNChecked_PROBE_REPORT does not name a file"
      FACTS "value|${CuDNNChecked_PROBE_REPORT}|CuDNNChecked_PROBE_REPORT"
            "looked for|${report}|${kind}"
      FIX "@unset CuDNNChecked_PROBE_REPORT"
          "name the report that the probe wrote where the program will run"
    )
    return()
  endif()
  # Its length is asked before a byte is read.  The command line has the same limit.
  file(SIZE "${report}" size)
  if(size GREATER 16777216)
    _cudnn_checked_refuse(
      SUMMARY "CuDNNChecked_PROBE_REPORT names a file of more than 16 MiB, which is no report"
      FACTS "value|${CuDNNChecked_PROBE_REPORT}|CuDNNChecked_PROBE_REPORT"
            "length|${size}|bytes of ${report}"
      FIX "@unset CuDNNChecked_PROBE_REPORT"
          "name the report that the probe wrote where the program will run"
    )
  endif()
endfunction()

# The components that are required.
function(_cudnn_checked_read_components result)
  _cudnn_checked_rows(known library_roles)
  list(FILTER known INCLUDE REGEX "^ROLE.[a-z_]+, 9,")
  list(TRANSFORM known REPLACE "^ROLE.([a-z_]+),.*" "\\1")
  set(components "")
  foreach(component IN LISTS CuDNNChecked_FIND_COMPONENTS)
    # One that is optional may be of a release that this package does not know.
    if(CuDNNChecked_FIND_REQUIRED_${component})
      _cudnn_checked_check_choice("COMPONENTS" "${component}" ${known})
      list(APPEND components "${component}")
    endif()
  endforeach()
  list(SORT components)
  set(${result} "${components}" PARENT_SCOPE)
endfunction()

# _cudnn_checked_check_choice(<variable> <value> <possible>...)
#
# Refuses where the value is none of those that are possible.  "COMPONENTS" is no variable.
function(_cudnn_checked_check_choice variable value)
  if("${value}" IN_LIST ARGN)
    return()
  endif()
  set(words "")
  _cudnn_checked_add_words(words name "${variable}")
  _cudnn_checked_add_words(words word "${value}")
  _cudnn_checked_add_words(words possible ${ARGN})
  _cudnn_checked_explain("${variable} has a value that is not known: ${value}" explain-value
                         ${words}
  )
endfunction()
