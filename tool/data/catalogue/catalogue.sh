#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# ./dev catalogue add [--windows] REQUIREMENT... and ./dev catalogue update: see add.py.
# ./dev catalogue measure REQUIREMENT...: see measure.py.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
repository=$(CDPATH='' cd -- "$here/../../.." && pwd)
. "$repository/scripts/common.sh"

word=${1:-}
[ $# -eq 0 ] || shift
program=add.py
case $word in
  add) [ $# -gt 0 ] || usage_error catalogue ;;
  update)
    [ $# -eq 0 ] || usage_error catalogue
    set -- --update
    ;;
  measure)
    [ $# -gt 0 ] || usage_error catalogue
    program=measure.py
    ;;
  *) usage_error catalogue ;;
esac
begin catalogue
sh "$repository/scripts/install_missing.sh" fetch
exec python3 "$here/$program" "$@"
