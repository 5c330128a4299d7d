#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# ./dev wheel: the wheels for x86_64 and aarch64.  The compiler is zig of PyPI: what it links needs glibc 2.17 and nothing
# else, on every machine that it compiles for.  With --windows that for win_amd64 as well, by Debian's mingw-w64, whose
# programs are the ones that tests/windows starts under wine.
set -eu
repository=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
. "$repository/scripts/common.sh"

zig=0.17.1
windows=''
if [ "${1:-}" = --windows ]; then
  windows=yes
  shift
fi
case $#${1:-} in
  0 | 1[!-]*) ;;
  *) usage_error wheel ;;
esac
into=${1:-$repository/build/wheel}
case $(uname -m) in
  x86_64 | aarch64) ;;
  *) die "./dev wheel runs on x86_64 and aarch64: it starts one of the programs that it builds" ;;
esac
begin wheel wheel zig-x86_64 zig-aarch64 ${windows:+zig-windows}
tools=$cache/zig-$zig
sh "$repository/scripts/install_missing.sh" build
[ -z "$windows" ] || sh "$repository/scripts/install_missing.sh" mingw
newer=$(sh "$repository/scripts/newer_cmake.sh" 3.25)
[ -z "$newer" ] || PATH=$newer:$PATH
if [ ! -e "$tools/complete" ]; then
  sh "$repository/scripts/install_missing.sh" fetch venv
  say "fetching zig $zig from PyPI (100 MB)"
  need_cache
  rm -rf "$tools"
  python3 -m venv "$tools"
  with_progress "$tools/log" "$tools/bin/pip" install --disable-pip-version-check "ziglang==$zig" || {
    tail -n 5 "$tools/log" >&2
    die "zig could not be fetched" "The last lines of pip stand above."
  }
  # CMake wants the archiver as one program.
  zig_program=$("$tools/bin/python" -c 'import os, ziglang
print(os.path.join(os.path.dirname(ziglang.__file__), "zig"))')
  ln -s "$zig_program" "$tools/zig"
  for word in ar ranlib; do
    printf '#!/bin/sh\nexec "%s" %s "$@"\n' "$zig_program" "$word" >"$tools/$word"
    chmod +x "$tools/$word"
  done
  : >"$tools/complete"
fi
# The C++ library that zig compiles once for each machine.
export ZIG_GLOBAL_CACHE_DIR="$tools/cache" ZIG_LOCAL_CACHE_DIR="$tools/cache"

# zig compiles a C++ library (100 s) for each kind of optimisation, debug information and -pie that something is linked
# with, and CMake links to try the compiler: so all have the same.
link="-O2 -g0 -pie -s"

# build_for NAME [ARGUMENT of cmake...]: the program, in build/zig-NAME.
build_for() {
  say "$1: building"
  name=$1 build=$repository/build/zig-$1 && shift
  mkdir -p "$build"
  : >"$build/log"
  {
    with_progress "$build/log" cmake -S "$repository" -B "$build" -G Ninja -D CMAKE_BUILD_TYPE=Release \
      -D CMAKE_UNITY_BUILD=ON -D CMAKE_UNITY_BUILD_BATCH_SIZE=40 -D CMAKE_CXX_FLAGS_RELEASE="-O2 -DNDEBUG" \
      -D CUDNN_CHECKED_BUILD_TESTING=OFF -D CUDNN_CHECKED_BUILD_CLI=ON "$@" &&
      with_progress "$build/log" cmake --build "$build" --target cudnn-checked
  } || {
    tail -n 40 "$build/log" >&2
    die "the program for $name does not build" "All of its output: $build/log"
  }
}

for machine in x86_64 aarch64; do
  target="-target $machine-linux-gnu.2.17 $link"
  set --
  # A cross build cannot run what it makes: the man page and the completions are those of this machine's.
  [ "$machine" = "$(uname -m)" ] || set -- -D CMAKE_SYSTEM_NAME=Linux -D CMAKE_SYSTEM_PROCESSOR="$machine"
  build_for "$machine" "$@" -D "CMAKE_C_COMPILER=$tools/zig;cc" -D "CMAKE_CXX_COMPILER=$tools/zig;c++" \
    -D CMAKE_AR="$tools/ar" -D CMAKE_RANLIB="$tools/ranlib" -D CMAKE_POSITION_INDEPENDENT_CODE=ON \
    -D CMAKE_C_FLAGS="$target" -D CMAKE_CXX_FLAGS="$target" -D CMAKE_EXE_LINKER_FLAGS="$link"
done
[ -z "$windows" ] || build_for windows --toolchain "$repository/tests/windows/mingw-w64.cmake" \
  -D CMAKE_EXE_LINKER_FLAGS="-static -s"

installed=$repository/build/zig-$(uname -m)/installed
rm -rf "$installed"
cmake --install "$repository/build/zig-$(uname -m)" --prefix "$installed" >/dev/null
for program in x86_64/tool/cli/cudnn-checked aarch64/tool/cli/cudnn-checked ${windows:+windows/tool/cli/cudnn-checked.exe}; do
  python3 "$repository/packaging/python/make_wheel.py" --installed "$installed" --into "$into" \
    --program "$repository/build/zig-$program"
done
