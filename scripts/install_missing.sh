#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# usage: install_missing.sh [build|fetch|python|venv|unit|test|cross|mingw|windows|lint|compilers|fuzz|conda|debian|rpm]...
#
# Installs what the named words of ./dev need and this machine lacks, from Debian's or Ubuntu's own
# packages; says what.  Nothing is done where nothing is missing.
set -eu
repository=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
. "$repository/scripts/common.sh"

missing=''
need() {
  case " $missing " in
    *" $1 "*) ;;
    *) missing="$missing $1" ;;
  esac
}

# True where the compiler does not find a header.
lacks_header() { ! printf '#include <%s>\n' "$1" | c++ -E -x c++ - >/dev/null 2>&1; }

# libFuzzer comes with the compiler's runtime, which is a package of its own in Debian and Ubuntu.
links_with_fuzzer() {
  program=$(mktemp)
  printf 'extern "C" int LLVMFuzzerTestOneInput(const char*, unsigned long) { return 0; }\n' |
    clang++ -fsanitize=fuzzer,address -x c++ - -o "$program" 2>/dev/null
  status=$?
  rm -f "$program"
  return $status
}
runtime_of_clang() {
  # Without a clang yet, it is the one that the package clang will bring.
  major=$({ has clang++ && clang++ -dumpversion; } || apt-cache depends clang |
    sed -n 's/.*clang-\([0-9]*\)$/\1/p')
  printf 'libclang-rt-%s-dev\n' "${major%%.*}"
}

for what in "$@"; do
  case $what in
    build)
      has cmake || need cmake
      has ninja || need ninja-build
      # What README.md types has CMake's own choice of generator.
      has make || need make
      has c++ || need g++
      has python3 || need python3
      ;;
    fetch)
      has python3 || need python3
      { has python3 && python3 -m pip --version >/dev/null 2>&1; } || need python3-pip
      # Without it no certificate can be checked; a minimal Debian has none.
      [ -e /etc/ssl/certs/ca-certificates.crt ] || need ca-certificates
      ;;
    python) has python3 || need python3 ;;
    venv)
      { has python3 && python3 -m venv --help >/dev/null 2>&1 &&
        python3 -c 'import ensurepip' >/dev/null 2>&1; } || need python3-venv
      ;;
    unit) { has c++ && ! lacks_header doctest/doctest.h; } || need doctest-dev ;;
    test)
      { has c++ && ! lacks_header doctest/doctest.h; } || need doctest-dev
      # The tests compile the same sources in many folders.
      has ccache || need ccache
      # One example is a Python extension module.
      { has python3 && python3 -c 'import os, sysconfig
os.stat(os.path.join(sysconfig.get_path("include"), "Python.h"))' 2>/dev/null; } || need python3-dev
      # Workflow files are read with it.
      { has python3 && python3 -c 'import yaml' 2>/dev/null; } || need python3-yaml
      # A guarded program is tried after it.
      has patchelf || need patchelf
      ;;
    cross)
      has aarch64-linux-gnu-g++ || need g++-aarch64-linux-gnu
      has qemu-aarch64 || need qemu-user
      ;;
    mingw) has x86_64-w64-mingw32-g++-posix || need g++-mingw-w64-x86-64-posix ;;
    windows)
      has x86_64-w64-mingw32-g++-posix || need g++-mingw-w64-x86-64-posix
      # Debian's lies outside PATH without the wine of 32 bits.
      { has wine64 || has wine || [ -x /usr/lib/wine/wine64 ]; } || need wine64
      ;;
    compilers)
      # What ./dev compilers wants: every g++ from 9 on and every clang that the packages have.
      for package in $(apt-cache search --names-only '^(g\+\+|clang)-[0-9]+$' | sed 's/ .*//'); do
        case $package in clang*) program=clang++-${package##*-} ;; *) program=$package ;; esac
        [ "${package##*-}" -lt 9 ] || has "$program" || need "$package"
      done
      ;;
    fuzz)
      has clang++ || need clang
      links_with_fuzzer || need "$(runtime_of_clang)"
      ;;
    lint)
      has clang-format || need clang-format
      ;;
    conda) has zstd || need zstd ;;
    debian)
      has dh || need debhelper
      has dpkg-buildpackage || need dpkg-dev
      has lintian || need lintian
      has debootstrap || need debootstrap
      ;;
    rpm)
      has rpmbuild || need rpm
      has cpio || need cpio
      ;;
    *) die "install_missing.sh does not know \"$what\"" ;;
  esac
done

[ -n "$missing" ] || exit 0
has apt-get || die "this machine lacks:$missing" \
  "There is no apt-get here to install them with; install their equivalents and run this again."

as_root=''
if [ "$(id -u)" -ne 0 ]; then
  has sudo || die "this machine lacks:$missing" \
    "Installing them needs root: run as root" "  apt-get install$missing"
  as_root=sudo
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
trap 'exit 1' HUP INT TERM
failed() {
  tail -n 20 "$log" >&2
  die "apt-get could not install:$missing" "Its last lines stand above."
}
# A password is asked for here, where it is seen.
[ -z "$as_root" ] || sudo true || die "this machine lacks:$missing" \
  "Installing them needs root: run as root" "  apt-get install$missing"
with_progress "$log" $as_root apt-get update || failed

# What apt-get says of it itself: how much depends on what is there.
# shellcheck disable=SC2086  # a list of package names
sizes=$(LC_ALL=C apt-get install --assume-no --no-install-recommends $missing 2>/dev/null |
  sed -n 's/^Need to get \(.*\) of archives\.$/\1 to fetch/p; s/^After this operation, \(.*\) of additional disk.*/\1 of disk/p' |
  paste -s -d , | sed 's/,/, /')
say "installing what is missing:$missing${sizes:+ ($sizes)}"
# shellcheck disable=SC2086
with_progress "$log" $as_root env DEBIAN_FRONTEND=noninteractive \
  apt-get install --yes --no-install-recommends $missing || failed
