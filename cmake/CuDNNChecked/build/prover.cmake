# SPDX-License-Identifier: BSD-3-Clause
#
# The program that runs the probe and judges.

# _cudnn_checked_build_prover(prover <built_signature>)
#
# Sets prover_program, which runs the probe and judges, and prover_starter, what it is started with;
# or puts refusal.  It is the program that writes messages, but in a cross build: there it is
# compiled as any program of the project, because it looks at files as the machine of the probe has
# them.
function(_cudnn_checked_build_prover prover built_signature)
  _cudnn_checked_get(where)
  if(CMAKE_CROSSCOMPILING AND NOT WIN32)
    set(prover_starter "${CMAKE_CROSSCOMPILING_EMULATOR}")
    _cudnn_checked_target_program(prover_program said target_judge "${built_signature}"
                                  -DCUDNN_CHECKED_JUDGE_ALONE
    )
  else()
    _cudnn_checked_build_judge(prover_program prover_starter why)
    get_property(said GLOBAL PROPERTY _cudnn_checked_configure_said)
  endif()
  _cudnn_checked_hand_up(prover)
  if(prover_program)
    return()
  endif()
  _cudnn_checked_write_refusal("${work_directory}" "${said}")
  _cudnn_checked_return_if_refused()
  if(CMAKE_CROSSCOMPILING AND NOT WIN32)
    _cudnn_checked_write("${work_directory}/build_judge.log" "${said}")
  endif()
  _cudnn_checked_plain_refusal("the program that runs the probe and judges does not compile")
endfunction()

# _cudnn_checked_build_prover_with_repairs(prover <built_signature>)
#
# Sets prover_program and prover_starter of one that has all verbs; empty where none can be
# compiled.
function(_cudnn_checked_build_prover_with_repairs prover built_signature)
  if(CMAKE_CROSSCOMPILING AND NOT WIN32)
    set(prover_starter "${CMAKE_CROSSCOMPILING_EMULATOR}")
    _cudnn_checked_target_program(prover_program said target_configure "${built_signature}")
  else()
    _cudnn_checked_build_configure(prover_program prover_starter why)
  endif()
  _cudnn_checked_hand_up(prover)
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
