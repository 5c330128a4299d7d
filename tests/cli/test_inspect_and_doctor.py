# SPDX-License-Identifier: BSD-3-Clause
"""inspect and doctor."""

import json
import pathlib
import platform
import re
import shutil

from checked_program import CalledTest, messages
from fake_packages import record
from support import REPOSITORY

MACHINE = platform.machine()


class Inspect(CalledTest):
    def test_a_library(self):
        sdk = self.sdk(cudnn="9.14.0")
        status, out, err = self.called("inspect", sdk.library("graph"))
        self.assertEqual((status, err), (0, ""))
        self.assertTrue(out.startswith(f"""\
<scratch>/sdk/lib/libcudnn_graph.so.9: a library of cuDNN
  role:            graph
  release:         9.14.0
  identified by:   version word
  machine:         {MACHINE}
  soname:          libcudnn_graph.so.9
"""), out)
        status, out, err = self.called("inspect", "--json", sdk.library("graph"))
        tree = json.loads(out)
        self.assertEqual((status, tree["role"], tree["release"], tree["soname"], tree["state"]),
                         (0, "graph", "9.14.0", "libcudnn_graph.so.9", "full length"))

    def test_a_major_number_is_no_release(self):
        sdk = self.sdk(cudnn="9.14.0")
        copy = self.scratch / "libcudnn_heuristic.so.9"
        shutil.copyfile(sdk.library("heuristic"), copy)
        status, out, _ = self.called("inspect", "--json", copy)
        tree = json.loads(out)
        self.assertEqual((status, tree["release"], tree["identified_by"]), (3, "unknown", ""))

    def test_the_record_of_its_package(self):
        sdk = self.sdk(cudnn="9.14.0")
        site = self.scratch / "site-packages"
        library = site / "nvidia/cudnn/lib/libcudnn_heuristic.so.9"
        library.parent.mkdir(parents=True)
        shutil.copyfile(sdk.library("heuristic"), library)
        record(site, "nvidia-cudnn-cu13", "9.14.0.64", [library])
        size = library.stat().st_size
        status, out, _ = self.called("inspect", library)
        self.assertEqual((status, out), (0, f"""\
<scratch>/site-packages/nvidia/cudnn/lib/libcudnn_heuristic.so.9: a library of cuDNN
  role:              heuristic
  release:           9.14.0
  identified by:     package record
  machine:           {MACHINE}
  soname:            libcudnn_heuristic.so.9
""" + self.needed_rows(out) + """\
  package manager:   wheel
  package name:      nvidia-cudnn-cu13
  package version:   9.14.0.64
  package record:    <scratch>/site-packages/nvidia_cudnn_cu13-9.14.0.64.dist-info/RECORD
  state:             full length, as recorded
"""))
        with open(library, "ab") as file:
            file.write(bytes(16))
        tree = json.loads(self.called("inspect", "--json", library)[1])
        self.assertEqual((tree["release"], tree["length"]), (
            "unknown", f"{size + 16} bytes, and its package recorded {size}: modified, as patchelf "
                       "does, or replaced"))

    def needed_rows(self, out):
        """What the compiler puts into the library of a test."""
        return "".join(line + "\n" for line in out.splitlines()
                       if line.startswith(("  build id:", "  needed:", "  runpath:", "  rpath:")))

    def test_a_damaged_library(self):
        sdk = self.sdk(cudnn="9.14.0")
        victim = sdk.library_directory / "libcudnn_ops.so.9.14.0"
        size = victim.stat().st_size
        with open(victim, "r+b") as file:
            file.truncate(size // 2)
        status, out, _ = self.called("inspect", "--json", victim)
        tree = json.loads(out)
        self.assertEqual((status, tree["role"]), (1, "ops"))
        self.assertRegex(tree["state"], f"^cut off: {size // 2} bytes of [0-9]+$")
        victim.write_bytes(b"")
        self.assertEqual(json.loads(self.called("inspect", "--json", victim)[1])["state"], "empty")

    def test_neither(self):
        shell = pathlib.Path(shutil.which("cat")).resolve()
        self.assertEqual(self.called("inspect", shell), (
            3, "", f"cudnn-checked: error: inspect: {shell}: neither stamped nor a library of cuDNN\n"))
        self.assertEqual(self.called("inspect", self.scratch / "absent"), (
            2, "", "cudnn-checked: error: inspect: <scratch>/absent: no such file\n"))


class Doctor(CalledTest):
    def doctor(self, **environment):
        """Status, text and tree."""
        status, out, err = self.called("doctor", **environment)
        self.assertEqual(err, "")
        json_status, tree, err = self.called("doctor", "--json", **environment)
        self.assertEqual((json_status, err), (status, ""))
        return status, out, json.loads(tree)

    def install(self, tree, directory):
        found = [i for i in tree["cudnn"] if i["directory"] == f"<scratch>/{directory}"]
        self.assertEqual(len(found), 1, tree["cudnn"])
        return found[0]

    def test_an_install_by_its_root(self):
        sdk = self.sdk(cudnn="9.14.0")
        _, out, tree = self.doctor(CUDNN_ROOT=sdk.prefix)
        self.assertIn("  9.14.0   full   <scratch>/sdk/lib   CUDNN_ROOT   header 9.14.0\n",
                      out.replace("for CUDA 13   ", ""))
        found = self.install(tree, "sdk/lib")
        self.assertEqual((found["version"], found["kind"], found["found_by"], found["findings"]),
                         ("9.14.0", "full", ["CUDNN_ROOT"], []))
        self.assertEqual(found["header"],
                         {"version": "9.14.0", "path": "<scratch>/sdk/include/cudnn_version.h"})

    def test_the_hints_of_the_find_module(self):
        table = (REPOSITORY / "tool/core/observe/search_places.def").read_text(encoding="utf-8")
        names = re.findall(r'(?m)^SEARCHED\(hint, "(\w+)"\)$', table)
        sdk = self.sdk(cudnn="9.14.0")
        _, _, tree = self.doctor(**{name: sdk.prefix for name in names})
        self.assertEqual(self.install(tree, "sdk/lib")["found_by"], names)

    def test_a_hint_without_a_cudnn(self):
        (self.scratch / "empty/include").mkdir(parents=True)
        self.write("venv/lib/python3.11/site-packages/nvidia/cudnn_jit/lib/libcudnn.so.9")
        for place, told in (("empty", True), ("venv", False)):
            out = self.doctor(CUDNN_ROOT=self.scratch / place)[1]
            self.assertEqual("note: CUDNN_ROOT names a directory without a library of cuDNN" in out, told, out)

    def test_what_a_program_gets(self):
        sdk = self.sdk(cudnn="9.14.0")
        other = self.sdk("other", cudnn="9.13.1")
        path = f"{other.library_directory}:{sdk.library_directory}"
        _, out, tree = self.doctor(LD_LIBRARY_PATH=path)
        self.assertIn("what a program without a run path gets\n"
                      "  9.13.1   <scratch>/other/lib/libcudnn.so.9   chosen by LD_LIBRARY_PATH[0]\n",
                      out)
        self.assertEqual(tree["by_default"]["chosen_by"], "LD_LIBRARY_PATH[0]")
        self.assertEqual(self.install(tree, "sdk/lib")["findings"], [])

    def test_what_it_has_preloaded_itself(self):
        """Another program gets it by LD_PRELOAD alone, so it is not there any more once that is unset."""
        _, _, tree = self.doctor(LD_PRELOAD=self.sdk(cudnn="9.14.0").library())
        self.assertEqual(tree["by_default"]["chosen_by"], "LD_PRELOAD")
        self.assertNotIn('"mapped": true', json.dumps(tree))

    def test_a_stray_file_on_ld_library_path(self):
        sdk = self.sdk(cudnn="9.14.0")
        other = self.sdk("other", cudnn="9.19.0")
        for path in sdk.library_directory.glob("libcudnn_heuristic.so*"):
            path.unlink()
        stray = self.scratch / "stray"
        stray.mkdir()
        (stray / "libcudnn_heuristic.so.9").symlink_to(other.library_directory / "libcudnn_heuristic.so.9.19.0")
        _, _, tree = self.doctor(CUDNN_ROOT=sdk.prefix, LD_LIBRARY_PATH=stray)
        self.assertEqual([f["name"] for f in self.install(tree, "sdk/lib")["findings"]], ["mixed-sublibraries"])
        # A program that is led to a whole cuDNN uses that one.
        (stray / "libcudnn.so.9").symlink_to(other.library_directory / "libcudnn.so.9.19.0")
        _, _, tree = self.doctor(CUDNN_ROOT=sdk.prefix, LD_LIBRARY_PATH=stray)
        self.assertNotIn("stray", json.dumps(self.install(tree, "sdk/lib")["findings"]))

    def test_a_mixed_install(self):
        sdk = self.sdk(cudnn="9.14.0")
        other = self.sdk("other", cudnn="9.19.0")
        sdk.take_from(other, "heuristic")
        status, out, tree = self.doctor(CUDNN_ROOT=sdk.prefix)
        self.assertEqual((status, tree["verdict"]), (1, "refused"))
        self.assertEqual([f["name"] for f in self.install(tree, "sdk/lib")["findings"]],
                         ["mixed-sublibraries"])
        self.assertIn("\nerror: the files of cuDNN are of more than one release\n", out)
        # As findings.md has it: a note is printed beside an error, too.
        self.assertIn("\nnote: there is no NVIDIA driver on this machine\n", out)
        self.assertRegex(out.splitlines()[-1],
                         r"^cudnn-checked: refused: [0-9]+ cuDNNs?, 1 of them broken, 1 error, ")

    def test_header_of_another_release(self):
        sdk = self.sdk(cudnn="9.14.0")
        header = sdk.include / "cudnn_version.h"
        header.write_text(header.read_text().replace("14", "13"))
        status, _, tree = self.doctor(CUDNN_ROOT=sdk.prefix)
        self.assertEqual((status, [f["name"] for f in self.install(tree, "sdk/lib")["findings"]]),
                         (1, ["header-library-mismatch"]))

    def test_a_broken_link(self):
        sdk = self.sdk(cudnn="9.14.0")
        link = sdk.library_directory / "libcudnn_extra.so.9"
        link.symlink_to("libcudnn_extra.so.9.14.0")
        status, out, tree = self.doctor(CUDNN_ROOT=sdk.prefix)
        self.assertEqual(status, 1)
        self.assertIn(("[library-missing]", "rm <scratch>/sdk/lib/libcudnn_extra.so.9"), messages(out))
        self.assertIn("library-missing", [f["name"] for f in tree["findings"]])

    def test_ld_library_path_to_nowhere(self):
        _, out, tree = self.doctor(LD_LIBRARY_PATH="/absent/None")
        self.assertIn(": LD_LIBRARY_PATH names a directory that does not exist\n"
                      "  named:     /absent/None   LD_LIBRARY_PATH[0]\n", out)
        self.assertIn("library-missing", [f["name"] for f in tree["findings"]])

    def test_a_wheel_in_a_virtual_environment(self):
        sdk = self.sdk(cudnn="9.14.0")
        venv = self.scratch / "venv"
        packages = venv / "lib" / "python3.99" / "site-packages"
        wheel = packages / "nvidia" / "cudnn"
        wheel.mkdir(parents=True)
        sdk.library_directory.rename(wheel / "lib")
        sdk.include.rename(wheel / "include")
        python = venv / "bin" / "python"
        python.parent.mkdir()
        python.write_text(f"#!/bin/sh\necho {packages}\n")
        python.chmod(0o755)
        _, _, tree = self.doctor(VIRTUAL_ENV=venv)
        found = self.install(tree, "venv/lib/python3.99/site-packages/nvidia/cudnn/lib")
        self.assertEqual((found["version"], found["found_by"], found["header"]["version"]),
                         ("9.14.0", ["packages of <scratch>/venv/bin/python"], "9.14.0"))
        _, _, tree = self.doctor(CUDNN_ROOT=packages)
        found = self.install(tree, "venv/lib/python3.99/site-packages/nvidia/cudnn/lib")
        self.assertEqual(found["found_by"], ["CUDNN_ROOT"])
