#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# ./dev compilers [COMPILER...]: compiles what users' compilers compile, the guard, core, the probe, the configure program and the
# sweep, each as the unit that CMake compiles, and of the copy of ./dev vendor (copied) the guard, the probe and the configure program
# with core, with the project's warnings as errors.  Without COMPILER: with
# every g++ from 9 on and every clang that this Debian or Ubuntu has; those that are missing are installed.
# No optimisation: the warnings that need it differ between the levels, and a user has none of them.
set -eu
repository=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
. "$repository/scripts/common.sh"
cd "$repository"

for compiler in "$@"; do
  has "$compiler" || die "there is no $compiler here"
done
begin compilers
if [ $# -eq 0 ]; then
  # In a bare system only the first of them asks which packages there are.
  sh scripts/install_missing.sh build
  sh scripts/install_missing.sh compilers
  for major in $(seq 9 40); do
    ! has "g++-$major" || set -- "$@" "g++-$major"
  done
  for major in $(seq 9 40); do
    ! has "clang++-$major" || set -- "$@" "clang++-$major"
  done
  [ $# -gt 0 ] || die "no g++-N and no clang++-N on PATH" "Type: ./dev compilers c++"
fi

use_own_temporary_folder
version='-DCUDNN_CHECKED_PACKAGE_VERSION="0"'
# What the real headers say of themselves, and those of tool/opened do not.
headers='-DCUDNN_VERSION=92200 -DCUDART_VERSION=13000'
warnings='-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror'

# unit NAME: its source, and what it is compiled with.
unit() {
  case $1 in
    guard) echo tool/guard/linux/guard.cpp -Itool/guard/include ;;
    core) echo tool/core/linux/core.cpp "$version" ;;
    probe) echo tool/laboratory/operations/linux/probe.cpp -Itool/opened/include "$version" "$headers" -DCUDNN_CHECKED_PROBE_FUSED ;;
    configure) echo tool/configure/linux/configure.cpp ;;
    sweep) echo tool/laboratory/sweep/sweep_program.cpp -Itool/opened/include "$version" ;;
    copied_guard) echo "$TMPDIR/copy/source/guard.cpp" "-I$TMPDIR/copy/include" ;;
    copied_probe) echo "$TMPDIR/copy/source/probe.cpp" -Itool/opened/include "$version" "$headers" ;;
    copied_configure) echo "$TMPDIR/copy/source/configure.cpp" ;;
  esac
}
units='guard core probe configure sweep copied_guard copied_probe copied_configure'
sh scripts/vendor.sh "$TMPDIR/copy" >/dev/null

failed='' row='%-14s'
# shellcheck disable=SC2059  # row is a format
{
  printf "$row" compiler
  # shellcheck disable=SC2086  # a list of words
  printf '  %-7s' $units
  echo
}
for compiler in "$@"; do
  # libstdc++ 12 calls functions that it has deprecated itself, and clang 19 says so.
  case $compiler in *clang*) not_ours=-Wno-deprecated-declarations ;; *) not_ours='' ;; esac
  # shellcheck disable=SC2059
  printf "$row" "$compiler"
  for name in $units; do
    log=$TMPDIR/log result=ok
    # shellcheck disable=SC2046,SC2086  # lists of words
    "$compiler" -std=c++17 -O0 $warnings $not_ours -c $(unit $name) -o "$TMPDIR/object" >"$log" 2>&1 || {
      result=FAILED failed="$failed $compiler/$name"
      { echo "$compiler: $name" && cat "$log"; } >>"$TMPDIR/errors"
    }
    printf "  %-$((${#name} < 7 ? 7 : ${#name}))s" $result
  done
  echo
done
[ ! -e "$TMPDIR/errors" ] || cat "$TMPDIR/errors" >&2
rm -rf "$TMPDIR/log" "$TMPDIR/object" "$TMPDIR/errors" "$TMPDIR/copy"
[ -z "$failed" ] || die "not compiled:$failed"
