# SPDX-License-Identifier: BSD-3-Clause
"""An errata file, read by NVIDIA's cudnn-frontend: it blocks the plans that this project says."""

import pathlib
import subprocess

from of_product import FETCH, fetched
from support import REPOSITORY, ScratchTest
from support.environment import built, compiler

TOOL = built("tool")
HERE = pathlib.Path(__file__).resolve().parent


def headers_of(name, folder):
    """A folder of headers of a set; None without PyPI."""
    done = subprocess.run(["sh", str(FETCH), name], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True, timeout=300)
    return pathlib.Path(done.stdout.rstrip("\n")) / folder if done.returncode == 0 else None


class Errata(ScratchTest):
    def compare(self, release):
        cudnn, headers = fetched("jit"), headers_of(f"frontend-{release}", "include")
        cccl = headers_of("cccl", "nvidia/cu13/include")
        if None in (cudnn, headers, cccl):
            self.skipTest("PyPI cannot be reached, and the cache lacks cudnn-frontend or a real cuDNN")
        cuda = cudnn.parent / "cu13"
        program = self.scratch / "compare"
        libraries = sorted(str(path) for path in TOOL.rglob("*.a"))
        # Without exceptions of its own: an operation graph that has no handle is left as it is.
        # Warnings of those headers are not this project's.
        done = subprocess.run(
            [compiler("CXX"), "-std=c++17", "-O0", "-w", "-DNV_CUDNN_DISABLE_EXCEPTION",
             f"-I{REPOSITORY / 'tool'}", f"-I{headers}", f"-I{cudnn / 'include'}", f"-I{cuda / 'include'}",
             f"-I{cccl}",
             str(HERE / "errata_against_frontend.cpp"), "-o", str(program),
             "-Wl,--start-group", *libraries, "-Wl,--end-group",
             str(cudnn / "lib" / "libcudnn.so.9"), str(cuda / "lib" / "libcudart.so.13"),
             f"-Wl,-rpath,{cudnn / 'lib'}:{cuda / 'lib'}", "-ldl", "-lpthread"],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300)
        self.assertEqual(done.returncode, 0, done.stdout)
        done = subprocess.run([str(program), str(self.scratch / "errata.json")], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=120)
        self.assertEqual(done.stdout, "0 differences, cuDNN 91400\n")
        self.assertEqual(done.returncode, 0)

    def test_oldest_frontend_on_the_index(self):
        self.compare("1.5")

    def test_newest_frontend(self):
        self.compare("1.32")
