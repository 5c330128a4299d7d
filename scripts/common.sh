# SPDX-License-Identifier: BSD-3-Clause
#
# Sourced by the scripts behind ./dev, which set `repository` to the root of the working tree first.
# shellcheck shell=sh

# shellcheck disable=SC2034  # for those scripts
cache=${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/cudnn-checked

if [ -t 1 ] && [ -z "${NO_COLOR:-}" ]; then
  bold=$(printf '\033[1m') plain=$(printf '\033[0m')
else
  bold='' plain=''
fi

# One step of the narration.
say() { printf '%s== %s%s\n' "$bold" "$*" "$plain"; }

# A command that the reader could type, then its output.
show() {
  printf '   $ %s\n' "$*"
  "$@"
}

die() {
  printf 'dev: error: %s\n' "$1" >&2
  shift
  for line in "$@"; do printf '  %s\n' "$line" >&2; done
  exit 1
}

has() { command -v "$1" >/dev/null 2>&1; }

# An NVIDIA GPU with its kernel driver, or WSL2's.
has_gpu() {
  [ -e /dev/dxg ] || ls /proc/driver/nvidia/gpus/*/information >/dev/null 2>&1
}

# What the tests need for a moment lies in a folder of this run, which is empty afterwards.
use_own_temporary_folder() {
  TMPDIR=$(mktemp -d)
  export TMPDIR
  # Some programs are started as another user.
  chmod 755 "$TMPDIR"
  [ -n "${CUDNN_CHECKED_KEEP_SCRATCH:-}" ] || trap 'rm -rf "$TMPDIR"' EXIT
  trap 'exit 1' HUP INT TERM
}

assert_nothing_left() {
  left=$(ls -A "$TMPDIR")
  # shellcheck disable=SC2086  # a list of names
  [ -z "$left" ] || [ -n "${CUDNN_CHECKED_KEEP_SCRATCH:-}" ] ||
    die "the tests left this behind in the temporary directory:" $left
}
