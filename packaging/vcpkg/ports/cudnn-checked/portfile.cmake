# SPDX-License-Identifier: BSD-3-Clause
#
# The port installs the sources that it lies in.  In a registry vcpkg_from_github takes this place.
get_filename_component(source_path "${CMAKE_CURRENT_LIST_DIR}/../../../.." ABSOLUTE)
if(NOT EXISTS "${source_path}/cmake/CuDNNCheckedConfig.cmake")
  message(
    FATAL_ERROR
    "This port installs the sources of CuDNNChecked that it lies in: there are none in ${source_path}."
  )
endif()

# CMake files and the sources that a user's build compiles.  Nothing of it has a debug variant.
set(VCPKG_BUILD_TYPE release)
set(VCPKG_POLICY_EMPTY_INCLUDE_FOLDER enabled)

vcpkg_check_features(OUT_FEATURE_OPTIONS features FEATURES tools CUDNN_CHECKED_BUILD_CLI)
vcpkg_cmake_configure(
  SOURCE_PATH "${source_path}"
  OPTIONS
    -DCUDNN_CHECKED_BUILD_TESTING=OFF
    ${features}
)
# No vcpkg_cmake_config_fixup: share/CuDNNChecked/cmake finds its siblings tool and templates.
vcpkg_cmake_install()
if("tools" IN_LIST FEATURES)
  vcpkg_copy_tools(TOOL_NAMES cudnn-checked AUTO_CLEAN)
endif()

file(INSTALL "${CMAKE_CURRENT_LIST_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
vcpkg_install_copyright(FILE_LIST "${source_path}/LICENSE")
