#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# ./dev bench [CMAKE_ARGUMENT...]: what CuDNNChecked costs here, as a table.  Status 1 where a bar is
# missed.  The cuDNN is the machine's own; -DCuDNNChecked_ROOT=DIRECTORY names another.
set -eu
repository=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
. "$repository/scripts/common.sh"

sh "$repository/scripts/install_missing.sh" build
say "measuring; this takes a minute" >&2
exec python3 "$repository/tests/bench/bench.py" "$@"
