# SPDX-License-Identifier: BSD-3-Clause
#
# For Windows by clang-cl and lld-link on PATH.  CUDNN_CHECKED_MSVC of the environment is a folder
# with VC/Tools/MSVC and "Windows Kits", as Microsoft's Build Tools install them, and with names in
# lower case beside those that the headers and libraries have.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR AMD64)
set(CMAKE_C_COMPILER clang-cl)
set(CMAKE_CXX_COMPILER clang-cl)
set(CMAKE_LINKER lld-link)
set(CMAKE_AR llvm-lib)
set(CMAKE_RC_COMPILER llvm-rc)
set(CMAKE_MT llvm-mt)
set(CMAKE_C_COMPILER_TARGET x86_64-pc-windows-msvc)
set(CMAKE_CXX_COMPILER_TARGET x86_64-pc-windows-msvc)
foreach(language C CXX)
  set(CMAKE_${language}_FLAGS_INIT "-fuse-ld=lld /winsysroot \"$ENV{CUDNN_CHECKED_MSVC}\"")
endforeach()
foreach(kind EXE SHARED MODULE)
  set(CMAKE_${kind}_LINKER_FLAGS_INIT "/winsysroot:\"$ENV{CUDNN_CHECKED_MSVC}\" /manifest:no")
endforeach()
foreach(place /usr/lib/wine/wine64 wine)
  find_program(CMAKE_CROSSCOMPILING_EMULATOR ${place})
endforeach()
