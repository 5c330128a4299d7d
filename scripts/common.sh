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

# A command as the reader can type it.
print_command() {
  printf '   $'
  for argument in "$@"; do printf ' %s' "$(quoted "$argument")"; done
  printf '\n'
}

die() {
  printf 'dev: error: %s\n' "$1" >&2
  shift
  for line in "$@"; do printf '  %s\n' "$line" >&2; done
  exit 1
}

# What words.txt has of the words of ./dev.  Each of these reads it as a whole.
words_file=$repository/scripts/words.txt

is_word() {
  while read -r mark name; do
    if [ "$mark $name" = "= $1" ]; then return; fi
  done <"$words_file"
  return 1
}

# Every word with what it is for.
print_words() {
  awk '
    BEGIN { print "usage: ./dev WORD [ARGUMENTS...]\n" }
    /^= / { word = $2; next }
    word != "" && !/^(usage:| |$)/ { printf "  %-10s  %s\n", word, $0; word = "" }
    END {
      print "  help        this text; help WORD, WORD --help or WORD -h: the arguments, how long it takes and what it fetches"
      print "\nWhat is missing is installed (apt-get, with sudo when not root) and named, with its size."
      print "Real cuDNNs and tools are kept in ${XDG_CACHE_HOME:-~/.cache}/cudnn-checked, builds in build/."
    }' "$words_file"
}

# All of one word.
print_help() {
  awk -v word="$1" '/^= / { its = $2 == word; next } its' "$words_file" | sed -e '$ { /^$/d }'
}

# How long a word takes and what it fetches: the first line that it prints.
say_cost() {
  say "$1: $(awk -v word="$1" '/^= / { its = $2 == word } its && sub(/^takes: /, "")' "$words_file")" >&2
}

# usage_error WORD [LINE...]: the arguments are wrong.
usage_error() {
  lines=$(awk -v word="$1" '/^= / { its = $2 == word } its && /^(usage:|      ) \.\/dev/' "$words_file")
  shift
  die "$lines" "$@"
}

# A path as it is typed.
quoted() {
  case $1 in
    '' | *[!A-Za-z0-9_./+:,@%=-]*) printf "'%s'" "$(printf '%s' "$1" | sed "s/'/'\\\\''/g")" ;;
    *) printf '%s' "$1" ;;
  esac
}

# begin WORD [FOLDER...]: what a word of ./dev starts with, once its arguments are right.  It says how long it takes and
# what it fetches, and ends where it cannot write: the FOLDERs of build, and a cache that is not there yet.
begin() {
  say_cost "$1"
  [ -d "$cache" ] || need_cache
  word=$1 && shift
  for folder in "$@"; do need_folder_of_build "$word" "$folder"; done
}

# Before something is written there.  A cache that only has all that is needed may be another user's.
need_cache() {
  mkdir -p "$cache" 2>/dev/null && is_writable "$cache" ||
    die "$cache cannot be written, and what is fetched is kept there" \
      "Type: export XDG_CACHE_HOME=/var/tmp/cache-of-$(id -u)" "and the same again."
}

# Asked by making a file: a mount may be read-only, and root may write wherever one is not.
is_writable() {
  asked=$(mktemp "$1/.writable.XXXXXX" 2>/dev/null) && rm -f "$asked"
}

need_folder_of_build() {
  whole=$repository/build
  if is_writable "$whole" || { [ ! -e "$whole" ] && is_writable "$repository"; }; then
    whole=$whole/$2
    mkdir -p "$whole"
    # A link is replaced, whoever's the file is that it leads to.
    theirs=$(find "$whole" ! -type l ! -writable -print -quit 2>/dev/null)
    [ -n "$theirs" ] || return 0
  elif is_writable "$repository"; then
    theirs=$whole
  else
    die "$repository cannot be written, and ./dev builds in its folder build" "Type, for a copy that can be:" \
      "  copy=\$(mktemp -d) && tar -C $(quoted "$repository") --exclude=./build --mode=u+w -c . | tar -C \"\$copy\" -x" \
      "  \"\$copy/dev\" $1"
  fi
  die "$theirs belongs to $(stat -c %U "$theirs"), and this user may not replace it" \
    "That user has run ./dev here.  Type as root, or with sudo before it:" "  rm -r $(quoted "$whole")"
}

# with_progress LOG COMMAND...: the output goes to the end of LOG.  On a terminal a line shows, after three seconds, how
# long it has taken and the last line of LOG.
with_progress() {
  log=$1 && shift
  [ -t 2 ] || {
    "$@" >>"$log" 2>&1
    return
  }
  show_progress $$ "$log" &
  shown=$! status=0
  "$@" >>"$log" 2>&1 || status=$?
  kill "$shown" 2>/dev/null || true
  wait "$shown" 2>/dev/null || true
  printf '\r\033[K' >&2
  return "$status"
}

# Until the process is gone that asked for it: Ctrl-C leaves none.
show_progress() {
  trap 'exit 0' INT TERM
  seconds=0
  while sleep 1 && kill -0 "$1" 2>/dev/null; do
    seconds=$((seconds + 1))
    [ "$seconds" -le 3 ] || printf '\r\033[K   %s s  %s' "$seconds" \
      "$(tail -n 1 "$2" | tr -cd '[:print:]' | cut -c 1-68)" >&2
  done
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
