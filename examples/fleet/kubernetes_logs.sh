#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# kubernetes_logs.sh JOB REPORTS: what the pods of a finished Job have printed, as reports, and their table.
#
#   kubectl apply -f kubernetes.yaml
#   kubectl wait --for=condition=complete --timeout=11m job/verify-app
#   sh kubernetes_logs.sh verify-app reports
set -eu
job=$1 reports=$2
# A folder of its own: reports of an earlier run would hide that a machine has none.
mkdir "$reports"

expected=$(kubectl get job "$job" --output='jsonpath={.spec.completions}')
kubectl get pods --selector="job-name=$job" \
  --output='jsonpath={range .items[*]}{.metadata.name} {.spec.nodeName}{"\n"}{end}' >"$reports/pods.txt"
while read -r pod machine; do
  # A pod that found no machine has no log.
  [ -n "$machine" ] || continue
  file=$reports/$machine.json
  [ ! -e "$file" ] || file=$reports/$machine.$pod.json
  kubectl logs "$pod" </dev/null >"$file" || :
done <"$reports/pods.txt"

cudnn-checked fleet --expect "$expected" "$reports"
