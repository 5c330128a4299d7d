#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# ./dev incidents: every incident of tests/incidents, one line each, with those whose packages ./dev test does not fetch.
set -eu
repository=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
. "$repository/scripts/common.sh"
cd "$repository"

export PYTHONDONTWRITEBYTECODE=1 CUDNN_CHECKED_BUILD="$repository/build/test"
[ "${1:-}" != --page ] || exec python3 tests/incidents/page.py
[ "$(uname -m)" = x86_64 ] || die "the packages of the incidents are for x86-64"
[ $# -eq 0 ] || {
  sh scripts/install_missing.sh python
  python3 tests/incidents/tables.py --check "$@"
}
begin incidents
sh scripts/install_missing.sh build fetch test venv
for name in jit older-cu13 jit-9.20-cu13 jit-9.27-cu13 stray-9.23-cu12 ctranslate2-4.4 ctranslate2-4.5; do
  sh scripts/fetch_cudnn.sh "$name" >/dev/null
done
exec python3 tests/incidents/tables.py "$@"
