# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_judge_files(<result>)
#
# A cuDNN that cannot be linked or loaded may be a broken file.  Builds the probe without cuDNN and
# lets it judge the files: its message, or nothing where the files are not to blame.
function(_cudnn_checked_judge_files result)
  set(${result} "" PARENT_SCOPE)
  set(executable "${work_directory}/cudnn_checked_files")
  _cudnn_checked_build_probe("${executable}" FILES_ONLY)
  if(build_status STREQUAL "ok")
    _cudnn_checked_probe_arguments(arguments)
    _cudnn_checked_run_probe("${executable}" "${slot_directory}/files.json" ${arguments}
                             "library=${place_library}" "toolkit=${cuda_version}"
    )
    if(run_status STREQUAL "refused")
      set(${result} "${run_text}" PARENT_SCOPE)
    endif()
  endif()
endfunction()
