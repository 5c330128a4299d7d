# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_get(<group>...)
#
# Sets the facts of these groups in the caller, as variables of the same names; see
# _cudnn_checked_put.
function(_cudnn_checked_get)
  foreach(group IN LISTS ARGN)
    _cudnn_checked_names(names ${group})
    foreach(name IN LISTS names)
      get_property(value GLOBAL PROPERTY _cudnn_checked_${name})
      set(${name} "${value}" PARENT_SCOPE)
    endforeach()
  endforeach()
endfunction()
