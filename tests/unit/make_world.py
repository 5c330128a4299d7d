#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""usage: make_world.py SURVEY.csv >world.csv

Keeps of a survey of cuDNN packages what tests/unit/world.cpp needs.  A row of the survey is a file of a
package; these columns are read:

release     of the package: 9.14.0.64
cuda_major  that the package is for
set         full or jit
file        name of the library: libcudnn_graph.so.9
build_id    its GNU build id
run_path    its RPATH or RUNPATH
word        its exported version word, empty where it has none
"""

import csv
import re
import sys


def role_of(name):
    return re.fullmatch(r"libcudnn(?:_([a-z0-9_]+))?\.so\.[0-9]+", name).group(1) or "shim"


def run_path_cuda_major(run_path):
    majors = set(re.findall(r"/cu([0-9]{2})(?=[/:]|$)", run_path))
    return majors.pop() if len(majors) == 1 else "0"


def main(path):
    with open(path, newline="") as stream:
        rows = list(csv.DictReader(stream))
    print("cudnn,cuda_major,set,role,build_id,run_path_cuda_major,has_word")
    lines = [",".join((".".join(row["release"].split(".")[:3]), row["cuda_major"], row["set"],
                       role_of(row["file"]), row["build_id"][:16],
                       run_path_cuda_major(row["run_path"]), "1" if row["word"] else "0"))
             for row in rows]
    print("\n".join(sorted(lines, key=lambda line: ([int(n) for n in line.split(",")[0].split(".")],
                                                    line))))


if __name__ == "__main__":
    main(sys.argv[1]) if len(sys.argv) == 2 else sys.exit(__doc__)
