#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# ./dev bare: runs ./dev demo and ./dev test, or ./dev WORDS, in a Debian that has nothing else (debootstrap: minbase,
# ca-certificates and git), in a clone of HEAD.
#
# The mounts are in a namespace of their own and are gone with its last process, however it ends.
set -eu
repository=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
. "$repository/scripts/common.sh"

keep='' shared=''
while :; do
  case ${1:-} in
    --keep) keep=yes ;;
    --cache) shared=yes ;;
    *) break ;;
  esac
  shift
done
suite=${1:-}
case $suite in
  '' | *[!a-z]*) usage_error bare \
    "SUITE is Debian's name of the release: bookworm, trixie." ;;
esac
shift
[ "$(id -u)" -eq 0 ] || die "./dev bare needs root: it mounts file systems and changes the root" \
  "Type: sudo ./dev bare $suite"
for program in unshare pivot_root flock git; do
  has $program || die "there is no $program here"
done

begin bare
need_cache
base=$cache/bare/$suite run=$cache/bare/$suite.run
if [ ! -d "$base" ]; then
  has debootstrap || die "there is no debootstrap here" "Type: apt-get install debootstrap"
  say "making a bare Debian $suite (kept in $base)"
  mkdir -p "$cache/bare"
  partial=$(mktemp -d "$base.partial.XXXXXX")
  trap 'rm -rf "$partial"' EXIT
  trap 'exit 1' HUP INT TERM
  : >"$cache/bare/$suite.log"
  with_progress "$cache/bare/$suite.log" \
    debootstrap --variant=minbase --include=ca-certificates,git "$suite" "$partial" || {
    tail -n 20 "$cache/bare/$suite.log" >&2
    die "debootstrap could not make a $suite" "All of its output: $cache/bare/$suite.log"
  }
  chmod 755 "$partial"
  mv -T "$partial" "$base" || die "another ./dev bare $suite has made it meanwhile"
fi

exec 9<"$base"
flock -n 9 || die "another ./dev bare $suite is running"
# This process sees no mount in it.
leave() { [ -n "$keep" ] || rm -rf "$run"; }
trap leave EXIT
trap 'exit 1' HUP INT TERM
[ -n "$keep" ] && [ -d "$run" ] || {
  rm -rf "$run"
  cp -a "$base" "$run"
}
clone=$run/root/CuDNNChecked
[ -z "$(git -C "$repository" status --porcelain)" ] ||
  say "what is not committed is not in the clone"
if [ -d "$clone" ]; then
  git -C "$clone" fetch --quiet "$repository" HEAD
  git -C "$clone" reset --quiet --hard FETCH_HEAD
else
  git clone --quiet --no-hardlinks "$repository" "$clone"
fi

for file in /etc/resolv.conf /etc/hosts /etc/pip.conf; do
  [ ! -f "$file" ] || cp --remove-destination -L "$file" "$run$file"
done

# Runs ./dev WORDS in it; notes its status, its time and its tests.
# shellcheck disable=SC2016  # the texts are for other shells
dev_inside() {
  results="${results}bare Debian $suite: ./dev $*: "
  word=$1 status=0
  set -- sh -c 'cd && cd CuDNNChecked || exit
    status=0
    ./dev "$@" || status=$?
    times >/times
    exit $status' sh "$@"
  # How the network is reached here: variables, and the files that they name.
  for name in http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY PIP_INDEX_URL \
    PIP_EXTRA_INDEX_URL PIP_TRUSTED_HOST PIP_DEFAULT_TIMEOUT PIP_CERT SSL_CERT_FILE; do
    eval "value=\${$name:-}"
    [ -n "$value" ] || continue
    set -- "$name=$value" "$@"
    [ ! -f "$value" ] || install -D -m 644 "$value" "$run$value"
  done
  : >"$run/times"
  unshare --mount sh -eu -c '
    root=$1 shared=$2
    shift 2
    mount --bind "$root" "$root"
    for folder in proc sys dev; do mount --rbind "/$folder" "$root/$folder"; done
    if [ -n "$shared" ]; then
      mkdir -p "$root/root/.cache/cudnn-checked"
      mount --bind "$shared" "$root/root/.cache/cudnn-checked"
    fi
    # A root of its own, as in a container: in a mere chroot no program can make a namespace.
    cd "$root"
    pivot_root . .
    umount -l .
    exec chroot . env -i HOME=/root "$@"
  ' sh "$run" "${shared:+$cache}" PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    "$@" </dev/null 9<&- || status=$?
  seconds=$(tr ms '  ' <"$run/times" | awk '{ s += 60 * ($1 + $3) + $2 + $4 } END { printf "%.0f", s }')
  results="${results}exit status $status, $seconds s of CPU time
"
  for log in "$clone"/build/*/Testing/Temporary/LastTest.log; do
    [ "$word" = test ] && [ -e "$log" ] || continue
    preset=${log#"$clone"/build/}
    results="$results  preset ${preset%%/*}: $(awk '/^[0-9]+\/[0-9]+ Testing: / { tests++ }
      /^Test Failed/ { failed++ } END { print tests + 0 " tests, " failed + 0 " failed" }' "$log")
"
  done
  [ "$status" -eq 0 ] || failed=yes
}

results='' failed=''
if [ $# -gt 0 ]; then
  dev_inside "$@"
else
  dev_inside demo
  dev_inside test
fi
printf '%s' "$results"
[ -z "$failed" ] || exit 1
