#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# ./dev catalogue add [--windows] REQUIREMENT... and ./dev catalogue update: see add.py.
# ./dev catalogue measure REQUIREMENT...: see measure.py.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
repository=$(CDPATH='' cd -- "$here/../../.." && pwd)
. "$repository/scripts/common.sh"

usage() {
  printf 'usage: ./dev catalogue add [--windows] REQUIREMENT...\n' >&2
  printf '       ./dev catalogue update\n' >&2
  printf '       ./dev catalogue measure REQUIREMENT...\n' >&2
  printf '  a REQUIREMENT is what pip takes: nvidia-cudnn-cu13==9.14.0.64\n' >&2
  exit 2
}

word=${1:-}
[ $# -eq 0 ] || shift
program=add.py
case $word in
  add) [ $# -gt 0 ] || usage ;;
  update)
    [ $# -eq 0 ] || usage
    set -- --update
    ;;
  measure)
    [ $# -gt 0 ] || usage
    program=measure.py
    ;;
  *) usage ;;
esac
sh "$repository/scripts/install_missing.sh" fetch
exec python3 "$here/$program" "$@"
