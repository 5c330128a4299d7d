#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes tool/core/catalogue/pci_table.inc from pci_devices.csv, which lies beside this file.

The ids and the chips behind them are from the PCI ID repository (pci-ids.ucw.cz, 2026-08), the compute
capability of each chip from NVIDIA's list "CUDA GPU Compute Capability".  With --check nothing is
written: exit status 1 where the table is not what the data says.
"""

import csv
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
DATA = HERE / "pci_devices.csv"
TABLE = HERE.parents[1] / "core/catalogue/pci_table.inc"
A_LINE = 20


def fail(text):
    sys.exit(f"generate_pci_table.py: error: {text}")


def make_table():
    found = {}
    with DATA.open(newline="") as stream:
        for row in csv.DictReader(stream):
            device = int(row["pci_device"], 16)
            major, minor = (int(part) for part in row["compute_capability"].split("."))
            if device > 0xFFFF or minor > 9:
                fail(f"{row} does not fit the table")
            if found.setdefault(device, major * 10 + minor) != major * 10 + minor:
                fail(f"{row['pci_device']} has two compute capabilities")
    groups = []  # a first device, the capability, and the steps to further devices
    last = None
    for device in sorted(found):
        same = groups and found[device] == groups[-1][1] and device - last < 256
        if same and len(groups[-1][2]) < 255:
            groups[-1][2].append(device - last)
        else:
            groups.append((device, found[device], []))
        last = device
    cells = [cell for device, capability, steps in groups
             for cell in (device >> 8, device & 255, capability, len(steps), *steps)]
    lines = ["// SPDX-License-Identifier: BSD-3-Clause", "//",
             "// Written by generate_pci_table.py from pci_devices.csv; edit those.",
             "// Groups: a device id (two bytes), 10 * major + minor of its compute capability, how many",
             "// devices of the same one follow, and the step to each of them.", "",
             "static constexpr unsigned char pci_table[] = {"]
    lines += ["    " + ", ".join(map(str, cells[i:i + A_LINE])) + "," for i in range(0, len(cells), A_LINE)]
    return "\n".join(lines + ["};", ""])


def main(arguments):
    if arguments not in ([], ["--check"]):
        fail("usage: generate_pci_table.py [--check]")
    table = make_table()
    if arguments:
        if not TABLE.exists() or TABLE.read_text() != table:
            fail(f"{TABLE.name} is not what {DATA.name} says; run generate_pci_table.py")
    else:
        TABLE.write_text(table)


if __name__ == "__main__":
    main(sys.argv[1:])
