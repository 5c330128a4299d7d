#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# ./dev vendor DIR: the copy that a project puts into its own tree.  It has what add_subdirectory and
# FetchContent read, and no more: the modules, the templates, the sources that the modules name, and
# what those include, on any platform.
set -eu
repository=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
. "$repository/scripts/common.sh"

[ $# -eq 1 ] && [ -n "$1" ] || die "usage: ./dev vendor DIR"
case $1 in /*) target=$1 ;; *) target=$PWD/$1 ;; esac
[ ! -e "$target" ] && [ ! -L "$target" ] || die "$1 exists" \
  "Remove it, or name another directory: files of two releases must not mix."
cd "$repository"

# What the modules name below tool (package.cmake): sources, and folders that go to the compiler as "include".
roots() {
  for platform in linux windows; do
    for name in core probe adviser guard; do echo "tool/$name/$platform/$name.cpp"; done
    echo "tool/guard/$platform/stamp_of_target.cpp"
  done
  echo tool/sweep/sweep_program.cpp
  echo tool/probe/kernel/kernel.cu
  # A table that CMake reads, and no program of these.
  echo tool/core/observe/cudnn_hints.def
  find tool/guard/include tool/opened/include -type f
}

# The files of standard input, and all that they include by a relative name.
with_includes() {
  awk '
    function add(file) { if (!(file in known)) { known[file] = 1; queue[++last] = file } }
    { add($0) }
    END {
      for (i = 1; i <= last; ++i) {
        file = queue[i]
        print file
        folder = file
        sub(/[^\/]*$/, "", folder)
        while ((getline line < file) > 0)
          if (line ~ /^[ \t]*#[ \t]*include[ \t]*"/) {
            split(line, part, "\"")
            name = folder part[2]
            while (sub(/[^\/]+\/\.\.\//, "", name)) {}
            # Else it is found in a folder "include", which is here as a whole, or it is generated.
            if ((getline line < name) >= 0) { close(name); add(name) }
          }
        close(file)
      }
    }'
}

files=$(
  printf '%s\n' CMakeLists.txt LICENSE
  find cmake templates -type f
  roots | with_includes
)
# Beside its place, and renamed when it is whole: a run that is ended leaves nothing.
mkdir -p "$(dirname -- "$target")"
partial=$(mktemp -d "$(dirname -- "$target")/cudnn_checked.XXXXXX.part")
trap 'rm -rf "$partial"' EXIT
trap 'exit 1' HUP INT TERM
printf '%s\n' "$files" >"$partial/list"
tar -cf "$partial/archive" -T "$partial/list"
mkdir "$partial/copy"
tar -xf "$partial/archive" -C "$partial/copy"
mv -T "$partial/copy" "$target" || die "$1 has come to be meanwhile; nothing was written"
say "$(printf '%s\n' "$files" | wc -l) files, $(printf '%s\n' "$files" | xargs cat | wc -c) bytes in $1"
