# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_wheels_below(<prefixes> <labels> <stage>)
#
# A hint may name a Python environment or its site-packages: adds the wheels below the directories
# in the caller's variable <in_out_prefixes>, and what names them to <in_out_labels>.
# Reads hints of the caller.
function(_cudnn_checked_wheels_below in_out_prefixes in_out_labels stage)
  if(NOT "${stage}" IN_LIST hints)
    return()
  endif()
  set(all "")
  set(names "")
  set(places "${${in_out_prefixes}}")
  set(words "${${in_out_labels}}")
  foreach(place word IN ZIP_LISTS places words)
    _cudnn_checked_glob_escaped(escaped "${place}")
    file(
      GLOB parents
      "${escaped}/lib/python3*"
      "${escaped}/lib/python3*/site-packages"
      "${escaped}/lib/python3*/site-packages/nvidia"
    )
    _cudnn_checked_seen(TIMES "${place}/nvidia" "${place}/lib" ${parents})
    file(
      GLOB wheels
      "${escaped}/nvidia/cudnn"
      "${escaped}/nvidia/cudnn_jit"
      "${escaped}/lib/python3*/site-packages/nvidia/cudnn"
      "${escaped}/lib/python3*/site-packages/nvidia/cudnn_jit"
    )
    foreach(directory IN ITEMS "${place}" ${wheels})
      list(APPEND all "${directory}")
      list(APPEND names "${word}")
    endforeach()
  endforeach()
  set(${in_out_prefixes} "${all}" PARENT_SCOPE)
  set(${in_out_labels} "${names}" PARENT_SCOPE)
endfunction()
