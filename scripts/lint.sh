#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# ./dev lint [fix]: formatting, SPDX lines and length of every file of the working tree; and each C++ source
# compiles alone with this machine's g++, and with clang where it is there (compile_alone.py).  With "fix",
# formats in place.  The formatters come from PyPI, pinned, into the cache: their releases disagree.
set -eu
repository=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
. "$repository/scripts/common.sh"
cd "$repository"
case $# in
  0) ;;
  1) [ "$1" = fix ] || usage_error lint ;;
  *) usage_error lint ;;
esac
begin lint lint

clang_format=14.0.6 gersemi=0.17.1
tools=$cache/lint-$clang_format-$gersemi
if [ ! -e "$tools/complete" ]; then
  sh scripts/install_missing.sh fetch venv lint
  say "fetching clang-format $clang_format and gersemi $gersemi from PyPI (2 MB)"
  need_cache
  rm -rf "$tools"
  python3 -m venv "$tools"
  with_progress "$tools/log" "$tools/bin/pip" install --disable-pip-version-check \
    "clang-format==$clang_format" "gersemi==$gersemi" || {
    tail -n 5 "$tools/log" >&2
    die "the formatters could not be fetched" "The last lines of pip stand above."
  }
  : >"$tools/complete"
fi

# Prints the files of the working tree whose names match an extended regular expression.
files() {
  find . \( -path './.[!c]*' -o -path ./build \) -prune -o -type f -print | grep -E "$1" | sort
}

cpp='\.(cpp|h|hpp|cu)$'
cmake='(\.cmake|CMakeLists\.txt)$'
if [ "${1:-}" = fix ]; then
  files "$cpp" | xargs "$tools/bin/clang-format" -i
  files "$cmake" | xargs "$tools/bin/gersemi" --in-place
fi

failed=''
fail() { failed=yes && printf '%s\n' "$*" >&2; }

# Each tool is started once for all files: its start costs more than a file.
files "$cpp" | xargs "$tools/bin/clang-format" --dry-run -Werror || fail "not formatted; ./dev lint fix"
files "$cmake" | xargs "$tools/bin/gersemi" --no-warn-about-unknown-commands --check ||
  fail "not formatted; ./dev lint fix"

code="$cpp|$cmake|\.(py|sh|in|inc|def)\$|^\./(dev|\.ci/run|\.clang-format)\$"
without=$({
  files "$code"
  files "$code" | xargs awk 'FNR <= 3 && /SPDX-License-Identifier: BSD-3-Clause/ { print FILENAME }'
} | sort | uniq -u)
[ -z "$without" ] || fail "no SPDX line on top: $without"
long=$(files "^\./(tool|cmake|scripts|examples|tests)/.*($cpp|$cmake|\.py\$)" |
  xargs awk 'FNR == 401 { print FILENAME }')
[ -z "$long" ] || fail "over 400 lines: $long"

sh scripts/install_missing.sh build unit
newer=$(sh scripts/newer_cmake.sh 3.22)
[ -z "$newer" ] || PATH=$newer:$PATH
set -- c++
if has clang++; then
  set -- c++ clang++
else
  say "there is no clang++: the sources are compiled with c++ alone"
fi
say "compiling each source alone: $*"
# One source is written by the build, which would compile all others before.
if cmake -S . -B build/lint -G Ninja -D CMAKE_EXPORT_COMPILE_COMMANDS=ON -D CUDNN_CHECKED_FUZZ=ON >build/lint.log 2>&1 &&
  cmake -D "SOURCE=$repository" -D FILE=build/lint/tool/cli/identity.cpp -P tool/cli/write_identity.cmake >>build/lint.log 2>&1; then
  PYTHONDONTWRITEBYTECODE=1 python3 scripts/compile_alone.py build/lint "$@" || fail "not every source compiles alone"
else
  cat build/lint.log >&2
  fail "the build cannot be configured"
fi

[ -z "$failed" ] || die "lint found something"
say "lint: no problems found"
