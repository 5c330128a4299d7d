# SPDX-License-Identifier: BSD-3-Clause
#
# CUDNN_CHECKED_BUILD_CLI: ON builds the command line, OFF leaves it out.  If it is not set, the command
# line is built where this is the top-level project and finds what that needs.  Otherwise each configure
# and each install says what is missing, and the next configure looks for it again.  The package itself
# needs neither that library of headers nor a compiler.
find_package(CLI11 2.1 QUIET CONFIG)
set(cudnn_checked_lacks "")
if(NOT CLI11_FOUND)
  set(cudnn_checked_lacks "CLI11 2.1 or newer (libcli11-dev)")
endif()
if(NOT DEFINED CUDNN_CHECKED_BUILD_CLI)
  include(CheckLanguage)
  check_language(CXX)
  if(NOT CMAKE_CXX_COMPILER)
    list(PREPEND cudnn_checked_lacks "a C++ compiler (g++)")
    unset(CMAKE_CXX_COMPILER CACHE)
  endif()
endif()
if(cudnn_checked_lacks)
  list(JOIN cudnn_checked_lacks ", " cudnn_checked_lacks)
  # CMake leaves lines as they are that begin with a space.
  string(
    CONCAT
    cudnn_checked_lacks
    " This machine lacks what cudnn-checked, the command line, is built with:\n"
    "   ${cudnn_checked_lacks}\n"
    " The names of Debian's and Ubuntu's packages are in brackets.\n"
    " -D CUDNN_CHECKED_BUILD_CLI=OFF leaves the command line out."
  )
  if(CUDNN_CHECKED_BUILD_CLI)
    message(FATAL_ERROR "${cudnn_checked_lacks}")
  elseif(NOT DEFINED CUDNN_CHECKED_BUILD_CLI)
    string(PREPEND cudnn_checked_lacks " The command line is not built, and not installed.\n")
    message(WARNING "${cudnn_checked_lacks}")
    if(CUDNN_CHECKED_INSTALL)
      install(CODE "message(WARNING [[${cudnn_checked_lacks}]])")
    endif()
  endif()
else()
  option(CUDNN_CHECKED_BUILD_CLI "Build cudnn-checked, the command line (needs CLI11)" ON)
endif()
