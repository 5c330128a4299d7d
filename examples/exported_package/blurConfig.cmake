# SPDX-License-Identifier: BSD-3-Clause
include("${CMAKE_CURRENT_LIST_DIR}/CuDNNCheckedDependency.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/blurTargets.cmake")
