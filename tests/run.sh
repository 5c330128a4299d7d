#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# ./dev test: from nothing to all tests green.  Further arguments go to ctest (-R name, -L label).
set -eu
repository=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
. "$repository/scripts/common.sh"

# fetch: the tests of real cuDNNs take them from PyPI.
sh "$repository/scripts/install_missing.sh" build fetch test
newer=$(sh "$repository/scripts/newer_cmake.sh")
[ -z "$newer" ] || PATH=$newer:$PATH
cd "$repository"

# Configures and builds one preset, its output only where it fails.
build() {
  log=build/$1.log
  mkdir -p build
  { cmake --preset "$1" && cmake --build --preset "$1" -j "$(nproc)"; } >"$log" 2>&1 || {
    tail -n 60 "$log" >&2
    die "preset $1 does not build" "All of its output: $log"
  }
}

say "preset test: building"
build test
say "preset test: running"
failed=''
ctest --preset test "$@" || failed=' test'

if [ $# -eq 0 ]; then
  for preset in asan ubsan; do
    say "preset $preset: unit tests"
    build $preset
    ctest --preset $preset || failed="$failed $preset"
  done
fi

[ -z "$failed" ] || die "not all tests passed; presets:$failed"
say "all tests passed"
