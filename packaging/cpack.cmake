# SPDX-License-Identifier: BSD-3-Clause
#
# Packages of what is installed: `cpack` in the build tree, or `cpack -G DEB`.
#
#   cmake -S . -B build/package -D CMAKE_BUILD_TYPE=Release -D CUDNN_CHECKED_BUILD_TESTING=OFF
#   cmake --build build/package
#   cmake --build build/package --target package
find_program(cudnn_checked_dpkg_deb dpkg-deb)
find_program(cudnn_checked_shlibdeps dpkg-shlibdeps)
find_program(cudnn_checked_rpmbuild rpmbuild)
mark_as_advanced(cudnn_checked_dpkg_deb cudnn_checked_shlibdeps cudnn_checked_rpmbuild)

set(CPACK_GENERATOR TGZ)
if(cudnn_checked_dpkg_deb AND (cudnn_checked_shlibdeps OR NOT CUDNN_CHECKED_BUILD_CLI))
  list(APPEND CPACK_GENERATOR DEB)
endif()
if(cudnn_checked_rpmbuild)
  list(APPEND CPACK_GENERATOR RPM)
endif()
set(CPACK_PACKAGE_NAME cudnn-checked)
set(CPACK_PACKAGE_VENDOR "CuDNNChecked")
# What is said of the package stands in Debian's recipe.
file(READ "${PROJECT_SOURCE_DIR}/packaging/debian/control" cudnn_checked_control)
string(REGEX MATCH "\nMaintainer: ([^\n]+)" _ "${cudnn_checked_control}")
set(CPACK_PACKAGE_CONTACT "${CMAKE_MATCH_1}")
string(REGEX MATCH "\nSuggests: ([^\n]+)" _ "${cudnn_checked_control}")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "${CMAKE_MATCH_1}")
string(REGEX MATCH "\nDescription: ([^\n]+)\n(.+)\n$" _ "${cudnn_checked_control}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${CMAKE_MATCH_1}")
string(REGEX REPLACE "(^|\n) " "\\1" CPACK_PACKAGE_DESCRIPTION "${CMAKE_MATCH_2}")
string(REPLACE "\n.\n" "\n\n" CPACK_PACKAGE_DESCRIPTION "${CPACK_PACKAGE_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_RESOURCE_FILE_README "${PROJECT_SOURCE_DIR}/README.md")
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_THREADS 0)
set(CPACK_PACKAGE_CHECKSUM SHA256)
set(CPACK_PRE_BUILD_SCRIPTS "${PROJECT_SOURCE_DIR}/packaging/finish_package.cmake")
set(
  CPACK_PACKAGE_FILE_NAME
  "cudnn-checked-${PROJECT_VERSION}-${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR}"
)
set(CPACK_SOURCE_GENERATOR TGZ)
set(CPACK_SOURCE_PACKAGE_FILE_NAME "cudnn-checked-${PROJECT_VERSION}")
# cmake/CuDNNChecked/build is no build tree.
string(REGEX REPLACE "([][+.*()^$?|\\])" "\\\\\\1" cudnn_checked_sources "${PROJECT_SOURCE_DIR}")
set(
  CPACK_SOURCE_IGNORE_FILES
  "/\\.git/"
  "/\\.git$"
  "^${cudnn_checked_sources}/build/"
  "/__pycache__/"
  "/\\.cache/"
)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
# The revision of Debian's recipe.
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_RPM_FILE_NAME RPM-DEFAULT)
set(CPACK_RPM_PACKAGE_LICENSE "BSD-3-Clause")
set(CPACK_RPM_PACKAGE_GROUP "Development/Tools")
set(CPACK_RPM_PACKAGE_DESCRIPTION "${CPACK_PACKAGE_DESCRIPTION}")
# They are another package's: rpmlint, standard-dir-owned-by-package.
set(CPACK_RPM_EXCLUDE_FROM_AUTO_FILELIST_ADDITION "/usr/share/man" "/usr/share/man/man1")
# Nobody needs to know on which machine it was made, nor when: with SOURCE_DATE_EPOCH the same files
# give the same bytes.
string(
  CONCAT
  CPACK_RPM_SPEC_MORE_DEFINE
  "%define _buildhost localhost\n"
  "%define use_source_date_epoch_as_buildtime 1\n"
  "%define clamp_mtime_to_source_date_epoch 1"
)
if(CUDNN_CHECKED_BUILD_CLI)
  # Of the command line: nothing else here is compiled.
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
else()
  set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE all)
  set(CPACK_RPM_PACKAGE_ARCHITECTURE noarch)
endif()
include(CPack)
