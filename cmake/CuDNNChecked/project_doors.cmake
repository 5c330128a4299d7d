# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_project_doors(<modules>)
#
# Lets find_package(CuDNNChecked) find the <modules> of this project after add_subdirectory or
# FetchContent.  The cached directory works in every CMake.  The file is for FetchContent's
# OVERRIDE_FIND_PACKAGE (CMake 3.24), which looks nowhere else and would otherwise call every
# version found without checking anything.
#
# Where another copy was there before, the functions of both are loaded: find_package would ask the
# last one only, and nobody would see that the other is of another release.
function(_cudnn_checked_project_doors modules)
  set_property(GLOBAL APPEND PROPERTY _cudnn_checked_doors "${modules}")
  get_property(copies GLOBAL PROPERTY _cudnn_checked_doors)
  list(LENGTH copies count)
  if(count GREATER 1)
    set(_cudnn_checked_functions_only TRUE)
    foreach(copy IN LISTS copies)
      include("${copy}/FindCuDNNChecked.cmake")
    endforeach()
  endif()
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
