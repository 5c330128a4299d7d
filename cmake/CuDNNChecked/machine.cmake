# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_target_machine(<machine> <folders>)
#
# The machine that is built for, "x86_64" or "aarch64" (or what CMAKE_SYSTEM_PROCESSOR has, or
# nothing where it is not known), and how CUDA toolkits name its directory in targets/.  The
# compiler's own triplet comes first: a compiler for another machine can be named without a
# toolchain file.
function(_cudnn_checked_target_machine machine folders)
  set(name "${CMAKE_LIBRARY_ARCHITECTURE}")
  if(NOT name)
    set(name "${CMAKE_CXX_LIBRARY_ARCHITECTURE}")
  endif()
  string(REGEX REPLACE "-.*" "" name "${name}")
  if(NOT name)
    set(name "${CMAKE_SYSTEM_PROCESSOR}")
  endif()
  string(REGEX REPLACE "^(amd64|AMD64)$" "x86_64" name "${name}")
  string(REGEX REPLACE "^(arm64|ARM64)$" "aarch64" name "${name}")
  set(${folders} "" PARENT_SCOPE)
  if(name STREQUAL "x86_64")
    set(${folders} x86_64-linux PARENT_SCOPE)
  elseif(name STREQUAL "aarch64")
    # Arm servers, then Jetson.
    set(${folders} sbsa-linux aarch64-linux PARENT_SCOPE)
  endif()
  set(${machine} "${name}" PARENT_SCOPE)
endfunction()

# _cudnn_checked_other_machine(<result> <library>)
#
# A sentence where <library> is an ELF file of another machine than the one that is built for.  Of
# what is no ELF file, or of unknown machines, nothing: the linker and the probe judge those.
function(_cudnn_checked_other_machine result library)
  set(${result} "" PARENT_SCOPE)
  # A FIFO or a device has no size, and reading it may never end.
  file(SIZE "${library}" size)
  if(size LESS 64 OR IS_DIRECTORY "${library}")
    return()
  endif()
  file(READ "${library}" header LIMIT 20 HEX)
  _cudnn_checked_target_machine(machine folders)
  # e_machine of the ELF header (System V ABI, "ELF Header").
  set(name "")
  if(header MATCHES "^7f454c46..01.*3e00$")
    set(name x86_64)
  elseif(header MATCHES "^7f454c46..01.*b700$")
    set(name aarch64)
  endif()
  if(name AND machine MATCHES "^(x86_64|aarch64)$" AND NOT name STREQUAL machine)
    set(${result} "${library} is for ${name}, and this build is for ${machine}" PARENT_SCOPE)
  endif()
endfunction()
