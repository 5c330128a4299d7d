# SPDX-License-Identifier: BSD-3-Clause
#
# Leads to the package in share/CuDNNChecked: of the Python environment, or beside what
# `pip install --target` puts here.
if(EXISTS "${CMAKE_CURRENT_LIST_DIR}/../../share/CuDNNChecked/cmake/CuDNNCheckedConfig.cmake")
  include("${CMAKE_CURRENT_LIST_DIR}/../../share/CuDNNChecked/cmake/CuDNNCheckedConfig.cmake")
else()
  include(
    "${CMAKE_CURRENT_LIST_DIR}/../../../../../share/CuDNNChecked/cmake/CuDNNCheckedConfig.cmake"
  )
endif()
