# SPDX-License-Identifier: BSD-3-Clause
#
# CUDNN_CHECKED_BUILD_CLI: ON builds the command line, OFF leaves it out.  If it is not set, the command
# line is built where this is the top-level project and there is a C++ compiler.  Without one each
# configure and each install says so, and the next configure looks for it again.  The package itself
# needs no compiler.
# CUDNN_CHECKED_STATIC_RUNTIME: the command line starts where LD_LIBRARY_PATH leads to an older libstdc++
# than it was built with.  GCC Runtime Library Exception, section 1: the result may be conveyed under
# any terms.  Packages of a distribution that has its own libstdc++ say OFF.
option(
  CUDNN_CHECKED_STATIC_RUNTIME
  "Link cudnn-checked with libstdc++ and libgcc statically, where they are there"
  ON
)
if(NOT DEFINED CUDNN_CHECKED_BUILD_CLI)
  include(CheckLanguage)
  check_language(CXX)
  if(CMAKE_CXX_COMPILER)
    option(CUDNN_CHECKED_BUILD_CLI "Build cudnn-checked, the command line" ON)
  else()
    unset(CMAKE_CXX_COMPILER CACHE)
    # CMake leaves lines as they are that begin with a space.
    string(
      CONCAT
      cudnn_checked_lacks
      " The command line is not built, and not installed.\n"
      " This machine lacks what cudnn-checked, the command line, is built with:\n"
      "   a C++ compiler (g++)\n"
      " The names of Debian's and Ubuntu's packages are in brackets.\n"
      " -D CUDNN_CHECKED_BUILD_CLI=OFF leaves the command line out."
    )
    message(WARNING "${cudnn_checked_lacks}")
    if(CUDNN_CHECKED_INSTALL)
      install(CODE "message(WARNING [[${cudnn_checked_lacks}]])")
    endif()
  endif()
endif()
