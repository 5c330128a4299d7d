#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# ./dev test: from nothing to all tests green.
# ./dev test -k NAME: the test cases of that name alone (run_case.py).  Other arguments go to ctest
# (-R entry, -L label).
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

sh "$repository/scripts/install_missing.sh" build
# fetch: the tests of real cuDNNs take them from PyPI.
sh "$repository/scripts/install_missing.sh" fetch venv test || say "tests that need these are skipped"
# 68 MB to fetch.  Tests say so where they cannot have it.
sh "$repository/scripts/install_missing.sh" cross || say "tests of builds for aarch64 are skipped"
# 200 MB to fetch.
windows=yes
sh "$repository/scripts/install_missing.sh" windows || {
  windows=''
  say "tests of Windows are skipped"
}
newer=$(sh "$repository/scripts/newer_cmake.sh" 3.25)
[ -z "$newer" ] || PATH=$newer:$PATH
cd "$repository"

# build PRESET [ARGUMENTS...]: configures and builds it, its output only where it fails.
build() {
  preset=$1
  shift
  log=build/$preset.log
  mkdir -p build
  { cmake --preset "$preset" && cmake --build --preset "$preset" -j "$(nproc)" "$@"; } >"$log" 2>&1 || {
    tail -n 60 "$log" >&2
    die "preset $preset does not build" "All of its output: $log"
  }
}

# What tests/windows starts under wine.
build_windows() {
  [ -n "$windows" ] || return 0
  say "preset windows: building"
  build windows
}

use_own_temporary_folder

# The tests of a run that were skipped, wholly or in part, by reason.
skipped() {
  awk '/^[0-9]+\/[0-9]+ Testing: / { name = $3 }
    sub(/^skipped: /, "") { names[$0] = names[$0] " " name }
    END { for (reason in names) print "skipped: " reason ":" names[reason] }' \
    "build/$1/Testing/Temporary/LastTest.log" | LC_ALL=C sort
}

failed=''
if [ $# -eq 0 ]; then
  # The unit tests are built and run once, with both sanitizers.
  say "preset asan: unit tests with AddressSanitizer and UndefinedBehaviorSanitizer"
  build asan
  ctest --preset asan || failed=" asan"
  say "preset test: building"
  build test --target all_but_unit_tests
  build_windows
  say "preset test: running"
  ctest --preset test -E '^unit(/world|/judge_alone)?$' || failed="$failed test"
else
  say "preset test: building"
  build test
  case "$*" in *windows*) build_windows ;; esac
  say "preset test: running"
  ctest --preset test "$@" || failed=' test'
fi

skipped test
[ -z "$failed" ] || die "not all tests passed; presets:$failed"
assert_nothing_left
say "all tests passed"
