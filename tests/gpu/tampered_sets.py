#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""One file of a real cuDNN missing or of another release: what everybody says, and what is true.

Makes the sets, asks cuDNN for its version and its four checks, lets PyTorch compute 864 convolutions on
each (pytorch_convolutions.py), runs the probe, and prints the table of the README.  Needs a machine with
an NVIDIA GPU, PyTorch with cuDNN from a wheel, and a second cuDNN of another release (Debian's package).
"""
import ctypes
import json
import os
import subprocess
import sys
import tempfile

import gpu_machine

# Name of the set: the file that is touched, and whether another release's takes its place.
SETS = {
    "whole": (None, False),
    "heuristic missing": ("libcudnn_heuristic.so.9", False),
    "heuristic of another release": ("libcudnn_heuristic.so.9", True),
    "precompiled engines missing": ("libcudnn_engines_precompiled.so.9", False),
    "precompiled engines of another release": ("libcudnn_engines_precompiled.so.9", True),
}
CHECKS = ("Graph", "Ops", "Cnn", "Adv")


def make(name, folder):
    """The wheel's cuDNN in `folder`, tampered with as `name` says."""
    tampered = gpu_machine.copy_of_set(gpu_machine.python_wheel(), folder)
    file, replaced = SETS[name]
    if file is not None:
        target = os.path.join(tampered.libraries, file)
        os.unlink(target)
        if replaced:
            os.symlink(os.path.join(gpu_machine.debian_package().libraries, file), target)
    return tampered


def configure(tampered, folder):
    """examples/minimal configured on a tampered set, as far as it gets."""
    return gpu_machine.Build(folder, tampered.root)


def ask_cudnn(shim):
    """What cuDNN answers about itself.  Called in a process of its own: it may abort."""
    library = ctypes.CDLL(shim)
    library.cudnnGetVersion.restype = ctypes.c_size_t
    statuses = [getattr(library, f"cudnn{check}VersionCheck")() for check in CHECKS]
    print(json.dumps({"version": library.cudnnGetVersion(), "checks": statuses}))


def row(name):
    with tempfile.TemporaryDirectory() as folder:
        tampered = make(name, os.path.join(folder, "cudnn"))
        path = gpu_machine.in_front(tampered.libraries)
        here = os.path.dirname(os.path.abspath(__file__))
        asked = gpu_machine.run(
            [sys.executable, __file__, "--ask", f"{tampered.libraries}/libcudnn.so.9"],
            LD_LIBRARY_PATH=path)
        answers = json.loads(asked.stdout)
        computed = gpu_machine.run(
            [sys.executable, os.path.join(here, "pytorch_convolutions.py")], LD_LIBRARY_PATH=path)
        pytorch = json.loads(computed.stdout)
        build = configure(tampered, os.path.join(folder, "build"))
        report = build.report
        wrong = sum(c["status"] == "wrong-numbers" for c in report["convolutions"])
        return {
            "set": name,
            "version": answers["version"],
            "checks": answers["checks"],
            "pytorch_wrong": pytorch["wrong"],
            "pytorch_wrong_by_type": pytorch["wrong_by_type"],
            "pytorch_of": pytorch["convolutions"],
            "pytorch_said": (pytorch["exception"] or computed.stderr).strip(),
            "probe_wrong": wrong,
            "probe_wrong_kinds": sorted({"/".join((c["api"], c["type"], c["layout"]))
                                         for c in report["convolutions"]
                                         if c["status"] == "wrong-numbers"}),
            "probe_of": len(report["convolutions"]),
            "findings": [f["name"] for f in report["findings"]
                         if f["severity"] != "note"],
            "verdict": report["verdict"],
            "message": build.output,
        }


def print_table(rows):
    print("| cuDNN | cuDNN's version and four checks | PyTorch says | PyTorch computes wrong | "
          "CuDNNChecked |")
    print("|---|---|---|---|---|")
    for r in rows:
        agreed = "all well" if not any(r["checks"]) else str(r["checks"])
        said = r["pytorch_said"] or "nothing"
        names = ", ".join(f"`{name}`" for name in r["findings"]) or "verified"
        print(f"| {r['set']} | {r['version']}, {agreed} | {said} | "
              f"{r['pytorch_wrong']} of {r['pytorch_of']} | "
              f"{names} ({r['probe_wrong']} of {r['probe_of']} wrong) |")


def main():
    if sys.argv[1:2] == ["--ask"]:
        ask_cudnn(sys.argv[2])
        return
    rows = [row(name) for name in SETS]
    gpu_machine.keep("tampered-sets.json", json.dumps(rows, indent=2))
    print_table(rows)


if __name__ == "__main__":
    try:
        main()
    except (subprocess.CalledProcessError, OSError, ValueError) as problem:
        sys.exit(f"tampered_sets.py: error: {problem}")
