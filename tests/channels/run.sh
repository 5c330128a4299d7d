#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# ./dev channels: the recipes of packaging/, each built by its tool; then a program finds the
# package, starts on a real cuDNN, and refuses a mixed one.
set -eu
repository=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
. "$repository/scripts/common.sh"
cd "$repository"

if [ $# -eq 0 ]; then
  for test in tests/channels/test_*.py; do
    name=${test##*/test_}
    set -- "$@" "${name%.py}"
  done
fi
for name in "$@"; do
  shift
  [ -f "tests/channels/test_$name.py" ] || die "there is no channel \"$name\"" \
    "Channels: $(cd tests/channels && echo test_*.py | sed 's/test_//g; s/\.py//g')"
  set -- "$@" "tests/channels/test_$name.py"
done
begin channels
sh scripts/install_missing.sh build fetch venv test
newer=$(sh scripts/newer_cmake.sh 3.25)
[ -z "$newer" ] || PATH=$newer:$PATH
export PYTHONDONTWRITEBYTECODE=1

use_own_temporary_folder
status=0
python3 tests/run_unittest.py "$@" || status=$?
assert_nothing_left
exit $status
