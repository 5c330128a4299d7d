# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_run_variables(<result>)
#
# The variables that what the probe answers depends on.
function(_cudnn_checked_run_variables result)
  string(
    CONCAT
    text
    "CuDNNChecked_REQUIRE ${CuDNNChecked_REQUIRE}\n"
    "CuDNNChecked_CONVOLUTIONS ${CuDNNChecked_CONVOLUTIONS}\n"
    "CuDNNChecked_DEVICES ${CuDNNChecked_DEVICES}\n"
    "CuDNNChecked_PROBE_REPORT ${CuDNNChecked_PROBE_REPORT}\n"
    "CMAKE_CROSSCOMPILING ${CMAKE_CROSSCOMPILING}\n"
    "CMAKE_CROSSCOMPILING_EMULATOR ${CMAKE_CROSSCOMPILING_EMULATOR}\n"
    "LD_LIBRARY_PATH=$ENV{LD_LIBRARY_PATH}\nLD_PRELOAD=$ENV{LD_PRELOAD}\n"
    "CUDA_DEVICE_ORDER=$ENV{CUDA_DEVICE_ORDER}\n"
    "CUDA_VISIBLE_DEVICES=$ENV{CUDA_VISIBLE_DEVICES}\n"
    "NVIDIA_VISIBLE_DEVICES=$ENV{NVIDIA_VISIBLE_DEVICES}\n"
  )
  set(${result} "${text}" PARENT_SCOPE)
endfunction()
