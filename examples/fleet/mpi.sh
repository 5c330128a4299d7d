#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# mpi.sh APP REPORTS EXPECTED [ARGUMENTS OF mpirun...]: verifies APP on each machine that Open MPI reaches.
#
#   sh mpi.sh ./app reports node[000-015] --hostfile hosts --map-by ppr:1:node
#
# EXPECTED: how many machines, or their names as `hostname` prints them.
# TIME_LIMIT: seconds that one machine may need; 60.
set -eu
app=$1 reports=$2 expected=$3
shift 3
# A folder of its own: reports of an earlier run would hide that a machine has none.
mkdir "$reports"

# Each rank prints the name of its machine and its report. mpirun puts "[1,RANK]<stdout>:" before what a rank has
# printed, so the machines need not share REPORTS. It ends all ranks if the status of one is not 0.
# shellcheck disable=SC2016 # the machines' shells expand it
one_machine='hostname; timeout -k 5 "$1" cudnn-checked verify --json "$2" || :'
mpirun --tag-output "$@" sh -c "$one_machine" sh "${TIME_LIMIT:-60}" "$app" \
  >"$reports/output.txt" 2>"$reports/errors.txt" || :

# A line can have several tags: what a rank prints arrives in pieces that end anywhere. Open MPI 5 puts a space behind a
# tag, Open MPI 4 none.
awk -v reports="$reports" '
  function add(text) { if (rank != "") printed[rank] = printed[rank] text }
  {
    rest = $0
    while (match(rest, /\[[^][]*,[0-9]+\]<stdout>:/)) {
      if (rank == "") space = substr(rest, RLENGTH + 1, 1) == " "
      add(substr(rest, 1, RSTART - 1))
      rank = substr(rest, RSTART, RLENGTH)
      gsub(/^.*,|\].*$/, "", rank)
      rank += 0
      if (rank > last) last = rank
      rest = substr(rest, RSTART + RLENGTH + space)
    }
    add(rest "\n")
  }
  END {
    for (rank = 0; rank <= last; ++rank) {
      if (!(rank in printed)) continue
      end = index(printed[rank], "\n")
      name = substr(printed[rank], 1, end - 1)
      # A second rank of a machine, or a machine of the same name, does not overwrite the first.
      file = reports "/" name (name in taken ? "." rank : "") ".json"
      taken[name] = 1
      printf "%s", substr(printed[rank], end + 1) > file
      close(file)
    }
  }' "$reports/output.txt"

cudnn-checked fleet --expect "$expected" "$reports"
