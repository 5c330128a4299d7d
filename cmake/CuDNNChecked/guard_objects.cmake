# SPDX-License-Identifier: BSD-3-Clause
#
# The objects that cudnn_checked_guard adds to a target.

# _cudnn_checked_guard_abi_options(<result> <target>)
#
# Of the options of a target, those that an object must share to be linked with the rest of it.
# Warnings, definitions, forced includes and raw nvcc options stay with the target.
function(_cudnn_checked_guard_abi_options result target)
  get_target_property(options "${target}" COMPILE_OPTIONS)
  set(abi "-m(32|64|x32|abi=.*|float-abi=.*|fpu=.*|cpu=.*|arch=.*|thumb|arm)")
  string(
    CONCAT
    abi
    "^(${abi}|-stdlib=.*|-fsanitize=.*|-fcf-protection.*|-mbranch-protection=.*"
    "|--target=.*|--sysroot=.*)$"
  )
  if(NOT options)
    set(options "")
  endif()
  list(FILTER options INCLUDE REGEX "${abi}")
  set(${result} "${options}" PARENT_SCOPE)
endfunction()

# _cudnn_checked_guard_objects(<core> <stamp> <symbol>)
#
# Makes two OBJECT libraries and names them: the checks themselves, one for a directory and a set of
# ABI options, and the stamp of one target with its <symbol>.  The text of the stamp is generated
# when the whole project is known, so that CUDA_ARCHITECTURES counts wherever it was set.
function(_cudnn_checked_guard_objects core stamp symbol)
  string(MAKE_C_IDENTIFIER "${target}" identifier)
  if(NOT identifier STREQUAL target)
    # The identifiers of a-b and a_b are the same.
    string(MD5 hash "${target}")
    string(SUBSTRING "${hash}" 0 8 hash)
    string(APPEND identifier "_${hash}")
  endif()
  set(guard_target "${target}")
  set(guard_symbol cudnn_checked_stamp_${identifier})
  _cudnn_checked_stamp_json(guard_json)
  set(guard_startup "")
  if(NOT arg_MANUAL)
    set(guard_startup "CUDNN_CHECKED_AT_STARTUP(${guard_symbol})")
  endif()
  _cudnn_checked_read_stamp()
  file(READ "${stamp_templates}/stamp_object.inc.in" text)
  string(CONFIGURE "${text}" text @ONLY)
  set(directory "${CMAKE_CURRENT_BINARY_DIR}/CuDNNChecked/${identifier}")
  file(GENERATE OUTPUT "${directory}/stamp_of_target.inc" CONTENT "${text}" TARGET "${target}")

  string(MD5 key "${CMAKE_CURRENT_BINARY_DIR} ${abi}")
  string(SUBSTRING "${key}" 0 8 key)
  set(core_name cudnn_checked_guard_${key})
  set(stamp_name cudnn_checked_stamp_of_${identifier})
  add_subdirectory(
    "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/guard_objects"
    "${directory}"
    EXCLUDE_FROM_ALL
  )
  set(${core} ${core_name} PARENT_SCOPE)
  set(${stamp} ${stamp_name} PARENT_SCOPE)
  set(${symbol} ${guard_symbol} PARENT_SCOPE)
endfunction()
