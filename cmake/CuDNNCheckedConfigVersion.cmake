# SPDX-License-Identifier: BSD-3-Clause
#
# The version that find_package(CuDNNChecked <version>) asks for is cuDNN's, and the find module
# checks it.  So every request is answered with yes, and PACKAGE_VERSION is not set: this package's
# own number must not be compared with cuDNN's.
set(PACKAGE_VERSION_COMPATIBLE TRUE)
set(PACKAGE_VERSION_EXACT TRUE)
