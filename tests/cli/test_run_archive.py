# SPDX-License-Identifier: BSD-3-Clause
"""run, verify: a Python program in an archive imports the packages that its first start has unpacked.  What lies where
was seen with shiv 1.0.8 and pex 2.105, and that their fixes mend it."""

import json
import os
import shutil
import sys
import zipfile

from checked_program import call, messages
from fake_packages import FakePackages, WHEEL, make_library, record

MAIN = "import sys\nprint('started', *sys.argv[1:])\nsys.exit(7)\n"


class Archive(FakePackages):
    python = "python{}.{}".format(*sys.version_info)

    def setUp(self):
        super().setUp()
        self.interpreter = self.root / "venv/bin/python3"
        self.interpreter.parent.mkdir()
        self.interpreter.symlink_to(os.path.realpath(sys.executable))
        home = os.path.dirname(os.path.realpath(sys.executable))
        (self.root / "venv/pyvenv.cfg").write_text(f"home = {home}\ninclude-system-site-packages = false\n")
        self.app = self.root / "app.pyz"
        with open(self.app, "wb") as file:
            file.write(f"#!{self.interpreter}\n".encode())
        self.pack(("__main__.py", MAIN))
        self.app.chmod(0o755)

    def pack(self, *files):
        with zipfile.ZipFile(self.app, "a", zipfile.ZIP_DEFLATED) as archive:
            for name, text in files:
                archive.writestr(name, text)

    def run_it(self, *words):
        return call("run", "--", *(words or [self.app]), "word", home=self.root, **self.roots)

    def verify(self):
        return call("verify", self.app, home=self.root, VIRTUAL_ENV=self.root / "venv", **self.roots)

    @property
    def roots(self):
        return {"SHIV_ROOT": self.root / "shiv", "PEX_ROOT": self.root / "pex"}


class Shiv(Archive):
    def setUp(self):
        super().setUp()
        self.pack(("_bootstrap/__init__.py", ""), ("environment.json", json.dumps({"build_id": "0123", "root": None})))
        self.unpacked = self.root / "shiv/app.pyz_0123/site-packages"

    def test_its_own_packages_come_before_those_of_its_python(self):
        shutil.copytree(self.site, self.unpacked)
        (self.site / WHEEL / "libcudnn_ops.so.9").write_bytes(b"")
        for words in ((), (self.interpreter, self.app)):
            self.assertEqual(self.run_it(*words), (7, "started word\n", ""))
        self.assertEqual(self.verify()[0], 0)

    def test_before_its_first_start(self):
        """What the archive has is packed: those of its Python are not what it imports."""
        (self.site / WHEEL / "libcudnn_ops.so.9").write_bytes(b"")
        why = "shiv has not unpacked its packages; start it once, which unpacks it, and verify it then"
        self.assertEqual(self.run_it(), (
            7, "started word\n", f"cudnn-checked: note: app.pyz: {why}; nothing was checked\n"))
        self.assertEqual(self.verify(), (3, "", f"cudnn-checked: error: verify: {self.app}: {why}\n"))

    def test_what_a_variable_puts_in_front_of_them(self):
        """shiv leaves PYTHONPATH before its packages."""
        shutil.copytree(self.site, self.unpacked)
        before = self.root / "before"
        shutil.copytree(self.site, before)
        (before / WHEEL / "libcudnn_ops.so.9").write_bytes(b"")
        for words in (("verify", self.app), ("run", "--", self.app)):
            status, out, err = call(*words, home=self.root, VIRTUAL_ENV=self.root / "venv", PYTHONPATH=before, **self.roots)
            self.assertIn(status, (1, 78))
            self.assertIn(f"{before}/torch/lib/../../{WHEEL}/libcudnn_ops.so.9 ", out + err)

    def test_its_own_packages_are_checked(self):
        shutil.copytree(self.site, self.unpacked)
        (self.unpacked / WHEEL / "libcudnn_ops.so.9").write_bytes(b"")
        status, out, err = self.run_it()
        self.assertEqual((status, out), (78, ""))
        self.assertIn(f"{self.unpacked}/torch/lib/../../{WHEEL}/libcudnn_ops.so.9 ", err)

    def test_another_build_of_it(self):
        """Each has its own folder, and its number in the archive."""
        shutil.copytree(self.site, self.unpacked)
        shutil.copytree(self.site, self.root / "shiv/app.pyz_4567/site-packages")
        (self.root / "shiv/app.pyz_4567/site-packages" / WHEEL / "libcudnn_ops.so.9").write_bytes(b"")
        self.assertEqual(self.run_it(), (7, "started word\n", ""))

    def test_the_way_to_build_it(self):
        """pip would install into what the next build does not have."""
        shutil.copytree(self.site, self.unpacked)
        (self.unpacked / WHEEL / "libcudnn_ops.so.9").write_bytes(b"")
        fix = ("build it again, with the cuDNN that its packages ask for: shiv, with that release among its "
               "requirements, and the other options as before; SHIV_FORCE_EXTRACT=1 at its next start unpacks it anew")
        self.assertEqual(messages(self.run_it()[2])[0][1], fix)
        status, out, err = self.verify()
        self.assertEqual((status, messages(out)[0][1], err), (1, fix, ""))
        (self.unpacked / WHEEL / "libcudnn_ops.so.9").unlink()
        self.assertEqual(messages(self.verify()[1])[0][1], fix)

    def test_a_plugin_that_is_not_used(self):
        """As a provider of ONNX Runtime for TensorRT: what `run` says nothing of, `verify` does not warn of."""
        shutil.copytree(self.site, self.unpacked)
        make_library(self.root / "stubs/libnvinfer.so.10")
        make_library(self.unpacked / "torch/lib/liba_trt.so", self.site / WHEEL / "libcudnn.so.9",
                     self.root / "stubs/libnvinfer.so.10", "-Wl,--disable-new-dtags,-rpath,$ORIGIN/../../" + WHEEL)
        shutil.rmtree(self.unpacked / "torch-2.7.1.dist-info")
        record(self.unpacked, "torch", "2.7.1", sorted((self.unpacked / "torch/lib").iterdir()))
        self.assertEqual(self.run_it(), (7, "started word\n", ""))
        status, out, err = self.verify()
        self.assertEqual((status, out.partition(" takes ")[0], err), (0, "cudnn-checked: ok: libtorch_cuda.so", ""), out)

    def test_what_else_cudnn_needs(self):
        shutil.copytree(self.site, self.unpacked)
        (self.unpacked / WHEEL / "libnvrtc.so.12").unlink()
        self.assertIn("  fix: build it again, with the package that has libnvrtc.so.12\n", self.verify()[1])


class Pex(Archive):
    """Each package in a folder of its own, or all in a venv that has copies of them."""

    def setUp(self):
        super().setUp()
        self.wheels = {}

    def unpack(self, copies=False):
        for package, top in (("torch", "torch"), ("nvidia-cudnn-cu12", "nvidia")):
            (info,) = self.site.glob(package.replace("-", "_") + "-*.dist-info")
            wheel = info.name.replace(".dist-info", "-py3-none-any.whl")
            self.wheels[wheel] = digest = "5e" + str(len(wheel))
            if not copies:
                for part in (top, info.name):
                    shutil.copytree(self.site / part, self.root / "pex/installed_wheels/3" / digest / wheel / part)
        if copies:
            number = "{}.{}".format(*sys.version_info)
            shutil.copytree(self.site, self.root / f"pex/venvs/4/abc/0/lib/python{number}/site-packages")
        self.pack(("PEX-INFO", json.dumps({"distributions": self.wheels, "pex_hash": "abc", "venv": copies,
                                           "venv_site_packages_copies": copies})))

    def test_folders_apart(self):
        """The run path of torch leads to none of them."""
        self.unpack()
        fix = ("build it again, with all packages in one folder and the cuDNN that they ask for: pex --venv "
               "--venv-site-packages-copies, and the other options as before; remove what it has unpacked: "
               "rm -r ~/.cache/pex, or PEX_ROOT")
        status, out, err = self.run_it()
        self.assertEqual((status, out, messages(err)[0][1]), (78, "", fix), err)
        status, out, err = self.verify()
        self.assertEqual((status, messages(out)[0][1], err), (1, fix, ""))

    def test_one_folder(self):
        self.unpack(copies=True)
        status, out, err = self.verify()
        self.assertEqual((status, err), (0, ""), out)
        self.assertIn(" takes cuDNN 9.5.1 for CUDA 12, whole, from ", out)
        self.assertEqual(self.run_it(), (7, "started word\n", ""))

    def test_before_its_first_start(self):
        self.unpack()
        shutil.rmtree(self.root / "pex")
        self.assertEqual(self.verify(), (
            3, "", f"cudnn-checked: error: verify: {self.app}: pex has not unpacked its packages; start it once, "
                   "which unpacks it, and verify it then\n"))


class Zipapp(Archive):
    """Nothing is unpacked: its packages are those of its Python."""

    def test_packages_of_its_python(self):
        (self.site / WHEEL / "libcudnn_ops.so.9").write_bytes(b"")
        status, out, err = self.verify()
        self.assertEqual((status, err), (1, ""), out)
        self.assertIn("  fix: ", out)
        self.assertNotIn("build it again", out)

    def test_cudnn_in_it(self):
        self.pack((WHEEL + "/libcudnn.so.9", ""), ("acme/__init__.py", ""))
        why = ("it has libcudnn.so.9 in an archive that nothing unpacks, and no loader can open them there; build it "
               "with shiv or pex")
        self.assertEqual(self.verify(), (3, "", f"cudnn-checked: error: verify: {self.app}: {why}\n"))
        self.assertEqual(self.run_it(), (
            7, "started word\n", f"cudnn-checked: note: app.pyz: {why}; nothing was checked\n"))

    def test_no_package_uses_cudnn(self):
        for package in ("torch", "nvidia"):
            shutil.rmtree(self.site / package)
        self.assertEqual(self.verify(), (
            3, "", f"cudnn-checked: error: verify: {self.app}: no package that it imports is known to use cuDNN\n"))

    def test_the_python_that_it_names_is_not_started(self):
        named, started = self.root / "named/python3", self.root / "started"
        named.parent.mkdir()
        named.write_text(f"#!/bin/sh\n: >{started}\n")
        named.chmod(0o755)
        text = self.app.read_bytes()
        self.app.write_bytes(f"#!{named}\n".encode() + text[text.index(b"\n") + 1:])
        self.assertEqual(self.verify(), (3, "", f"cudnn-checked: error: verify: {self.app}: {named} starts it, and is not "
                                         "the active Python: no other one is started to ask where it imports from; "
                                         "activate its environment\n"))
        self.assertFalse(started.exists())

    def test_a_fifo(self):
        os.mkfifo(self.root / "fifo")
        self.assertEqual(call("verify", self.root / "fifo", home=self.root)[0], 2)

    def test_what_is_no_program_in_an_archive(self):
        """A script, and an archive that no Python starts, such as a wheel."""
        no_program = (2, "", f"cudnn-checked: error: verify: {self.app}: not an ELF file; for a script, check the "
                             "program that runs it\n")
        self.app.write_text(f"#!{self.interpreter}\n")
        self.assertEqual(self.verify(), no_program)
        self.pack(("acme/__init__.py", ""))
        self.assertEqual(self.verify(), no_program)

    def test_a_damaged_archive(self):
        """Its central directory is cut, as by an interrupted copy, or a file in it is not what was packed."""
        damaged = (1, "", f"cudnn-checked: error: verify: {self.app}: a damaged archive: its table of files, or a file in it, "
                          "cannot be read; build or copy it again\n")
        whole = self.app.read_bytes()
        self.app.write_bytes(whole[:-40])
        self.assertEqual(self.verify(), damaged)
        status, _, err = self.run_it()
        self.assertNotEqual(status, 7)
        self.assertIn(f"cudnn-checked: note: app.pyz: {damaged[2].split(': ', 4)[-1].strip()}; nothing was checked\n", err)
        self.app.write_bytes(whole)
        self.pack(("PEX-INFO", "{"))
        self.assertEqual(self.verify(), damaged)
