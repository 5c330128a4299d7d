# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_guard_all()
#
# Guards each executable of the build that links cuDNN, itself or through its libraries, unless it
# is guarded already.  Called when the top-level directory is done: what the project defers is done
# before.
function(_cudnn_checked_guard_all)
  _cudnn_checked_load(target/links)
  _cudnn_checked_built_targets(targets "${CMAKE_SOURCE_DIR}")
  foreach(target IN LISTS targets)
    get_target_property(type "${target}" TYPE)
    get_target_property(guarded "${target}" _CUDNN_CHECKED_GUARDED)
    if(type STREQUAL "EXECUTABLE" AND NOT guarded)
      _cudnn_checked_linked_cudnn(found reached "${target}")
      if(found)
        cudnn_checked_guard("${target}")
      endif()
    endif()
  endforeach()
endfunction()
