#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# A HealthCheckProgram of Slurm: drains a node whose GPUs do not compute right numbers with its cuDNN. In slurm.conf:
#
#   HealthCheckProgram=/etc/slurm/slurm_health.sh
#   HealthCheckInterval=3600
#   HealthCheckNodeState=IDLE
#
# CUDNN: the directory of the cuDNN; without it, the one that the loader takes.
set -u
# Slurm kills it after 60 seconds.
output=$(cudnn-checked probe --require ran --timeout 50 ${CUDNN:+"$CUDNN"} 2>&1)
status=$?
# Any other status says nothing of the node: cudnn-checked is not installed, or CUDNN is no directory.
[ "$status" -eq 1 ] || exit "$status"
reason=$(printf '%s\n' "$output" | tail -n 1)
scontrol update NodeName="${SLURMD_NODENAME:-$(hostname -s)}" State=DRAIN Reason="$reason"
