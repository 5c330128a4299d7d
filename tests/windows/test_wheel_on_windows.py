# SPDX-License-Identifier: BSD-3-Clause
"""The wheel for Windows: its name and record, and its program under wine where pip puts it."""

import base64
import hashlib
import importlib.util
import json
import os
import re
import sys
import unittest
import zipfile

from dll_places import windows_path
from stand_ins import WithCommandLine
from support.consumer import cmake_program
from support.wheel import MAKE_WHEEL, make_wheel, pip, run
import wine

sys.path.insert(0, str(MAKE_WHEEL.parent))
import pe  # noqa: E402


class Wheel(WithCommandLine):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.installed = cls.folder / "installed"
        # wine writes the man page, in the Windows of the tests.
        run(cmake_program(), "--install", wine.build_for_windows(), "--prefix", cls.installed,
            env={**os.environ, **cls.windows.environment()})
        cls.wheel = make_wheel(cls.installed, cls.folder / "wheels", program=cls.program)
        with zipfile.ZipFile(cls.wheel) as wheel:
            cls.files = {name: wheel.read(name) for name in wheel.namelist()}
        cls.name = cls.wheel.name.split("-py3-")[0]

    def test_its_name_and_its_tag(self):
        self.assertRegex(self.wheel.name, r"\Acudnn_checked-[0-9.]+-py3-none-win_amd64\.whl\Z")
        self.assertIn("\nTag: py3-none-win_amd64\n", self.files[f"{self.name}.dist-info/WHEEL"].decode())
        self.assertEqual(self.files[f"{self.name}.data/scripts/cudnn-checked.exe"], self.program.read_bytes())
        self.assertNotIn(f"{self.name}.data/scripts/cudnn-checked", self.files)

    def test_its_record(self):
        lines = [f"{name},sha256={base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b'=').decode()},{len(content)}"
                 for name, content in self.files.items() if not name.endswith("/RECORD")]
        self.assertEqual(self.files[f"{self.name}.dist-info/RECORD"].decode().splitlines(),
                         [*lines, f"{self.name}.dist-info/RECORD,,"])

    def test_the_same_bytes_twice(self):
        again = make_wheel(self.installed, self.scratch / "again", program=self.program)
        self.assertEqual(again.read_bytes(), self.wheel.read_bytes())

    def put_in_an_environment(self):
        """As pip does on Windows: programs in Scripts, data in the prefix."""
        prefix = self.scratch / "venv"
        for name, content in self.files.items():
            _, data, rest = name.partition(f"{self.name}.data/")
            path = prefix / (rest.replace("scripts/", "Scripts/", 1).replace("data/", "", 1) if data else f"Lib/site-packages/{name}")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        return prefix

    def test_its_program(self):
        prefix = self.put_in_an_environment()
        program = prefix / "Scripts/cudnn-checked.exe"
        version = re.search(r"-([0-9.]+)$", self.name)[1]
        self.assertEqual(self.start_in_windows([program, "--version"]), (0, f"cudnn-checked {version}\n", ""))
        self.assertEqual(self.start_in_windows([program, "--cmakedir"]), (0, "{}/venv/share/CuDNNChecked/cmake\n", ""))
        cudnn = self.put("cudnn", "9.28.0.42")
        status, output, errors = self.start_in_windows([program, "doctor", "--json", windows_path(cudnn)], [self.cuda])
        self.assertEqual((status, errors), (0, ""), output)
        report = json.loads(output)
        self.assertEqual((report["verdict"], [one["release"] for one in report["cudnn"]]), ("ok", ["9.28.0 for CUDA 12"]))

    @unittest.skipUnless(importlib.util.find_spec("pip"), "this Python has no pip (python3-pip)")
    def test_pip_takes_it_for_windows_alone(self):
        wheel = ["--no-deps", "--no-index", "--only-binary", ":all:", "--find-links", self.wheel.parent, "cudnn-checked"]
        with self.assertRaisesRegex(RuntimeError, "No matching distribution found for cudnn-checked"):
            pip("download", "--dest", self.scratch, *wheel)
        pip("install", "--quiet", "--target", self.scratch / "target", "--platform", "win_amd64", *wheel)
        self.assertEqual((self.scratch / "target/bin/cudnn-checked.exe").read_bytes(), self.program.read_bytes())


class Machine(unittest.TestCase):
    def test_of_a_program(self):
        header = b"MZ" + bytes(58) + (64).to_bytes(4, "little") + b"PE\0\0"
        for machine, name in ((0x8664, "amd64"), (0xAA64, "arm64")):
            self.assertEqual(pe.Program(header + machine.to_bytes(2, "little")).machine, name)
        for wrong, error in ((b"MZ", ValueError), (header[:64] + b"NE\0\0xx", ValueError), (header + b"\x4c\x01", KeyError)):
            with self.assertRaises(error):
                pe.Program(wrong)
