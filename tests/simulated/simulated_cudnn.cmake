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
  _simulated_cudnn_headers_to_compile(headers)
  _simulated_parts()
  if(major GREATER_EQUAL 9)
    _simulated_cudnn_9()
  else()
    _simulated_cudnn_8()
  endif()
endfunction()

# _simulated_part(<name> SOURCES <source>... [DEFINITIONS ...] [OPTIONS ...])
# What libraries of every release of this major one have: OBJECTS <name>.
macro(_simulated_part name)
  _simulated_objects(simulated_cudnn${major}_${name} ${ARGN} INCLUDES ${headers})
endmacro()

macro(_simulated_parts)
  set(laboratory ../laboratory/simulated)
  set(fast "")
  if(CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
    # Nearly all that a run of the probe computes.
    set(fast OPTIONS -O3)
  endif()
  _simulated_part(convolution SOURCES cudnn/convolution.cpp)
  _simulated_part(engines SOURCES cudnn/engines.cpp cudnn/engine_faults.cpp cudnn/faulty_results.cpp)
  _simulated_part(convolve SOURCES cudnn/convolve.cpp ${fast})
  # Graphs of several operations, which only the laboratory asks for.
  _simulated_part(several SOURCES ${laboratory}/run_graph.cpp ${laboratory}/operation_nodes.cpp)
  _simulated_part(steps SOURCES ${laboratory}/operation_steps.cpp ${fast})
  _simulated_part(engine SOURCES cudnn/engine.cpp)
  _simulated_part(handle SOURCES cudnn/handle.cpp cudnn/engine_libraries.cpp)
  _simulated_part(backend SOURCES cudnn/attributes.cpp cudnn/attribute_rules.cpp cudnn/finalize.cpp cudnn/execute.cpp)
  _simulated_part(tensors SOURCES cudnn/tensors.cpp)
  _simulated_part(legacy SOURCES cudnn/legacy.cpp)
  _simulated_part(status SOURCES cudnn/status_names.cpp)
endmacro()

# The statuses of the release's header with their names, for cudnnGetErrorString().
function(_simulated_status_names)
  file(STRINGS "${_simulated_sources}/headers/status_${major}.h" rows REGEX " = [0-9]+,?$")
  set(text "")
  foreach(row IN LISTS rows)
    string(REGEX REPLACE "^ *([A-Z_]+) = ([0-9]+).*" "{\\2, \"\\1\"},\n" row "${row}")
    string(APPEND text "${row}")
  endforeach()
  file(CONFIGURE OUTPUT "simulated_headers/cudnn-${major}/status_names.inc" CONTENT "${text}" @ONLY)
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

# _simulated_sublibrary(<role> OBJECTS <part>... [NEEDS <role>...] [WORDS <definition>...])
# WORDS: what cudnn/release_words.cpp has for it besides the release.
# Where the role is not wanted it is built all the same if others need it, outside of the prefix.
function(_simulated_sublibrary role)
  cmake_parse_arguments(PARSE_ARGV 1 part "" "" "OBJECTS;NEEDS;WORDS")
  list(TRANSFORM part_OBJECTS PREPEND simulated_cudnn${major}_)
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
    SOURCES cudnn/release_words.cpp
    OBJECTS ${part_OBJECTS} simulated_driver_functions
    EXPORTS "cudnn*"
    LINKS ${needed}
    RUNPATH "${runpath}"
    OPTIONS ${options} -Wl,--build-id=${build_id}
    DEFINITIONS ${part_WORDS} SIMULATED_MAJOR=${major} SIMULATED_MINOR=${minor} SIMULATED_PATCH=${patch}
                SIMULATED_CUDNN_CUDART=${cudart_inside}
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
  _simulated_part(shim SOURCES cudnn/shim.cpp DEFINITIONS SIMULATED_GIVES_MAX_DEVICE)
  _simulated_sublibrary(shim OBJECTS shim)
  _simulated_sublibrary(
    graph OBJECTS handle backend status convolve convolution engines several steps
    WORDS SIMULATED_OWN_WORD=cudnn_graph_version SIMULATED_PROVIDES_SERVICES
  )
  _simulated_sublibrary(
    engines_runtime_compiled OBJECTS engine convolve convolution NEEDS graph WORDS SIMULATED_NEEDS_RELEASE
  )
  if("ops" IN_LIST roles OR "cnn" IN_LIST roles OR "adv" IN_LIST roles)
    _simulated_part(operations SOURCES ${laboratory}/activation.cpp ${laboratory}/batch_norm.cpp
                                       ${laboratory}/cross_channel_norm.cpp ${laboratory}/dropout.cpp ${laboratory}/pooling.cpp
                                       ${laboratory}/softmax.cpp ${laboratory}/spatial_transformer.cpp
                                       ${laboratory}/tensor_operations.cpp ${fast}
    )
    _simulated_sublibrary(ops OBJECTS tensors operations convolution NEEDS graph
                          WORDS SIMULATED_OWN_WORD=cudnn_ops_infer_version
    )
  endif()
  if("cnn" IN_LIST roles)
    _simulated_part(gradients SOURCES ${laboratory}/activated_convolution.cpp ${laboratory}/convolution_gradients.cpp)
    _simulated_sublibrary(cnn OBJECTS legacy gradients convolve convolution NEEDS ops graph WORDS SIMULATED_NEEDS_MINOR)
  endif()
  if("adv" IN_LIST roles)
    _simulated_part(
      adv SOURCES cudnn/part.cpp
      DEFINITIONS SIMULATED_CHECK=cudnnAdvVersionCheck SIMULATED_CHECKED_WORD=cudnn_ops_infer_version
    )
    _simulated_part(recurrent SOURCES ${laboratory}/ctc_loss.cpp ${laboratory}/recurrent.cpp ${laboratory}/recurrent_calls.cpp ${fast})
    _simulated_sublibrary(adv OBJECTS adv recurrent convolution NEEDS ops graph WORDS SIMULATED_OWN_WORD=cudnn_adv_infer_version)
  endif()
  if("engines_precompiled" IN_LIST roles)
    _simulated_sublibrary(
      engines_precompiled OBJECTS engine convolve convolution NEEDS graph WORDS SIMULATED_NEEDS_RELEASE
    )
  endif()
  _simulated_part(other SOURCES cudnn/part.cpp)
  if("heuristic" IN_LIST roles)
    _simulated_sublibrary(heuristic OBJECTS other NEEDS graph WORDS SIMULATED_NEEDS_RELEASE)
  endif()
  foreach(role IN ITEMS engines_tensor_ir ext)
    if(role IN_LIST roles)
      _simulated_sublibrary(${role} OBJECTS other NEEDS graph)
    endif()
  endforeach()
endmacro()

# _simulated_part_8(<role> <check> <checked word> [<own word>] NEEDS <role>...)
function(_simulated_part_8 role check checked)
  cmake_parse_arguments(PARSE_ARGV 3 arg8 "" "" "NEEDS")
  set(words "")
  if(arg8_UNPARSED_ARGUMENTS)
    set(words WORDS SIMULATED_OWN_WORD=${arg8_UNPARSED_ARGUMENTS})
  endif()
  if(role IN_LIST roles)
    _simulated_part(${role} SOURCES cudnn/part.cpp
                    DEFINITIONS SIMULATED_CHECK=${check} SIMULATED_CHECKED_WORD=${checked}
    )
    _simulated_sublibrary(${role} OBJECTS ${role} NEEDS ${arg8_NEEDS} ${words})
  endif()
endfunction()

macro(_simulated_cudnn_8)
  if(NOT arg_SUBLIBRARIES STREQUAL "full")
    message(FATAL_ERROR "simulated_sdk: cuDNN 8 is made whole; delete what shall be missing")
  endif()
  set(shim shim)
  set(definitions "")
  if(minor GREATER_EQUAL 6)
    set(shim shim_since_8_6)
    set(definitions DEFINITIONS SIMULATED_GIVES_MAX_DEVICE)
  endif()
  _simulated_part(${shim} SOURCES cudnn/shim.cpp ${definitions})
  _simulated_sublibrary(shim OBJECTS ${shim})
  _simulated_sublibrary(
    ops_infer OBJECTS handle tensors status convolve convolution
    WORDS SIMULATED_OWN_WORD=cudnn_ops_infer_version SIMULATED_PROVIDES_SERVICES
  )
  _simulated_sublibrary(
    cnn_infer OBJECTS legacy backend convolve convolution engines several steps NEEDS ops_infer
    WORDS SIMULATED_NEEDS_MINOR
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
