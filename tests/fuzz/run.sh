#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# ./dev fuzz [SECONDS]: throws changed files at every reader of files for that long (default: 600), with
# libFuzzer, AddressSanitizer and UndefinedBehaviorSanitizer.  What it finds lies in build/fuzz/found;
# what it learned stays in build/fuzz/corpus for the next time.  Before that, it gives 1,000 damaged reports of the
# probe to the find module (half a minute).
set -eu
repository=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
. "$repository/scripts/common.sh"

seconds=${1:-600}
case $seconds in
  '' | *[!0-9]*) die "seconds are a number, not \"$seconds\"" ;;
esac
[ $# -le 1 ] || usage_error fuzz
begin fuzz fuzz test

sh "$repository/scripts/install_missing.sh" build test fuzz
cd "$repository"
: >build/fuzz.log
with_progress build/fuzz.log cmake --preset test &&
  with_progress build/fuzz.log cmake --build build/test --target configure_program || {
  tail -n 20 build/fuzz.log >&2
  die "the program that reads reports could not be built" "Its last lines stand above."
}
say "giving 1,000 damaged reports to the find module"
PYTHONDONTWRITEBYTECODE=1 python3 tests/fuzz/damaged_reports.py 1000 || die "a damaged report was taken" \
  "Its path stands above; run it again with python3 tests/fuzz/damaged_reports.py 1000"
say "building the readers with clang, for libFuzzer"
: >build/fuzz.log
with_progress build/fuzz.log cmake --preset fuzz && with_progress build/fuzz.log cmake --build --preset fuzz || {
  tail -n 20 build/fuzz.log >&2
  die "the fuzzer could not be built" "Its last lines stand above."
}

mkdir -p build/fuzz/corpus build/fuzz/found
say "fuzzing for $seconds s"
# -max_total_time=0 would never end.
[ "$seconds" -gt 0 ] || set -- -runs=0
[ "$seconds" -eq 0 ] || set -- -max_total_time="$seconds"
log=build/fuzz/run.log
: >"$log"
export UBSAN_OPTIONS=print_stacktrace=1
with_progress "$log" build/fuzz/tests/fuzz/fuzz_readers "$@" -max_len=8192 -timeout=10 \
  -rss_limit_mb=1024 -print_final_stats=1 -verbosity=0 -artifact_prefix=build/fuzz/found/ \
  build/fuzz/corpus tests/fuzz/corpus || {
  tail -n 60 "$log" >&2
  die "the fuzzer found something" "The input lies in build/fuzz/found; run it again with" \
    "  build/fuzz/tests/fuzz/fuzz_readers FILE" "Once it is repaired, the file belongs in tests/fuzz/corpus."
}
grep '^stat::number_of_executed_units' "$log" || true
say "fuzz: nothing found"
