#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# ./dev doors [--count N] [--seed S] [--verbose]: environments and programs at random, each asked at doctor, verify, run,
# check() and verify --pid.  A line for each kind of difference between the answers, with how often it came and a seed;
# status 1 where there is one.  CUDNN_CHECKED_CLI names another command line, of an older state for example.
set -eu
repository=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
. "$repository/scripts/common.sh"
cd "$repository"

export PYTHONDONTWRITEBYTECODE=1 CUDNN_CHECKED_BUILD="$repository/build/test"
sh scripts/install_missing.sh build test
exec python3 tests/without_gpu.py tests/fixes/doors.py "$@"
