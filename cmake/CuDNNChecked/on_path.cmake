# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_on_path(<result> <name>...)
#
# The first file of one of these names in the directories of PATH; empty where there is none.
function(_cudnn_checked_on_path result)
  set(${result} "" PARENT_SCOPE)
  file(TO_CMAKE_PATH "$ENV{PATH}" directories)
  foreach(directory IN LISTS directories)
    foreach(name IN LISTS ARGN)
      _cudnn_checked_seen(FILES "${directory}/${name}")
      if(EXISTS "${directory}/${name}" AND NOT IS_DIRECTORY "${directory}/${name}")
        set(${result} "${directory}/${name}" PARENT_SCOPE)
        return()
      endif()
    endforeach()
  endforeach()
endfunction()
