# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_keep_result(<file> <signature>)
#
# Keeps what was proved for the next run of CMake, with the signature of what it depends on; see
# _cudnn_checked_kept_result.  Only success is kept.
function(_cudnn_checked_keep_result file signature)
  _cudnn_checked_get(result)
  if(result_verdict STREQUAL "")
    return()
  endif()
  set(result_signature "${signature}")
  _cudnn_checked_names(names result)
  _cudnn_checked_write_facts("${file}" ${names} result_signature)
endfunction()
