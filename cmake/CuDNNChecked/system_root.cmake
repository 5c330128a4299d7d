# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_system_root(<result>)
#
# What comes before /usr on the system that is built for: nothing here, CMAKE_SYSROOT in a cross
# build; "none" where the system's own directories must not be searched.
function(_cudnn_checked_system_root result)
  set(root "${CMAKE_SYSROOT}")
  if(DEFINED CMAKE_FIND_USE_CMAKE_SYSTEM_PATH AND NOT CMAKE_FIND_USE_CMAKE_SYSTEM_PATH)
    set(root "none")
  elseif(CMAKE_CROSSCOMPILING AND root STREQUAL "")
    set(root "none")
  endif()
  set(${result} "${root}" PARENT_SCOPE)
endfunction()
