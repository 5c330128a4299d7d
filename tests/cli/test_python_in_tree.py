# SPDX-License-Identifier: BSD-3-Clause
"""verify --root DIR --python MODULE: the packages of a Python in the tree of an image; nothing there is started."""

import json
import os
import shutil
import unittest

from checked_program import call, messages
from fake_packages import NUMBER, PACKAGE, WHEEL, FakePackages, make_library, record
from support.output import relative_output

LOCAL = "/usr/local/lib/python3.12/site-packages"
CONDA = "/opt/conda/lib/python3.11/site-packages"
DEBIAN = "/usr/lib/python3/dist-packages"
SOUND = f"""\
cudnn-checked: ok: libtorch_cuda.so takes cuDNN 9.5.1 for CUDA 12, whole, from <site>/{WHEEL}
  requires:  9.5.1   {PACKAGE}=={NUMBER} of torch 2.7.1
  shim:      9.5.1 for CUDA 12   <site>/torch/lib/../../{WHEEL}/libcudnn.so.9   chosen by RPATH of \
<site>/torch/lib/libtorch_cuda.so
  It has no stamp: the driver, the GPUs and the code for them are not checked.
  fix: nothing
   or: build it with cudnn_checked_guard()
  [not-stamped]
"""


def sound(site):
    return 0, SOUND.replace("<site>", site), ""


class PythonInTree(FakePackages):
    def setUp(self):
        super().setUp()
        self.tree = self.root / "tree"
        self.place(LOCAL, move=True)

    def place(self, path, move=False):
        """The packages, at that path of the tree."""
        there = self.tree / path[1:]
        there.parent.mkdir(parents=True, exist_ok=True)
        if move:
            self.site.rename(there)
            self.site = there
        else:
            shutil.copytree(self.site, there, symlinks=True)
        return there

    def interpreter(self, path):
        """Whoever starts it leaves a file."""
        there = self.tree / path[1:]
        there.parent.mkdir(parents=True, exist_ok=True)
        there.write_text(f"#!/bin/sh\ntouch {self.root}/started\n")
        there.chmod(0o755)

    def verify(self, *words, root=None, **environment):
        status, *texts = call("verify", "--root", root or self.tree, *words, home=self.root, **environment)
        self.assertFalse((self.root / "started").exists())
        return (status, *(relative_output(text, root=self.root) for text in texts))

    def assert_error(self, words, said, status=2, **more):
        self.assertEqual(self.verify(*words, **more), (status, "", f"cudnn-checked: error: verify: {said}\n"))

    def break_ops(self, site):
        (site / WHEEL / "libcudnn_ops.so.9").write_bytes(b"")

    def test_sound_packages(self):
        self.interpreter("/usr/local/bin/python3.12")
        self.assertEqual(self.verify("--python", "torch"), sound(LOCAL))
        self.assertEqual(self.verify("--python", "torch", "--as", "sm_86,driver=580.65.06"), sound(LOCAL))
        # Nothing of this machine counts.
        self.break_ops(self.place("/elsewhere"))
        self.assertEqual(self.verify("--python", "torch", PYTHONPATH=self.tree / "elsewhere",
                                     LD_LIBRARY_PATH=self.tree / "elsewhere" / WHEEL), sound(LOCAL))

    def test_the_root_of_a_process(self):
        """That of this test, by which it is named as a container's is."""
        root = f"/proc/{os.getpid()}/root{self.tree}"
        self.assertEqual(self.verify("--python", "torch", root=root), sound(LOCAL))

    def test_it_is_refused(self):
        metadata = self.site / "torch-2.7.1.dist-info/METADATA"
        metadata.write_text(metadata.read_text().replace("==9.5.1.17", "==9.6.0.74"))
        self.assertEqual(self.verify("--python", "torch"), (1, f"""\
cudnn-checked: refused: torch 2.7.1: libtorch_cuda.so requires cuDNN 9.6.0 and would run on cuDNN 9.5.1
  requires:    9.6.0   nvidia-cudnn-cu12==9.6.0.74 of torch 2.7.1
  would load:  9.5.1   {LOCAL}/torch/lib/../../{WHEEL}/libcudnn_graph.so.9   chosen by RUNPATH of \
{LOCAL}/torch/lib/../../{WHEEL}/libcudnn.so.9
  used by:     torch 2.7.1   {LOCAL}/torch/lib/libtorch_cuda.so
  An older minor release of cuDNN may lack functions that the program calls.
  fix: with pip or uv, neither of which is here: install nvidia-cudnn-cu12==9.6.0.74 in {LOCAL}
  [cudnn-older]
""", ""))

    def test_a_fix_is_typed_in_the_container(self):
        older = self.tree / "opt/older"
        shutil.copytree(self.site / WHEEL, older)
        (older / "libcudnn.so.9").write_bytes(b"")
        for library in (self.site / "torch/lib").iterdir():
            make_library(library, self.site / WHEEL / "libcudnn.so.9",
                         "-Wl,--enable-new-dtags,-rpath,$ORIGIN/../../" + WHEEL)
        env = ("--env", "LD_LIBRARY_PATH=/opt/older")
        status, out, _ = self.verify("--python", "torch", *env)
        fix = f"in the container: export LD_LIBRARY_PATH={LOCAL}/{WHEEL}:$LD_LIBRARY_PATH"
        self.assertEqual((status, messages(out)), (1, [("[library-corrupt]", fix)]))
        report = json.loads(self.verify("--json", "--python", "torch", *env)[1])
        self.assertEqual((report["root"], report["verdict"], report["findings"][0]["fixes"][0]),
                         ("<root>/tree", "refused", {"kind": "advice", "text": fix}))

    def test_several_modules(self):
        shutil.copytree(self.made / WHEEL, self.site / "onnx/cudnn")
        library = self.site / "onnx/lib/libonnx.so"
        make_library(library, self.site / "onnx/cudnn/libcudnn.so.9", "-Wl,--disable-new-dtags,-rpath,$ORIGIN/../cudnn")
        self.record("onnx", "1.2", [library, *sorted((self.site / "onnx/cudnn").iterdir())])
        for words in (("--python", "torch,onnx"), ("--python", "torch", "--python", "onnx")):
            status, out, err = self.verify(*words)
            self.assertEqual((status, out, err), (0, sound(LOCAL)[1] + f"""\
cudnn-checked: ok: libonnx.so takes cuDNN 9.5.1 for CUDA 12, whole, from {LOCAL}/{WHEEL}
  shim:  9.5.1 for CUDA 12   {LOCAL}/torch/lib/../../{WHEEL}/libcudnn.so.9   already loaded
  It has no stamp: the driver, the GPUs and the code for them are not checked.
  fix: nothing
   or: build it with cudnn_checked_guard()
  [not-stamped]
""", ""))

    def test_the_python_that_is_meant(self):
        conda = self.place(CONDA)
        self.break_ops(conda)
        both = (f"--python: in <root>/tree: several Pythons have torch, in {LOCAL} and in {CONDA}; name the interpreter "
                "or the environment of one behind the modules")
        self.assert_error(["--python", "torch"], both)
        for path in ("/opt/conda/bin/python3.11", "/usr/local/bin/python3.12"):
            self.interpreter(path)
        (self.tree / "opt/conda/bin/python").symlink_to("python3.11")
        for words in (["torch", "/opt/conda"], ["torch", "/opt/conda/bin/python"], ["torch", self.tree / "opt/conda"],
                      ["torch", "--env", "VIRTUAL_ENV=/opt/conda"]):
            status, out, _ = self.verify("--python", *words)
            self.assertEqual((status, out.splitlines()[0]), (
                1, "cudnn-checked: refused: torch 2.7.1: a library of cuDNN is damaged: libcudnn_ops.so.9"))
        for place in ("/usr/local", "/usr/local/bin/python3.12", "/usr"):
            self.assertEqual(self.verify("--python", "torch", place), sound(LOCAL))

    def test_packages_of_debian(self):
        """Each of its Pythons has lib/python3; site-packages are another one's."""
        shutil.rmtree(self.site)
        os.makedirs(self.tree / "usr/local/lib/python3.11/dist-packages")
        os.makedirs(self.tree / LOCAL[1:])
        shutil.copytree(self.made, self.tree / DEBIAN[1:])
        self.site = self.tree / DEBIAN[1:]
        self.record("torch", "2.7.1", sorted((self.site / "torch/lib").iterdir()))
        self.interpreter("/usr/bin/python3.11")
        for place in ([], ["/usr/bin/python3.11"], ["/usr"]):
            status, out, err = self.verify("--python", "torch", *place)
            self.assertEqual((status, out.splitlines()[0], err), (
                0, f"cudnn-checked: ok: libtorch_cuda.so takes cuDNN 9.5.1 for CUDA 12, whole, from {DEBIAN}/{WHEEL}", ""))
        self.assert_error(["--python", "torch", "/usr/bin/python3.12"],
                          "--python: in <root>/tree: /usr/bin/python3.12: no such file or directory")

    def test_pythonpath(self):
        self.break_ops(self.place("/srv/packages"))
        status, out, _ = self.verify("--python", "torch", "--env", "PYTHONPATH=/srv/packages")
        self.assertEqual((status, "/srv/packages/torch" in out), (1, True))

    def test_formats(self):
        self.break_ops(self.site)
        status, out, _ = self.verify("--python", "torch", "--format", "github")
        self.assertEqual((status, out[:120].partition("%0A")[0]), (
            1, "::error title=cudnn-checked%3A library-corrupt::torch 2.7.1"))
        status, out, _ = self.verify("--python", "torch", "--format", "prometheus")
        self.assertEqual(status, 1)
        self.assertIn('subject="torch 2.7.1"', out)

    def test_what_is_not_there(self):
        inside = "--python: in <root>/tree: "
        self.assert_error(["--python", "jax"], inside + "no Python has the module jax")
        self.assert_error(["--python", "torch,jax"], inside + "no Python has the module jax")
        module = self.place(CONDA) / "jax/__init__.py"
        module.parent.mkdir()
        module.touch()
        record(self.tree / CONDA[1:], "jax", "0.4", [module])
        shutil.rmtree(self.tree / CONDA[1:] / "torch")
        shutil.rmtree(self.tree / CONDA[1:] / "torch-2.7.1.dist-info")
        self.assert_error(["--python", "torch,jax"], inside + "no Python has all of torch, jax")
        self.assert_error(["--python", "torch", "/venv"], inside + "/venv: no such file or directory")
        (self.tree / "usr/lib").mkdir()
        self.assert_error(["--python", "torch", "/usr/lib"], inside + "/usr/lib: no packages of a Python in it")
        self.assert_error(["--python", "jax"], inside + "no package that jax needs is known to use cuDNN (1 looked at), so none "
                          "was checked", status=3)
        (self.root / "empty").mkdir()
        self.assert_error(["--python", "torch"], "--python: in <root>/empty: no packages of a Python in /usr and /opt/conda; "
                          "name its environment behind the modules", root=self.root / "empty")

    def test_wrong_words(self):
        self.assert_error(["--python", "os."], "--python os.: not the name of a module")
        self.assert_error(["--python", "torch", "a", "b"], "--python takes one environment: b")
        self.assert_error(["--python", "torch"], "--root <root>/absent: not a directory that can be read",
                          root=self.root / "absent")

    def test_too_many_packages(self):
        """What was found is said, and that it is not all."""
        for number in range(52_000):
            folder = self.site / f"more/f{number // 1000}"
            if number % 1000 == 0:
                folder.mkdir(parents=True)
            os.mknod(folder / f"m{number}.py")
        status, out, err = self.verify("--python", "torch,more")
        self.assertEqual((status, out, err), (3, sound(LOCAL)[1], """\
cudnn-checked: unknown: verify: --python: in <root>/tree: not all packages were looked at: there are too many
"""))


if __name__ == "__main__":
    unittest.main()
