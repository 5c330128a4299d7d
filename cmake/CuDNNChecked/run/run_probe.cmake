# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_run_probe(run <verb> <seconds> <name> <report> prover place cuda [<argument>...])
#
# Has the configure program run cudnn_checked_<name> under a time limit, and judge (tool/prove).
# Sets
#   run_status   "ok", "refused", "usage", "crashed", "timeout", "ended", "not-loaded" or
#                "not-started"; "ended": with a status that no file of this run explains;
#                "not-loaded": it lacks a library
#   run_text     what was printed: one line on what was proved, unless it refuses, and the findings
#   run_signal   where it crashed: "SIGSEGV"; where it ended: the status; where it was not started:
#                the status or the error
#   run_stage    where it did not finish: what it was doing; run_stage_kind: "kernel", "operation"
#   run_errors   the last of what the program printed, and how much was left out
function(
  _cudnn_checked_run_probe
  run
  verb
  seconds
  name
  report
  prover
  place
  cuda
)
  file(REMOVE "${report}" "${report}.proof" "${report}.end" "${report}.told")
  get_filename_component(directory "${report}" DIRECTORY)
  file(MAKE_DIRECTORY "${directory}")
  # A limit for the judge itself.
  string(REGEX REPLACE "[.].*$" "" longest "0${seconds}")
  math(EXPR longest "${longest} + 60")
  _cudnn_checked_start_prover(ended output errors ${longest} ${verb} ${name} prover place cuda
                              "report=${report}"
                              "seconds=${seconds}" ${ARGN}
  )
  # Lines of Windows.
  string(REPLACE "\r\n" "\n" output "${output}")
  string(REPLACE "\r\n" "\n" errors "${errors}")
  string(REGEX REPLACE "\n+$" "" errors "${errors}")
  set(run_text "${output}")
  set(run_errors "${errors}")
  _cudnn_checked_read_end(run "${ended}" "${report}" "${prover_program}")
  _cudnn_checked_hand_up(run)
endfunction()

# _cudnn_checked_start_prover(<status> <output> <errors> <seconds> <verb> <name> prover place cuda
#                             [<key=value>...])
#
# Has the program that judges answer about cudnn_checked_<name>, in the environment in
# which that is run.
function(
  _cudnn_checked_start_prover
  status
  output
  errors
  seconds
  verb
  name
  prover
  place
  cuda
)
  _cudnn_checked_get(where)
  # Leaks of the libraries are not what is asked; the user's own options come later and win.
  set(sanitizer "$ENV{ASAN_OPTIONS}")
  set(ENV{ASAN_OPTIONS} "detect_leaks=0:${sanitizer}")
  _cudnn_checked_loader_variable(loader value place cuda)
  if(loader)
    set(loader_before "$ENV{${loader}}")
    set(ENV{${loader}} "${value}")
  endif()
  set(start "")
  if(NOT WIN32)
    set(start ${CMAKE_CROSSCOMPILING_EMULATOR})
    list(TRANSFORM start PREPEND "start=")
  endif()
  execute_process(
    COMMAND
      ${prover_starter} "${prover_program}" configure ${verb} ${start}
      "program=${work_directory}/cudnn_checked_${name}${CMAKE_EXECUTABLE_SUFFIX}" ${ARGN}
    WORKING_DIRECTORY "${work_directory}"
    TIMEOUT ${seconds}
    RESULT_VARIABLE ended
    OUTPUT_VARIABLE said
    ERROR_VARIABLE said_wrong
  )
  if(loader)
    _cudnn_checked_set_environment(${loader} "${loader_before}")
  endif()
  _cudnn_checked_set_environment(ASAN_OPTIONS "${sanitizer}")
  set(${status} "${ended}" PARENT_SCOPE)
  set(${output} "${said}" PARENT_SCOPE)
  set(${errors} "${said_wrong}" PARENT_SCOPE)
endfunction()

# Sets a variable of the environment; an empty value removes it.
function(_cudnn_checked_set_environment name value)
  if(value STREQUAL "")
    unset(ENV{${name}})
  else()
    set(ENV{${name}} "${value}")
  endif()
endfunction()

# Sets run_status, run_signal and run_stage, from the exit status of the <judge> (docs/configure.md)
# and the files that it has written, and from run_text.  A status alone proves nothing: what starts
# the judge may have ended with it.
function(_cudnn_checked_read_end run ended report judge)
  _cudnn_checked_read_verdict(verdict "${report}.proof")
  _cudnn_checked_read_facts(whole "${report}.end" proof)
  set(run_status "")
  set(run_signal "")
  set(run_stage "")
  set(run_stage_kind "")
  if(ended STREQUAL "0" AND verdict STREQUAL "accepted")
    set(run_status ok)
  elseif(ended STREQUAL "1" AND verdict STREQUAL "refused" AND NOT run_text STREQUAL "")
    set(run_status refused)
  elseif(ended STREQUAL "2" AND NOT proof_option STREQUAL "")
    set(run_status usage)
  elseif(ended STREQUAL "3" AND NOT proof_ended STREQUAL "")
    set(run_status "${proof_ended}")
    set(run_signal "${proof_signal}")
    set(run_stage "${proof_step}")
    set(run_stage_kind "${proof_step_kind}")
  else()
    _cudnn_checked_end_of_judge(run_status run_signal "${ended}")
    set(run_stage "what ${judge} does, which runs it")
  endif()
  _cudnn_checked_hand_up(run)
endfunction()

# The judge itself was ended by a signal, or the system could not start it, for example on a file
# system that is mounted with noexec.  CMake reports the description of a signal, and since 3.31 the
# error of the system in lower case.
function(_cudnn_checked_end_of_judge status words ended)
  set(${status} ended PARENT_SCOPE)
  set(${words} "${ended}" PARENT_SCOPE)
  if(ended MATCHES "timeout")
    set(${status} timeout PARENT_SCOPE)
    set(${words} "" PARENT_SCOPE)
  elseif(
    NOT
      ended
        MATCHES
        "^[0-9]+$|SIG|Signal|fault|abort|[Bb]us|Illegal|Floating|interrupt|kill|terminated"
  )
    string(SUBSTRING "${ended}" 0 1 first)
    string(SUBSTRING "${ended}" 1 -1 rest)
    string(TOUPPER "${first}" first)
    set(${status} not-started PARENT_SCOPE)
    set(${words} "${first}${rest}" PARENT_SCOPE)
  endif()
endfunction()

# The arguments of the probe: only options that were set.
function(_cudnn_checked_probe_arguments result place input)
  string(TOLOWER "${input_require}" require)
  # An emulator of user programs shows this machine's GPUs, and no driver that it could load.
  if(require STREQUAL "auto" AND CMAKE_CROSSCOMPILING)
    if("${CMAKE_CROSSCOMPILING_EMULATOR}" MATCHES "(^|/)qemu-[a-z0-9_]+(-static)?(;|$)")
      set(require loaded)
    endif()
  endif()
  set(arguments "require=${require}" "header=${place_header}" "found=${place_version}")
  _cudnn_checked_add_words(arguments linked "${place_library}")
  _cudnn_checked_add_words(arguments flags "${CMAKE_CXX_FLAGS}")
  foreach(option IN ITEMS components convolutions operations devices)
    if(NOT "${input_${option}}" STREQUAL "")
      list(JOIN input_${option} "," value)
      list(APPEND arguments "${option}=${value}")
    endif()
  endforeach()
  if(input_sweep)
    list(APPEND arguments "sweep=${input_sweep}")
  endif()
  if(input_roots)
    list(APPEND arguments "named=CuDNNChecked_ROOT")
  endif()
  # A fix for the kernel is a command that configures again; it cannot change a value that the
  # project sets.
  _cudnn_checked_kernel_variables(kernel)
  if(kernel AND "${CMAKE_CUDA_ARCHITECTURES}" STREQUAL "$CACHE{CMAKE_CUDA_ARCHITECTURES}")
    list(APPEND arguments "cmake=${CMAKE_COMMAND}" "build=${CMAKE_BINARY_DIR}")
  endif()
  set(${result} "${arguments}" PARENT_SCOPE)
endfunction()
