# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_take_report()
#
# Takes what was proved from input_report, which the probe wrote on another machine, instead of
# running the probe here.  Puts result_*, or refusal where the report is not finished,
# refused, or of another cuDNN than the one that was found.  What the report's findings mean was
# judged where it was written.
function(_cudnn_checked_take_report)
  set(refusal "")
  file(READ "${input_report}" text)
  _cudnn_checked_check_report(refusal "${text}")
  if(NOT refusal)
    _cudnn_checked_compare_report(refusal "${text}")
  endif()
  if(NOT refusal)
    _cudnn_checked_read_report("${input_report}" "")
    _cudnn_checked_get(result)
    set(line "cuDNN ${place_version} · CUDA ${cuda_version}")
    if(result_level STREQUAL "ran")
      list(TRANSFORM result_architectures PREPEND "sm_" OUTPUT_VARIABLE names)
      list(JOIN names " " names)
      string(APPEND line " · ${names}, convolution verified")
    else()
      string(APPEND line " · ${result_level}")
    endif()
    string(APPEND line "; taken from report ${input_report}")
    _cudnn_checked_findings_of_report(findings "${text}")
    if(findings AND NOT result_verdict STREQUAL "ok")
      string(APPEND line "\n${findings}")
    endif()
    _cudnn_checked_put(result_line "${line}")
  endif()
  _cudnn_checked_put(refusal "${refusal}")
endfunction()

# A value of the report; empty where it has none.
function(_cudnn_checked_in_report result text)
  string(JSON value ERROR_VARIABLE error GET "${text}" ${ARGN})
  if(error)
    set(value "")
  endif()
  set(${result} "${value}" PARENT_SCOPE)
endfunction()

# The message where a report does not fit: <here>, a value and where it stands, and <there> differ.
function(_cudnn_checked_report_refusal result summary here there)
  set(arguments "report=report.json")
  if(input_components)
    list(JOIN input_components "," components)
    string(APPEND arguments " components=${components}")
  endif()
  set(facts "")
  if(NOT here STREQUAL "")
    set(facts "here|${here}")
  endif()
  # A semicolon would begin another fact.
  string(REPLACE ";" "," there "${there}")
  list(APPEND facts "report|${there}|${input_report}")
  _cudnn_checked_message(text NAME bad-input
    SUMMARY "the report of the probe cannot be used: ${summary}"
    FACTS ${facts}
    BECAUSE "What it proved does not apply to the cuDNN that is used here."
    FIX "where the program will run: ./cudnn_checked_probe ${arguments}  (a copy of \
${work_directory}/cudnn_checked_probe)"
        "cmake -U CuDNNChecked_PROBE_REPORT"
  )
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

# A message where <text> is no report of the probe, or not one of a success.
function(_cudnn_checked_check_report result text)
  set(message "")
  _cudnn_checked_in_report(schema "${text}" schema)
  string(JSON program ERROR_VARIABLE no_program GET "${text}" program)
  _cudnn_checked_in_report(stage "${text}" stage)
  _cudnn_checked_in_report(verdict "${text}" verdict)
  _cudnn_checked_in_report(level "${text}" level)
  set(levels located linked loaded ran)
  list(FIND levels "${level}" reached)
  set(required -1)
  if(NOT input_require STREQUAL "AUTO")
    string(TOLOWER "${input_require}" required)
    list(FIND levels "${required}" required)
  endif()
  if(schema STREQUAL "")
    _cudnn_checked_report_refusal(message "it is not a report" "" "not JSON with a schema")
  elseif(NOT schema STREQUAL "1")
    _cudnn_checked_report_refusal(message "its schema is not known" "schema 1|" "schema ${schema}")
  elseif(no_program OR NOT program STREQUAL "")
    if(program STREQUAL "")
      set(program "an unknown program")
    endif()
    _cudnn_checked_report_refusal(message "it is not the probe's" "" "of ${program}")
  elseif(NOT stage STREQUAL "")
    _cudnn_checked_report_refusal(message "it was not finished" "" "stopped at ${stage}")
  elseif(verdict STREQUAL "refused")
    _cudnn_checked_in_report(name "${text}" findings 0 name)
    _cudnn_checked_in_report(summary "${text}" findings 0 summary)
    _cudnn_checked_report_refusal(message "it refuses" "" "${summary} [${name}]")
  elseif(NOT verdict MATCHES "^(ok|warning|unknown)$" OR reached LESS 0)
    _cudnn_checked_report_refusal(message "it is incomplete" ""
                                  "verdict \"${verdict}\", level \"${level}\""
    )
  elseif(reached LESS required)
    _cudnn_checked_report_refusal(message "it proves less than is required"
                                  "${input_require}|CuDNNChecked_REQUIRE" "level ${level}"
    )
  endif()
  set(${result} "${message}" PARENT_SCOPE)
endfunction()

# A message where the report is of another cuDNN, or answers another question.
function(_cudnn_checked_compare_report result text)
  set(message "")
  _cudnn_checked_in_report(header "${text}" cudnn header version)
  _cudnn_checked_in_report(library "${text}" cudnn library version)
  _cudnn_checked_in_report(toolkit "${text}" cuda toolkit)
  string(REGEX MATCH "^[0-9]+" here "${cuda_version}")
  string(REGEX MATCH "^[0-9]+" there "${toolkit}")
  _cudnn_checked_json_list(components "${text}" components)
  list(SORT components)
  foreach(words IN ITEMS components input_components)
    set(${words}_text "all of them")
    if(${words})
      list(JOIN ${words} ", " ${words}_text)
    endif()
  endforeach()
  if(NOT header STREQUAL place_version)
    _cudnn_checked_report_refusal(message "its header is of another release"
                                  "${place_version}|${place_header}" "${header}"
    )
  elseif(NOT library STREQUAL "" AND NOT library STREQUAL place_version)
    _cudnn_checked_report_refusal(message "its library is of another release"
                                  "${place_version}|${place_library}" "${library}"
    )
  elseif(NOT here STREQUAL there)
    _cudnn_checked_report_refusal(message "its CUDA is of another major release"
                                  "${cuda_version}|${cuda_library}" "${toolkit}"
    )
  elseif(NOT components STREQUAL input_components)
    _cudnn_checked_report_refusal(message "it is about other components"
                                  "${input_components_text}|COMPONENTS" "${components_text}"
    )
  else()
    _cudnn_checked_compare_report_files(message "${text}")
  endif()
  set(${result} "${message}" PARENT_SCOPE)
endfunction()

# A message where a library here is not the one of the report: identified by the build id, where
# both are known, and by which sub-libraries there are.
function(_cudnn_checked_compare_report_files result text)
  set(${result} "" PARENT_SCOPE)
  get_filename_component(directory "${place_library}" DIRECTORY)
  get_filename_component(name "${place_library}" NAME)
  string(REGEX REPLACE "^libcudnn" "" ending "${name}")
  set(roles "")
  string(JSON count ERROR_VARIABLE error LENGTH "${text}" cudnn files)
  if(error)
    set(count 0)
  endif()
  foreach(index RANGE ${count})
    if(index EQUAL count)
      break()
    endif()
    _cudnn_checked_in_report(role "${text}" cudnn files ${index} role)
    _cudnn_checked_in_report(there "${text}" cudnn files ${index} build_id)
    list(APPEND roles "${role}")
    set(file "${directory}/libcudnn_${role}${ending}")
    if(role STREQUAL "shim")
      set(file "${place_library}")
    endif()
    _cudnn_checked_build_id(here "${file}")
    if(NOT here STREQUAL "" AND NOT there STREQUAL "" AND NOT here STREQUAL there)
      _cudnn_checked_report_refusal(message "its ${role} library is another file"
                                    "build id ${here}|${file}" "build id ${there}"
      )
      set(${result} "${message}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
  _cudnn_checked_glob_escaped(escaped "${directory}")
  file(GLOB files "${escaped}/libcudnn_*${ending}")
  foreach(file IN LISTS files)
    string(REGEX REPLACE ".*/libcudnn_([^/.]*).*" "\\1" role "${file}")
    if(NOT role IN_LIST roles)
      _cudnn_checked_report_refusal(message "it lacks a library" "${role}|${file}"
                                    "no ${role}"
      )
      set(${result} "${message}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()

# The GNU build id of a library that this machine need not be able to load; empty where there is
# none or no readelf.
function(_cudnn_checked_build_id result file)
  set(${result} "" PARENT_SCOPE)
  if(NOT CMAKE_READELF OR NOT EXISTS "${file}")
    return()
  endif()
  execute_process(COMMAND "${CMAKE_READELF}" -n "${file}" OUTPUT_VARIABLE notes ERROR_QUIET)
  if(notes MATCHES "Build ID: ([0-9a-f]+)")
    set(${result} "${CMAKE_MATCH_1}" PARENT_SCOPE)
  endif()
endfunction()

# The findings that are more than a note, a line each.
function(_cudnn_checked_findings_of_report result text)
  set(lines "")
  string(JSON count ERROR_VARIABLE error LENGTH "${text}" findings)
  if(error)
    set(count 0)
  endif()
  foreach(index RANGE ${count})
    if(index EQUAL count)
      break()
    endif()
    foreach(key IN ITEMS name severity summary)
      string(JSON ${key} GET "${text}" findings ${index} ${key})
    endforeach()
    if(NOT severity STREQUAL "note")
      string(APPEND lines "  ${severity}: ${summary} [${name}]\n")
    endif()
  endforeach()
  set(${result} "${lines}" PARENT_SCOPE)
endfunction()
