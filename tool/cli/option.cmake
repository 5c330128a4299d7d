# SPDX-License-Identifier: BSD-3-Clause
#
# CUDNN_CHECKED_BUILD_CLI: on where this is the top-level project and what the command line needs is
# there.  The package itself needs neither the two libraries of headers nor a compiler.
find_package(CLI11 2.1 QUIET CONFIG)
find_package(nlohmann_json 3.9 QUIET CONFIG)
set(cudnn_checked_has_libraries OFF)
set(cudnn_checked_has_all OFF)
if(CLI11_FOUND AND nlohmann_json_FOUND)
  set(cudnn_checked_has_libraries ON)
  include(CheckLanguage)
  check_language(CXX)
  if(CMAKE_CXX_COMPILER AND PROJECT_IS_TOP_LEVEL)
    set(cudnn_checked_has_all ON)
  endif()
endif()
option(
  CUDNN_CHECKED_BUILD_CLI
  "Build cudnn-checked, the command line (needs CLI11 and nlohmann_json)"
  ${cudnn_checked_has_all}
)
if(CUDNN_CHECKED_BUILD_CLI AND NOT cudnn_checked_has_libraries)
  message(
    FATAL_ERROR
    "CUDNN_CHECKED_BUILD_CLI needs CLI11 2.1 and nlohmann_json 3.9, or newer.  Install libcli11-dev and "
    "nlohmann-json3-dev, or leave the command line out with -DCUDNN_CHECKED_BUILD_CLI=OFF."
  )
endif()
