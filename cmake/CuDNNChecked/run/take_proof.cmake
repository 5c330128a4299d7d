# SPDX-License-Identifier: BSD-3-Clause
#
# What was proved, of what the probe has written for CMake, here or on another machine: lines of
# name=value and their hash (tool/core/report/proof.h).  No report is read here.

# _cudnn_checked_read_proof(<report> <line>)
#
# Puts result_* from the report that the probe has just written, and <line>, what it printed; or
# refusal where it was compiled with other headers than those that were found.
function(_cudnn_checked_read_proof report line)
  # Whole: without it no run of the probe counts as ended well (_cudnn_checked_put_end).
  _cudnn_checked_read_facts(whole "${report}.proof")
  _cudnn_checked_other_headers("${proof_header}")
  string(ASCII 1 first)
  string(ASCII 9 tab)
  string(ASCII 11 after_newline)
  string(ASCII 31 last)
  string(REGEX REPLACE "[${first}-${tab}${after_newline}-${last}]" "?" line "${line}")
  string(REGEX REPLACE "\n+$" "" line "${line}")
  _cudnn_checked_put(result_report "${report}")
  _cudnn_checked_put(result_line "${line}")
  _cudnn_checked_put_proof("${proof_kernel_code}")
endfunction()

# Puts result_* from proof_* of the caller.  The code of a kernel that the probe has is that of
# CMAKE_CUDA_ARCHITECTURES where that is a word whose meaning only the CUDA compiler knows:
# "75-real", "90-virtual", or "86" for both forms.
function(_cudnn_checked_put_proof kernel_code)
  _cudnn_checked_names(facts result)
  list(FILTER facts EXCLUDE REGEX "^result_(line|report.*|kernel_.*)$")
  foreach(fact IN LISTS facts)
    string(REPLACE "result_" "proof_" proof "${fact}")
    _cudnn_checked_put(${fact} "${${proof}}")
  endforeach()
  if(
    CMAKE_CUDA_ARCHITECTURES MATCHES "^(all|all-major|native)$"
    AND NOT "${kernel_code}" STREQUAL ""
  )
    _cudnn_checked_put(result_kernel_word "${CMAKE_CUDA_ARCHITECTURES}")
    _cudnn_checked_put(result_kernel_code "${kernel_code}")
  endif()
endfunction()

# _cudnn_checked_other_headers(<compiled>)
#
# Refuses where the probe was compiled with the headers of another cuDNN than the one that was
# found: a flag or a variable of the compiler is to blame, and no file.
function(_cudnn_checked_other_headers compiled)
  _cudnn_checked_get(place)
  if(compiled STREQUAL "" OR compiled STREQUAL place_version)
    return()
  endif()
  set(flags "${CMAKE_CXX_FLAGS}")
  if(flags STREQUAL "")
    set(flags "(none)")
  endif()
  string(REPLACE ";" "," flags "${flags}")
  _cudnn_checked_name_directory(name CuDNNChecked_ROOT "the headers that the compiler sees")
  _cudnn_checked_refuse(NAME header-library-mismatch
    SUMMARY "the compiler sees the headers of another cuDNN than the one that was found"
    FACTS "found|${place_version}|${place_header}"
          "compiled with|${compiled}|CUDNN_VERSION in the probe" "flags|${flags}|CMAKE_CXX_FLAGS"
    BECAUSE "Programs of this project would be compiled with the headers of one release, and \
linked with the library of another."
    FIX "remove the other directory from CMAKE_CXX_FLAGS, CPATH and CPLUS_INCLUDE_PATH" "${name}"
  )
endfunction()

# _cudnn_checked_take_report()
#
# Takes what was proved from input_report, which the probe wrote on another machine, instead of
# running the probe here.  Puts result_*, or refusal where the configure program refuses the report: it is not
# whole, not finished, refused, contradicts itself, or is of another cuDNN than the one that was
# found.  What its findings mean was judged where it was written.
function(_cudnn_checked_take_report)
  _cudnn_checked_get(where input)
  set(proof "${slot_directory}/taken.proof")
  file(REMOVE "${proof}")
  _cudnn_checked_check_report(why "${proof}")
  _cudnn_checked_read_facts(whole "${proof}")
  if(NOT whole)
    _cudnn_checked_report_refusal("it cannot be checked here" "" "${why}")
  elseif(proof_summary)
    _cudnn_checked_report_refusal("${proof_summary}" "${proof_here}" "${proof_there}"
                                  "${proof_because}"
    )
  else()
    _cudnn_checked_put(result_report "${input_report}")
    _cudnn_checked_put(result_line "${proof_line}")
    _cudnn_checked_put_proof("")
  endif()
endfunction()

# Has the configure program write what the report proves, or why it cannot be used; <why> it wrote nothing.
function(_cudnn_checked_check_report why proof)
  _cudnn_checked_build_configure()
  _cudnn_checked_get(input place cuda configure)
  set(${why} "${configure_why}" PARENT_SCOPE)
  if(NOT configure_program)
    return()
  endif()
  set(components ${input_components})
  list(TRANSFORM components PREPEND "component=")
  set(operations ${input_operations})
  list(TRANSFORM operations PREPEND "operation=")
  execute_process(
    COMMAND
      ${configure_starter} "${configure_program}" configure proof "report=${input_report}"
      "require=${input_require}" "place=${place_version}" "header=${place_header}"
      "library=${place_library}" "toolkit=${cuda_version}" "cudart=${cuda_library}" ${components}
      ${operations}
    TIMEOUT 60
    RESULT_VARIABLE status
    OUTPUT_FILE "${proof}"
    ERROR_QUIET
  )
  set(${why} "${configure_program} ended with: ${status}" PARENT_SCOPE)
endfunction()

# _cudnn_checked_report_refusal(<summary> <here> <there> [<because>])
#
# Refuses where input_report cannot be used: <here>, a value and where it stands, and <there>,
# what the report has, differ.
function(_cudnn_checked_report_refusal summary here there)
  _cudnn_checked_get(input)
  set(facts "")
  if(NOT here STREQUAL "")
    set(facts "here|${here}")
  endif()
  # A semicolon would begin another fact.
  string(REPLACE ";" "," there "${there}")
  list(APPEND facts "report|${there}|${input_report}")
  set(because "${ARGN}")
  if(because STREQUAL "")
    set(because "What it proved does not apply to the cuDNN that is used here.")
  endif()
  _cudnn_checked_ways_to_a_report(fixes)
  _cudnn_checked_refuse(NAME bad-input
    SUMMARY "the report of the probe cannot be used: ${summary}"
    FACTS ${facts}
    BECAUSE "${because}"
    FIX ${fixes}
  )
endfunction()

# What to type here without a report, and there for another one.
function(_cudnn_checked_ways_to_a_report result)
  _cudnn_checked_get(where input configure)
  set(arguments "report=report.json")
  if(input_components)
    list(JOIN input_components "," components)
    string(APPEND arguments " components=${components}")
  endif()
  set(operations "")
  if(input_operations)
    list(JOIN input_operations "," operations)
    string(APPEND arguments " operations=${operations}")
    set(operations "--operations ${operations} ")
  endif()
  _cudnn_checked_unset_command(unset CuDNNChecked_PROBE_REPORT)
  get_filename_component(judge "${configure_prover}" NAME)
  set(copied "${configure_prover}, ${work_directory}/cudnn_checked_probe${CMAKE_EXECUTABLE_SUFFIX}")
  set(typed "./${judge} configure judge ${arguments}")
  if(WIN32)
    string(REPLACE "./" ".\\" typed "${typed}")
  endif()
  if(input_sweep)
    string(APPEND copied ", ${work_directory}/cudnn_checked_sweep")
    string(APPEND typed " sweep=${input_sweep} && ./cudnn_checked_sweep report=report.json")
  endif()
  string(REGEX REPLACE ", ([^,]*)$" " and \\1" copied "${copied}")
  string(APPEND copied " to where the program will run, and start it")
  set(fixes "${unset}" "copy ${copied} there as: ${typed}")
  if(NOT input_components AND NOT input_sweep)
    set(line "run there, with the directory of this cuDNN")
    list(APPEND fixes "${line}: cudnn-checked probe ${operations}--json DIRECTORY > report.json")
  endif()
  set(${result} "${fixes}" PARENT_SCOPE)
endfunction()
