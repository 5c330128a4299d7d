#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# ./dev vendor: the copy that a project puts into its own tree (vendor/vendor.py).
set -eu
repository=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
. "$repository/scripts/common.sh"

[ "${2:---laboratory}" = --laboratory ] && [ $# -le 2 ] && [ -n "${1:-}" ] ||
  usage_error vendor
[ ! -e "$1" ] && [ ! -L "$1" ] || die "$1 exists" \
  "Remove it, or name another directory: files of two releases must not mix."
written=$(PYTHONDONTWRITEBYTECODE=1 python3 "$repository/scripts/vendor/vendor.py" "$@") ||
  die "$1 was not written"
say "$written in $1"
