# SPDX-License-Identifier: BSD-3-Clause
#
# One implementation behind every door: the package configuration is the find module.
include("${CMAKE_CURRENT_LIST_DIR}/FindCuDNNChecked.cmake")
