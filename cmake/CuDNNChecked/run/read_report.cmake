# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_read_report(<file> <line>)
#
# Puts what CMake needs of the report that the probe has just written, and <line>, what it printed,
# as result_*; or refusal where the file is not what the probe writes.
function(_cudnn_checked_read_report file line)
  _cudnn_checked_get(where input place)
  set(report_file "${file}")
  _cudnn_checked_read_json(text fault "${file}")
  if(fault)
    _cudnn_checked_report_refusal(refusal "it is not a report" "" "${fault}")
    _cudnn_checked_put(refusal "${refusal}")
    return()
  endif()
  _cudnn_checked_put_report("${line}" "${text}")
  _cudnn_checked_get(refusal)
  if(refusal STREQUAL "")
    _cudnn_checked_other_headers(refusal "${text}")
    _cudnn_checked_put(refusal "${refusal}")
  endif()
endfunction()

# _cudnn_checked_other_headers(<result> <json>)
#
# The message where the probe was compiled with the headers of another cuDNN than the one that was
# found, otherwise nothing: a flag or a variable of the compiler is to blame, and no file.
function(_cudnn_checked_other_headers result text)
  set(${result} "" PARENT_SCOPE)
  set(value_fault "")
  _cudnn_checked_value(compiled version "" "${text}" cudnn header version)
  if(compiled STREQUAL "" OR compiled STREQUAL place_version)
    return()
  endif()
  set(flags "${CMAKE_CXX_FLAGS}")
  if(flags STREQUAL "")
    set(flags "(none)")
  endif()
  string(REPLACE ";" "," flags "${flags}")
  _cudnn_checked_name_directory(name CuDNNChecked_ROOT "the headers that the compiler sees")
  _cudnn_checked_message(refusal NAME header-library-mismatch
    SUMMARY "the compiler sees the headers of another cuDNN than the one that was found"
    FACTS "found|${place_version}|${place_header}"
          "compiled with|${compiled}|CUDNN_VERSION in the probe" "flags|${flags}|CMAKE_CXX_FLAGS"
    BECAUSE "Programs of this project would be compiled with the headers of one release, and linked \
with the library of another."
    FIX "remove the other directory from CMAKE_CXX_FLAGS, CPATH and CPLUS_INCLUDE_PATH" "${name}"
  )
  set(${result} "${refusal}" PARENT_SCOPE)
endfunction()

# _cudnn_checked_put_report(<line> <json>)
#
# The same from the text of the report.  Level and architectures are those that its convolutions
# prove.  Reads report_file of the caller.
function(_cudnn_checked_put_report line text)
  set(value_fault "")
  _cudnn_checked_report_proof(level architectures contradiction "${text}")
  foreach(
    entry
    IN
    ITEMS
      "verdict|verdict|verdict"
      "library_version|version|cudnn|library|version"
      "cudart_version|version|cudnn|library|cudart"
      "toolkit|version|cuda|toolkit"
      "runtime|version|cuda|runtime"
      "driver|version|cuda|driver"
  )
    string(REPLACE "|" ";" path "${entry}")
    list(POP_FRONT path name form)
    _cudnn_checked_value(value ${form} "" "${text}" ${path})
    # "unknown" is a verdict; of a version it says that there is none.
    if(value STREQUAL "unknown" AND form STREQUAL "version")
      set(value "")
    endif()
    _cudnn_checked_put(result_${name} "${value}")
  endforeach()
  _cudnn_checked_value(swept_seconds index "" "${text}" sweep asked)
  _cudnn_checked_value(swept_plans index "" "${text}" sweep counts plans)
  _cudnn_checked_put(result_swept_seconds "${swept_seconds}")
  _cudnn_checked_put(result_swept_plans "${swept_plans}")
  _cudnn_checked_values(needs word "${text}" needs)
  _cudnn_checked_findings_of_report(findings verdict "${text}")
  _cudnn_checked_value(claimed verdict "" "${text}" verdict)
  if(contradiction STREQUAL "" AND NOT claimed STREQUAL verdict)
    set(
      contradiction
      "verdict \"${claimed}\", and the worst of its findings makes it \"${verdict}\""
    )
  endif()
  set(refusal "")
  if(NOT value_fault STREQUAL "")
    _cudnn_checked_report_refusal(refusal "${value_fault}" "" "${value_found}")
  elseif(NOT contradiction STREQUAL "")
    _cudnn_checked_report_refusal(refusal "it contradicts itself" "" "${contradiction}")
  endif()
  string(ASCII 1 first)
  string(ASCII 9 tab)
  string(ASCII 11 after_newline)
  string(ASCII 31 last)
  string(REGEX REPLACE "[${first}-${tab}${after_newline}-${last}]" "?" line "${line}")
  string(REGEX REPLACE "\n+$" "" line "${line}")
  _cudnn_checked_put(refusal "${refusal}")
  _cudnn_checked_put(result_report "${report_file}")
  _cudnn_checked_put(result_line "${line}")
  _cudnn_checked_put(result_level "${level}")
  _cudnn_checked_put(result_architectures "${architectures}")
  _cudnn_checked_put(result_needs "${needs}")
endfunction()

# The findings that are more than a note, a line each, and the verdict that they make.
function(_cudnn_checked_findings_of_report result verdict text)
  set(lines "")
  set(severities note unknown warning error)
  set(verdicts ok unknown warning refused)
  set(worst 0)
  set(value_fault "${value_fault}")
  _cudnn_checked_array_length(count "${text}" findings)
  if(count GREATER 0)
    string(JSON list GET "${text}" findings)
    math(EXPR last "${count} - 1")
    foreach(index RANGE ${last})
      _cudnn_checked_value(name word "findings." "${list}" ${index} name)
      _cudnn_checked_value(severity severity "findings." "${list}" ${index} severity)
      _cudnn_checked_value(summary sentence "findings." "${list}" ${index} summary)
      list(FIND severities "${severity}" weight)
      if(weight GREATER worst)
        set(worst ${weight})
      endif()
      if(weight GREATER 0)
        string(APPEND lines "  ${severity}: ${summary} [${name}]\n")
      endif()
    endforeach()
  endif()
  list(GET verdicts ${worst} worst)
  set(${result} "${lines}" PARENT_SCOPE)
  set(${verdict} "${worst}" PARENT_SCOPE)
  set(value_fault "${value_fault}" PARENT_SCOPE)
  set(value_found "${value_found}" PARENT_SCOPE)
endfunction()

# _cudnn_checked_report_refusal(<result> <summary> <here> <there> [<because>])
#
# The message where a report cannot be used: <here>, a value and where it stands, and <there>, what
# the report has, differ.  Reads report_file of the caller.
function(_cudnn_checked_report_refusal result summary here there)
  set(facts "")
  if(NOT here STREQUAL "")
    set(facts "here|${here}")
  endif()
  # A semicolon would begin another fact.
  string(REPLACE ";" "," there "${there}")
  list(APPEND facts "report|${there}|${report_file}")
  set(because "What it proved does not apply to the cuDNN that is used here.")
  if(report_file STREQUAL input_report)
    set(arguments "report=report.json")
    if(input_components)
      list(JOIN input_components "," components)
      string(APPEND arguments " components=${components}")
    endif()
    _cudnn_checked_unset_command(unset CuDNNChecked_PROBE_REPORT)
    set(copied "${work_directory}/cudnn_checked_probe to where the program will run, and start it")
    set(typed "./cudnn_checked_probe ${arguments}")
    if(input_sweep)
      string(PREPEND copied "${work_directory}/cudnn_checked_sweep and ")
      string(APPEND typed " sweep=${input_sweep} && ./cudnn_checked_sweep report=report.json")
    endif()
    set(fixes "${unset}" "copy ${copied} there as: ${typed}")
    if(NOT input_components AND NOT input_sweep)
      list(
        APPEND
        fixes
        "run there, with the directory of this cuDNN: cudnn-checked probe --json DIRECTORY > report.json"
      )
    endif()
  else()
    _cudnn_checked_removal(fixes "${work_directory}")
    set(because "The probe writes no such report: something else wrote to this file.")
  endif()
  if(ARGC GREATER 4)
    set(because "${ARGV4}")
  endif()
  _cudnn_checked_message(text NAME bad-input
    SUMMARY "the report of the probe cannot be used: ${summary}"
    FACTS ${facts}
    BECAUSE "${because}"
    FIX ${fixes}
  )
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

# _cudnn_checked_report_proof(<level> <architectures> <fault> <json>)
#
# What the convolutions of a report prove, whatever else it claims: the level, and the architectures
# (75;90a) of the devices that computed right numbers.  <fault> is where the report, which was not
# refused, contradicts itself: what it claims and does not follow.  Sets value_fault as
# _cudnn_checked_value does.
function(_cudnn_checked_report_proof level architectures fault text)
  set(contradiction "")
  set(value_fault "${value_fault}")
  _cudnn_checked_array_length(count "${text}" devices)
  set(devices "")
  if(count GREATER 0)
    string(JSON list GET "${text}" devices)
    math(EXPR last "${count} - 1")
    foreach(place RANGE ${last})
      _cudnn_checked_value(index index "devices." "${list}" ${place} index)
      _cudnn_checked_value(sm architecture "devices." "${list}" ${place} architecture)
      if(index STREQUAL "" OR "${index}" IN_LIST devices)
        set(contradiction "device ${place} has no index of its own")
      else()
        list(APPEND devices ${index})
        set(architecture_${index} "${sm}")
      endif()
    endforeach()
  endif()
  _cudnn_checked_right_runs(right contradiction "${text}" convolutions)
  _cudnn_checked_right_runs(kernel_right contradiction "${text}" kernel runs)

  _cudnn_checked_value(library version "" "${text}" cudnn library version)
  set(proved linked)
  if(library MATCHES "^[0-9]")
    set(proved loaded)
    if(NOT right STREQUAL "")
      set(proved ran)
    endif()
  endif()
  set(measured "")
  foreach(index IN LISTS devices)
    if("${index}" IN_LIST right AND architecture_${index} MATCHES "^sm_(.*)$")
      list(APPEND measured "${CMAKE_MATCH_1}")
    endif()
  endforeach()
  list(REMOVE_DUPLICATES measured)

  _cudnn_checked_value(claimed level "" "${text}" level)
  _cudnn_checked_values(claimed_measured architecture "${text}" triple architectures)
  list(REMOVE_ITEM claimed_measured unknown)
  list(TRANSFORM claimed_measured REPLACE "^sm_" "")
  if(right STREQUAL "" AND claimed MATCHES "^(located|linked)$")
    # cuDNN was not called, although its release is known from its files.
    set(proved "${claimed}")
  endif()
  if(contradiction STREQUAL "" AND NOT claimed STREQUAL proved)
    set(contradiction "level \"${claimed}\", and its convolutions prove \"${proved}\"")
  elseif(contradiction STREQUAL "" AND NOT claimed_measured STREQUAL measured)
    list(JOIN claimed_measured ", " claimed_measured)
    list(JOIN measured ", " names)
    set(
      contradiction
      "architectures \"${claimed_measured}\", and its convolutions ran on \"${names}\""
    )
  endif()
  set(${level} ${proved} PARENT_SCOPE)
  set(${architectures} "${measured}" PARENT_SCOPE)
  set(${fault} "${contradiction}" PARENT_SCOPE)
  set(value_fault "${value_fault}" PARENT_SCOPE)
  set(value_found "${value_found}" PARENT_SCOPE)
endfunction()

# The indices of the devices on which runs of an array computed right numbers.  <fault> is where one
# has not, or where its numbers are not right: a report that was not refused has no such.  A kernel
# that this machine's GPU cannot run is no fault.  Reads devices of the caller.
function(_cudnn_checked_right_runs result fault text)
  set(${result} "" PARENT_SCOPE)
  list(JOIN ARGN "." name)
  string(JSON type ERROR_VARIABLE error TYPE "${text}" ${ARGN})
  if(error)
    return()
  endif()
  _cudnn_checked_array_length(count "${text}" ${ARGN})
  set(right "")
  set(contradiction "${${fault}}")
  if(count GREATER 0)
    string(JSON list GET "${text}" ${ARGN})
    math(EXPR last "${count} - 1")
    foreach(place RANGE ${last})
      if(NOT contradiction STREQUAL "")
        break()
      endif()
      string(JSON run GET "${list}" ${place})
      set(where "${name}.${place}.")
      _cudnn_checked_value(device index "${where}" "${run}" device)
      _cudnn_checked_value(status word "${where}" "${run}" status)
      if(status STREQUAL "ok")
        foreach(number IN ITEMS relative_error element_error tolerance)
          _cudnn_checked_value(${number} number "${where}" "${run}" ${number})
        endforeach()
        # An unrelated result has a relative error of about 1.4; the widest tolerance is below 0.1.
        if(NOT "${device}" IN_LIST devices)
          set(contradiction "${where}device is none of its devices")
        elseif(
          NOT
            (relative_error LESS 0.5 AND tolerance LESS 0.1 AND element_error LESS_EQUAL tolerance)
        )
          set(contradiction "${where}status is \"ok\", and its error is above the tolerance")
        endif()
        list(APPEND right "${device}")
      elseif(NOT name STREQUAL "kernel.runs" OR status STREQUAL "wrong-numbers")
        set(contradiction "${where}status is \"${status}\", and it is not refused")
      endif()
    endforeach()
  endif()
  list(REMOVE_DUPLICATES right)
  set(${result} "${right}" PARENT_SCOPE)
  set(${fault} "${contradiction}" PARENT_SCOPE)
  set(value_fault "${value_fault}" PARENT_SCOPE)
  set(value_found "${value_found}" PARENT_SCOPE)
endfunction()
