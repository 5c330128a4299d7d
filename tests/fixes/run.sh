#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# ./dev advice: environments of simulated wheels, broken at random.  A line for each fix that does not mend or that
# harms, with its seed; figures; status 1 where a fix harms, or one that is marked as tried does not mend.
set -eu
repository=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
. "$repository/scripts/common.sh"
cd "$repository"

export PYTHONDONTWRITEBYTECODE=1 CUDNN_CHECKED_BUILD="$repository/build/test"
begin advice
sh scripts/install_missing.sh build test
exec python3 tests/without_gpu.py tests/fixes/advice.py "$@"
