# SPDX-License-Identifier: BSD-3-Clause
"""What real cuDNNs need and do not ship: found, missing, and refused before anything aborts."""

import json
import os
import pathlib
import shutil
import subprocess
import unittest

from home_cache import HOME_CACHE
from real_cudnn import RealCudnnTest, has_gpu
from support import REPOSITORY, ScratchTest, relative_output

# The observer and the judge on the cuDNN of a directory, without a driver, as a program that was
# built for that release would be judged at its start.
LOOK = """
#include "core/linux/core.cpp"
#include "core/for_guard.cpp"
#include <cstdio>
#include <cstdlib>
using namespace cudnn_checked;
int main(int, char **arguments, char **environment) {
  const linux_system os(environment, execution_mode::ordinary, "/proc/self/environ");
  observation seen;
  loader search(os);
  observe_files(search, std::atoi(arguments[1]), seen);
  observe_dependencies(search, seen);
  seen.linked = true;
  if (arguments[2][0] == 'd') seen.driver.present = answer::yes;
  for (const dependency &d : seen.dependencies) {
    std::printf("%s %s %s %s\\n", d.name.c_str(), directory_part(d.asked_by).c_str(),
                d.asked_by.c_str() + directory_part(d.asked_by).size() + 1,
                d.path.empty() ? "missing" : d.path.c_str());
  }
  std::printf("may abort: %d\\n", calling_may_abort(seen) ? 1 : 0);
  const judgement judged = judge_program(stamp(), seen, judge_options());
  for (const finding &f : judged.findings) {
    const arena_string name = to_string(f.id);
    if (name.compare(0, 10, "dependency") != 0) continue;
    std::printf("%s %s %s\\n", name.c_str(), to_string(f.weight), f.expected.value.c_str());
  }
  return 0;
}
"""


def cached(name):
    """A set that the cache has already; tests do not fetch half a gigabyte."""
    for folder in sorted(HOME_CACHE.glob(f"{name}-*/nvidia/cudnn*/lib")):
        if (folder.parents[2] / "complete").exists():
            return folder
    raise unittest.SkipTest(f"the cache has no cuDNN {name} (sh scripts/fetch_cudnn.sh {name})")


class Seen(ScratchTest):
    """The files of a set that the cache has, looked at by a program that never loads them."""

    @classmethod
    def setUpClass(cls):
        cls.loader = next((str(p) for p in (pathlib.Path("/lib64/ld-linux-x86-64.so.2"),
                                            pathlib.Path("/lib/ld-linux-aarch64.so.1"))
                           if p.exists()), None)
        if cls.loader is None:
            raise unittest.SkipTest("no loader of glibc where it is known to be")

    def setUp(self):
        super().setUp()
        source = self.write("look.cpp", LOOK)
        self.program = self.scratch / "look"
        subprocess.run(["c++", "-std=c++17", f"-I{REPOSITORY / 'tool'}", source, "-o", self.program,
                        "-ldl"], check=True)

    def look(self, major, *folders, driver=True):
        environment = {**os.environ, "LD_LIBRARY_PATH": ":".join(str(f) for f in folders)}
        done = subprocess.run([self.loader, "--inhibit-cache", self.program, str(major),
                               "d" if driver else "n"], env=environment, check=True, text=True,
                              stdout=subprocess.PIPE)
        return done.stdout.splitlines()

    def asked(self, lines):
        return {tuple(line.split()[:3:2]) for line in lines if line.count(" ") == 3}

    def test_who_asks_for_what(self):
        for name, roles in (("full-9.14-cu13", 13), ("full-9.19-cu13", 13), ("full-9.14-cu12", 12)):
            with self.subTest(name):
                try:
                    folder = cached(name)
                except unittest.SkipTest:
                    continue
                asked = self.asked(self.look(9, folder))
                for role in ("graph", "ops", "cnn", "adv", "engines_precompiled", "heuristic"):
                    self.assertIn(("libz.so.1", f"libcudnn_{role}.so.9"), asked)
                self.assertEqual(
                    {pair for pair in asked if pair[0].startswith(("libcublas", "libnvrtc.so"))},
                    {(f"libcublasLt.so.{roles}", "libcudnn_adv.so.9"),
                     (f"libcublasLt.so.{roles}", "libcudnn_engines_precompiled.so.9"),
                     (f"libnvrtc.so.{roles}", "libcudnn_engines_precompiled.so.9"),
                     (f"libnvrtc.so.{roles}", "libcudnn_graph.so.9")})

    def test_cudnn_8_needs_cublas(self):
        folder = cached("full-8.5-cu11")
        lines = self.look(8, folder, driver=False)
        self.assertIn("may abort: 1", lines)
        self.assertIn("dependency-missing error libcublas.so.11", lines)
        self.assertIn("dependency-missing error libcublasLt.so.11", lines)
        # It really does: cudnnGetVersion ends a process that has not been warned.
        call = ("import ctypes, sys; l = ctypes.CDLL(sys.argv[1]); "
                "l.cudnnGetVersion.restype = ctypes.c_size_t; l.cudnnGetVersion()")
        done = subprocess.run(["python3", "-c", call, str(folder / "libcudnn.so.8")],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual(done.returncode, -6)


class JitOnly(RealCudnnTest):
    @unittest.skipIf(has_gpu(), "this machine has a GPU, where NVRTC is needed")
    def test_without_nvrtc_and_without_a_gpu_is_loaded_with_notes_only(self):
        folder = self.set_of("bare")
        root = self.scratch / "root"
        (root / "lib").mkdir(parents=True)
        for file in folder.iterdir():
            file.rename(root / "lib" / file.name)
        (root / "include").symlink_to(self.cudnn / "include")
        done = self.configure(f"-DCUDAToolkit_ROOT={self.cudnn.parent / 'cu13'}", root=root)
        self.assertEqual(done.status, 0, done.output)
        report = json.loads(next(self.minimal.build_directory.rglob("report.json")).read_text())
        self.assertEqual((report["level"], report["verdict"]), ("loaded", "ok"))
        self.assertLessEqual({f["severity"] for f in report["findings"]}, {"note"})


class Aarch64(ScratchTest):
    """A program for another machine, under qemu-user: cuDNN of the wheel, and no libz."""

    COMPILER, EMULATOR = "aarch64-linux-gnu-g++", "qemu-aarch64"
    SYSTEM = "/usr/aarch64-linux-gnu"

    def test_libz(self):
        for tool in (self.COMPILER, self.EMULATOR):
            if shutil.which(tool) is None:
                self.skipTest(f"{tool} is not installed")
        if list(pathlib.Path(self.SYSTEM, "lib").glob("libz.so*")):
            self.skipTest("libz for arm64 is installed")
        folder = cached("jit-aarch64")
        source = self.write("look.cpp", LOOK)
        program = self.scratch / "look"
        subprocess.run([self.COMPILER, "-std=c++17", f"-I{REPOSITORY / 'tool'}", source, "-o",
                        program, "-ldl"], check=True)

        def look(*folders):
            path = ":".join(str(f) for f in folders)
            # In qemu's own environment too: /proc/self/environ is qemu's.
            done = subprocess.run([self.EMULATOR, "-L", self.SYSTEM, program, "9", "n"], check=True,
                                  text=True, stdout=subprocess.PIPE,
                                  env={**os.environ, "LD_LIBRARY_PATH": path})
            return relative_output(done.stdout, cudnn=folder, scratch=self.scratch).splitlines()

        lines = look(folder)
        self.assertIn("libz.so.1 <cudnn> libcudnn_graph.so.9 missing", lines)
        self.assertIn("may abort: 1", lines)
        self.assertIn("dependency-missing error libz.so.1", lines)
        # Any library of that name will do for the search.
        (self.scratch / "z").mkdir()
        code = self.write("z.cpp", "int z;\n")
        subprocess.run([self.COMPILER, "-shared", "-fPIC", "-Wl,-soname,libz.so.1", code, "-o",
                        self.scratch / "z" / "libz.so.1"], check=True)
        lines = look(folder, self.scratch / "z")
        self.assertIn("libz.so.1 <cudnn> libcudnn_graph.so.9 <scratch>/z/libz.so.1", lines)
        self.assertIn("may abort: 0", lines)
        self.assertNotIn("dependency-missing error libz.so.1", lines)
