# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_kept_result(<kept> <file> <signature>)
#
# Puts the result_* that _cudnn_checked_keep_result wrote.  <kept> is whether there is a whole one,
# of this signature.
function(_cudnn_checked_kept_result kept file signature)
  set(${kept} FALSE PARENT_SCOPE)
  _cudnn_checked_names(names result)
  _cudnn_checked_read_facts(whole "${file}")
  if(
    whole
    AND result_signature STREQUAL signature
    AND (result_report STREQUAL "" OR EXISTS "${result_report}")
  )
    foreach(name IN LISTS names)
      _cudnn_checked_put(${name} "${${name}}")
    endforeach()
    set(${kept} TRUE PARENT_SCOPE)
  endif()
endfunction()
