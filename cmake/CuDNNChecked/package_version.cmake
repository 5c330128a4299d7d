# SPDX-License-Identifier: BSD-3-Clause
#
# The release of this package, in one place.
set(_cudnn_checked_package_version 0.9.0)
