# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_driver_facts(<result>)
#
# The driver's release and the GPUs, from files that cost nothing to read.
function(_cudnn_checked_driver_facts result)
  set(text "")
  file(GLOB files "/proc/driver/nvidia/version" "/proc/driver/nvidia/gpus/*/information")
  foreach(file IN LISTS files)
    file(STRINGS "${file}" lines REGEX "^(NVRM version|Model|GPU UUID|Device Minor|GPU Excluded)")
    string(APPEND text "${file} ${lines}\n")
  endforeach()
  # Which of them a container was given; WSL2 has /dev/dxg, Jetson /dev/nvhost-gpu.
  file(GLOB devices "/dev/nvidia[0-9]*" "/dev/dxg" "/dev/nvhost-gpu")
  set(${result} "${text}devices ${devices}\n" PARENT_SCOPE)
endfunction()
