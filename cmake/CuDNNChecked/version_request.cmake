# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_version_request(<words> <fits> <version>)
#
# The version that find_package asked for, in words ("9.1...<10", "exactly 9.14", "9.1 or newer",
# empty for any), and whether <version> is one of those.
function(_cudnn_checked_version_request words fits version)
  set(text "")
  if(CuDNNChecked_FIND_VERSION_RANGE)
    set(text "${CuDNNChecked_FIND_VERSION_RANGE}")
  elseif(CuDNNChecked_FIND_VERSION AND CuDNNChecked_FIND_VERSION_EXACT)
    set(text "exactly ${CuDNNChecked_FIND_VERSION}")
  elseif(CuDNNChecked_FIND_VERSION)
    set(text "${CuDNNChecked_FIND_VERSION} or newer")
  endif()
  set(answer TRUE)
  if(NOT version STREQUAL "")
    find_package_check_version("${version}" answer HANDLE_VERSION_RANGE)
  endif()
  set(${words} "${text}" PARENT_SCOPE)
  set(${fits} ${answer} PARENT_SCOPE)
endfunction()
