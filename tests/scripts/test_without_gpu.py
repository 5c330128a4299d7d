# SPDX-License-Identifier: BSD-3-Clause
"""tests/without_gpu.py: what a program sees of a machine with a driver and a GPU, which are files of this test."""

import contextlib
import io
import json
import os
import pathlib
import re
import pty
import subprocess
import sys
import unittest
from unittest import mock

from support.environment import built, compiler
from support.scratch import ScratchTest

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TESTS))
import without_gpu  # noqa: E402

# In a namespace of its own: usage: MACHINE FOLDER COMMAND...  The folder has the libraries.
MACHINE = """
import os, pathlib, subprocess, sys
import without_gpu
space = without_gpu.Namespace()
def write(name, text):
    path = space.parts / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
for name, target in (("overlay", without_gpu.DEFAULT_DIRECTORIES[-1]), ("headers", without_gpu.INCLUDES[0])):
    write(name + "/libcudnn_ops.so.9" if name == "overlay" else name + "/cudnn_version.h", "")
    space._mount("overlay", target, "overlay", without_gpu.MS_RDONLY, f"lowerdir={space.parts / name}:{target}")
write("conf", sys.argv[1] + "\\n")
space.bind(space.parts / "conf", "/etc/ld.so.conf")
subprocess.run([without_gpu.LDCONFIG, "-X", "-i", "-C", space.parts / "cache"], check=True)
os.utime(space.parts / "cache", (10**9, 10**9))
space.bind(space.parts / "cache", "/etc/ld.so.cache")
write("proc/nvidia/version", "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.65.06\\n")
space.bind(space.parts / "proc", "/proc/driver")
write("pci/devices/0000:01:00.0/vendor", "0x10de\\n")
write("pci/devices/0000:02:00.0/vendor", "0x8086\\n")
write("pci/drivers/nvidia/bind", "")
space.bind(space.parts / "pci", without_gpu.PCI)
without_gpu.hide_nodes(space, [])
for name in ("dxg", "nvidia0"):
    write("dev/" + name, "")
space.finish()
os.execv(sys.argv[2], sys.argv[2:])
"""
LOOK = """
import ctypes, glob, json, os, pty, sys
def works(function, *arguments):
    try:
        return bool(function(*arguments))
    except OSError:
        return False
def opens(name):
    return works(ctypes.CDLL, name)
print(json.dumps({
    "driver": opens("libcuda.so.1"), "nvml": opens("libnvidia-ml.so.1"), "other": opens("libother.so.1"),
    "cudnn": bool(glob.glob("/usr/lib/*/libcudnn*")), "headers": os.path.exists("/usr/include/cudnn_version.h"),
    "kernel": os.path.exists("/proc/driver/nvidia"), "nodes": bool(glob.glob("/dev/nvidia*") and glob.glob("/dev/dxg")),
    "terminal": works(pty.openpty), "cache": os.stat("/etc/ld.so.cache").st_mtime,
    "null": open("/dev/null", "w").write("text"), "gpus": len(glob.glob("/sys/bus/pci/devices/0000:01:00.0")),
    "devices": len(glob.glob("/sys/bus/pci/devices/0000:02:00.0")), "bound": os.path.exists("/sys/bus/pci/drivers/nvidia"),
    "environment": sys.prefix != sys.base_prefix, "user": os.geteuid(), "arguments": sys.argv[1:]}))
"""


def has_terminals():
    try:
        for end in pty.openpty():
            os.close(end)
    except OSError:
        return False
    return True


SEEN = {"driver": True, "nvml": True, "other": True, "cudnn": True, "headers": True, "kernel": True, "nodes": True, "null": 4,
        "terminal": has_terminals(), "cache": 10**9, "gpus": 1, "devices": 1, "bound": True, "environment": True, "user": os.geteuid(), "arguments": ["a b"]}


def can_mount():
    done = subprocess.run([sys.executable, "-c", "import without_gpu; without_gpu.Namespace().finish()"], cwd=TESTS,
                          capture_output=True)
    return done.returncode == 0 and without_gpu.LDCONFIG is not None


class WithoutGpu(ScratchTest):
    @unittest.skipUnless(can_mount(), "no private mount namespace can be made here")
    def test_what_is_hidden(self):
        for name in ("libcuda.so.1", "libnvidia-ml.so.1", "libother.so.1"):
            subprocess.run([compiler("C"), "-shared", "-nostdlib", "-x", "c", os.devnull, f"-Wl,-soname,{name}", "-o",
                            self.scratch / name], check=True)
        program = self.write("look.py", LOOK)
        # As venv makes one.
        self.write("environment/pyvenv.cfg", f"home = {os.path.dirname(os.path.realpath(sys.executable))}\n")
        python = self.scratch / "environment/bin/python3"
        python.parent.mkdir()
        python.symlink_to(os.path.realpath(sys.executable))
        environment = {**os.environ, "PYTHONPATH": str(TESTS), "PYTHONDONTWRITEBYTECODE": "1"}
        for through, changed in (([], {}), ([TESTS / "without_gpu.py"], {
                "driver": False, "nvml": False, "cudnn": False, "headers": False, "kernel": False, "nodes": False, "gpus": 0,
                "bound": False, "environment": False})):
            done = subprocess.run([sys.executable, "-c", MACHINE, self.scratch, python, *through, program, "a b"],
                                  env=environment, capture_output=True, text=True)
            self.assertEqual(json.loads(done.stdout or "{}"), {**SEEN, **changed}, done.stderr)

    @unittest.skipUnless(built("CTestTestfile.cmake").exists(), "nothing is configured")
    def test_who_is_started_by_it(self):
        """Each entry of ctest that is in Python, but for those that want a GPU or look at no machine."""
        # "ctest --show-only" would empty the log of the run that this test is a part of.
        listed = built("tests/CTestTestfile.cmake").read_text(encoding="utf-8")
        by_it = {"scripts": {False}, "gpu": {False}, **dict.fromkeys(
            ("scripts/picture", "scripts/catalogue_needs", "cli", "guard", "module", "real"), {True})}
        found = {}
        for name, command in re.findall(r"^add_test\((?:\[=*\[|\")?([^]\" ]+)(?:\]=*\]|\")? (.*)\)$", listed, re.MULTILINE):
            if '"tests/run_unittest.py"' in command:
                folder = name if name in by_it else name.split("/")[0]
                found.setdefault(folder, set()).add('"tests/without_gpu.py"' in command)
        self.assertEqual({folder: found.get(folder) for folder in by_it}, by_it)

    def run_main(self, there, namespace):
        """(status, what is printed, whether the program was started)"""
        with contextlib.redirect_stdout(io.StringIO()) as said, mock.patch.object(os, "execv") as started, \
                mock.patch.object(without_gpu, "what_is_there", return_value=there), \
                mock.patch.object(without_gpu, "Namespace", side_effect=namespace):
            status = without_gpu.main(["program.py"])
        return status, said.getvalue(), started.called

    def test_where_nothing_can_be_hidden(self):
        refused = PermissionError(1, "unshare: Operation not permitted")
        self.assertEqual(self.run_main(without_gpu.There({}, [], True, False), refused), (
            77, "skipped: the driver and GPUs of this machine cannot be hidden from the test: [Errno 1] unshare: Operation "
            "not permitted\n", False))

    def test_a_machine_without(self):
        """Nothing is mounted there."""
        refused = AssertionError("a namespace is made")
        self.assertEqual(self.run_main(without_gpu.There({}, [], False, False), refused), (None, "", True))
