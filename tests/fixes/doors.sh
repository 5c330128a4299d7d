#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# ./dev doors: environments and programs at random, each asked at doctor, verify, run, check(), verify --pid, probe and the
# guard.  A line for each kind of difference between the answers, with how often it came and a seed; status 1 where there
# is one.
set -eu
repository=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
. "$repository/scripts/common.sh"
cd "$repository"

export PYTHONDONTWRITEBYTECODE=1 CUDNN_CHECKED_BUILD="$repository/build/test"
begin doors
sh scripts/install_missing.sh build test
script=tests/fixes/doors.py
if [ "${1:-}" = real ]; then
  script=tests/real/doors_of_sets.py
  shift
fi
exec python3 tests/without_gpu.py "$script" "$@"
