#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# usage: fetch_cudnn.sh NAME
#
# Fetches a set of cudnn_sets.txt from PyPI into the cache, once, and prints its folder, in which lies
# nvidia/.  pip checks each download against the index's hash and takes the wheel of this machine's
# architecture; pip's own settings (mirror, proxy, certificates) hold.  A folder in the cache is whole:
# it gets its name only when all of it is there, and is measured against its list at each use.
#
# The entries of a suite (CUDNN_CHECKED_BUILD is its build tree) do not each wait for a PyPI that cannot be
# reached: after a failure none of them tries again for ten minutes.
set -eu
repository=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
. "$repository/scripts/common.sh"

name=${1:?usage: fetch_cudnn.sh NAME}
line=$(sed -n "s/^$name  *//p" "$repository/scripts/cudnn_sets.txt")
[ -n "$line" ] || die "cudnn_sets.txt has no set \"$name\""
megabytes=${line%% *} requirements=${line#* }

# The folder's name changes with what is asked for.
home=$cache/$name-$(printf '%s' "$requirements" | cksum | cut -d ' ' -f 1)

list_of() { (cd "$1" && find . -type f ! -name complete -printf '%s %P\n' | LC_ALL=C sort); }

is_whole() { [ -e "$home/complete" ] && list_of "$home" | cmp -s - "$home/complete"; }

print_whole() {
  ! is_whole || {
    printf '%s\n' "$home"
    exit 0
  }
}

print_whole
need_cache
# Tests that run at the same time ask for the same set: one fetches, the others wait.
if has flock; then
  exec 9<"$cache"
  flock 9
  print_whole
fi

failed=${CUDNN_CHECKED_BUILD:+$CUDNN_CHECKED_BUILD/not_fetched}
if [ -n "$failed" ] && [ -n "$(find "$failed" -mmin -10 2>/dev/null)" ]; then
  die "nothing is fetched for ten minutes: pip could not fetch $(cat "$failed")"
fi
sh "$repository/scripts/install_missing.sh" fetch >&2
say "fetching from PyPI, about $megabytes MB: $requirements" >&2
partial=$(mktemp -d "$cache/$name.partial.XXXXXX")
trap 'rm -rf "$partial"' EXIT
trap 'exit 1' HUP INT TERM
export PIP_ROOT_USER_ACTION=ignore PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_RETRIES="${PIP_RETRIES:-2}"
set -f # 13.0.* is no file name
case $requirements in
  only:*)
    only=${requirements%% *} requirements=${requirements#* }
    python3 -m pip download --no-cache-dir --no-deps --only-binary :all: --dest "$partial" "$requirements" >&2 &&
      python3 -c 'import glob, os, sys, zipfile
wheel, = glob.glob(sys.argv[1] + "/*.whl")
zipfile.ZipFile(wheel).extract(sys.argv[2], sys.argv[1])
os.remove(wheel)' "$partial" "${only#only:}"
    ;;
  *)
    # shellcheck disable=SC2086  # a list of requirements
    python3 -m pip install --no-cache-dir --no-deps --no-compile --only-binary :all: \
      --target "$partial" $requirements >&2
    ;;
esac || {
  [ -z "$failed" ] || printf '%s\n' "$requirements" >"$failed"
  die "pip could not fetch $requirements" "Its own lines stand above; nothing was kept."
}
set +f
# cuDNN 9.14 for CUDA 13 still looks for cublasLt and nvrtc in the folders of CUDA 12's wheels.
for folder in cublas cuda_nvrtc; do
  if [ -d "$partial/nvidia/cu13/lib" ] && [ ! -e "$partial/nvidia/$folder" ]; then
    ln -s cu13 "$partial/nvidia/$folder"
  fi
done
list_of "$partial" >"$partial/complete"
chmod 755 "$partial"
rm -rf "$home"
mv -T "$partial" "$home"
printf '%s\n' "$home"
