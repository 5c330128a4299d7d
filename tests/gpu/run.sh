#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# ./dev gpu: the tests that need a GPU, on each cuDNN of this machine, and one table of what was
# verified.  Reports are kept in build/gpu.
set -eu
repository=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
. "$repository/scripts/common.sh"
cd "$repository"

has_gpu || die "this machine has no NVIDIA GPU (no /proc/driver/nvidia/gpus)" \
  "Everything that needs none is in ./dev test."
sh scripts/install_missing.sh build

CUDNN_CHECKED_RESULTS=$repository/build/gpu
export CUDNN_CHECKED_RESULTS
rm -rf "$CUDNN_CHECKED_RESULTS"
mkdir -p "$CUDNN_CHECKED_RESULTS"

failed=''
for script in tests/gpu/test_*.py; do
  say "$script"
  status=0
  PYTHONDONTWRITEBYTECODE=1 python3 tests/run_unittest.py "$script" || status=$?
  # 77: all of it was skipped, and the reason stands above.
  [ "$status" -eq 0 ] || [ "$status" -eq 77 ] || failed="$failed $script"
done
say "what was verified"
python3 tests/gpu/table.py "$CUDNN_CHECKED_RESULTS" || failed="$failed table"
[ -z "$failed" ] || die "not all of it is as it should be:$failed"
