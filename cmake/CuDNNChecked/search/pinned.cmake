# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_use_pinned(place <prefix> input)
#
# A build tree has one cuDNN, because imported targets cannot be changed: refuses a later
# find_package that asks for another cuDNN than the first one.  Sets place_*.
function(_cudnn_checked_use_pinned place prefix input)
  _cudnn_checked_find_in_prefix(found "${prefix}")
  _cudnn_checked_version_request(words fits "${found_version}")
  set(roots "")
  set(labels "")
  foreach(root IN LISTS input_roots)
    _cudnn_checked_prefixes_of(label named wheels "${root}" CuDNNChecked_ROOT)
    list(APPEND roots "${named}" ${wheels})
    list(APPEND labels "${label}")
  endforeach()
  set(asked "")
  if(NOT fits)
    set(asked "words=${words}")
  elseif(roots AND NOT "${prefix}" IN_LIST roots)
    list(GET roots 0 root)
    list(GET labels 0 label)
    set(asked "root=${root}" "root_label=${label}")
  endif()
  if(asked)
    _cudnn_checked_explain("this build tree already uses another cuDNN than the one asked for"
                           explain-pinned ${asked}
                           "found=${found_version}" "library=${found_library}"
    )
  endif()
  _cudnn_checked_place_of_found(place "${prefix}" found)
  _cudnn_checked_hand_up(place)
endfunction()
