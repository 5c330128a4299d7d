#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# slurm.sh APP REPORTS [ARGUMENTS OF srun...], inside of an allocation: verifies APP on each of its machines.
#
#   salloc --nodes=512 sh slurm.sh ./app reports
#   sbatch --nodes=512 slurm.sh ./app reports
#
# TIME_LIMIT: seconds that one machine may need; 60.
set -eu
app=$1 reports=$2
shift 2
limit=${TIME_LIMIT:-60}
# A folder of its own: reports of an earlier run would hide that a machine has none.
mkdir "$reports"

# Each machine prints its name in Slurm and its report, so REPORTS need not be on a shared file system. srun breaks lines
# of more than 1024 bytes: the report is sent in shorter ones, and a newline is never a part of a JSON string.
# shellcheck disable=SC2016 # the machines' shells expand it
one_machine='
  echo "$SLURMD_NODENAME"
  timeout -k 5 "$1" cudnn-checked verify --json "$2" | tr -d "\n" | fold -b -w 512
  echo'
# A machine that dies must not end the others. --wait ends what `timeout` could not end.
srun --ntasks="$SLURM_JOB_NUM_NODES" --ntasks-per-node=1 --no-kill --kill-on-bad-exit=0 --label \
  --wait="$((limit + 30))" "$@" sh -c "$one_machine" sh "$limit" "$app" \
  >"$reports/output.txt" 2>"$reports/errors.txt" || :

# " 17: TEXT": task 17 has printed TEXT.
awk -v reports="$reports" '
  {
    end = index($0, ": ")
    task = substr($0, 1, end) + 0
    text = substr($0, end + 2)
    if (task in name) { report[task] = report[task] text } else { name[task] = text }
  }
  END {
    for (task in name) {
      file = reports "/" name[task] ".json"
      printf "%s", report[task] > file
      close(file)
    }
  }' "$reports/output.txt"

cudnn-checked fleet --expect "$SLURM_JOB_NODELIST" "$reports"
