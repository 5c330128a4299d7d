#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# ./dev gpu: the tests that need a GPU, on each cuDNN of this machine, and one table of what was verified.  With NAME the
# reports of earlier runs stay, and test_sweep_result.py reads them.
set -eu
repository=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
. "$repository/scripts/common.sh"
cd "$repository"

has_gpu || die "this machine has no NVIDIA GPU (no /proc/driver/nvidia/gpus)" \
  "Everything that needs none is in ./dev test."
begin gpu gpu
sh scripts/install_missing.sh build

CUDNN_CHECKED_RESULTS=$repository/build/gpu
export CUDNN_CHECKED_RESULTS

# 77: all of it was skipped, and the reason stands above.
run_tests() {
  status=0
  PYTHONDONTWRITEBYTECODE=1 python3 tests/run_unittest.py "$@" || status=$?
  [ "$status" -eq 0 ] || [ "$status" -eq 77 ]
}

if [ $# -gt 0 ]; then
  script=tests/gpu/test_$1.py
  [ -f "$script" ] || script=tests/laboratory/gpu/test_$1.py
  [ -f "$script" ] || die "there is no test_$1.py in tests/gpu and tests/laboratory/gpu"
  shift
  for text in "$@"; do
    shift
    set -- "$@" "--match=$text"
  done
  mkdir -p "$CUDNN_CHECKED_RESULTS"
  run_tests "$script" "$@"
  exit
fi

rm -rf "$CUDNN_CHECKED_RESULTS"
mkdir -p "$CUDNN_CHECKED_RESULTS"

failed=''
# They have the GPU for themselves: they measure speed, and what is left in memory.
alone='tests/laboratory/gpu/test_sweep_of_real_engines.py tests/gpu/test_kernel_cost.py'
for script in $alone; do
  say "$script"
  run_tests "$script" || failed="$failed $script"
done

# The others share the GPU, because one after the other they take ten minutes.
for script in tests/gpu/test_*.py tests/laboratory/gpu/test_*.py; do
  case " $alone " in
    *" $script "*) ;;
    *) echo "$script" ;;
  esac
done | xargs -P 12 -I '{}' sh -c '
  log=$CUDNN_CHECKED_RESULTS/$(basename "$1" .py).log
  status=0
  start=$(date +%s)
  PYTHONDONTWRITEBYTECODE=1 python3 tests/run_unittest.py "$1" > "$log" 2>&1 || status=$?
  echo "ended after $(($(date +%s) - start)) s" >> "$log"
  echo "$status" > "$log.status"' sh '{}'
for script in tests/gpu/test_*.py tests/laboratory/gpu/test_*.py; do
  log=$CUDNN_CHECKED_RESULTS/$(basename "$script" .py).log
  [ -f "$log" ] || continue
  say "$script"
  cat "$log"
  case $(cat "$log.status") in
    0 | 77) ;;
    *) failed="$failed $script" ;;
  esac
  rm -f "$log.status"
done
say "what was verified"
python3 tests/gpu/table.py "$CUDNN_CHECKED_RESULTS" || failed="$failed table"
[ -z "$failed" ] || die "not all of it is as it should be:$failed"
