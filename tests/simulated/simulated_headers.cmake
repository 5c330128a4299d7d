# SPDX-License-Identifier: BSD-3-Clause
#
# The headers, put together from the parts in headers/.

# _simulated_header(<file> INCLUDES <text>... PARTS <part>... DECLARATIONS <text>...)
function(_simulated_header file)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "INCLUDES;PARTS;DECLARATIONS")
  get_filename_component(name "${file}" NAME)
  string(TOUPPER "SIMULATED_${name}" guard)
  string(MAKE_C_IDENTIFIER "${guard}" guard)
  set(text "// SPDX-License-Identifier: BSD-3-Clause\n#ifndef ${guard}\n#define ${guard}\n\n")
  foreach(included IN LISTS arg_INCLUDES)
    string(APPEND text "#include ${included}\n")
  endforeach()
  if(arg_PARTS OR arg_DECLARATIONS)
    string(APPEND text "\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n")
    foreach(part IN LISTS arg_PARTS)
      file(READ "${_simulated_sources}/headers/${part}.h" content)
      string(REGEX REPLACE "^//[^\n]*\n" "\n" content "${content}")
      string(APPEND text "${content}")
    endforeach()
    foreach(function IN LISTS arg_DECLARATIONS)
      string(APPEND text "\ncudnnStatus_t CUDNNWINAPI ${function}(void);\n")
    endforeach()
    string(APPEND text "\n#ifdef __cplusplus\n}\n#endif\n")
  endif()
  string(APPEND text "\n#endif\n")
  file(CONFIGURE OUTPUT "${file}" CONTENT "${text}" @ONLY)
endfunction()

# The headers of cuDNN; reads major, minor, patch and max_device of the caller.
function(_simulated_cudnn_headers)
  set(directory "${include}")
  set(suffix "")
  if(arg_LAYOUT STREQUAL "debian")
    set(directory "${include}/${triplet}")
    set(suffix "_v${major}")
  endif()
  _simulated_version_header("${directory}/cudnn_version${suffix}.h")
  set(
    base
    INCLUDES
    <stddef.h>
    <stdint.h>
    <cuda_runtime_api.h>
    "\"cudnn_version.h\""
  )
  if(major GREATER_EQUAL 9)
    set(
      names
      cudnn
      cudnn_version
      cudnn_graph
      cudnn_ops
      cudnn_cnn
      cudnn_adv
      cudnn_backend
    )
    _simulated_header("${directory}/cudnn_graph${suffix}.h" ${base} PARTS status_9 common backend
                      DECLARATIONS cudnnGraphVersionCheck
    )
    _simulated_header("${directory}/cudnn_ops${suffix}.h" INCLUDES "\"cudnn_graph.h\""
                      PARTS tensors operations DECLARATIONS cudnnOpsVersionCheck
    )
    _simulated_header("${directory}/cudnn_cnn${suffix}.h" INCLUDES "\"cudnn_ops.h\""
                      PARTS convolutions gradients DECLARATIONS cudnnCnnVersionCheck
    )
    _simulated_header("${directory}/cudnn_adv${suffix}.h" INCLUDES "\"cudnn_ops.h\""
                      PARTS recurrent DECLARATIONS cudnnAdvVersionCheck
    )
    _simulated_header("${directory}/cudnn_backend${suffix}.h" INCLUDES "\"cudnn_graph.h\"")
    set(all "\"cudnn_graph.h\"" "\"cudnn_ops.h\"" "\"cudnn_adv.h\"" "\"cudnn_cnn.h\"")
  else()
    set(names cudnn cudnn_version cudnn_backend)
    _simulated_header("${directory}/cudnn_ops_infer${suffix}.h" ${base}
                      PARTS status_8 common tensors DECLARATIONS cudnnOpsInferVersionCheck
    )
    _simulated_header("${directory}/cudnn_backend${suffix}.h" INCLUDES "\"cudnn_ops_infer.h\""
                      PARTS backend
    )
    _simulated_header("${directory}/cudnn_cnn_infer${suffix}.h" INCLUDES "\"cudnn_backend.h\""
                      PARTS convolutions DECLARATIONS cudnnCnnInferVersionCheck
    )
    foreach(sub IN ITEMS ops_train:Ops cnn_train:Cnn adv_infer:Adv adv_train:Adv)
      string(REGEX MATCH "^(([a-z]+)_([a-z])([a-z]+)):(.*)" whole "${sub}")
      string(TOUPPER "${CMAKE_MATCH_3}" first)
      _simulated_header("${directory}/cudnn_${CMAKE_MATCH_1}${suffix}.h"
                        INCLUDES "\"cudnn_ops_infer.h\""
                        DECLARATIONS cudnn${CMAKE_MATCH_5}${first}${CMAKE_MATCH_4}VersionCheck
      )
    endforeach()
    set(all "")
    foreach(
      sub
      IN
      ITEMS ops_infer ops_train adv_infer adv_train cnn_infer cnn_train
    )
      list(APPEND names cudnn_${sub})
      list(APPEND all "\"cudnn_${sub}.h\"")
    endforeach()
    list(APPEND all "\"cudnn_backend.h\"")
  endif()
  _simulated_header("${directory}/cudnn${suffix}.h" INCLUDES <cuda_runtime_api.h>
                    "\"cudnn_version.h\"" ${all}
  )
  if(arg_LAYOUT STREQUAL "debian")
    foreach(name IN LISTS names)
      file(CREATE_LINK "${triplet}/${name}${suffix}.h" "${include}/${name}.h" SYMBOLIC)
    endforeach()
  endif()
endfunction()

# Without <minor> it has the major release alone.
function(_simulated_version_header file)
  if(minor STREQUAL "")
    file(CONFIGURE OUTPUT "${file}" CONTENT "#pragma once\n#define CUDNN_MAJOR @major@\n" @ONLY)
    return()
  endif()
  set(factor 1000)
  if(major GREATER_EQUAL 9)
    set(factor 10000)
  endif()
  math(EXPR sm_major "${max_device} / 100")
  math(EXPR sm_minor "${max_device} % 100 / 10")
  file(
    CONFIGURE
    OUTPUT "${file}"
    @ONLY
    CONTENT
      "// SPDX-License-Identifier: BSD-3-Clause
#ifndef CUDNN_VERSION_H_
#define CUDNN_VERSION_H_

#define CUDNN_MAJOR @major@
#define CUDNN_MINOR @minor@
#define CUDNN_PATCHLEVEL @patch@

#define CUDNN_VERSION (CUDNN_MAJOR * @factor@ + CUDNN_MINOR * 100 + CUDNN_PATCHLEVEL)

#define CUDNN_MAX_SM_MAJOR_NUMBER @sm_major@
#define CUDNN_MAX_SM_MINOR_NUMBER @sm_minor@
#define CUDNN_MAX_DEVICE_VERSION (CUDNN_MAX_SM_MAJOR_NUMBER * 100 + CUDNN_MAX_SM_MINOR_NUMBER * 10)

#endif
"
  )
endfunction()

# _simulated_cuda_headers_to_compile(<result> <version>)
# Headers of that CUDA outside of the prefix, where they have the same path in each build.
function(_simulated_cuda_headers_to_compile result arg_CUDA)
  set(cuda_include "${CMAKE_CURRENT_BINARY_DIR}/simulated_headers/cuda-${arg_CUDA}")
  set(crt_include "${cuda_include}")
  _simulated_cuda_headers()
  set(${result} "${cuda_include}" PARENT_SCOPE)
endfunction()

# _simulated_cudnn_headers_to_compile(<result>)
# The same of cuDNN, and with them the headers of one CUDA, of which cuDNN needs types.  The sources of the libraries
# know the major release only: what depends on more is in cudnn/release_words.cpp.
function(_simulated_cudnn_headers_to_compile result)
  set(include "${CMAKE_CURRENT_BINARY_DIR}/simulated_headers/cudnn-${major}")
  set(arg_LAYOUT flat)
  set(minor "")
  set(patch "")
  _simulated_cudnn_headers()
  _simulated_cuda_headers_to_compile(cuda 13.0)
  set(${result} "${include}" "${cuda}" PARENT_SCOPE)
endfunction()

# The headers of CUDA; reads arg_CUDA, cuda_include and crt_include of the caller.
function(_simulated_cuda_headers)
  _simulated_cuda_number(cudart_number "${arg_CUDA}")
  foreach(name IN ITEMS cuda_runtime_api.h cuda.h)
    configure_file("${_simulated_sources}/headers/${name}.in" "${cuda_include}/${name}" @ONLY)
  endforeach()
  foreach(name IN ITEMS cuda_runtime.h driver_types.h library_types.h)
    configure_file("${_simulated_sources}/headers/${name}" "${cuda_include}/${name}" COPYONLY)
  endforeach()
  configure_file(
    "${_simulated_sources}/headers/host_defines.h"
    "${crt_include}/crt/host_defines.h"
    COPYONLY
  )
endfunction()

# "12.9" -> 12090
function(_simulated_cuda_number result version)
  if(NOT version MATCHES "^([0-9]+)\\.([0-9]+)$")
    message(FATAL_ERROR "simulated_sdk: \"${version}\" is no version of CUDA, as 13.0 is")
  endif()
  math(EXPR number "${CMAKE_MATCH_1} * 1000 + ${CMAKE_MATCH_2} * 10")
  set(${result} ${number} PARENT_SCOPE)
endfunction()
