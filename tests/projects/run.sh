#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# ./dev projects DIR [--build] [WORD...]: real projects that know nothing of this package, whose checkouts are the
# folders of DIR (project_table.py), configured without and with CuDNNCheckedProvider.cmake, on two sound cuDNNs and on
# four that are not, as a table.  A word selects projects by their names, or one of the cuDNNs: mixed.  With --build their
# programs are built on the sound one, and started on it, on a mixed set and on a cut file.  CUDNN_CHECKED_PROVIDER is the path
# of an installed CuDNNCheckedProvider.cmake: the one of this source tree compiles the program for each project.
#
# ./dev projects DIR --time [PROJECT]: what the provider adds to the configure of one of them (configure_time.py).
set -eu
repository=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
. "$repository/scripts/common.sh"

[ "${1:-}" ] && [ -d "$1" ] || usage_error projects "There is no folder \"${1:-}\": DIR has the checkouts."
begin projects
newer=$(sh "$repository/scripts/newer_cmake.sh" 3.28) # the least with which mlx and CUDA 13 can be configured
[ -z "$newer" ] || PATH=$newer:$PATH
checkouts=$1 program=projects.py
shift
if [ "${1:-}" = --time ]; then
  shift
  program=configure_time.py
fi
PYTHONDONTWRITEBYTECODE=1 exec python3 "$repository/tests/projects/$program" "$checkouts" "$@"
