# SPDX-License-Identifier: BSD-3-Clause
#
# CUDNN_CHECKED_BUILD_CLI: on where this is the top-level project and CLI11 is there.  The package itself needs
# neither that library of headers nor a compiler.
find_package(CLI11 2.1 QUIET CONFIG)
set(cudnn_checked_has_all OFF)
if(CLI11_FOUND)
  include(CheckLanguage)
  check_language(CXX)
  if(CMAKE_CXX_COMPILER AND PROJECT_IS_TOP_LEVEL)
    set(cudnn_checked_has_all ON)
  endif()
endif()
option(
  CUDNN_CHECKED_BUILD_CLI
  "Build cudnn-checked, the command line (needs CLI11)"
  ${cudnn_checked_has_all}
)
if(CUDNN_CHECKED_BUILD_CLI AND NOT CLI11_FOUND)
  message(
    FATAL_ERROR
    "CUDNN_CHECKED_BUILD_CLI needs CLI11 2.1 or newer.  Install libcli11-dev, or leave the command line out "
    "with -DCUDNN_CHECKED_BUILD_CLI=OFF."
  )
endif()
