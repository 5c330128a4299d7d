# SPDX-License-Identifier: BSD-3-Clause
#
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
