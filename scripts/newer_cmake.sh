#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# usage: newer_cmake.sh MINIMUM
#
# Prints the folder of a cmake of that release or newer: nothing if the one on PATH is, else the folder of
# one from PyPI in the cache.  The module needs 3.22, this repository's presets 3.25.
set -eu
repository=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
. "$repository/scripts/common.sh"

release=3.31.10 minimum=${1:?usage: newer_cmake.sh MINIMUM}
version=$(cmake --version | sed -n '1s/[^0-9]*\([0-9.]*\).*/\1/p')
major=${version%%.*} rest=${version#*.}
minor=${rest%%.*}
[ $((major * 1000 + minor)) -lt $((${minimum%.*} * 1000 + ${minimum#*.})) ] || exit 0

home=$cache/cmake-$release
if [ ! -e "$home/complete" ]; then
  sh "$repository/scripts/install_missing.sh" fetch >&2
  say "cmake $version is older than $minimum; fetching $release from PyPI (28 MB)" >&2
  need_cache
  partial=$(mktemp -d "$home.partial.XXXXXX")
  trap 'rm -rf "$partial"' EXIT
  trap 'exit 1' HUP INT TERM
  PIP_ROOT_USER_ACTION=ignore PIP_DISABLE_PIP_VERSION_CHECK=1 \
    python3 -m pip install --quiet --no-deps --target "$partial" "cmake==$release" >&2 ||
    die "cmake $version is too old: $minimum or newer is needed" \
      "cmake $release could not be fetched from PyPI; pip's own lines stand above."
  : >"$partial/complete"
  chmod 755 "$partial"
  rm -rf "$home"
  mv -T "$partial" "$home"
fi
printf '%s\n' "$home/cmake/data/bin"
