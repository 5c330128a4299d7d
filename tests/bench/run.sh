#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# ./dev bench [CMAKE_ARGUMENT...]: what CuDNNChecked costs here, as a table.  Status 1 where a bar is
# missed.  The cuDNN is the machine's own; -DCuDNNChecked_ROOT=DIRECTORY names another.
# ./dev bench growth [CASE...]: memory and time of cudnn-checked for n and for 2 n; a CASE is a part of a row's name.
set -eu
repository=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
. "$repository/scripts/common.sh"

begin bench
sh "$repository/scripts/install_missing.sh" build
if [ "${1:-}" = growth ]; then
  shift
  say "building cudnn-checked" >&2
  (cd "$repository" && cmake --preset test && cmake --build build/test --target cudnn_checked_cli) >&2
  say "measuring; this takes some minutes" >&2
  exec python3 "$repository/tests/bench/growth.py" "$repository/build/test/tool/cli/cudnn-checked" "$@"
fi
say "measuring; this takes a minute" >&2
exec python3 "$repository/tests/bench/bench.py" "$@"
