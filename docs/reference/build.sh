#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# ./dev docs: docs/ as HTML, in build/docs/html.  A warning is an error, and so is a name that leads
# nowhere.  Sphinx and its extensions come from PyPI, pinned, into the cache.
set -eu
repository=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
. "$repository/scripts/common.sh"
cd "$repository"
[ $# -eq 0 ] || usage_error docs
begin docs docs

requirements=docs/reference/requirements.txt
tools=$cache/docs-$(cksum <"$requirements" | cut -d ' ' -f 1)
# One of another Python does not start.
if [ ! -e "$tools/complete" ] || ! "$tools/bin/sphinx-build" --version >/dev/null 2>&1; then
  sh scripts/install_missing.sh fetch venv
  say "fetching Sphinx from PyPI (20 MB)"
  need_cache
  rm -rf "$tools"
  python3 -m venv "$tools"
  with_progress "$tools/log" "$tools/bin/pip" install --disable-pip-version-check --requirement "$requirements" || {
    tail -n 5 "$tools/log" >&2
    die "Sphinx could not be fetched" "The last lines of pip stand above."
  }
  : >"$tools/complete"
fi

"$tools/bin/sphinx-build" -q -E -n -W --keep-going -c docs/reference -d build/docs/doctrees \
  docs build/docs/html || die "the documentation has errors; see above"
say "the documentation: build/docs/html/index.html"
