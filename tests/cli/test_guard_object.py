# SPDX-License-Identifier: BSD-3-Clause
"""guard-object: programs that are linked with it by a plain compiler, and what is refused."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile

from checked_program import CalledTest
from support.environment import clean_environment, compiler
from support.output import relative_output
from support.schema import check_output
from support.wheel import install_tree

COMPILER = " ".join(filter(None, (shutil.which("ccache"), compiler())))
MAIN = """
#include <cudnn.h>
#include <cstdio>
int main() { std::printf("main runs on %zu\\n", cudnnGetVersion()); }
"""
ASKS = """
#include <cudnn.h>
#include <cudnn_checked/guard.hpp>
#include <cstdio>
int main() {
  if (cudnnGetVersion() == 0) return 1;  // the linker leaves out a library that is not used
  std::puts(cudnn_checked::check().verdict() == cudnn_checked::verdict::refused ? "refused" : "fits");
}
"""


class GuardObject(CalledTest):
    """The sources that are compiled are those that are installed."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        shared = pathlib.Path(tempfile.mkdtemp(prefix="cudnn-checked-guard-object-"))
        cls.addClassCleanup(shutil.rmtree, shared, ignore_errors=True)
        cls.inside = shared
        cls.installed = install_tree(shared)

    def setUp(self):
        super().setUp()
        self.cudnn = self.sdk("an sdk", build_ids="catalogue", gpus="sm_75")
        self.cudnn.add_cuda_libraries(self.cudnn.library_directory)
        self.gpu = {"LD_LIBRARY_PATH": str(self.cudnn.driver_directory), "SIMULATED_GPUS": "sm_75"}

    def called(self, *arguments, **environment):
        return self.called_as(self.installed / "bin/cudnn-checked", *arguments, **environment)

    def called_as(self, program, *arguments, **environment):
        done = subprocess.run([program, *arguments], cwd=self.scratch, stdout=subprocess.PIPE, text=True,
                              stderr=subprocess.PIPE, env=clean_environment(self.scratch, CXX=COMPILER, **environment))
        check_output(arguments, done.returncode, done.stdout)
        return (done.returncode, *(relative_output(text, scratch=self.scratch, installed=self.installed)
                                   for text in (done.stdout, done.stderr)))

    def built(self, source, *arguments):
        subprocess.run([compiler(), "-x", "c++", "-", "-x", "none", "-o", "app", f"-I{self.cudnn.include}",
                        *arguments, self.cudnn.library(), f"-Wl,-rpath,{self.cudnn.library_directory}", "-ldl"],
                       cwd=self.scratch, input=source, text=True, check=True)

    def started(self, **environment):
        done = subprocess.run([self.scratch / "app"], env=clean_environment(self.scratch, **environment), text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        return done.returncode, done.stdout, done.stderr

    def test_a_program_by_one_command(self):
        status, out, err = self.called("guard-object", "--from", "an sdk", "--name", "app", "guard.o", **self.gpu)
        self.assertEqual((status, out, err), (0, (
            "guard.o: the guard of app, cuDNN 9.14.0\n"
            "  proved: level ran, convolutions were right on 75\n"
            "  link it with the program, and -ldl\n"), ""))
        self.built(MAIN, "guard.o")
        self.assertEqual(self.started(**self.gpu), (0, "main runs on 91400\n", ""))
        self.assertEqual(self.called("verify", "app", **self.gpu)[0], 0)
        older = self.sdk("older", cudnn="9.13.0", gpus="sm_75", build_ids="catalogue")
        self.cudnn.take_from(older, "ops")
        status, out, err = self.started(**self.gpu)
        self.assertEqual((status, out), (78, ""))
        self.assertRegex(err, r"^cudnn_checked: refused: the files of cuDNN are of more than one release\n")
        self.assertEqual(self.called("verify", "app", **self.gpu)[0], 1)

    def test_the_stamp(self):
        status, out, err = self.called("--json", "guard-object", "--from", "an sdk", "--gpu", "required", "--policy",
                                       "exact", "app.o")
        self.assertEqual((status, err), (0, ""))
        answer = json.loads(out)
        self.assertEqual(answer["stamp"]["level"], "loaded")
        stamp = answer["stamp"]
        self.assertEqual([answer[key] for key in ("file", "level", "symbol", "include")], [
            "app.o", "loaded", "cudnn_checked_stamp_app", "<installed>/share/CuDNNChecked/tool/guard/include"])
        self.assertEqual([stamp[key] for key in ("program", "level", "policy", "gpu")],
                         ["app", "loaded", "exact", "required"])
        self.assertEqual(stamp["cudnn"], {"header": "9.14.0", "library": "9.14.0", "cudart": "13.0"})
        self.built(MAIN, "app.o")
        self.assertEqual(self.started()[0], 78)  # there is no driver
        out = self.called("guard-object", "--from", "an sdk", "app.o")[1]
        self.assertIn("proved: level loaded: no convolution was run, because there is no GPU or driver here\n", out)
        self.built(MAIN, "app.o")
        self.assertEqual(self.started(), (0, "main runs on 91400\n", ""))

    def test_a_source_for_flags_of_the_build(self):
        status, out, err = self.called("guard-object", "--from", "an sdk", "--manual", "--name", "my-app", "guard.cpp")
        include = self.installed / "share/CuDNNChecked/tool/guard/include"
        self.assertEqual((status, out.splitlines()[2:], err), (0, [
            "  compile it as C++17, link it with the program, and -ldl: "
            "-I<installed>/share/CuDNNChecked/tool/guard/include",
            "  where <cudnn_checked/guard.hpp> is included: -DCUDNN_CHECKED_STAMP=cudnn_checked_stamp_my_app "
            "-I<installed>/share/CuDNNChecked/tool/guard/include"], ""))
        self.built(ASKS, "-x", "c++", "-std=c++17", "-Wall", "-Wextra", "-Werror", "guard.cpp", "-x", "none",
                   "-DCUDNN_CHECKED_STAMP=cudnn_checked_stamp_my_app", f"-I{include}")
        self.assertEqual(self.started(), (0, "fits\n", ""))
        older = self.sdk("older", cudnn="9.13.0", gpus="sm_75", build_ids="catalogue")
        self.assertEqual(self.started(LD_LIBRARY_PATH=str(older.library_directory)), (0, "refused\n", ""))

    def test_what_is_refused(self):
        mixed = self.sdk("mixed", gpus="", build_ids="catalogue")
        mixed.take_from(self.sdk("older", cudnn="9.13.0", gpus="", build_ids="catalogue"), "ops")
        for arguments, status, text in [
                (["--from", "mixed", "app.o"], 1,
                 "guard-object: refused: <scratch>/mixed/lib: the files of cuDNN are of more than one release"),
                (["--from", "an sdk", "app"], 2, "guard-object: app: the file ends in .o or .cpp"),
                (["--name", "a b", "app.o"], 2,
                 "guard-object: --name a b: a name has letters of ASCII, digits, and _ . + -"),
                (["--gpu", "maybe", "app.o"], 2, "guard-object: --gpu maybe: required or optional"),
                (["--gpu", "Requird", "app.o"], 2,
                 "guard-object: --gpu Requird: required or optional; did you mean required?"),
                (["--policy", "Exact", "--gpu", "may", "app.o"], 2, "guard-object: --gpu may: required or optional"),
                (["--policy", "magor", "app.o"], 2,
                 "guard-object: --policy magor: compatible, exact or major; did you mean major?"),
                (["--policy", "any", "app.o"], 2, "guard-object: --policy any: compatible, exact or major"),
                (["--from", "an sdk", "gone/app.cpp"], 2, "guard-object: gone/app.cpp: No such file or directory"),
                (["--from", "an sdk", "gone/app.o"], 2, "guard-object: gone/app.o.cpp: No such file or directory"),
                (["--from", "an sdk", "--compiler", "false", "app.o"], 2,
                 "guard-object: false did not compile app.o.cpp")]:
            with self.subTest(arguments=arguments):
                found, out, err = self.called("guard-object", *arguments)
                self.assertEqual((found, out, err.splitlines()[-1]), (status, "", f"cudnn-checked: error: {text}"))
                self.assertFalse(os.path.exists(self.scratch / "app.o"))

    def test_what_it_did_not_write_stays(self):
        """A person's source, and an object of another build."""
        for name, written in (("app.cpp", "app.cpp"), ("app.o", "app.o.cpp"), ("app.o", "app.o")):
            with self.subTest(name=name, written=written):
                self.write(written, MAIN)
                self.assertEqual(self.called("guard-object", "--from", "an sdk", name), (2, "", (
                    f"cudnn-checked: error: guard-object: {written}: cudnn-checked did not write this file, and it "
                    "stays; remove it, or name another\n")))
                self.assertEqual((self.scratch / written).read_text(), MAIN)
                (self.scratch / written).unlink()
        for name in ("guard.cpp", "guard.cpp", "guard.o", "guard.o"):
            self.assertEqual(self.called("guard-object", "--from", "an sdk", name)[0], 0)

    def test_the_words_of_the_compiler(self):
        launcher = self.write("launcher", '#!/bin/sh\necho "$1" > launched\nexec "$@"\n')
        launcher.chmod(0o755)
        done = subprocess.run([self.installed / "bin/cudnn-checked", "guard-object", "--from", "an sdk", "app.o"],
                              cwd=self.scratch, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                              env=clean_environment(self.scratch, CXX=f"{launcher}  {compiler()} -O1"))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual((self.scratch / "launched").read_text(), f"{compiler()}\n")

    def test_a_prefix_that_no_include_can_name(self):
        prefix = self.scratch / 'a"b'
        shutil.copytree(self.installed, prefix, symlinks=True)
        self.assertEqual(self.called_as(prefix / "bin/cudnn-checked", "guard-object", "--from", "an sdk", "app.o"), (
            2, "", 'cudnn-checked: error: guard-object: <scratch>/a"b/share/CuDNNChecked/tool/guard: '
            "no #include can name this directory\n"))

    def test_without_the_sources(self):
        program = self.scratch / "bin/cudnn-checked"
        program.parent.mkdir()
        program.write_bytes((self.installed / "bin/cudnn-checked").read_bytes())
        program.chmod(0o755)
        status, out, err = self.called_as(program, "guard-object", "--from", "an sdk", "app.o")
        self.assertEqual((status, out), (2, ""))
        self.assertTrue(err.startswith("cudnn-checked: error: guard-object: no CMake package is installed with "), err)

    def test_a_cudnn_that_computes_wrong(self):
        status, out, err = self.called("guard-object", "--from", "an sdk", "app.o", SIMULATED_FAULT="wrong:graph/fp16/nchw",
                                       **self.gpu)
        self.assertEqual((status, out), (1, ""))
        self.assertRegex(err, r"^cudnn-checked: error: guard-object: <scratch>/an sdk/lib: .*; cudnn-checked probe "
                              r"'<scratch>/an sdk/lib' says more\n$")
