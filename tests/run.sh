#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# ./dev test: from nothing to all tests green.  -k NAME is for run_case.py, other arguments go to ctest.
set -eu
repository=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
. "$repository/scripts/common.sh"

if [ "${1:-}" = -k ]; then
  shift
  # It installs what the cases need, once it knows them.
  sh "$repository/scripts/install_missing.sh" python
  cd "$repository"
  PYTHONDONTWRITEBYTECODE=1 exec python3 tests/run_case.py "$@"
fi

random=''
if [ "${1:-}" = --random ]; then
  shift
  random=--random
fi
# ctest passes over a word without an option, and runs all.
case ${1:-} in
  '' | -*) ;;
  *) usage_error test "\"$1\" is no option.  For the test cases of that name: ./dev test -k $(quoted "$1")" ;;
esac
# Only a selection of entries that names them starts programs for Windows.
windows=''
case "$# $*" in 0* | *windows*) windows=yes ;; esac

begin test asan test windows
sh "$repository/scripts/install_missing.sh" build
# fetch: the tests of real cuDNNs take them from PyPI.
sh "$repository/scripts/install_missing.sh" fetch venv test || say "tests that need these are skipped"
# Tests say so where they cannot have it.
sh "$repository/scripts/install_missing.sh" cross || say "tests of builds for aarch64 are skipped"
[ -z "$windows" ] || sh "$repository/scripts/install_missing.sh" windows || {
  windows=''
  say "tests of Windows are skipped"
}
newer=$(sh "$repository/scripts/newer_cmake.sh" 3.25)
[ -z "$newer" ] || PATH=$newer:$PATH
cd "$repository"

use_own_temporary_folder

PYTHONDONTWRITEBYTECODE=1 python3 tests/run_presets.py ${windows:+--windows} $random "$@" || exit 1
assert_nothing_left
say "all tests passed"
