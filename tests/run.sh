#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# ./dev test: from nothing to all tests green.
# ./dev test -k NAME: the test cases of that name alone (run_case.py).  Other arguments go to ctest
# (-R entry, -L label).
set -eu
repository=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
. "$repository/scripts/common.sh"

# fetch: the tests of real cuDNNs take them from PyPI.
sh "$repository/scripts/install_missing.sh" build fetch test
newer=$(sh "$repository/scripts/newer_cmake.sh")
[ -z "$newer" ] || PATH=$newer:$PATH
cd "$repository"

if [ "${1:-}" = -k ]; then
  shift
  PYTHONDONTWRITEBYTECODE=1 exec python3 tests/run_case.py "$@"
fi

# Configures and builds one preset, its output only where it fails.
build() {
  log=build/$1.log
  mkdir -p build
  { cmake --preset "$1" && cmake --build --preset "$1" -j "$(nproc)"; } >"$log" 2>&1 || {
    tail -n 60 "$log" >&2
    die "preset $1 does not build" "All of its output: $log"
  }
}

# What the tests need for a moment lies in a folder of this run, which is empty afterwards.
TMPDIR=$(mktemp -d)
export TMPDIR
keep=${CUDNN_CHECKED_KEEP_SCRATCH:-}
[ -n "$keep" ] || trap 'rm -rf "$TMPDIR"' EXIT
trap 'exit 1' HUP INT TERM

say "preset test: building"
build test
say "preset test: running"
failed=''
ctest --preset test "$@" || failed=' test'

# Both sanitizers in one build.
if [ $# -eq 0 ]; then
  say "preset asan: unit tests with AddressSanitizer and UndefinedBehaviorSanitizer"
  build asan
  ctest --preset asan || failed="$failed asan"
fi

[ -z "$failed" ] || die "not all tests passed; presets:$failed"
left=$(ls -A "$TMPDIR")
# shellcheck disable=SC2086  # a list of names
[ -z "$left" ] || [ -n "$keep" ] || die "the tests left this behind in the temporary directory:" $left
say "all tests passed"
