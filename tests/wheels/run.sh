#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# ./dev wheels: fresh environments with real wheels of cuDNN, each configured by
# CuDNNChecked_ROOT alone, with the CUDA toolkit of this machine and with it hidden, as a table.  What
# is missing is installed by the command of the message.  Each is deleted after use.
set -eu
repository=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
. "$repository/scripts/common.sh"

[ "$(uname -m)" = x86_64 ] || die "the wheels are tried on x86-64 only"
export PYTHONDONTWRITEBYTECODE=1
[ $# -eq 0 ] || {
  sh "$repository/scripts/install_missing.sh" python
  python3 "$repository/tests/wheels/wheels.py" --check "$@"
}
begin wheels
sh "$repository/scripts/install_missing.sh" build fetch test venv
exec python3 "$repository/tests/wheels/wheels.py" "$@"
