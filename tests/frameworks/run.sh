#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# ./dev frameworks [--keep] [WORD...]: what cudnn-checked reports of frameworks from PyPI, against what
# the loader does with them, as a table.  Each is fetched (up to 7 GB) and deleted after use; --keep
# keeps it.  A word selects rows by their names: ./dev frameworks torch unsound sets
set -eu
repository=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
. "$repository/scripts/common.sh"

[ "$(uname -m)" = x86_64 ] || die "the frameworks are compared on x86-64 only"
sh "$repository/scripts/install_missing.sh" build fetch test venv
PYTHONDONTWRITEBYTECODE=1 exec python3 "$repository/tests/frameworks/frameworks.py" "$@"
