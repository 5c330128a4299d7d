# SPDX-License-Identifier: BSD-3-Clause
"""Prints one table of what was verified on the GPU, from the reports that the tests here have kept.

usage: table.py FOLDER      with report-*.json
"""

import json
import pathlib
import sys


def rows(report):
    """One row for each kind of convolution: the worst of its shapes."""
    triple = report["triple"]
    head = f"{triple['cudnn']} | {triple['cuda']} | {' '.join(triple['architectures'])}"
    kinds = {}
    for convolution in report["convolutions"]:
        key = tuple(convolution[k] for k in ("api", "type", "layout"))
        kinds.setdefault(key, []).append(convolution)
    for (api, kind, layout), shapes in kinds.items():
        right = sum(c["status"] == "ok" for c in shapes)
        error = max(c["relative_error"] or 0 for c in shapes)
        slowest = max(c["milliseconds"] or 0 for c in shapes)
        engines = " ".join(sorted({str(c["engine"]) for c in shapes}))
        yield (f"| {head} | {api} | {kind} {layout} | {right} of {len(shapes)} | {engines} "
               f"| {error:.1e} | {slowest:.2f} |")


def main(folder):
    reports = sorted(pathlib.Path(folder).glob("report-*.json"))
    if not reports:
        print(f"table: error: no report-*.json in {folder}", file=sys.stderr)
        return 1
    print("| cuDNN | CUDA | GPU | API | type, layout | right | engines | largest relative error "
          "| slowest, ms |")
    print("|---|---|---|---|---|---|---|---|---|")
    for path in reports:
        for row in rows(json.loads(path.read_text(encoding="utf-8"))):
            print(row)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
