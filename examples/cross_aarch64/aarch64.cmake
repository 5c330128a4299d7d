# SPDX-License-Identifier: BSD-3-Clause
#
# Toolchain file: programs for Linux on aarch64 (Arm servers, Jetson) from another machine, with
# Debian's and Ubuntu's cross compiler.  Programs that CMake starts, the probe of CuDNNChecked among
# them, run under qemu-user where that is installed.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)

# A copy of the target's file system, or what the packages of the cross compiler bring.
set(AARCH64_ROOT "/usr/aarch64-linux-gnu" CACHE PATH "root of the target's file system")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES AARCH64_ROOT)

# Programs are this machine's.  Libraries and headers are the target's.
set(CMAKE_FIND_ROOT_PATH "${AARCH64_ROOT}")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)

find_program(AARCH64_EMULATOR NAMES qemu-aarch64 qemu-aarch64-static)
if(AARCH64_EMULATOR)
  set(CMAKE_CROSSCOMPILING_EMULATOR "${AARCH64_EMULATOR}" -L "${AARCH64_ROOT}")
endif()
