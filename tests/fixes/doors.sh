#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# ./dev doors [--count N] [--seed S] [--verbose]: environments and programs at random, each asked at doctor, verify, run,
# check(), verify --pid, probe and the guard.  A line for each kind of difference between the answers, with how often it
# came and a seed; status 1 where there is one.  CUDNN_CHECKED_CLI names another command line, of an older state for example.
# ./dev doors real [--count N] [--seed S] [--configure N]: real cuDNNs, with find_package for one case in N.
set -eu
repository=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
. "$repository/scripts/common.sh"
cd "$repository"

export PYTHONDONTWRITEBYTECODE=1 CUDNN_CHECKED_BUILD="$repository/build/test"
sh scripts/install_missing.sh build test
script=tests/fixes/doors.py
if [ "${1:-}" = real ]; then
  script=tests/real/doors_of_sets.py
  shift
fi
exec python3 tests/without_gpu.py "$script" "$@"
