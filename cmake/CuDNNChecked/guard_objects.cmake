# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_guard_objects(<core> <stamp> <symbol>)
#
# Makes the OBJECT libraries that cudnn_checked_guard adds to a target, and names them: the checks
# themselves, once for a build tree and a set of flags, and the stamp of the target with its
# <symbol>.  Reads target and arg_* of cudnn_checked_guard.
#
# Language standard, position independence and optimisation are the objects' own (see
# guard_objects/CMakeLists.txt), so they are no part of the set.
function(_cudnn_checked_guard_objects core stamp symbol)
  _cudnn_checked_guard_flags(variables options "${target}")
  get_filename_component(tool "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../../tool" ABSOLUTE)
  set(text "${tool}\n${options}\n")
  foreach(variable IN LISTS variables)
    string(APPEND text "${variable} ${${variable}}\n")
  endforeach()
  string(MD5 key "${text}")
  string(SUBSTRING "${key}" 0 8 key)
  set(name cudnn_checked_guard_${key})
  if(NOT TARGET ${name})
    set(source "${tool}/guard/guard.cpp")
    set(includes "${tool}/guard/include")
    add_subdirectory(
      "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/guard_objects"
      "${CMAKE_BINARY_DIR}/CuDNNChecked/${name}"
      EXCLUDE_FROM_ALL
    )
  endif()
  set(${core} ${name} PARENT_SCOPE)

  _cudnn_checked_guard_stamp(identifier directory)
  set(name cudnn_checked_stamp_of_${identifier})
  set(source stamp.cpp)
  set(includes "${tool}/guard/include" "${directory}")
  add_subdirectory(
    "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/guard_objects"
    "${directory}"
    EXCLUDE_FROM_ALL
  )
  set(${stamp} ${name} PARENT_SCOPE)
  set(${symbol} cudnn_checked_stamp_${identifier} PARENT_SCOPE)
endfunction()
