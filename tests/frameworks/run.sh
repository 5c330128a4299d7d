#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# ./dev frameworks: what cudnn-checked reports of frameworks from PyPI, against what the loader does with them, as a table.
set -eu
repository=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
. "$repository/scripts/common.sh"

[ "$(uname -m)" = x86_64 ] || die "the frameworks are compared on x86-64 only"
export PYTHONDONTWRITEBYTECODE=1
[ $# -eq 0 ] || {
  sh "$repository/scripts/install_missing.sh" python
  python3 "$repository/tests/frameworks/frameworks.py" --check "$@"
}
begin frameworks
sh "$repository/scripts/install_missing.sh" build fetch test venv
exec python3 "$repository/tests/frameworks/frameworks.py" "$@"
