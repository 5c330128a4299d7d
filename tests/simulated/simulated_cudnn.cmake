# SPDX-License-Identifier: BSD-3-Clause
#
# The libraries of cuDNN: which there are, and what each NEEDs, is that of the real ones (readelf -d
# of 8.9, 9.14, 9.19 and 9.28).

function(_simulated_cudnn)
  if(NOT arg_CUDNN MATCHES "^([89])\\.([0-9]+)\\.([0-9]+)$")
    message(
      FATAL_ERROR
      "simulated_sdk: \"${arg_CUDNN}\" is no release of cuDNN 8 or 9, as 9.14.0 is"
    )
  endif()
  set(major ${CMAKE_MATCH_1})
  set(minor ${CMAKE_MATCH_2})
  set(patch ${CMAKE_MATCH_3})
  _simulated_limits()
  _simulated_roles(roles)
  _simulated_cudnn_headers()
  _simulated_status_names()
  # cuDNN's own sources need CUDA's headers too; without CUDA they are made out of the prefix.
  if(NOT arg_CUDA)
    set(arg_CUDA "${arg_CUDNN_CUDART}")
    set(cuda_include "${CMAKE_CURRENT_BINARY_DIR}/${id}_cuda")
    set(crt_include "${cuda_include}")
    _simulated_cuda_headers()
  endif()
  _simulated_objects(driver_functions cuda/driver_functions.cpp)
  _simulated_objects(convolution cudnn/convolution.cpp)
  _simulated_objects(engines cudnn/engines.cpp cudnn/engine_faults.cpp cudnn/faulty_results.cpp)
  _simulated_objects(convolve cudnn/convolve.cpp)
  _simulated_objects(several cudnn/run_graph.cpp cudnn/operation_nodes.cpp)
  _simulated_objects(steps cudnn/operation_steps.cpp)
  if(CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
    # Nearly all that a run of the probe computes.
    target_compile_options(${id}_convolve_objects PRIVATE -O3)
    target_compile_options(${id}_steps_objects PRIVATE -O3)
  endif()
  _simulated_sublibrary(shim SOURCES cudnn/shim.cpp)
  if(major GREATER_EQUAL 9)
    _simulated_cudnn_9()
  else()
    _simulated_cudnn_8()
  endif()
endfunction()

# The statuses of the release's header with their names, for cudnnGetErrorString().
function(_simulated_status_names)
  file(STRINGS "${_simulated_sources}/headers/status_${major}.h" rows REGEX " = [0-9]+,?$")
  set(text "")
  foreach(row IN LISTS rows)
    string(REGEX REPLACE "^ *([A-Z_]+) = ([0-9]+).*" "{\\2, \"\\1\"},\n" row "${row}")
    string(APPEND text "${row}")
  endforeach()
  file(CONFIGURE OUTPUT "${id}_status/status_names.inc" CONTENT "${text}" @ONLY)
endfunction()

# What the release supports where nobody says otherwise.  max_device was asked of releases from 8.8
# to 9.28, the steps between them are guessed; the lowest is of cuDNN's support matrix.
macro(_simulated_limits)
  set(max_device 900)
  set(lowest 50)
  if(major EQUAL 8)
    set(lowest 35)
  elseif(minor GREATER_EQUAL 14)
    set(max_device 1210)
  elseif(minor GREATER_EQUAL 7)
    set(max_device 1200)
  endif()
  if(major EQUAL 9 AND minor GREATER_EQUAL 11)
    set(lowest 75)
  endif()
  _simulated_default(arg_MAX_DEVICE ${max_device})
  _simulated_default(arg_LOWEST_ARCHITECTURE ${lowest})
  set(max_device ${arg_MAX_DEVICE})
  _simulated_cuda_number(cudart_inside "${arg_CUDNN_CUDART}")
endmacro()

function(_simulated_roles result)
  if(major EQUAL 8)
    set(
      known
      ops_infer
      ops_train
      cnn_infer
      cnn_train
      adv_infer
      adv_train
    )
  else()
    set(
      known
      graph
      ops
      cnn
      adv
      engines_precompiled
      engines_runtime_compiled
      heuristic
    )
    if(minor GREATER_EQUAL 21)
      list(APPEND known engines_tensor_ir)
    endif()
    if(minor GREATER_EQUAL 22)
      list(APPEND known ext)
    endif()
  endif()
  set(wanted "${arg_SUBLIBRARIES}")
  if(wanted STREQUAL "full")
    set(wanted ${known})
  elseif(wanted STREQUAL "jit")
    set(wanted graph engines_runtime_compiled)
  endif()
  foreach(role IN LISTS wanted)
    if(NOT role IN_LIST known)
      message(FATAL_ERROR "simulated_sdk: cuDNN ${arg_CUDNN} has no sub-library ${role}: ${known}")
    endif()
  endforeach()
  set(${result} "${wanted}" PARENT_SCOPE)
endfunction()

# _simulated_sublibrary(<role> SOURCES ... [OBJECTS ...] [NEEDS <role>...] [DEFINITIONS ...])
# Where the role is not wanted it is built all the same if others need it, outside of the prefix.
function(_simulated_sublibrary role)
  cmake_parse_arguments(PARSE_ARGV 1 part "" "" "SOURCES;OBJECTS;NEEDS;DEFINITIONS")
  set(name cudnn)
  set(directory "${lib}")
  if(NOT role STREQUAL "shim")
    set(name cudnn_${role})
    if(NOT role IN_LIST roles)
      set(directory "${CMAKE_CURRENT_BINARY_DIR}/${id}_left_out")
    endif()
  endif()
  set(version "${arg_CUDNN}")
  set(runpath "\$ORIGIN")
  if(arg_LAYOUT STREQUAL "wheel")
    set(version "")
    if(NOT role STREQUAL "shim")
      set(runpath "\$ORIGIN:\$ORIGIN/../../cublas/lib:\$ORIGIN/../../cuda_nvrtc/lib")
    endif()
  endif()
  # From 9.21 on the shim has RPATH, which the loader obeys before LD_LIBRARY_PATH.
  set(options -Wl,--enable-new-dtags)
  if(role STREQUAL "shim" AND major EQUAL 9 AND minor GREATER_EQUAL 21)
    set(options -Wl,--disable-new-dtags)
  endif()
  _simulated_build_id(build_id "lib${name}.so.${major}")
  set(needed "")
  foreach(other IN LISTS part_NEEDS)
    list(APPEND needed ${id}_${other})
  endforeach()
  # Seen in 9.27: without a driver these engines cannot be loaded at all.
  if(role STREQUAL "engines_runtime_compiled" AND major EQUAL 9 AND minor GREATER_EQUAL 27)
    _simulated_library(${id}_stub "${CMAKE_CURRENT_BINARY_DIR}/${id}_stub" cuda 1 1.0
                       SOURCES cuda/stub.cpp EXPORTS "cu*"
    )
    list(APPEND needed ${id}_stub)
  endif()
  _simulated_library(
    ${id}_${role} "${directory}" ${name} ${major} "${version}" NODE
    SOURCES ${part_SOURCES}
    OBJECTS ${part_OBJECTS}
    EXPORTS "cudnn*"
    LINKS ${needed}
    RUNPATH "${runpath}"
    OPTIONS ${options} -Wl,--build-id=${build_id}
    INCLUDES "${include}" "${cuda_include}" "${crt_include}" "${CMAKE_CURRENT_BINARY_DIR}/${id}_status"
    DEFINITIONS ${part_DEFINITIONS} SIMULATED_CUDNN_CUDART=${cudart_inside}
                SIMULATED_LOWEST_ARCHITECTURE=${arg_LOWEST_ARCHITECTURE}
                SIMULATED_MAX_DEVICE=${max_device}
  )
endfunction()

# The build id that a file gets: "sha1" (the linker's own), "none", or that of the real file.
function(_simulated_build_id result file)
  set(${result} sha1 PARENT_SCOPE)
  if(arg_BUILD_IDS STREQUAL "none")
    set(${result} none PARENT_SCOPE)
  elseif(arg_BUILD_IDS STREQUAL "catalogue")
    string(REGEX MATCH "^[0-9]+" cuda "${arg_CUDNN_CUDART}")
    set(set full)
    if("${arg_SUBLIBRARIES}" STREQUAL "jit")
      set(set jit)
    endif()
    string(REPLACE "." "\\." pattern "${file},([0-9a-f]+),${arg_CUDNN}.[0-9]+,${cuda},${set}")
    file(
      STRINGS
      "${_simulated_sources}/../../tool/data/catalogue/build_ids.csv"
      row
      REGEX "^${pattern}(,|$)"
      LIMIT_COUNT 1
    )
    if(NOT row MATCHES "^[^,]*,([0-9a-f]+),")
      message(
        FATAL_ERROR
        "simulated_sdk: the catalogue has no ${file} of ${arg_CUDNN} for CUDA "
        "${cuda} (${set} set)"
      )
    endif()
    set(${result} "0x${CMAKE_MATCH_1}" PARENT_SCOPE)
  endif()
endfunction()

macro(_simulated_cudnn_9)
  _simulated_sublibrary(
    graph SOURCES cudnn/handle.cpp cudnn/attributes.cpp cudnn/attribute_rules.cpp cudnn/finalize.cpp cudnn/execute.cpp
                  cudnn/engine_libraries.cpp cudnn/status_names.cpp
    OBJECTS convolve convolution driver_functions engines several steps
  )
  _simulated_sublibrary(
    engines_runtime_compiled SOURCES cudnn/engine.cpp OBJECTS convolve convolution NEEDS graph
  )
  if("ops" IN_LIST roles OR "cnn" IN_LIST roles OR "adv" IN_LIST roles)
    _simulated_sublibrary(ops SOURCES cudnn/tensors.cpp OBJECTS convolution NEEDS graph)
  endif()
  if("cnn" IN_LIST roles)
    _simulated_sublibrary(
      cnn SOURCES cudnn/legacy.cpp OBJECTS convolution driver_functions NEEDS ops graph
    )
  endif()
  if("adv" IN_LIST roles)
    _simulated_sublibrary(
      adv SOURCES cudnn/part.cpp NEEDS ops graph
      DEFINITIONS SIMULATED_OWN_WORD=cudnn_adv_infer_version SIMULATED_CHECK=cudnnAdvVersionCheck
                  SIMULATED_CHECKED_WORD=cudnn_ops_infer_version
    )
  endif()
  if("engines_precompiled" IN_LIST roles)
    _simulated_sublibrary(
      engines_precompiled SOURCES cudnn/engine.cpp OBJECTS convolve convolution NEEDS graph
    )
  endif()
  if("heuristic" IN_LIST roles)
    _simulated_sublibrary(
      heuristic SOURCES cudnn/part.cpp NEEDS graph DEFINITIONS SIMULATED_NEEDS_GRAPH
    )
  endif()
  foreach(role IN ITEMS engines_tensor_ir ext)
    if(role IN_LIST roles)
      _simulated_sublibrary(${role} SOURCES cudnn/part.cpp NEEDS graph)
    endif()
  endforeach()
endmacro()

# _simulated_part_8(<role> <check> <checked word> [<own word>] NEEDS <role>...)
function(_simulated_part_8 role check checked)
  cmake_parse_arguments(PARSE_ARGV 3 arg8 "" "" "NEEDS")
  set(definitions SIMULATED_CHECK=${check} SIMULATED_CHECKED_WORD=${checked})
  if(arg8_UNPARSED_ARGUMENTS)
    list(APPEND definitions SIMULATED_OWN_WORD=${arg8_UNPARSED_ARGUMENTS})
  endif()
  if(role IN_LIST roles)
    _simulated_sublibrary(${role} SOURCES cudnn/part.cpp NEEDS ${arg8_NEEDS}
                          DEFINITIONS ${definitions}
    )
  endif()
endfunction()

macro(_simulated_cudnn_8)
  if(NOT arg_SUBLIBRARIES STREQUAL "full")
    message(FATAL_ERROR "simulated_sdk: cuDNN 8 is made whole; delete what shall be missing")
  endif()
  _simulated_sublibrary(
    ops_infer SOURCES cudnn/handle.cpp cudnn/tensors.cpp cudnn/engine_libraries.cpp
                      cudnn/status_names.cpp
    OBJECTS convolve convolution driver_functions
  )
  _simulated_sublibrary(
    cnn_infer SOURCES cudnn/legacy.cpp cudnn/attributes.cpp cudnn/attribute_rules.cpp cudnn/finalize.cpp cudnn/execute.cpp
    OBJECTS convolve convolution driver_functions engines several steps
    NEEDS ops_infer
  )
  _simulated_part_8(ops_train cudnnOpsTrainVersionCheck cudnn_ops_infer_version
                    cudnn_ops_train_version NEEDS ops_infer
  )
  _simulated_part_8(cnn_train cudnnCnnTrainVersionCheck cudnn_ops_train_version
                    NEEDS ops_infer ops_train cnn_infer
  )
  _simulated_part_8(adv_infer cudnnAdvInferVersionCheck cudnn_ops_infer_version
                    cudnn_adv_infer_version NEEDS ops_infer
  )
  _simulated_part_8(adv_train cudnnAdvTrainVersionCheck cudnn_adv_infer_version
                    NEEDS ops_infer ops_train adv_infer
  )
endmacro()
