#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# ./dev release: what a release offers, made of the commit that is checked out, in DIR or
# build/release: wheels, the archive of ./dev archive, the sources, packages of Debian and RPM and an archive of what is
# installed, the documents, an SBOM (release/sbom.py) and SHA256SUMS.  It ends with what a person must still do.
set -eu
repository=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
. "$repository/scripts/common.sh"

every_part='wheels archive sources packages documents'
parts=$every_part check='' into=''
while [ $# -gt 0 ]; do
  case $1 in
    --check) check=yes ;;
    --only)
      case " $every_part " in *" ${2:-none} "*) parts=$2 ;; *) die "--only: one of $every_part, not \"${2:-}\"" ;; esac
      shift
      ;;
    -* | '') usage_error release ;;
    *)
      [ -z "$into" ] || usage_error release
      into=$1
      ;;
  esac
  shift
done
into=${into:-$repository/build/release}

has git || die "there is no git here, and a release is made of a commit"
changed=$(git -C "$repository" status --porcelain) || die "a release is made of a commit, and this is no checkout of git"
[ -z "$changed" ] || die "a release is made of a commit, and these changes are in none: $(
  printf '%s' "$changed" | cut -c 4- | head -n 3 | tr '\n' ' '
)"
[ ! -e "$into" ] && [ ! -L "$into" ] || die "$into exists" \
  "Remove it, or name another directory: files of two releases must not mix."
begin release
release=$(sed -n 's/^set(_cudnn_checked_package_version \(.*\))$/\1/p' "$repository/cmake/CuDNNChecked/package_version.cmake")
commit=$(git -C "$repository" rev-parse HEAD)
SOURCE_DATE_EPOCH=$(git -C "$repository" log -1 --format=%ct)
export SOURCE_DATE_EPOCH
# Of files and folders that are made.
umask 022

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM

# packed FOLDER NAME: the folder as an archive, whose bytes say nothing of when and by whom it was made.
packed() {
  tar -C "$1" --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner --format=ustar -c "$2" | gzip -9n
}

make_wheels() {
  sh "$tree/packaging/python/wheel.sh" "$made"
  zig=$(sed -n 's/^zig=//p' "$tree/packaging/python/wheel.sh")
  echo "cudnn_checked-*.whl=LLVM-libcxx-of-zig=$zig=Apache-2.0 WITH LLVM-exception" >>"$scratch/linked"
}

make_archive() { sh "$tree/scripts/archive.sh" "$made"; }

make_sources() {
  git -C "$tree" archive --format=tar --prefix="cudnn-checked-$release/" HEAD | gzip -9n >"$made/cudnn-checked-$release.tar.gz"
  say "cudnn-checked-$release.tar.gz in $made"
}

# What is installed is compiled, and no more: the target "package" compiles all.
build_packages() {
  cmake -S "$tree" -B "$build" -G Ninja -D CMAKE_BUILD_TYPE=Release -D CMAKE_UNITY_BUILD=ON -D CMAKE_INSTALL_PREFIX=/usr \
    -D CMAKE_CXX_FLAGS="-ffile-prefix-map=$tree=." -D CUDNN_CHECKED_BUILD_TESTING=OFF -D CUDNN_CHECKED_BUILD_CLI=ON &&
    cmake --build "$build" --target cudnn-checked && (cd "$build" && cpack)
}

make_packages() {
  sh "$tree/scripts/install_missing.sh" build
  sh "$tree/scripts/install_missing.sh" rpm || true
  has dpkg-deb && has dpkg-shlibdeps || left_out="$left_out the Debian package (no dpkg-deb and dpkg-shlibdeps);"
  has rpmbuild || left_out="$left_out the RPM (no rpmbuild);"
  build=$tree/build/package
  mkdir -p "$build"
  say "the packages: building"
  with_progress "$build/log" build_packages || {
    tail -n 40 "$build/log" >&2
    die "the packages cannot be made"
  }
  readelf -d "$build/tool/cli/cudnn-checked" | grep -q 'NEEDED.*libstdc++' ||
    echo "cudnn-checked[-_]$release-*[!z]=libstdcxx=$(c++ -dumpfullversion)=GPL-3.0-or-later WITH GCC-exception-3.1" >>"$scratch/linked"
  for file in "$build"/cudnn-checked*.deb "$build"/cudnn-checked*.rpm "$build"/cudnn-checked*.tar.gz; do
    [ ! -e "$file" ] || cp "$file" "$made/"
  done
}

make_documents() {
  sh "$tree/docs/reference/build.sh"
  mv "$tree/build/docs/html" "$scratch/cudnn-checked-$release-documents"
  packed "$scratch" "cudnn-checked-$release-documents" >"$made/cudnn-checked-$release-documents.tar.gz"
  rm -r "$scratch/cudnn-checked-$release-documents"
}

make_sbom() {
  requirements=$tree/scripts/release/requirements.txt
  tools=$cache/spdx-$(cksum <"$requirements" | cut -d ' ' -f 1)
  if [ ! -e "$tools/complete" ] || ! "$tools/bin/python" -c '' >/dev/null 2>&1; then
    sh "$tree/scripts/install_missing.sh" fetch venv
    say "fetching spdx-tools from PyPI (5 MB)"
    need_cache
    rm -rf "$tools"
    python3 -m venv "$tools"
    with_progress "$tools/log" "$tools/bin/pip" install --disable-pip-version-check --requirement "$requirements" || {
      tail -n 5 "$tools/log" >&2
      die "spdx-tools could not be fetched" "The last lines of pip stand above."
    }
    : >"$tools/complete"
  fi
  said=$("$tools/bin/python" "$tree/scripts/release/sbom.py" "$made" --release "$release" --commit "$commit" \
    --time "$SOURCE_DATE_EPOCH" --linked "$scratch/linked") || die "no SBOM was written"
  "$tools/bin/pyspdxtools" --infile "$made/cudnn-checked-$release.spdx.json" >/dev/null || die "the SBOM is not valid"
  say "$said, in $made"
}

# make_release FOLDER: all parts, of a clone in a folder of this call alone; nothing that git ignores is in it.
make_release() {
  made=$1 tree=$scratch/$2/CuDNNChecked
  mkdir -p "$made" "$scratch/$2"
  left_out=''
  : >"$scratch/linked"
  git clone -q --shared "$repository" "$tree"
  git -C "$tree" checkout -q --detach "$commit"
  for part in $parts; do "make_$part"; done
  [ "$parts" != "$every_part" ] || make_sbom
  (cd "$made" && find . -type f ! -name '*.sha256' | cut -c 3- | LC_ALL=C sort | xargs sha256sum) >"$scratch/sums"
  mv "$scratch/sums" "$made/SHA256SUMS"
  rm -rf "$tree"
}

into=$(mkdir -p "$into" && CDPATH='' cd -- "$into" && pwd)
make_release "$into" one
if [ -n "$check" ]; then
  say "all of it again, to compare the bytes"
  make_release "$scratch/again" another
  different=$(diff -rq "$into" "$scratch/again") || {
    printf '%s\n' "$different" | sed -e 's/ and .* differ$//' -e 's/^/   /'
    die "two runs have made different bytes"
  }
  say "the same bytes twice: $(find "$into" -type f | wc -l) files"
fi

say "release $release of commit $commit: $into"
(cd "$into" && du -h --apparent-size -- * | sed 's/^/   /')
[ -z "$left_out" ] || say "not made:${left_out%;}"
[ "$parts" = "$every_part" ] || exit 0

say "what a person must still do"
typed=$(quoted "$into")
if grep -q '^## .* unreleased$' "$repository/CHANGELOG.md"; then
  cat <<TEXT
   CHANGELOG.md says "unreleased": write the date in its place, commit, and type ./dev release again.
TEXT
fi
cat <<TEXT
   git tag -s v$release -m "CuDNNChecked $release" $commit
   git push origin v$release
   gpg --armor --detach-sign $typed/SHA256SUMS
   python3 -m venv build/twine && build/twine/bin/pip install twine
   build/twine/bin/twine upload $typed/*.whl
   gh release create v$release --verify-tag --title "CuDNNChecked $release" --notes-file CHANGELOG.md $typed/*
TEXT
