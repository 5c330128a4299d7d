# SPDX-License-Identifier: BSD-3-Clause
"""What depends on the CPU, on CPUs that this machine is not: qemu-x86_64 shows each of them to the program and to its
loader.  The truth is what that loader maps.

qemu emulates no AVX-512: Xeon Phi, and Skylake with it, are in tests/unit/observe_glibc_cpu.cpp.
"""

import os
import pathlib
import platform
import shutil
import subprocess
import tempfile
import unittest

import isolation
from starts import Start, by_the_loader, for_this_cpu
from support import this_cpu
from test_predicted_dlopen import ASK, NotHere, Started, compiled

EMULATOR = shutil.which("qemu-x86_64") or shutil.which("qemu-x86_64-static")
# The model, and what its loader makes of $PLATFORM.
CPUS = {"Opteron_G1": "x86_64", "Opteron_G5": "x86_64", "Nehalem": "x86_64", "Haswell": "haswell",
        "Haswell,-movbe": "x86_64", "Haswell,-f16c": "haswell", "Skylake-Server": "haswell", "EPYC": "x86_64"}
# One for each level of the psABI.
LEVELS = ("Opteron_G1", "Nehalem", "Haswell")
WORDS = ("x86_64", "haswell", "xeon_phi")


class OnCpu(Started):
    """One arrangement, started on that CPU."""

    def __init__(self, cpu, *arguments):
        self.cpu = cpu
        super().__init__(*arguments)

    def command(self):
        return [EMULATOR, "-cpu", self.cpu, *super().command()]


def why_not():
    reason = isolation.why_not_isolated()
    if reason:
        return reason
    if not ASK.exists():
        return "the test tool ask_loader is not built"
    if platform.machine() != "x86_64":
        return f"the programs here are for {platform.machine()}"
    return "" if EMULATOR else "there is no qemu-x86_64 here"


class OnOtherCpus(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        if why_not():
            raise unittest.SkipTest(why_not())
        cls.folder = pathlib.Path(os.path.realpath(tempfile.mkdtemp(prefix="cudnn-checked-cpus-")))
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        cls.made = compiled(cls.folder)

    def started(self, cpu, start):
        root = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        self.addCleanup(shutil.rmtree, root, ignore_errors=True)
        return OnCpu(cpu, start, root, self.made)

    def test_the_entries_that_depend_on_the_cpu(self):
        entries = [*for_this_cpu(), *[s for s in by_the_loader() if "hwcaps" in s.name]]
        compared = 0
        for cpu in LEVELS:
            for start in entries:
                with self.subTest(cpu=cpu, start=start.name):
                    try:
                        self.assertEqual(self.started(cpu, start).differences(), "")
                    except NotHere as why:
                        print(f"not here: {start.name}: {why}")
                        continue
                    compared += 1
        print(f"{compared} starts on {len(LEVELS)} CPUs")
        self.assertGreaterEqual(compared, 10 * len(LEVELS))

    def test_the_cpus_differ(self):
        """What is emulated is seen by the loader: each CPU has the word that it should have."""
        start = Start("$PLATFORM", WORDS, "{root}/$PLATFORM")
        found = {}
        for cpu in CPUS:
            done = self.started(cpu, start)
            self.assertEqual(done.differences(), "", cpu)
            found[cpu] = pathlib.Path(done.said("mapped")[0]).parent.name
        self.assertEqual(found, CPUS)

    def test_the_loader_of_this_cpu(self):
        """The folders that tests take from the loader's own words are those of the CPU that is asked about."""
        known = subprocess.run([this_cpu.LOADER, "--help"], stdout=subprocess.PIPE, text=True).stdout
        if "glibc-hwcaps" not in known:
            self.skipTest("this loader does not say what it searches")
        for cpu, level in {"Opteron_G1": None, "Nehalem": "v2", "Haswell": "v3"}.items():
            levels = [name for name in this_cpu.folders(EMULATOR, "-cpu", cpu) if name.startswith("glibc-hwcaps/")]
            self.assertEqual(levels[0] if levels else None, level and f"glibc-hwcaps/x86-64-{level}", cpu)
