# SPDX-License-Identifier: BSD-3-Clause
"""The rows of docs/scenarios.md that need a GPU: engine libraries missing or of another release, a header of
one release with the library of another, LD_LIBRARY_PATH at another cuDNN, a JIT-only set."""
import importlib.metadata
import json
import os
import shutil
import sys
import tempfile
import unittest

import gpu_machine
from gpu_machine import Build, copy_of_set, debian_package, keep, make_jit_only, needs_gpu, python_wheel

HERE = os.path.dirname(os.path.abspath(__file__))


@needs_gpu
class Laboratory(unittest.TestCase):
    """self.program was built on the wheel's cuDNN; self.own is a copy of that set, to be tampered with."""

    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.debian, cls.wheel = debian_package(), python_wheel()
        if cls.debian is None or cls.wheel is None:
            raise unittest.SkipTest("this machine has not both a packaged cuDNN and a wheel's")
        if cls.debian.release >= cls.wheel.release:
            raise unittest.SkipTest("the wheel is not the newer one")
        shared = tempfile.TemporaryDirectory()
        cls.addClassCleanup(shared.cleanup)
        cls.build = Build(os.path.join(shared.name, "build"), cls.wheel.root)
        cls.program = cls.build.compile()

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.scratch = scratch.name
        self.own = copy_of_set(self.wheel, os.path.join(self.scratch, "own"))

    def library(self, role, install=None):
        return os.path.join((install or self.own).libraries, f"libcudnn{role}.so.9")

    def remove(self, role):
        os.unlink(self.library(role))

    def replace(self, role):
        """By the file of Debian's package."""
        self.remove(role)
        shutil.copyfile(self.library(role, self.debian), self.library(role))

    def relative(self, text):
        for path, name in ((self.own.root, "<own>"), (self.wheel.root, "<wheel>"), (self.scratch, "<scratch>"),
                           (self.program, "<program>")):
            text = text.replace(path, name)
        return text

    def start(self, program=None, directory=None):
        """The program on the tampered set: its exit status and what it said."""
        done = gpu_machine.run([program or self.program],
                               LD_LIBRARY_PATH=gpu_machine.in_front(directory or self.own.libraries))
        return done.returncode, self.relative(done.stderr)

    def configure(self, root=None, **definitions):
        build = Build(os.path.join(self.scratch, "build"), root or self.own.root, **definitions)
        build.output = self.relative(build.output)
        return build

    def keep(self, name, text):
        keep(f"{self.id().rsplit('.', 1)[1]}-{name}.txt", text)

    def fix(self):
        """The machine's own LD_LIBRARY_PATH, which its driver may need, is kept."""
        if os.environ.get("LD_LIBRARY_PATH"):
            return "export LD_LIBRARY_PATH=<wheel>/lib:$LD_LIBRARY_PATH"
        return "unset LD_LIBRARY_PATH\n   or: export LD_LIBRARY_PATH=<wheel>/lib"

    def check(self, expected, *names):
        """Start refuses with the whole of `expected`; configure refuses with all of these findings."""
        status, said = self.start()
        self.keep("start", said)
        build = self.configure()
        self.keep("configure", build.output)
        self.assertEqual(said, expected)
        self.assertEqual(status, 78)
        self.assertNotEqual(build.status, 0)
        said = [f["name"] for f in build.report["findings"] if f["severity"] in ("error", "warning")]
        self.assertEqual(said, list(names))

    def mixed(self, *facts):
        """The whole message, from (label, release, file and why the loader takes it) of each fact."""
        labels = max(len(fact[0]) for fact in facts) + 1
        values = max(len(fact[1]) for fact in facts)
        return ("cudnn_checked: refused: the files of cuDNN are of more than one release\n" + "".join(
            f"  {label + ':':{labels}}  {value:{values}}   {where}\n" for label, value, where in facts) +
            "  cuDNN does not compare all of its libraries: such a set has silently computed wrong numbers.\n"
            f"  fix: {self.fix()}\n"
            "  [mixed-sublibraries]\n"
            "  override: CUDNN_CHECKED=warn\n")

    def graph(self):
        """A file that is of one release only stands for the rest."""
        return ("graph", f"{self.wheel.release} for CUDA 13",
                "<own>/lib/libcudnn_graph.so.9   chosen by LD_LIBRARY_PATH[0]")

    def from_cache(self, role, cuda):
        """With the file deleted the loader completes the set from Debian's package."""
        return (role, f"{self.debian.release} for CUDA {cuda}",
                f"/lib/x86_64-linux-gnu/libcudnn_{role}.so.9   chosen by ld.so.cache")

    def foreign(self, role, cuda):
        return [(role, f"{self.debian.release} for CUDA {cuda}",
                 f"<own>/lib/libcudnn_{role}.so.9   chosen by LD_LIBRARY_PATH[0]"),
                ("passed over", f"{self.wheel.release} for CUDA {cuda}",
                 f"<wheel>/lib/libcudnn_{role}.so.9   chosen by RUNPATH of <wheel>/lib/libcudnn_graph.so.9")]

    # L8, L9, L10.

    def test_precompiled_engines_missing(self):
        self.remove("_engines_precompiled")
        self.check(self.mixed(self.graph(), self.from_cache("engines_precompiled", "13")),
                   "mixed-sublibraries", "wrong-numbers", "convolution-failed")

    def test_precompiled_engines_foreign(self):
        self.replace("_engines_precompiled")
        self.check(self.mixed(self.graph(), *self.foreign("engines_precompiled", "13")),
                   "mixed-sublibraries", "wrong-numbers", "convolution-failed")

    def test_heuristic_missing(self):
        self.remove("_heuristic")
        self.check(self.mixed(self.graph(), self.from_cache("heuristic", "12 or 13")),
                   "mixed-sublibraries", "wrong-numbers")

    def test_heuristic_foreign(self):
        self.replace("_heuristic")
        self.check(self.mixed(self.graph(), *self.foreign("heuristic", "12 or 13")),
                   "mixed-sublibraries", "wrong-numbers")

    def test_runtime_compiled_engines_foreign(self):
        self.replace("_engines_runtime_compiled")
        self.check(self.mixed(self.graph(), *self.foreign("engines_runtime_compiled", "13")),
                   "mixed-sublibraries", "convolution-failed")

    # L14: the library of one install, the header of another.

    def test_header_of_another_release(self):
        root = os.path.join(self.scratch, "prefix")
        shutil.copytree(self.wheel.include, os.path.join(root, "include"))
        older = copy_of_set(self.debian, os.path.join(self.scratch, "older"))
        os.rename(older.libraries, os.path.join(root, "lib"))
        build = self.configure(root)
        self.keep("configure", build.output)
        self.assertNotEqual(build.status, 0)
        errors = [f["name"] for f in build.report["findings"] if f["severity"] == "error"]
        self.assertEqual(errors, ["header-library-mismatch"])
        self.assertIn(
            f"   cudnn_checked: refused: the header is of cuDNN {self.wheel.release} and the library of cuDNN "
            f"{self.debian.release}\n     header:   {self.wheel.release}   "
            "<scratch>/prefix/include/cudnn_version.h\n", build.output)
        self.assertTrue(all(c["status"] == "ok" for c in build.report["convolutions"]))

    # L15: the shim of the wheel by RPATH, all the rest through LD_LIBRARY_PATH.

    def test_shim_of_one_and_the_rest_of_another(self):
        build = Build(os.path.join(self.scratch, "rpath"), self.wheel.root,
                      CMAKE_EXE_LINKER_FLAGS="-Wl,--disable-new-dtags")
        status, said = self.start(build.compile(), self.debian.libraries)
        self.keep("start", said)
        self.assertEqual(status, 78)
        newer, older = self.wheel.release, self.debian.release
        shim = "<wheel>/lib/libcudnn.so.9   chosen by RPATH of <scratch>/rpath/minimal"
        graph = f"{self.debian.libraries}/libcudnn_graph.so.9   chosen by LD_LIBRARY_PATH[0]"
        wheel = "nvidia-cudnn-cu13"
        package = f"(wheel {wheel} {importlib.metadata.version(wheel)})"
        self.assertEqual(said, f"""\
cudnn_checked: refused: the files of cuDNN are of more than one release
  graph:  {older} for CUDA 13         {graph}
  shim:   {newer} for CUDA 12 or 13   {shim} {package}
  cuDNN does not compare all of its libraries: such a set has silently computed wrong numbers.
  fix: {self.fix()}
  [mixed-sublibraries]
and: this program was built with cuDNN {newer} and would run on cuDNN {older}
  built with:  {newer}                     stamp of minimal
  would load:  {older}                     {graph}
  shim:        {newer} for CUDA 12 or 13   {shim}
  An older minor release of cuDNN may lack functions that the program calls.
  [cudnn-older]
  override: CUDNN_CHECKED=warn
""")

    # L25: stock PyTorch on a faulty set; a guarded plugin says what PyTorch does not.

    def test_pytorch_on_a_foreign_heuristic(self):
        plugin = Build(os.path.join(self.scratch, "plugin"), self.wheel.root,
                       os.path.join(HERE, "plugin")).compile("plugin.so")
        whole = self.pytorch(plugin, self.wheel.libraries)
        self.assertEqual(whole["said"], "")
        self.assertLess(whole["error"], 1e-2)
        self.replace("_heuristic")
        faulty = self.pytorch(plugin, self.own.libraries)
        self.keep("check", json.dumps(faulty, indent=2))
        self.assertGreater(faulty["error"], 0.1)
        self.assertIn(
            "cudnn_checked: refused: the files of cuDNN are of more than one release\n", faulty["said"])
        self.assertIn(f"  heuristic:    {self.debian.release} for CUDA 12 or 13   "
                      "<own>/lib/libcudnn_heuristic.so.9   chosen by LD_LIBRARY_PATH[0]\n", faulty["said"])

    def pytorch(self, plugin, directory):
        done = gpu_machine.run([sys.executable, os.path.join(HERE, "pytorch_with_plugin.py"), plugin],
                               LD_LIBRARY_PATH=gpu_machine.in_front(directory))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        answer = json.loads(done.stdout)
        answer["said"] = self.relative(answer["said"])
        return answer

    # L26: a JIT-only set computes fp16 NCHW wrongly on this architecture.

    def test_jit_only(self):
        make_jit_only(self.own)
        build = self.configure()
        self.keep("configure", build.output)
        self.assertNotEqual(build.status, 0)
        self.assertIn("   cudnn_checked: refused: cuDNN computes wrong numbers: graph/fp32/nchw graph/fp16/nchw\n",
                      build.output)
        self.assertIn("     fix: install the full cuDNN package instead of the JIT-only one\n"
                      "      or: exclude this kind: CuDNNChecked_CONVOLUTIONS\n     [wrong-numbers]\n", build.output)
        left_out = self.configure(CuDNNChecked_CONVOLUTIONS="graph/fp32/nhwc;graph/fp16/nhwc")
        self.keep("left-out", left_out.output)
        self.assertEqual(left_out.status, 0, left_out.output)


if __name__ == "__main__":
    unittest.main()
