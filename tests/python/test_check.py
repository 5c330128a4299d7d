# SPDX-License-Identifier: BSD-3-Clause
"""The Python module: check() before the import, `python -m cudnn_checked`, doctor()."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from support import REPOSITORY
from support.environment import clean_environment
from support.wheel import MAKE_WHEEL

sys.path.insert(0, str(REPOSITORY / "tests" / "cli"))
from checked_program import call  # noqa: E402
from fake_packages import NUMBER, WHEEL, FakePackages, ids_of, make_library, record  # noqa: E402
from support.command_line import cudnn_checked_program  # noqa: E402

CHECK = """\
import sys
started = []
sys.addaudithook(lambda event, values: started.append(values[0]) if event == "subprocess.Popen" else None)
import cudnn_checked
try:
    cudnn_checked.check(*sys.argv[1:])
except ImportError as wrong:
    print(type(wrong).__module__, type(wrong).__name__, getattr(wrong, "report", {"verdict": "none"})["verdict"])
    print(wrong, file=sys.stderr)
else:
    print("sound")
print(len(started), "started;", "torch" in sys.modules)
"""
REFUSED = "cudnn_checked Refused refused\n1 started; False\n"


class Module(FakePackages):
    python = "python{}.{}".format(*sys.version_info)

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        # As `pip install --target` lays it out; test_wheel.py lets pip do so.
        cls.target = pathlib.Path(os.path.realpath(tempfile.mkdtemp(prefix="cudnn-checked-target-")))
        cls.addClassCleanup(shutil.rmtree, cls.target, ignore_errors=True)
        shutil.copytree(MAKE_WHEEL.parent / "cudnn_checked", cls.target / "cudnn_checked")
        (cls.target / "bin").mkdir()
        (cls.target / "bin/cudnn-checked").symlink_to(cudnn_checked_program())

    def setUp(self):
        super().setUp()
        (self.site / "torch/__init__.py").write_text("raise SystemExit('imported')\n")
        (self.root / "app.py").write_text("import sys\nprint('started', *sys.argv[1:])\nsys.exit(7)\n")
        self.path = [self.target, self.site]

    def started(self, *words, **environment):
        """Status, standard output and standard error of this Python."""
        variables = clean_environment(self.root, PYTHONPATH=":".join(map(str, self.path)), **environment)
        done = subprocess.run([sys.executable, *map(str, words)], text=True, cwd=self.root, env=variables,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
        return done.returncode, done.stdout, done.stderr

    def check(self, *modules, **environment):
        return self.started("-c", CHECK, *modules, **environment)

    def program(self, **environment):
        """What the program says of the same Python."""
        status, out, err = call("run", "--python", "torch", "--", sys.executable, "app.py", home=self.root,
                                PYTHONPATH=":".join(map(str, self.path)), **environment)
        self.assertEqual((status, out), (78, ""))
        return err

    def put(self, name, number, cuda="12"):
        """The library of that release in the place of its own."""
        library = self.site / WHEEL / name
        library.unlink()
        make_library(library, "-Wl,-rpath,$ORIGIN", "-Wl,--build-id=0x" + ids_of(number, cuda)[name])


class Check(Module):
    def test_a_sound_one(self):
        self.assertEqual(self.check("torch"), (0, "sound\n1 started; False\n", ""))
        self.assertEqual(self.check("torch.nn", "torch"), (0, "sound\n1 started; False\n", ""))

    def unsound(self):
        """Seven environments: how each is made, and the variables under which it is."""
        site = self.site / WHEEL
        yield "empty file", lambda: (site / "libcudnn_ops.so.9").write_bytes(b""), {}
        yield "missing file", (site / "libcudnn_cnn.so.9").unlink, {}
        yield "no shim", (site / "libcudnn.so.9").unlink, {}
        yield "file of another release", lambda: self.put("libcudnn_engines_precompiled.so.9", "9.14.0.64"), {}
        yield "for another CUDA", lambda: [self.put(name, "9.14.0.64", "13") for name in ids_of(NUMBER, "12")
                                           if name in ids_of("9.14.0.64", "13")], {}
        yield "older than required", lambda: self.require("9.6.0.74"), {}
        yield "another directory first", lambda: self.copy_to("front"), {"LD_LIBRARY_PATH": f"{self.root}/front"}

    def require(self, number):
        metadata = self.site / "torch-2.7.1.dist-info/METADATA"
        metadata.write_text(metadata.read_text().replace(NUMBER, number))

    def copy_to(self, name):
        """An engine of another release, before those of the wheel."""
        name = self.root / name / "libcudnn_graph.so.9"
        make_library(name, "-Wl,--build-id=0x" + ids_of("9.14.0.64", "12")[name.name])

    def test_seven_unsound_ones_in_the_words_of_the_program(self):
        whole = self.root / "whole"
        shutil.copytree(self.site, whole, symlinks=True)
        seen = set()
        for name, damage, environment in self.unsound():
            with self.subTest(name):
                damage()
                err = self.program(**environment)
                self.assertEqual(self.check("torch", **environment), (0, REFUSED, err))
                seen.add(err)
            shutil.rmtree(self.site)
            shutil.copytree(whole, self.site, symlinks=True)
        self.assertEqual(len(seen), 7)
        self.assertEqual(self.check("torch"), (0, "sound\n1 started; False\n", ""))

    def add_set(self, directory, number):
        """A cuDNN that can be loaded."""
        for name, build_id in ids_of(number, "12").items():
            make_library(directory / name, self.code, "-Wl,-rpath,$ORIGIN", "-Wl,--build-id=0x" + build_id)

    def import_beta(self, number):
        """Code that imports a package, which loads a cuDNN of its own."""
        self.code = self.root / "code.c"
        self.code.write_text("void f(void) {}\n")
        other = self.root / "overlay"
        self.add_set(other / WHEEL, number)
        library = other / "beta/libbeta.so"
        make_library(library, self.code, other / WHEEL / "libcudnn.so.9", "-Wl,-rpath,$ORIGIN/../" + WHEEL)
        start = other / "beta/__init__.py"
        start.write_text(f"import ctypes\nctypes.CDLL({str(library)!r})\n")
        record(other, "beta", "1.0", [start, library])
        self.path.append(other)
        return "import beta\n"

    def test_what_is_in_memory_counts(self):
        """A name that is in memory is not searched for again."""
        imports = self.import_beta("9.1.0.70")
        self.assertEqual(self.check("torch"), (0, "sound\n1 started; False\n", ""))
        status, out, err = self.started("-c", imports + CHECK, "torch")
        self.assertEqual((status, out), (0, REFUSED), err)
        self.assertIn("libtorch_cuda.so requires cuDNN 9.5.1 and would run on cuDNN 9.1.0\n", err)
        self.assertEqual(self.started("-c", imports + CHECK, "beta"), (0, "sound\n1 started; False\n", ""))

    def test_of_what_is_imported_already_is_warned(self):
        """It has loaded what it has: nothing that is to be imported is refused for it."""
        imports = self.import_beta("9.14.0.64")
        front = self.root / "front"
        self.add_set(front, NUMBER)
        self.assertEqual(self.check("torch", LD_LIBRARY_PATH=front), (0, "sound\n1 started; False\n", ""))
        status, out, err = self.started("-c", imports + CHECK, "torch", LD_LIBRARY_PATH=front)
        self.assertEqual((status, out, err.replace(str(self.root), "<root>")), (
            0, "sound\n1 started; False\n", f"""\
cudnn-checked: warning: beta 1.0: LD_LIBRARY_PATH leads to an older cuDNN than the one that this program's run path leads to
  passed over:  9.14.0     <root>/overlay/beta/../{WHEEL}/libcudnn.so.9   chosen by RUNPATH of <root>/overlay/beta/libbeta.so
  would load:   9.5.1      <root>/front/libcudnn.so.9   chosen by LD_LIBRARY_PATH[0]
  used by:      beta 1.0   <root>/overlay/beta/libbeta.so
  A change of the variable changes the cuDNN that this program uses.
  fix: unset LD_LIBRARY_PATH
  [loader-override]
"""))

    def test_the_escapes(self):
        (self.site / WHEEL / "libcudnn_ops.so.9").write_bytes(b"")
        self.assertEqual(self.check("torch", CUDNN_CHECKED="off"), (0, "sound\n1 started; False\n", ""))
        status, out, err = self.check("torch", CUDNN_CHECKED="warn")
        self.assertEqual((status, out), (0, "sound\n1 started; False\n"))
        self.assertTrue(err.startswith("cudnn-checked: warning: torch 2.7.1: a library of cuDNN is damaged"), err)
        file = self.root / "report.json"
        self.assertEqual(self.check("torch", CUDNN_CHECKED_REPORT=file, CLICOLOR_FORCE="1")[:2], (0, REFUSED))
        self.assertEqual(json.loads(file.read_text())["verdict"], "refused")

    def test_a_module_that_is_not_there(self):
        self.assertEqual(self.check("tach"), (
            0, "builtins ModuleNotFoundError none\n0 started; False\n", "No module named 'tach'\n"))

    def test_a_module_without_a_file(self):
        self.assertEqual(self.check("sys"), (0, "sound\n0 started; False\n", ""))
        self.assertEqual(self.check("sys", "torch"), (0, "sound\n1 started; False\n", ""))
        self.assertEqual(self.check("json"), (0, "sound\n1 started; False\n", ""))

    def test_a_variable_that_comes_too_late(self):
        """The loader reads LD_LIBRARY_PATH once: what a program sets for itself changes no import."""
        self.copy_to("front")
        code = f"import os\nos.environ['LD_LIBRARY_PATH'] = '{self.root}/front'\n"
        self.assertEqual(self.started("-c", code + CHECK, "torch"), (0, "sound\n1 started; False\n", ""))
        code = "import os\ndel os.environ['LD_LIBRARY_PATH']\n"
        self.assertEqual(self.started("-c", code + CHECK, "torch", LD_LIBRARY_PATH=self.root / "front")[1], REFUSED)

    def test_what_only_a_finder_knows(self):
        """As an editable install: its directory is not in sys.path."""
        self.path = [self.target]
        code = f"""\
import importlib.machinery as machinery, sys
class Finder:
    @staticmethod
    def find_spec(name, path=None, target=None):
        return machinery.PathFinder.find_spec(name, ["{self.site}"]) if name == "torch" else None
sys.meta_path.append(Finder)
"""
        self.assertEqual(self.started("-c", code + CHECK, "torch"), (0, "sound\n1 started; False\n", ""))
        (self.site / WHEEL / "libcudnn_ops.so.9").write_bytes(b"")
        self.assertEqual(self.started("-c", code + CHECK, "torch")[1], REFUSED)


class Main(Module):
    def test_run(self):
        for words in (["app.py", "--json", "a b"], ["--python", "torch", "app.py", "--json", "a b"],
                      ["--python=torch", "-u", "app.py", "--json", "a b"],
                      ["--", sys.executable, "app.py", "--json", "a b"]):
            self.assertEqual(self.started("-m", "cudnn_checked", "run", *words), (7, "started --json a b\n", ""))
        self.assertEqual(self.started("-m", "cudnn_checked", "run", "-m", "app", "b"), (7, "started b\n", ""))
        (self.site / WHEEL / "libcudnn_ops.so.9").write_bytes(b"")
        self.assertEqual(self.started("-m", "cudnn_checked", "run", "--python", "torch", "app.py"),
                         (78, "", self.program()))

    def test_every_other_command(self):
        for words in (["explain", "cudnn-older"], ["run", "--help"], ["run", "-h"], ["--version"], ["verfy"], []):
            status, out, err = call(*words, home=self.root)
            self.assertEqual(self.started("-m", "cudnn_checked", *words), (status, out, err))

    def test_doctor(self):
        code = ("import cudnn_checked, json, sys\n"
                "print(json.dumps(cudnn_checked.doctor(*sys.argv[1:], hash='{}' == 'hash'), indent=2))\n")
        _, text, _ = call("doctor", "--json", self.site, home=self.root)
        status, out, err = self.started("-c", code, self.site)
        self.assertEqual((status, json.loads(out), err), (0, json.loads(text), ""))
        self.assertEqual([json.loads(self.started("-c", code.format(word), self.site)[1])["cudnn"][0]["compared"] > 0
                          for word in ("", "hash")], [False, True])
        with self.subTest("the Python that asks is the active one"):
            tree = json.loads(self.started("-c", code, VIRTUAL_ENV="/nowhere")[1])
            self.assertIn(str(self.site), [one["directory"] for one in tree["environments"]])
        status, _, err = self.started("-c", code, "/nowhere")
        self.assertEqual((status, err.splitlines()[-1]), (
            1, "cudnn_checked.Failed: cudnn-checked: error: doctor: /nowhere: no such directory"))
        (self.root / "empty").mkdir()
        status, _, err = self.started("-c", code, "empty")
        self.assertEqual((status, err.splitlines()[-1]), (
            1, "cudnn_checked.Failed: cudnn-checked: error: doctor: empty: no cuDNN in it"))

    def test_a_program_that_cannot_answer(self):
        """The system has ended it, as it does where memory is short, or cannot start it."""
        program = self.target / "bin/cudnn-checked"
        program.rename(self.target / "kept")
        self.addCleanup(os.replace, self.target / "kept", program)
        for text, why in (("#!/bin/sh\nkill -9 $$\n", "ended by signal 9"), ("no program", "Exec format error")):
            program.write_text(text)
            program.chmod(0o755)
            for asked in ("check('torch')", "doctor()"):
                with self.subTest(asked=asked, why=why):
                    status, out, err = self.started("-c", f"import cudnn_checked; cudnn_checked.{asked}")
                    self.assertEqual((status, out, err.splitlines()[-1]), (
                        1, "", f"cudnn_checked.Failed: {program}: {why}"))

    def test_a_path_of_which_python_ignores_a_part(self):
        """The working directory was removed; what is no text."""
        code = ("import os, sys, cudnn_checked\nos.mkdir('gone')\nos.chdir('gone')\nos.rmdir('../gone')\n"
                "sys.path.append(None)\ncudnn_checked.check('torch')\nprint('sound')\n")
        self.assertEqual(self.started("-c", code), (0, "sound\n", ""))
