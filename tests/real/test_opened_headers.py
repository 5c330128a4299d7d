# SPDX-License-Identifier: BSD-3-Clause
"""What tool/opened/include declares, held against the real headers of each cuDNN and CUDA that this machine
has: numbers, names and types of functions."""

import pathlib
import re
import subprocess

from real_cudnn import FETCHED_IN_CI, fetched
from support import REPOSITORY, ScratchTest
from support.environment import compiler

OPENED = REPOSITORY / "tool" / "opened"
CUDA_HEADERS = [pathlib.Path("/usr/local/cuda/include"), *sorted(pathlib.Path("/usr/local").glob("cuda-*/include"))]
# The count of a release is smaller than that of the next one.
COUNT = "CUDNN_NUMERICAL_NOTE_TYPE_COUNT"


def constants(name):
    """{name: number} of the enumerations of one of our headers."""
    text = (OPENED / "include" / name).read_text(encoding="utf-8")
    return {name: int(number) for name, number in re.findall(r"\b(\w+) = (\d+)\b", text)}


def functions():
    """[(result, name, parameters)] of cudnn_functions.def."""
    text = (OPENED / "cudnn_functions.def").read_text(encoding="utf-8")
    rows = re.findall(r"(?s)^CUDNN_CHECKED_FUNCTION\((.*?)\)\n(?=\n|CUDNN|//|\Z)", text, re.M)
    operations = re.findall(r"(?s)^CUDNN_CHECKED_OPERATION\((.*?)\)\n(?=CUDNN|#)", text, re.M)
    rows += [f"cudnnStatus_t, {row.strip()}" for row in operations]
    return [tuple(re.fullmatch(r"(?s)(.+?), (cudnn\w+),\s+\((.*?)\),\s+\(.*", row + ")").groups())
            for row in rows]


def cudnn_headers():
    """Directories with a cudnn.h: of the toolkits, and of the sets that the cache has or can fetch."""
    for directory in CUDA_HEADERS:
        if (directory / "cudnn.h").exists():
            yield directory
    for name in (*FETCHED_IN_CI, "full-9.28-cu13", "full-8.5-cu11"):
        cudnn = fetched(name)
        if cudnn is not None and (cudnn / "include" / "cudnn.h").exists():
            yield cudnn / "include"


def cuda_header():
    return next((d for d in CUDA_HEADERS if (d / "cuda_runtime_api.h").exists()), None)


class Headers(ScratchTest):
    def compiles(self, text, *includes):
        source = self.write("check.cpp", text)
        options = [option for directory in includes for option in ("-isystem", str(directory))]
        done = subprocess.run([compiler("CXX"), "-std=c++17", "-fsyntax-only", *options, str(source)],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.assertEqual(done.returncode, 0, done.stdout[:4000])

    def test_our_own_texts_are_read(self):
        self.assertEqual(constants("cudnn.h")["CUDNN_DATA_BFLOAT16"], 9)
        self.assertGreater(len(constants("cudnn_backend.h")), 80)
        runtime = constants("cuda_runtime_api.h")
        self.assertEqual(runtime["cudaErrorNotSupported"], 801)
        text = (OPENED / "include" / "cuda_runtime_api.h").read_text(encoding="utf-8")
        self.assertEqual(len(runtime), len(re.findall(r"(?m)^  \w+ = ", text)))
        self.assertIn(("cudnnStatus_t", "cudnnDestroy", "cudnnHandle_t handle"), functions())
        text = (OPENED / "cudnn_functions.def").read_text(encoding="utf-8")
        self.assertEqual(len(functions()), len(re.findall(r"(?m)^CUDNN_CHECKED_(?:FUNCTION|OPERATION)\(", text)))
        self.assertIn(("cudnnStatus_t", "cudnnDestroyRNNDescriptor", "cudnnRNNDescriptor_t descriptor"), functions())

    def test_cudnn(self):
        cuda = cuda_header()
        directories = list(cudnn_headers())
        if cuda is None or not directories:
            self.skipTest("there are no headers of CUDA and cuDNN here")
        ours = {**constants("cudnn.h"), **constants("cudnn_backend.h"), **constants("cudnn_recurrent.h"),
                **constants("cudnn_operations.h")}
        for directory in directories:
            with self.subTest(headers=directory):
                real = "".join(path.read_text(errors="replace") for path in directory.glob("cudnn*.h"))
                there = {name for name in ours if re.search(rf"\b{name}\b", real)} - {COUNT}
                # A handful came after 8.5.
                self.assertGreater(len(there), len(ours) - 6)
                lines = [f"static_assert({name} == {ours[name]}, \"\");" for name in sorted(there)]
                lines += [f"static {result} (*of_{name})({parameters}) = &{name};"
                          for result, name, parameters in functions()]
                if COUNT in real:
                    lines.append(f"static_assert({COUNT} <= {ours[COUNT]} + 8, \"\");")
                self.compiles("#include <cstdint>\n#include <cudnn.h>\n#include <cudnn_backend.h>\n"
                              + "\n".join(lines) + "\n", directory, cuda)

    def test_cuda(self):
        cuda = cuda_header()
        if cuda is None:
            self.skipTest("there are no headers of CUDA here")
        ours = constants("cuda_runtime_api.h")
        errors = re.findall(r"(?m)^CUDNN_CHECKED_CUDA_ERROR\((\d+), (\w+)\)$",
                            (OPENED / "cuda_errors.def").read_text(encoding="utf-8"))
        self.assertGreater(len(errors), 90)
        ours.update({name: int(number) for number, name in errors})
        self.compiles("#include <cuda_runtime_api.h>\n" + "".join(
            f"static_assert(static_cast<int>({name}) == {number}, \"\");\n"
            for name, number in sorted(ours.items())), cuda)
        with self.subTest("the driver has the same numbers, and none that is not named"):
            header = (cuda / "cuda.h").read_text(errors="replace")
            driver = {int(n) for n in re.findall(r"(?m)^ +CUDA_(?:ERROR_\w+|SUCCESS) += (\d+)", header)}
            named = {int(number) for number, _ in errors}
            # 202 and 916 are the driver's alone.
            self.assertEqual(driver - named, {202, 916})
