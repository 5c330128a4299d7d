# SPDX-License-Identifier: BSD-3-Clause
"""The line of a message that tells how much a command downloads, by the catalogue's own data."""

import csv
import platform

from support.environment import REPOSITORY

MACHINE = {"aarch64": "manylinux_aarch64"}.get(platform.machine(), "manylinux_x86_64")


def download(cuda_major=13, release="", machine=MACHINE):
    """Of the newest full cuDNN for that CUDA; with a release ("9.14.0"), of that one."""
    with (REPOSITORY / "tool/data/catalogue/sizes.csv").open(newline="") as stream:
        sizes = {tuple(map(int, row["cudnn"].split(".")[:3])): int(row["bytes"]) for row in csv.DictReader(stream)
                 if (row["cuda_major"], row["set"], row["machine"]) == (str(cuda_major), "full", machine)
                 and (row["cudnn"] + ".").startswith(release and release + ".")}
    return f"       cuDNN alone is a download of {round(sizes[max(sizes)] / 1e6)} MB\n"
