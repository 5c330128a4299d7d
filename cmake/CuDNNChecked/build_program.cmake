# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_build_program(<refusal> <name> <log> <signature> [KERNEL|SWEEP])
#
# The executable cudnn_checked_<name> of this signature is there, or it is built; what went wrong is
# in the file <log>.  Sets build_status and build_lines in the caller as _cudnn_checked_build_probe
# does, and <refusal>: the message where there was no space left, otherwise nothing.
function(_cudnn_checked_build_program refusal name log signature)
  set(executable "${work_directory}/cudnn_checked_${name}")
  set(build_status ok)
  set(build_lines "")
  set(text "")
  set(stored "")
  if(EXISTS "${executable}" AND EXISTS "${executable}.signature")
    file(READ "${executable}.signature" stored)
  endif()
  if(NOT stored STREQUAL signature)
    file(REMOVE "${executable}" "${executable}.signature")
    if("KERNEL" IN_LIST ARGN)
      _cudnn_checked_build_kernel("${executable}")
    else()
      _cudnn_checked_build_probe("${executable}" ${ARGN})
    endif()
    if(build_status STREQUAL "ok")
      file(WRITE "${executable}.signature" "${signature}")
    elseif(NOT build_lines STREQUAL "")
      file(READ "${work_directory}/${log}" output)
      _cudnn_checked_write_refusal(text "${work_directory}" "${output}")
    endif()
  endif()
  set(build_status "${build_status}" PARENT_SCOPE)
  set(build_lines "${build_lines}" PARENT_SCOPE)
  set(${refusal} "${text}" PARENT_SCOPE)
endfunction()
