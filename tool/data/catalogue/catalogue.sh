#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# ./dev catalogue add REQUIREMENT...: see add.py.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
repository=$(CDPATH='' cd -- "$here/../../.." && pwd)
. "$repository/scripts/common.sh"

if [ "${1:-}" != add ] || [ $# -lt 2 ]; then
  printf 'usage: ./dev catalogue add REQUIREMENT...\n' >&2
  printf '  a REQUIREMENT is what pip takes: nvidia-cudnn-cu13==9.14.0.64\n' >&2
  exit 2
fi
shift
sh "$repository/scripts/install_missing.sh" fetch
exec python3 "$here/add.py" "$@"
