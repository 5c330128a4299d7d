# SPDX-License-Identifier: BSD-3-Clause
#
# Refuses because the required level needs a run of the probe, and the probe is built for another
# machine.
function(_cudnn_checked_cross_refusal require)
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
    FACTS "required|${require}|CuDNNChecked_REQUIRE"
          "reached|LINKED|CMAKE_CROSSCOMPILING_EMULATOR is not set"
    BECAUSE "The probe is built for another machine and cannot be started here."
    FIX ${fix} "${auto}"
        "name the report that ${judge} wrote there in CuDNNChecked_PROBE_REPORT"
  )
endfunction()
