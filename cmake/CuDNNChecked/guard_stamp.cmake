# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_guard_stamp(<identifier> <directory>)
#
# Generates the stamp of one target into stamp_of_target.inc of <directory>, with the symbol
# cudnn_checked_stamp_<identifier>: once the whole project is known, so that CUDA_ARCHITECTURES
# counts wherever it was set.  Reads target and arg_* of cudnn_checked_guard.
function(_cudnn_checked_guard_stamp identifier directory)
  string(MAKE_C_IDENTIFIER "${target}" name)
  if(NOT name STREQUAL target)
    # The identifiers of a-b and a_b are the same.
    string(MD5 hash "${target}")
    string(SUBSTRING "${hash}" 0 8 hash)
    string(APPEND name "_${hash}")
  endif()
  set(guard_target "${target}")
  set(guard_symbol cudnn_checked_stamp_${name})
  _cudnn_checked_stamp_json(guard_json)
  set(guard_startup "")
  if(NOT arg_MANUAL)
    set(guard_startup "CUDNN_CHECKED_AT_STARTUP(${guard_symbol})")
  endif()
  _cudnn_checked_get(stamp)
  file(READ "${stamp_templates}/stamp_object.inc.in" text)
  string(CONFIGURE "${text}" text @ONLY)
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/CuDNNChecked/${name}")
  file(GENERATE OUTPUT "${folder}/stamp_of_target.inc" CONTENT "${text}" TARGET "${target}")
  set(${identifier} ${name} PARENT_SCOPE)
  set(${directory} "${folder}" PARENT_SCOPE)
endfunction()
