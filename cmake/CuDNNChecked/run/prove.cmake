# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_prove()
#
# Goes from level to level: located, linked, and what the probe reaches when it runs.  Sets input_*,
# place_*, cuda_* and result_*; or puts refusal, the message that says why not.
function(_cudnn_checked_prove)
  _cudnn_checked_put(refusal "")
  _cudnn_checked_new(named)
  _cudnn_checked_steps(claim_work
                       read_inputs
                       lock_work
                       read_roots
                       locate_cudnn
                       check_release
                       locate_cuda
                       check_paths
                       find_links
                       reach_level
                       check_components
  )
  _cudnn_checked_hand_up(input place cuda result)
endfunction()

# Calls these functions until one of them refuses.  A macro, because they set what they find out in
# the function that calls this.
macro(_cudnn_checked_steps)
  foreach(step IN ITEMS ${ARGN})
    cmake_language(CALL _cudnn_checked_${step})
    _cudnn_checked_get(refusal)
    if(refusal)
      break()
    endif()
  endforeach()
endmacro()

# Sets named_roots, the places that CuDNNChecked_ROOT names.
function(_cudnn_checked_read_roots)
  _cudnn_checked_root_places(roots)
  set(named_roots "${roots}" PARENT_SCOPE)
endfunction()

# Sets place_*.
function(_cudnn_checked_locate_cudnn)
  get_property(pinned GLOBAL PROPERTY _cudnn_checked_pinned)
  if(pinned)
    _cudnn_checked_use_pinned("${pinned}")
  else()
    _cudnn_checked_find_cudnn()
  endif()
  _cudnn_checked_hints(hints)
  list(APPEND hints CMAKE_PREFIX_PATH CONDA_PREFIX)
  if(named_roots)
    set(hints CuDNNChecked_ROOT)
  endif()
  _cudnn_checked_hint_refusal(${hints})
  _cudnn_checked_hand_up(place)
endfunction()

# Refuses if a required component exists only in releases after the one that was found.
function(_cudnn_checked_check_release)
  _cudnn_checked_missing_components(missing)
  if(missing)
    _cudnn_checked_advised_refusal(components "found=${place_version}" "library=${place_library}")
  endif()
endfunction()

# Sets cuda_*.
function(_cudnn_checked_locate_cuda)
  _cudnn_checked_find_cuda("${place_prefix}")
  _cudnn_checked_find_opened(cuda_opened "${place_prefix}")
  _cudnn_checked_hint_refusal(CUDAToolkit_ROOT CUDA_PATH CUDA_HOME CMAKE_PREFIX_PATH)
  _cudnn_checked_hand_up(cuda)
endfunction()

function(_cudnn_checked_check_paths)
  _cudnn_checked_get(where)
  _cudnn_checked_path_refusal("${place_include}" "${place_library}" ${cuda_include}
                              "${cuda_library}" ${cuda_opened} "${tool_directory}"
  )
endfunction()

function(_cudnn_checked_check_components)
  _cudnn_checked_missing_components(missing)
  if(NOT missing)
    return()
  endif()
  list(JOIN missing ", " names)
  # A package whose record has the file that is missing lacks it by accident.
  _cudnn_checked_wheel_record(why "${place_prefix}")
  set(advice install)
  if(why)
    set(advice again-or-new)
  endif()
  _cudnn_checked_refuse(NAME sublibrary-missing
    SUMMARY "this cuDNN has no library for a component that is asked for: ${names}"
    FACTS "asked for|${names}|COMPONENTS" "cuDNN|${place_version}|${place_library}"
    BECAUSE "A program that needs it would fail when it calls it."
    ADVISE ${advice} "file=${place_library}" "release=${place_version}"
    FIX "ask for COMPONENTS without ${names}"
  )
endfunction()

# The components that are required and have no library.
function(_cudnn_checked_missing_components result)
  set(missing "")
  foreach(component IN LISTS input_components)
    _cudnn_checked_component_file(file ${component})
    if(file STREQUAL "")
      list(APPEND missing ${component})
    endif()
  endforeach()
  set(${result} "${missing}" PARENT_SCOPE)
endfunction()

# A build tree has one cuDNN, because imported targets cannot be changed: refuses a later
# find_package that asks for another cuDNN than the first one.  Sets place_*.
function(_cudnn_checked_use_pinned prefix)
  _cudnn_checked_find_in_prefix("${prefix}")
  _cudnn_checked_version_request(words fits "${found_version}")
  set(places "${named_roots}")
  _cudnn_checked_wheels_below(places)
  set(roots ${places})
  list(TRANSFORM roots REPLACE "^[^\t]*\t" "")
  list(TRANSFORM roots REPLACE "(.)/+$" "\\1")
  set(asked "")
  if(NOT fits)
    set(asked "asked for|cuDNN ${words}|find_package")
  elseif(roots AND NOT "${prefix}" IN_LIST roots)
    list(GET roots 0 root)
    list(GET places 0 place)
    _cudnn_checked_read_place(label _ "${place}")
    set(asked "asked for|${root}|${label}")
  endif()
  if(asked)
    _cudnn_checked_refuse(NAME cudnn-not-found
      SUMMARY "this build tree already uses another cuDNN than the one asked for"
      FACTS "${asked}" "in use|cuDNN ${found_version}|${found_library}"
      BECAUSE "All targets of a build tree share one CuDNNChecked::cudnn."
      FIX "ask for the same cuDNN in every find_package(CuDNNChecked)"
    )
  endif()
  _cudnn_checked_place_of_found("${prefix}")
  _cudnn_checked_hand_up(place)
endfunction()

# Proves a located cuDNN up to the required level, or takes the result of an earlier configure with
# the same signature.  Sets result_*.
function(_cudnn_checked_reach_level)
  _cudnn_checked_slot_of_request(slot_directory)
  _cudnn_checked_get(where)
  _cudnn_checked_build_signature(build)
  _cudnn_checked_run_signature(run)
  string(MD5 run_signature "${build}${run}")
  _cudnn_checked_new(built prover run)
  string(MD5 built_signature "${build}")
  _cudnn_checked_kept_result(kept "${slot_directory}/result.txt" "${run_signature}")
  if(kept)
    _cudnn_checked_hand_up(result)
    return()
  endif()
  if(input_require STREQUAL "LOCATED")
    _cudnn_checked_unproved_result(located "CuDNNChecked_REQUIRE=LOCATED")
  else()
    set(sweep "")
    if(input_sweep)
      _cudnn_checked_load(run/run_sweep)
      set(sweep sweep)
    endif()
    _cudnn_checked_steps(prepare_directories link_probe load_and_run ${sweep})
  endif()
  _cudnn_checked_get(refusal)
  if(NOT refusal)
    _cudnn_checked_keep_result("${slot_directory}/result.txt" "${run_signature}")
  endif()
  _cudnn_checked_hand_up(result)
endfunction()

# The directory in which the report and the result of this request lie.
function(_cudnn_checked_slot_of_request result)
  _cudnn_checked_get(where)
  list(JOIN input_components "-" slot)
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

# Refuses if a file or directory of an earlier run, or of another program, keeps the proof from
# writing its reports.
function(_cudnn_checked_prepare_directories)
  _cudnn_checked_get(where)
  foreach(directory IN ITEMS "${work_directory}/build" "${slot_directory}")
    _cudnn_checked_get(refusal)
    if(NOT refusal)
      _cudnn_checked_unwritable("${directory}"
                                report.json report.json.proof report.json.end report.json.told
                                swept.json swept.json.proof swept.json.end swept.json.told
                                taken.proof result.txt result.txt.new
      )
    endif()
  endforeach()
endfunction()

# Reaches LINKED: an executable of the probe with this signature exists, and a program that runs it.
# Sets prover_*.
function(_cudnn_checked_link_probe)
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  if(NOT "CXX" IN_LIST languages)
    list(JOIN languages " " present)
    list(REMOVE_ITEM languages NONE)
    list(JOIN languages " " wanted)
    string(STRIP "${wanted} CXX" wanted)
    _cudnn_checked_refuse(NAME probe-not-compiled
      SUMMARY "the probe is C++, and this project does not enable that language"
      FACTS "languages|${present}|project()"
      FIX "project(... LANGUAGES ${wanted}), before find_package(CuDNNChecked)"
    )
    return()
  endif()
  _cudnn_checked_kernel_variables(kernel)
  if(NOT kernel STREQUAL "")
    set(kernel KERNEL)
  endif()
  _cudnn_checked_build_program(probe ${kernel})
  _cudnn_checked_get(refusal)
  if(refusal)
    return()
  elseif(built_status STREQUAL "ok")
    _cudnn_checked_build_prover()
    _cudnn_checked_hand_up(prover)
    return()
  endif()
  set(kind probe)
  if(built_status STREQUAL "no-kernel")
    set(kind kernel)
  endif()
  cmake_language(CALL _cudnn_checked_facts_of_${kind} facts)
  _cudnn_checked_build_refusal(${kind} ${facts})
endfunction()

# Reaches LOADED or RAN, as the probe reports, or LINKED if the probe cannot or must not run here.
# Sets result_*.
function(_cudnn_checked_load_and_run)
  _cudnn_checked_get(where)
  if(input_require STREQUAL "LINKED")
    _cudnn_checked_unproved_result(linked "CuDNNChecked_REQUIRE=LINKED")
  elseif(input_report)
    _cudnn_checked_take_report()
  elseif(CMAKE_CROSSCOMPILING AND NOT CMAKE_CROSSCOMPILING_EMULATOR)
    if(input_require STREQUAL "AUTO")
      _cudnn_checked_unproved_result(linked "cross-compiling without CMAKE_CROSSCOMPILING_EMULATOR")
    else()
      _cudnn_checked_cross_refusal()
    endif()
  else()
    set(report "${slot_directory}/report.json")
    _cudnn_checked_probe_arguments(arguments)
    _cudnn_checked_run_probe(judge ${input_timeout} probe "${report}" ${arguments})
    if(run_status STREQUAL "ok")
      _cudnn_checked_read_proof("${report}" "${run_text}")
    else()
      _cudnn_checked_run_refusal()
    endif()
  endif()
  _cudnn_checked_hand_up(result)
endfunction()

# Refuses because the required level needs a run of the probe, and the probe is built for another
# machine.
function(_cudnn_checked_cross_refusal)
  _cudnn_checked_get(where)
  # Configures again with an emulator, where one for this machine is there.
  set(fix "")
  _cudnn_checked_target_machine(machine folders)
  _cudnn_checked_spelling("")
  string(REPLACE "MACHINE" "${machine}" emulators "${emulators}")
  _cudnn_checked_on_path(found ${emulators})
  if(found)
    _cudnn_checked_set_command(fix CMAKE_CROSSCOMPILING_EMULATOR "${found}")
  endif()
  _cudnn_checked_set_command(auto CuDNNChecked_REQUIRE AUTO)
  set(judge "${work_directory}/cudnn_checked_target_judge${CMAKE_EXECUTABLE_SUFFIX}")
  _cudnn_checked_refuse(NAME not-verified
    SUMMARY "the level that is required cannot be reached in this cross build"
    FACTS "required|${input_require}|CuDNNChecked_REQUIRE"
          "reached|LINKED|CMAKE_CROSSCOMPILING_EMULATOR is not set"
    BECAUSE "The probe is built for another machine and cannot be started here."
    FIX ${fix} "${auto}"
        "name the report that ${judge} wrote there in CuDNNChecked_PROBE_REPORT"
  )
endfunction()

# The arguments of the probe: only options that were set.
function(_cudnn_checked_probe_arguments result)
  string(TOLOWER "${input_require}" require)
  # An emulator of user programs shows this machine's GPUs, and no driver that it could load.
  if(require STREQUAL "auto" AND CMAKE_CROSSCOMPILING)
    if("${CMAKE_CROSSCOMPILING_EMULATOR}" MATCHES "(^|/)qemu-[a-z0-9_]+(-static)?(;|$)")
      set(require loaded)
    endif()
  endif()
  set(arguments "require=${require}" "header=${place_header}")
  foreach(option IN ITEMS components convolutions operations devices)
    if(NOT "${input_${option}}" STREQUAL "")
      list(JOIN input_${option} "," value)
      list(APPEND arguments "${option}=${value}")
    endif()
  endforeach()
  if(input_sweep)
    list(APPEND arguments "sweep=${input_sweep}")
  endif()
  if(named_roots)
    list(APPEND arguments "named=CuDNNChecked_ROOT")
  endif()
  # A fix for the kernel is a command that configures again; it cannot change a value that the
  # project sets.
  _cudnn_checked_kernel_variables(kernel)
  if(kernel AND "${CMAKE_CUDA_ARCHITECTURES}" STREQUAL "$CACHE{CMAKE_CUDA_ARCHITECTURES}")
    _cudnn_checked_cmake_program(cmake)
    list(APPEND arguments "cmake=${cmake}" "build=${CMAKE_BINARY_DIR}")
  endif()
  set(${result} "${arguments}" PARENT_SCOPE)
endfunction()
