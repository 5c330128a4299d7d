#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# usage: newer_cmake.sh
#
# Prints the folder of a cmake that reads this repository's presets (3.25 or newer): nothing where the
# one on PATH does, else the folder of one from PyPI in the cache.  The module itself needs 3.22 only.
set -eu
repository=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
. "$repository/scripts/common.sh"

release=3.31.10
version=$(cmake --version | sed -n '1s/[^0-9]*\([0-9.]*\).*/\1/p')
major=${version%%.*} rest=${version#*.}
minor=${rest%%.*}
if [ "$major" -gt 3 ] || { [ "$major" -eq 3 ] && [ "$minor" -ge 25 ]; }; then exit 0; fi

home=$cache/cmake-$release
if [ ! -e "$home/complete" ]; then
  sh "$repository/scripts/install_missing.sh" fetch >&2
  say "cmake $version cannot read presets of schema 6; fetching $release from PyPI (28 MB)" >&2
  rm -rf "$home"
  PIP_ROOT_USER_ACTION=ignore PIP_DISABLE_PIP_VERSION_CHECK=1 \
    python3 -m pip install --quiet --no-deps --target "$home" "cmake==$release" >&2 ||
    die "cmake $release could not be fetched from PyPI"
  : >"$home/complete"
fi
printf '%s\n' "$home/cmake/data/bin"
