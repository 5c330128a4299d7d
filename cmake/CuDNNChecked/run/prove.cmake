# SPDX-License-Identifier: BSD-3-Clause
#
# The road of find_package(CuDNNChecked): from the hints to what was proved.

# _cudnn_checked_prove(input place cuda proved)
#
# Goes from level to level: located, linked, and what the probe reaches when it runs.  Sets input_*,
# place_*, cuda_* and proved_*; or puts refusal, the message that says why not, and absent: "cudnn"
# where there was none, or "release" where there was none of that one.
function(_cudnn_checked_prove input place cuda proved)
  _cudnn_checked_put(refusal "")
  _cudnn_checked_put(absent "")
  _cudnn_checked_claim_work()
  _cudnn_checked_return_if_refused()
  _cudnn_checked_read_inputs(input)
  _cudnn_checked_return_if_refused()
  _cudnn_checked_lock_work("${input_timeout}")
  _cudnn_checked_return_if_refused()
  _cudnn_checked_root_places(input_roots)

  set(again TRUE)
  while(again)
    _cudnn_checked_put(absent cudnn)
    _cudnn_checked_locate_cudnn(place input)
    _cudnn_checked_return_if_refused()
    _cudnn_checked_check_release(place input)
    _cudnn_checked_return_if_refused()
    _cudnn_checked_put(absent "")
    _cudnn_checked_locate_cuda(cuda place input)
    _cudnn_checked_return_if_refused()
    _cudnn_checked_check_paths(place cuda)
    _cudnn_checked_return_if_refused()
    # On Windows one may turn out to be for another machine: the search goes on without it.
    _cudnn_checked_find_links(place cuda again input)
    _cudnn_checked_return_if_refused()
  endwhile()
  _cudnn_checked_find_opened(cuda_opened place cuda)

  _cudnn_checked_build_signature(build place cuda input)
  _cudnn_checked_run_signature(run place cuda input)
  string(MD5 signature "${build}${run}")
  _cudnn_checked_slot_of_request(slot_directory "${input_components}")
  _cudnn_checked_kept_result(proved kept "${slot_directory}/result.txt" "${signature}")
  if(NOT kept)
    string(MD5 built_signature "${build}")
    _cudnn_checked_reach_level(proved "${slot_directory}" "${built_signature}" place cuda input)
    _cudnn_checked_return_if_refused()
    _cudnn_checked_keep_result(proved "${slot_directory}/result.txt" "${signature}")
  endif()
  _cudnn_checked_check_components(place input)
  _cudnn_checked_return_if_refused()
  _cudnn_checked_hand_up(input place cuda proved)
endfunction()

# Sets place_*.
function(_cudnn_checked_locate_cudnn place input)
  get_property(pinned GLOBAL PROPERTY _cudnn_checked_pinned)
  if(pinned)
    _cudnn_checked_use_pinned(place "${pinned}" input)
  else()
    _cudnn_checked_find_cudnn(place input)
  endif()
  _cudnn_checked_hints(hints)
  list(APPEND hints CMAKE_PREFIX_PATH CONDA_PREFIX)
  if(input_roots)
    set(hints CuDNNChecked_ROOT)
  endif()
  _cudnn_checked_hint_refusal(${hints})
  _cudnn_checked_hand_up(place)
endfunction()

# Sets cuda_*.
function(_cudnn_checked_locate_cuda cuda place input)
  _cudnn_checked_find_cuda(cuda place input)
  _cudnn_checked_hint_refusal(CUDAToolkit_ROOT CUDA_PATH CUDA_HOME CMAKE_PREFIX_PATH)
  _cudnn_checked_hand_up(cuda)
endfunction()

# Refuses paths with which no target can be compiled.
function(_cudnn_checked_check_paths place cuda)
  _cudnn_checked_get(where)
  _cudnn_checked_path_refusal("${place_include}" "${place_library}" ${cuda_include}
                              "${cuda_library}" "${tool_directory}"
  )
endfunction()

# _cudnn_checked_slot_of_request(<result> <components>)
#
# The directory in which the report and the result of this request lie.
function(_cudnn_checked_slot_of_request result components)
  _cudnn_checked_get(where)
  list(JOIN components "-" slot)
  if(slot STREQUAL "")
    set(slot all)
  endif()
  _cudnn_checked_kernel_variables(kernel)
  if(NOT kernel STREQUAL "")
    # Directories of one project may differ in what they compile for.
    string(MD5 hash "${kernel}")
    string(SUBSTRING "${hash}" 0 8 hash)
    string(APPEND slot "-kernel-${hash}")
  endif()
  set(${result} "${work_directory}/${slot}" PARENT_SCOPE)
endfunction()

# _cudnn_checked_reach_level(proved <slot_directory> <built_signature> place cuda input)
#
# Proves a located cuDNN up to the required level.  Sets proved_*.  The reports lie in
# <slot_directory>; the programs have <built_signature>.
function(
  _cudnn_checked_reach_level
  proved
  slot_directory
  built_signature
  place
  cuda
  input
)
  if(input_require STREQUAL "LOCATED")
    _cudnn_checked_unproved_result(proved located "CuDNNChecked_REQUIRE=LOCATED"
                                   "${cuda_version}" "${place_version}"
    )
    _cudnn_checked_hand_up(proved)
    return()
  endif()
  _cudnn_checked_prepare_directories("${slot_directory}")
  _cudnn_checked_return_if_refused()
  _cudnn_checked_link_probe(prover "${built_signature}" place cuda input)
  _cudnn_checked_return_if_refused()
  _cudnn_checked_load_and_run(proved "${slot_directory}" "${built_signature}" prover place cuda
                              input
  )
  _cudnn_checked_return_if_refused()
  if(input_sweep)
    _cudnn_checked_load(run/run_sweep)
    _cudnn_checked_sweep(proved "${slot_directory}" "${built_signature}" prover place cuda input)
    _cudnn_checked_return_if_refused()
  endif()
  _cudnn_checked_hand_up(proved)
endfunction()

# Refuses if a file or directory of an earlier run, or of another program, keeps the proof from
# writing its reports.
function(_cudnn_checked_prepare_directories slot_directory)
  _cudnn_checked_get(where)
  _cudnn_checked_unwritable("${work_directory}/build")
  _cudnn_checked_return_if_refused()
  _cudnn_checked_unwritable("${slot_directory}"
                            report.json report.json.proof report.json.end report.json.told
                            swept.json swept.json.proof swept.json.end swept.json.told
                            taken.proof result.txt result.txt.new
  )
endfunction()

# Reaches LINKED: an executable of the probe with this signature exists, and a program that runs it.
# Sets prover_*.
function(
  _cudnn_checked_link_probe
  prover
  built_signature
  place
  cuda
  input
)
  _cudnn_checked_new(prover)
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  if(NOT "CXX" IN_LIST languages)
    set(words "")
    _cudnn_checked_add_words(words language ${languages})
    _cudnn_checked_explain("the probe is C++, and this project does not enable that language"
                           explain-language ${words}
    )
    return()
  endif()
  _cudnn_checked_kernel_variables(kernel)
  if(NOT kernel STREQUAL "")
    set(kernel KERNEL)
  endif()
  _cudnn_checked_build_program(built probe "${built_signature}" place cuda input ${kernel})
  _cudnn_checked_return_if_refused()
  if(built_status STREQUAL "ok")
    _cudnn_checked_build_prover(prover said "${built_signature}" judge)
    if(NOT prover_program)
      _cudnn_checked_prover_refusal("${said}")
    endif()
    _cudnn_checked_hand_up(prover)
  elseif(built_status STREQUAL "no-kernel")
    _cudnn_checked_facts_of_kernel(facts)
    _cudnn_checked_build_refusal(kernel "${built_log}" "${cuda_version}" place input ${facts})
  else()
    _cudnn_checked_facts_of_probe(facts place cuda)
    _cudnn_checked_build_refusal(probe "${built_log}" "${cuda_version}" place input ${facts})
  endif()
endfunction()

# Reaches LOADED or RAN, as the probe reports, or LINKED if the probe cannot or must not run here.
# Sets proved_*.
function(
  _cudnn_checked_load_and_run
  proved
  slot_directory
  built_signature
  prover
  place
  cuda
  input
)
  if(input_require STREQUAL "LINKED")
    _cudnn_checked_unproved_result(proved linked "CuDNNChecked_REQUIRE=LINKED" "${cuda_version}"
                                   "${place_version}"
    )
  elseif(input_report)
    _cudnn_checked_take_report(proved "${slot_directory}" "${built_signature}"
                               "${prover_program}" place cuda input
    )
  elseif(CMAKE_CROSSCOMPILING AND NOT CMAKE_CROSSCOMPILING_EMULATOR)
    if(input_require STREQUAL "AUTO")
      _cudnn_checked_judge_files(judged place cuda input)
      _cudnn_checked_return_if_refused()
      _cudnn_checked_unproved_result(proved linked
                                     "cross-compiling without CMAKE_CROSSCOMPILING_EMULATOR"
                                     "${cuda_version}" "${place_version}" ${judged}
      )
    else()
      _cudnn_checked_cross_refusal("${input_require}")
    endif()
  else()
    set(report "${slot_directory}/report.json")
    _cudnn_checked_probe_arguments(arguments place input)
    _cudnn_checked_run_probe(run judge ${input_timeout} probe "${report}" prover place cuda
                             ${arguments}
    )
    if(run_status STREQUAL "ok")
      _cudnn_checked_read_proof(proved "${report}" "${run_text}")
    else()
      _cudnn_checked_run_refusal("${built_signature}" "${slot_directory}" place cuda run input)
    endif()
  endif()
  _cudnn_checked_hand_up(proved)
endfunction()

# Refuses because the required level needs a run of the probe, and the probe is built for another
# machine.
function(_cudnn_checked_cross_refusal require)
  _cudnn_checked_get(where)
  _cudnn_checked_target_machine(machine folders)
  _cudnn_checked_platform(platform)
  _cudnn_checked_explain("the level that is required cannot be reached in this cross build"
    explain-level "require=${require}" "machine=${machine}" "system=${platform}"
    "judge=${work_directory}/cudnn_checked_target_judge${CMAKE_EXECUTABLE_SUFFIX}"
  )
endfunction()
