#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# ./dev projects DIR [WORD...]: real projects that know nothing of this package, whose checkouts are the folders of
# DIR, configured without and with CuDNNCheckedProvider.cmake, on a sound cuDNN and on five that are not, as a table.
# A word selects projects by their names, or one of the cuDNNs: mixed.
set -eu
repository=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
. "$repository/scripts/common.sh"

[ "${1:-}" ] && [ -d "$1" ] || die "projects: no folder of checkouts" "usage: ./dev projects DIR [WORD...]"
newer=$(sh "$repository/scripts/newer_cmake.sh" 3.24)
[ -z "$newer" ] || PATH=$newer:$PATH
PYTHONDONTWRITEBYTECODE=1 exec python3 "$repository/tests/projects/projects.py" "$@"
