# SPDX-License-Identifier: BSD-3-Clause
#
# The test of the simulation: a machine and several SDKs.  Mixed and incomplete sets are tested by
# test_sets.py, which copies files between them.
include("${CMAKE_CURRENT_LIST_DIR}/fatbinary.cmake")

# _simulated_test(<name> EXPECT <regular expression> [ENVIRONMENT <NAME=value>...]
#                 [NO_DRIVER] COMMAND <argument>...)
function(_simulated_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "NO_DRIVER" "EXPECT" "ENVIRONMENT;COMMAND")
  add_test(NAME ${name} COMMAND self_test_${sdk} ${arg_COMMAND})
  set(path "LD_LIBRARY_PATH=${machine}")
  if(arg_NO_DRIVER)
    set(path "LD_LIBRARY_PATH=")
  endif()
  set_tests_properties(
    ${name}
    PROPERTIES
      PASS_REGULAR_EXPRESSION "${arg_EXPECT}"
      TIMEOUT 30
      ENVIRONMENT "${path};${arg_ENVIRONMENT}"
  )
endfunction()

# An SDK with the program that tests it: sets sdk.
macro(_simulated_sdk_to_test name)
  set(sdk ${name})
  simulated_sdk(PREFIX "${CMAKE_CURRENT_BINARY_DIR}/${name}" ${ARGN})
  get_property(number GLOBAL PROPERTY simulated_sdk_count)
  add_executable(self_test_${name} "${CMAKE_CURRENT_LIST_DIR}/self_test.cpp")
  set_target_properties(
    self_test_${name}
    PROPERTIES CXX_STANDARD 17 CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF
  )
  target_include_directories(
    self_test_${name}
    PRIVATE "${simulated_sdk_include}" "${simulated_sdk_cuda_include}"
  )
  target_link_libraries(
    self_test_${name}
    PRIVATE simulated_${number}_shim simulated_${number}_cudart
  )
endmacro()

simulated_sdk(PREFIX "${CMAKE_CURRENT_BINARY_DIR}/machine" DRIVER 580.65.06 GPUS sm_75 sm_86)
set(machine "${simulated_sdk_driver_lib}")

_simulated_sdk_to_test(full CUDNN 9.14.0 CUDA 13.0)
_simulated_test(full.versions COMMAND versions
  EXPECT "cudnn 91400 header 91400 cudart 13000 max_device 1210\ngraph 0 ops 0 cnn 0 adv 0"
)
_simulated_test(full.versions_without_driver NO_DRIVER COMMAND versions EXPECT "ops 0 cnn 0 adv 0")
_simulated_test(full.legacy COMMAND legacy EXPECT "legacy right")
foreach(kind IN ITEMS "fp32 nchw" "fp32 nhwc" "fp16 nchw" "fp16 nhwc")
  string(REPLACE " " ";" words "${kind}")
  string(REPLACE " " "_" name "${kind}")
  foreach(plan RANGE 2)
    _simulated_test(full.graph_${name}_${plan} COMMAND graph ${words} ${plan} EXPECT "graph right")
  endforeach()
endforeach()
_simulated_test(full.wrong COMMAND graph fp16 nchw ENVIRONMENT SIMULATED_FAULT=wrong:graph/fp16
                EXPECT "graph WRONG"
)
_simulated_test(full.wrong_element COMMAND legacy ENVIRONMENT SIMULATED_FAULT=wrong-element:legacy
                EXPECT "legacy WRONG"
)
_simulated_test(full.unwritten COMMAND graph fp32 nhwc ENVIRONMENT SIMULATED_FAULT=unwritten:graph
                EXPECT "graph WRONG"
)
_simulated_test(full.wrong_elsewhere COMMAND graph fp32 nchw
                ENVIRONMENT SIMULATED_FAULT=wrong:graph/fp16,wrong:legacy EXPECT "graph right"
)
_simulated_test(full.fail COMMAND legacy ENVIRONMENT SIMULATED_FAULT=fail:cudnnCreate:1001
                EXPECT "cudnnCreate.*1001 CUDNN_STATUS_NOT_INITIALIZED"
)
_simulated_test(devices.two COMMAND devices
  EXPECT "driver 13000 runtime 13000\n0: [^\n]*sm_75, 7.5, a0\n1: Simulated GPU sm_86, 8.6, a1\n$"
)
_simulated_test(devices.others COMMAND devices ENVIRONMENT SIMULATED_GPUS=sm_120
                EXPECT "0: Simulated GPU sm_120, 12.0, a0"
)
_simulated_test(devices.none COMMAND devices ENVIRONMENT SIMULATED_GPUS=
                EXPECT "100 cudaErrorNoDevice"
)
_simulated_test(devices.no_driver NO_DRIVER COMMAND devices
                EXPECT "driver 0 runtime 13000\n.*35 cudaErrorInsufficientDriver"
)
_simulated_test(devices.second COMMAND devices ENVIRONMENT CUDA_VISIBLE_DEVICES=1
                EXPECT "\n0: Simulated GPU sm_86, 8.6, a1\n$"
)
_simulated_test(devices.swapped COMMAND devices ENVIRONMENT CUDA_VISIBLE_DEVICES=1,0
                EXPECT "\n0: [^\n]*sm_86, 8.6, a1\n1: [^\n]*sm_75"
)
_simulated_test(devices.by_uuid COMMAND devices ENVIRONMENT CUDA_VISIBLE_DEVICES=GPU-a1
                EXPECT "\n0: Simulated GPU sm_86, 8.6, a1\n$"
)
foreach(value IN ITEMS "" -1 7 "0,0")
  _simulated_test("devices.hidden(${value})" COMMAND devices
                  ENVIRONMENT "CUDA_VISIBLE_DEVICES=${value}" EXPECT "100 cudaErrorNoDevice"
  )
endforeach()
_simulated_test(devices.up_to_wrong COMMAND devices ENVIRONMENT CUDA_VISIBLE_DEVICES=0,-1,1
                EXPECT "\n0: Simulated GPU sm_75, 7.5, a0\n$"
)
_simulated_test(devices.too_old COMMAND legacy ENVIRONMENT SIMULATED_GPUS=sm_70
                EXPECT "3007 CUDNN_STATUS_NOT_SUPPORTED_ARCH_MISMATCH"
)

_simulated_sdk_to_test(jit CUDNN 9.14.0 CUDA 13.0 SUBLIBRARIES jit LAYOUT wheel)
_simulated_test(jit.graph_nhwc COMMAND graph fp16 nhwc EXPECT "engine 4: graph right")
_simulated_test(jit.graph_fp32 COMMAND graph fp32 nchw EXPECT "engine 4: graph right")
_simulated_test(jit.graph_fp16 COMMAND graph fp16 nchw EXPECT "engine 7: graph WRONG")

_simulated_sdk_to_test(eight CUDNN 8.9.7 CUDA 12.2 LAYOUT debian)
_simulated_test(eight.versions COMMAND versions
  EXPECT "cudnn 8907 header 8907 cudart 12020 max_device 900\nops_infer 0 ops_train 0 cnn_infer 0 "
)
_simulated_test(eight.cnn COMMAND versions EXPECT " cnn_infer 0 cnn_train 0 ")
_simulated_test(eight.adv COMMAND versions EXPECT " adv_infer 0 adv_train 0\n$")
_simulated_test(eight.legacy COMMAND legacy EXPECT "legacy right")
_simulated_test(eight.graph COMMAND graph fp16 nchw EXPECT "graph right")
_simulated_test(eight.no_gpu COMMAND legacy ENVIRONMENT SIMULATED_GPUS=
                EXPECT "1 CUDNN_STATUS_NOT_INITIALIZED"
)

# For test_sets.py: a release with RPATH, tensor_ir and ext, and a tensor_ir of another one.
_simulated_sdk_to_test(newer CUDNN 9.28.0 CUDA 13.0 LAYOUT wheel)
_simulated_test(newer.versions COMMAND versions EXPECT "cudnn 92800 .*ops 0 cnn 0 adv 0")
_simulated_test(newer.graph COMMAND graph fp16 nchw EXPECT "graph right")
simulated_sdk(PREFIX "${CMAKE_CURRENT_BINARY_DIR}/tensor_ir" CUDNN 9.27.0
              SUBLIBRARIES graph engines_tensor_ir LAYOUT wheel
)

file(CONFIGURE OUTPUT fatbinary_main.cpp CONTENT "int main() {}\n" @ONLY)
add_executable(with_device_code "${CMAKE_CURRENT_BINARY_DIR}/fatbinary_main.cpp")
simulated_fatbinary(with_device_code LINK_STUB 75-real 86-real 75-virtual AND 90a-real 100f)
