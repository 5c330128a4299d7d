# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_system_prefixes(<result>)
#
# The directories of the system that is built for: /usr and /usr/local here; below its roots where
# it has some (CMAKE_SYSROOT, CMAKE_FIND_ROOT_PATH), and there the roots themselves as well, which
# can be an install of one package, and CMAKE_STAGING_PREFIX.  Roots without a cross build (vcpkg
# has them) leave out /usr only if their mode is ONLY.  A cross build for the same kind of machine
# without a root has none: this machine's libraries could not be told from the target's.
function(_cudnn_checked_system_prefixes result)
  set(${result} "" PARENT_SCOPE)
  if(DEFINED CMAKE_FIND_USE_CMAKE_SYSTEM_PATH AND NOT CMAKE_FIND_USE_CMAKE_SYSTEM_PATH)
    return()
  endif()
  _cudnn_checked_find_roots(roots mode)
  _cudnn_checked_target_machine(machine folders)
  set(found ${CMAKE_STAGING_PREFIX})
  foreach(root IN LISTS roots)
    list(APPEND found "${root}/usr" "${root}/usr/local" "${root}")
  endforeach()
  set(here TRUE)
  if(CMAKE_CROSSCOMPILING)
    if(roots OR machine STREQUAL CMAKE_HOST_SYSTEM_PROCESSOR)
      set(here FALSE)
    endif()
  elseif(mode STREQUAL "ONLY" OR CMAKE_SYSROOT)
    set(here FALSE)
  endif()
  if(here)
    list(APPEND found /usr /usr/local)
  endif()
  set(${result} "${found}" PARENT_SCOPE)
endfunction()
