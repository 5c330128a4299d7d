# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_project_doors(<modules>)
#
# Lets find_package(CuDNNChecked) find the <modules> of this project after add_subdirectory or
# FetchContent.  The cached directory works in every CMake.  The file is for FetchContent's
# OVERRIDE_FIND_PACKAGE (CMake 3.24), which looks nowhere else and would otherwise call every
# version found without checking anything.
#
# The functions are there without find_package, too: cudnn_checked_guard says that it is missing,
# and a copy of another release, which find_package might never ask, is an error.
function(_cudnn_checked_project_doors modules)
  set(_cudnn_checked_functions_only TRUE)
  include("${modules}/FindCuDNNChecked.cmake")
  set(CuDNNChecked_DIR "${modules}" CACHE PATH "Directory of CuDNNCheckedConfig.cmake" FORCE)
  if(CMAKE_FIND_PACKAGE_REDIRECTS_DIR)
    file(
      CONFIGURE
      OUTPUT "${CMAKE_FIND_PACKAGE_REDIRECTS_DIR}/cudnnchecked-extra.cmake"
      CONTENT "include(\"@modules@/FindCuDNNChecked.cmake\")\n"
      @ONLY
    )
  endif()
endfunction()
