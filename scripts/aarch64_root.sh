# SPDX-License-Identifier: BSD-3-Clause
#
# usage: aarch64_root.sh
#
# Prints a directory that stands for the root of an aarch64 system: the libraries of Debian's cross
# compiler, and libz, which cuDNN needs and the compiler's packages lack.  The package zlib1g for arm64 is
# fetched with lists of packages of its own, so that this machine's apt and dpkg stay as they are.
set -eu
repository=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
. "$repository/scripts/common.sh"

compiler=/usr/aarch64-linux-gnu
home=$cache/aarch64-root
[ -d "$compiler/lib" ] || die "there is no $compiler: g++-aarch64-linux-gnu is not installed"
need_cache
exec 9<"$cache"
flock 9
if [ ! -e "$home/complete" ]; then
  partial=$(mktemp -d "$cache/aarch64-root.partial.XXXXXX")
  trap 'rm -rf "$partial"' EXIT
  trap 'exit 1' HUP INT TERM
  mkdir -p "$partial/apt/lists/partial" "$partial/apt/cache/archives/partial" "$partial/usr/lib"
  cd "$partial"
  apt() {
    apt-get -q -o Dir::State::Lists="$partial/apt/lists" -o Dir::Cache="$partial/apt/cache" \
      -o APT::Architecture=arm64 -o APT::Architectures::=arm64 -o APT::Sandbox::User=root "$@"
  }
  { apt update && apt download zlib1g:arm64 && dpkg-deb -x zlib1g_*_arm64.deb z; } >log 2>&1 || {
    tail -n 5 log >&2
    die "zlib1g for arm64 could not be fetched"
  }
  # Debian has them in /lib, Ubuntu in /usr/lib.
  mkdir -p usr/lib/aarch64-linux-gnu
  cp -a z/lib/aarch64-linux-gnu/. usr/lib/aarch64-linux-gnu/ 2>/dev/null ||
    cp -a z/usr/lib/aarch64-linux-gnu/. usr/lib/aarch64-linux-gnu/
  rm -rf apt z log ./*.deb
  ln -s "$compiler/lib" lib
  ln -s "$compiler/include" include
  : >complete
  chmod 755 .
  rm -rf "$home"
  mv -T "$partial" "$home"
fi
printf '%s\n' "$home"
