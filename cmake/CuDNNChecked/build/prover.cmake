# SPDX-License-Identifier: BSD-3-Clause
#
# The program that runs the probe and judges.

# _cudnn_checked_build_prover(prover <output> <built_signature> judge|configure)
#
# Sets prover_program, which runs the probe and judges, without repairs (judge) or with all verbs
# (configure), and prover_starter, what it is started with.  It is the program that writes messages,
# but in a cross build: there it is compiled as any program of the project, because it looks at
# files as the machine of the probe has them.  Where it cannot be compiled, prover_program is empty,
# and <output> has the compiler's.
function(_cudnn_checked_build_prover prover output built_signature kind)
  if(CMAKE_CROSSCOMPILING AND NOT WIN32)
    set(prover_starter "${CMAKE_CROSSCOMPILING_EMULATOR}")
    set(definitions "")
    if(kind STREQUAL "judge")
      set(definitions -DCUDNN_CHECKED_JUDGE_ALONE)
    endif()
    _cudnn_checked_target_program(prover_program said target_${kind} "${built_signature}"
                                  ${definitions}
    )
  elseif(CMAKE_CROSSCOMPILING AND NOT CMAKE_CROSSCOMPILING_EMULATOR)
    # It runs no probe.
    _cudnn_checked_program_to_ask(prover_program prover_starter why ${kind})
    get_property(said GLOBAL PROPERTY _cudnn_checked_configure_said)
  else()
    _cudnn_checked_build_configure(prover_program prover_starter why ${kind})
    get_property(said GLOBAL PROPERTY _cudnn_checked_configure_said)
  endif()
  set(${output} "${said}" PARENT_SCOPE)
  _cudnn_checked_hand_up(prover)
endfunction()

# Refuses where there is no program that judges; <output> is its compiler's.
function(_cudnn_checked_prover_refusal output)
  _cudnn_checked_get(where)
  _cudnn_checked_write_refusal("${work_directory}" "${output}")
  _cudnn_checked_return_if_refused()
  if(CMAKE_CROSSCOMPILING AND NOT WIN32)
    _cudnn_checked_write("${work_directory}/build_judge.log" "${output}")
  endif()
  _cudnn_checked_plain_refusal("the program that runs the probe and judges does not compile")
endfunction()

# _cudnn_checked_target_program(<program> <output> <name> <built_signature> [<definition>...])
#
# cudnn_checked_<name> for the machine that is built for, of built_signature.  Where it cannot be
# compiled, <program> is empty, and <output> has the compiler's.
function(_cudnn_checked_target_program program output name built_signature)
  _cudnn_checked_get(where)
  set(file "${work_directory}/cudnn_checked_${name}${CMAKE_EXECUTABLE_SUFFIX}")
  _cudnn_checked_is_built(is_built "${file}" "${built_signature}")
  if(NOT is_built)
    file(REMOVE "${file}" "${file}.signature")
    _cudnn_checked_probe_compile_options(options)
    _cudnn_checked_own_release(release)
    _cudnn_checked_source(core core)
    _cudnn_checked_source(source configure)
    _cudnn_checked_try_program(is_built said "${file}"
      SOURCES "${core}" "${source}"
      DEFINITIONS
        ${ARGN}
        -DCUDNN_CHECKED_CORE_APART
        "-DCUDNN_CHECKED_PACKAGE_VERSION=\"${release}\""
        ${options}
      LIBRARIES ${CMAKE_DL_LIBS}
    )
    set(${output} "${said}" PARENT_SCOPE)
    if(is_built)
      _cudnn_checked_keep_program("${file}" "${built_signature}")
    else()
      set(file "")
    endif()
  endif()
  set(${program} "${file}" PARENT_SCOPE)
endfunction()
