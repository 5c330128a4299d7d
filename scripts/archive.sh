#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# ./dev archive: the copy of ./dev vendor as the archive that a release offers, and
# its SHA-256 (vendor/archive.py).  The same sources make the same bytes.
set -eu
repository=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
. "$repository/scripts/common.sh"

[ "${2:---laboratory}" = --laboratory ] && [ $# -le 2 ] && [ -n "${1:-}" ] ||
  usage_error archive
written=$(PYTHONDONTWRITEBYTECODE=1 python3 "$repository/scripts/vendor/archive.py" "$@") ||
  die "no archive was written"
say "$written in $1"
