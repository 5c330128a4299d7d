#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# ./dev demo: builds examples/minimal on a real cuDNN, starts it, and shows it refusing an older and a
# mixed cuDNN.  Ends with status 0 only where all that was shown is what was expected.
set -eu
repository=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
. "$repository/scripts/common.sh"
[ $# -eq 0 ] || usage_error demo
began_in=$PWD
cd "$repository"
begin demo demo

seen='' unexpected=''
note() { seen="$seen$1
"; }
wrong() {
  unexpected=yes
  note "NOT AS EXPECTED: $1"
  printf 'dev: error: not as expected: %s\n' "$1" >&2
}
indent() { sed 's/^/   | /'; }

# configure TREE [ARGUMENT...]: a build tree of examples/minimal under build/demo, as a project of
# anybody's would be configured; its output in TREE.log.
configure() {
  tree=build/demo/$1 && shift
  rm -rf "$tree"
  set -- cmake -S examples/minimal -B "$tree" -G Ninja -D CMAKE_BUILD_TYPE=Release \
    -D CuDNNChecked_DIR="$repository/cmake" "$@"
  print_command "$@"
  : >"$tree.log"
  with_progress "$tree.log" "$@"
}

# configure_on TREE FOLDER: on the cuDNN of a folder that fetch_cudnn.sh printed.
configure_on() {
  for package in cudnn cudnn_jit; do
    if [ -d "$2/nvidia/$package" ]; then
      configure "$1" -D CuDNNChecked_ROOT="$2/nvidia/$package"
      return
    fi
  done
  die "no cuDNN in $2"
}

# The one line that names cuDNN, CUDA and the architectures; the facts come from the report.
show_proof() {
  sed -n 's/^-- \(cuDNN .*\)/\1/p' "$tree.log" | indent
  report=$(sed -n 's/^-- minimal: what was proved, and how: //p' "$tree.log")
  [ -n "$report" ] || die "the configure log has no report: $tree.log"
  python3 - "$report" >build/demo/facts.txt <<'PY'
import json, os, sys
report = json.load(open(sys.argv[1], encoding="utf-8"))
library = report["cudnn"]["library"]
cuda = report["cuda"]["toolkit"].split(".")[0]
print(library["version"], cuda, report["level"], os.path.dirname(library["path"]))
PY
  read -r version cuda_major proved libraries <build/demo/facts.txt
}

build() {
  print_command cmake --build "$tree"
  with_progress "$tree.log" cmake --build "$tree" || {
    tail -n 40 "$tree.log" >&2
    die "examples/minimal does not build" "All of the output: $tree.log"
  }
}

# expect_refusal FINDING WHAT COMMAND...: the command must end with status 78 and name the finding.
expect_refusal() {
  finding=$1 what=$2 && shift 2
  print_command "$@"
  status=0
  "$@" >build/demo/output.txt 2>&1 || status=$?
  indent <build/demo/output.txt
  printf '   exit status %s\n' "$status"
  if [ "$status" -eq 78 ] && grep -qF "[$finding]" build/demo/output.txt; then
    note "$what: refused, $finding"
  else
    wrong "$what: should be refused with $finding and status 78"
  fi
}

sh scripts/install_missing.sh build
newer=$(sh scripts/newer_cmake.sh 3.22)
# What is printed works when it is typed, in this order.
[ "$began_in" = "$repository" ] || print_command cd "$repository"
[ -z "$newer" ] || {
  PATH=$newer:$PATH
  printf '   $ export PATH=%s:$PATH\n' "$(quoted "$newer")"
}

say "looking for a cuDNN on this machine"
if configure minimal; then
  where='this machine'
elif grep -qF '[cudnn-not-found]' build/demo/minimal.log; then
  where='PyPI'
  set_name=jit
  ! has_gpu || set_name=full
  say "there is none; taking a real one from PyPI (kept in $cache)"
  home=$(sh scripts/fetch_cudnn.sh $set_name)
  configure_on minimal "$home" || {
    tail -n 40 "$tree.log" >&2
    die "examples/minimal could not be configured" "All of the output: $tree.log"
  }
else
  tail -n 40 "$tree.log" | indent
  die "examples/minimal could not be configured on this machine's cuDNN; see above" \
    "All of the output: $tree.log" \
    "To see the demo on another one: CuDNNChecked_ROOT=DIRECTORY ./dev demo"
fi
show_proof
note "cuDNN $version of $where: proved up to \"$proved\""

say "building the guarded program"
build

if has_gpu; then
  say "starting it: it finds the edges of a picture with cuDNN"
  picture=build/demo/edges.bmp
  rm -f "$picture"
  print_command build/demo/minimal/minimal "$picture"
  if build/demo/minimal/minimal "$picture" >build/demo/output.txt 2>&1 && [ -s "$picture" ]; then
    indent <build/demo/output.txt
    note "the guarded program: started, its numbers are right; look at $picture"
  else
    indent <build/demo/output.txt
    wrong "the guarded program should start here and write $picture"
  fi
else
  say "starting it: it has GPU REQUIRED and this machine no NVIDIA GPU, so it must refuse, in words, before main()"
  expect_refusal driver-missing "GPU REQUIRED, started without a GPU" build/demo/minimal/minimal
fi

# Something older than what the program was built on, for the same CUDA.
older=${CUDNN_CHECKED_OLDER:-}
if [ -z "$older" ]; then
  case $version in
    9.1[4-9].* | 9.[2-9]?.*)
      suitable=$(sed -n "s/^older-cu$cuda_major .*/yes/p" scripts/cudnn_sets.txt)
      ;;
    *) suitable='' ;;
  esac
  if [ -z "$suitable" ]; then
    say "cuDNN $version has no small older one; the refusals are shown on cuDNN 9.14 from PyPI"
    home=$(sh scripts/fetch_cudnn.sh jit)
    configure_on refusals "$home" || die "could not be configured" "All of the output: $tree.log"
    show_proof
    build
  fi
  home=$(sh scripts/fetch_cudnn.sh "older-cu$cuda_major") ||
    die "there is no older cuDNN to show the refusals with" \
      "CUDNN_CHECKED_OLDER=FOLDER ./dev demo takes one that is on this machine."
  older=$home/nvidia/cudnn_jit/lib
fi

say "the same program with LD_LIBRARY_PATH at an older cuDNN"
expect_refusal cudnn-older "sent to an older cuDNN" env "LD_LIBRARY_PATH=$older" "$tree/minimal"

say "the same program on a half-finished upgrade: its own cuDNN, with one library of the older release"
mixed=build/demo/mixed
rm -rf "$mixed" && mkdir -p "$mixed"
for file in "$libraries"/libcudnn*.so.9*; do ln -s "$file" "$mixed/"; done
# Debian's layout has it under two names, .so.9 and .so.9.14.0, and cuDNN asks for the longer first.
for file in "$mixed"/libcudnn_engines_runtime_compiled.so.*; do
  ln -sf "$older/libcudnn_engines_runtime_compiled.so.9" "$file"
done
expect_refusal mixed-sublibraries "sent to a mixed cuDNN" env "LD_LIBRARY_PATH=$mixed" "$tree/minimal"

say "what was seen"
printf '%s' "$seen" | indent
[ -z "$unexpected" ] || die "not everything was as expected; see above"
say "next: examples/minimal/CMakeLists.txt is all that a project needs; README.md says the rest"
