# SPDX-License-Identifier: BSD-3-Clause
"""sweep --reproduce: the program for a failure compiles with nothing but cuDNN's and CUDA's headers, says WRONG
where an engine is wrong, and right where it is not."""

import array
import hashlib
import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import tempfile
import unittest

from of_product import call
from support import ScratchTest, simulated_sdk
from support.environment import compiler

CUDA = next((path for path in sorted(pathlib.Path("/usr/local").glob("cuda*/include"))
             if (path / "cudnn_backend.h").exists()), None)

# Operation, type, layout and shape; engine; what it did; the fault; the first line that is wrong.
FAILURES = [
    ("fwd fp16 nchw 2x8x9x7 * 12x4x3x3, padding 1, stride 2x1, groups 2", 72, "wrong", "engine-wrong:72:fwd"),
    ("fwd fp32 nhwc 1x4x5x6x7 * 6x4x3x1x2, padding 1x0x1", 70, "unwritten", "engine-unwritten:70:fwd"),
    ("fwd bf16 nchw 2x3x9x7 * 4x3x3x3, dilation 2", 72, "died", "engine-lost:72:fwd"),
    ("fwd fp32 nchw 2x3x9x7 * 4x3x3x3", 2, "died", "engine-abort:2:fwd:finalize"),
    ("dgrad bf16 nhwc 2x8x9x7 * 12x8x3x3, padding 1, stride 2", 78, "wrong", "engine-wrong:78:dgrad"),
    ("dgrad fp32 nchw 1x4x5x6x7 * 6x2x3x1x2, groups 2", 77, "failed", "engine-fail:77:dgrad"),
    ("wgrad fp32 nchw 2x8x9x7 * 12x2x3x3, padding 1, groups 4", 70, "changing", "engine-changing:70:wgrad"),
    ("wgrad fp16 nchw 1x4x5x6x7 * 6x4x3x1x2, stride 1x2x1", 69, "outside", "engine-outside:69:wgrad"),
    ("fwd fp16 nchw 2x8x9x7 * 12x8x3x3", -1, "died", ""),
]

# The same of graphs, whose right results must be within the bounds of the program's own reference.
GRAPHS = [
    ("attention/backward fp16 1x2x192x64 keys 2x192x64, log-sum-exp -35", 6, "wrong", "kv-tail:attention/backward"),
    ("attention/backward fp16 2x2x160x128 keys 1x192x64, lengths, log-sum-exp 5", 7, "unwritten",
     "unwritten:attention/backward/fp16/1"),
    ("attention/backward fp16 1x2x224x64 keys 1x224x64, window 48, log-sum-exp 5", 6, "wrong",
     "wrong:attention/backward/fp16/2"),
    ("attention/forward fp16 1x2x224x64 keys 1x224x64, window 48, log-sum-exp 5", 6, "wrong", "wrong:attention/forward/fp16/1"),
    ("attention/forward bf16 1x4x1x64 keys 4x128x64, log-sum-exp -35", 6, "died", "crash:attention/forward"),
    ("matmul bf16 2x72x32 * 2x32x128, bias, gelu", 6, "wrong", "nan:matmul"),
    ("matmul e4m3 4x64x208 * 4x208x96", 6, "wrong", "wrong:matmul/e4m3/0"),
    ("matmul e4m3 1x128x128 * 1x128x128", 7, "unwritten", "unwritten:matmul/e4m3/1"),
    ("matmul e4m3 1x256x1024 * 1x1024x192, bias, relu", 6, "wrong", "nan:matmul/e4m3"),
    ("attention/forward e4m3 2x4x128x64 keys 4x128x64, log-sum-exp 5", 6, "wrong", "wrong:attention/forward/e4m3/2"),
    ("attention/forward e4m3 2x2x160x128 keys 1x192x128, lengths, log-sum-exp 5", 7, "wrong",
     "nan:attention/forward/e4m3/0"),
    ("attention/backward e4m3 1x4x160x128 keys 2x320x128, log-sum-exp -15", 6, "wrong", "kv-tail:attention/backward"),
    ("attention/backward e4m3 2x2x160x128 keys 1x192x128, lengths, log-sum-exp 5", 7, "wrong",
     "wrong:attention/backward/e4m3/1"),
    ("layer-norm/forward fp32 64x512", 6, "wrong", "wrong:layer-norm/forward/fp32/2"),
    ("layer-norm/backward fp16 37x768", 7, "unwritten", "unwritten:layer-norm/backward/fp16/1"),
    ("rms-norm/backward fp16 64x512", 6, "wrong", "nan:rms-norm/backward/fp16/0"),
    ("conv-bias bf16 4x64x14x14 * 32x64x1x1", 7, "wrong", "wrong:conv-bias"),
]

# Graphs of each kind of step, whose programs are compiled as they are printed.
WHOLE = [GRAPHS[1], GRAPHS[-1], GRAPHS[-3]]
# One of each operation, direction and kind of fault; CUDNN_CHECKED_ALL_CASES=1 takes all.
TAKEN = [*WHOLE, *(GRAPHS[i] for i in (0, 4, 5, 7, 9, 11, 15))] if not os.environ.get("CUDNN_CHECKED_ALL_CASES") else GRAPHS
# A run takes a quarter of the time of one without -Og, and compiling no longer.
STRICT = ["-Og", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]

# How programs of both kinds end: what the row says, the fault, the last line.
ENDED = "WRONG: a signal, or no end within 60 s"
ENDINGS = [
    ("hung", "hang:cudnnBackendExecute", ENDED),
    ("hung", "hang:cudaDeviceSynchronize", ENDED),
    ("died", "crash:cudnnBackendExecute", ENDED),
    ("died", "abort:cudaDeviceSynchronize", ENDED),
    ("died", "fail:cudaDeviceSynchronize:716", "WRONG: cudaDeviceSynchronize: misaligned address"),
    ("failed", "fail:cudnnBackendExecute:5000", "WRONG: cudnnBackendExecute: CUDNN_STATUS_EXECUTION_FAILED"),
]
# The same of a plan that cannot be built: the operation and its type, the failure, the fault.
UNBUILT = [
    ("fwd", "fp32", ("fwd fp32 nchw 2x3x9x7 * 4x3x3x3", 70, "wrong", ""), "engine-fail:70:finalize"),
    ("matmul", "bf16", ("matmul bf16 2x72x32 * 2x32x128, bias, gelu", 7, "wrong", ""), "fail:matmul"),
]


def report(*failures):
    """A report of a sweep in which these plans failed and others did not."""
    problems = [
        {"problem": problem, "finished": True,
         "plans": [["eng1000", "right", 10, 1e-7, "A1"],
                   [f"eng{engine}", outcome, 10, 1.4, "", "fma", True, False, 16 if engine == 77 else 256, 0.5,
                    0, 0, 8, 0, "none", "what was seen"]]}
        for problem, engine, outcome, _ in failures]
    tree = json.loads((pathlib.Path(__file__).parents[1] / "laboratory/sweep_report.json").read_text(encoding="utf-8"))
    tree.update(problems=problems)
    return tree


def e4m3(byte):
    """The number that a byte is."""
    exponent, digits = byte >> 3 & 15, byte & 7
    size = (8 + digits) * 2.0 ** (exponent - 10) if exponent else digits * 2.0 ** -9
    return -size if byte & 128 else size


def halves(text):
    """The program of a graph as two files: what is the same in each, and the constants of the failure."""
    begin = text.index("constexpr cudnnDataType_t data_type = ")
    end = text.index("// An attribute and its name.\n")
    types, own = text[:begin], text[begin:end]
    # A table that other constants are computed from: it is the same in each.
    table = own[own.index("static constexpr number_type "):own.index("constexpr std::size_t zone = ")]
    own = re.sub(r"(?m)^(?:constexpr|static const) (?=\S+(?:<\w+>)? \w+ = )", "extern const ", own.replace(table, ""))
    declared = re.findall(r"(?m)^(extern const .*) = ", own)
    types = types[types.index("#include "):]
    return types + table + ";\n".join([*declared, text[end:]]), f"{types}{own}"


class Reproduce(ScratchTest):
    @classmethod
    def setUpClass(cls):
        cls.common = pathlib.Path(tempfile.mkdtemp(prefix="cudnn-checked-common-"))
        cls.addClassCleanup(shutil.rmtree, cls.common, ignore_errors=True)

    def setUp(self):
        super().setUp()
        self.sdk = simulated_sdk(cudnn="9.19.0", gpus="sm_90")

    def program(self, failure):
        """The program for that failure, as source."""
        file = self.scratch / "sweep.json"
        file.write_text(json.dumps(report(failure)), encoding="utf-8")
        status, out, err = call("sweep", file, "--reproduce", 1, home=self.scratch)
        self.assertEqual((status, err), (0, ""))
        return out

    def compiled(self, *words, cwd):
        done = subprocess.run([compiler("CXX"), *words, f"-I{self.sdk.include}", f"-L{self.sdk.library_directory}"],
                              cwd=cwd, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return self.scratch / "reproduce"

    def built(self, text):
        """Built by the command in its first line, with the directories of the simulated SDK.  What is the same in each
        program of a graph is compiled once: see built_whole()."""
        if "static const graph computed = " not in text:
            return self.built_whole(text)
        common, constants = halves(text)
        name = hashlib.sha256(common.encode()).hexdigest()[:16]
        compiled = self.common / f"{name}.o"
        if not compiled.exists():
            (self.common / f"{name}.cpp").write_text(common, encoding="utf-8")
            self.compiled("-std=c++17", *STRICT, "-c", f"{name}.cpp", cwd=self.common)
        (self.scratch / "constants.cpp").write_text(constants, encoding="utf-8")
        return self.compiled("-std=c++17", "-O0", compiled, "constants.cpp", "-o", "reproduce", "-lcudart", "-lcudnn",
                             cwd=self.scratch)

    def built_whole(self, text):
        command = text.splitlines()[0].removeprefix("// ").split()
        self.assertEqual(command[:4], ["g++", "-std=c++17", "-O2", "reproduce.cpp"])
        (self.scratch / "reproduce.cpp").write_text(text, encoding="utf-8")
        command = [word for word in command[1:] if word[:2] not in ("-I", "-L", "-O")]
        return self.compiled(*command, *STRICT, cwd=self.scratch)

    def run_program(self, program, *arguments, fault="", **variables):
        libraries = f"{self.sdk.library_directory}:{self.sdk.driver_directory}"
        done = subprocess.run([program, *arguments], capture_output=True, text=True, check=False, timeout=60,
                              env={"LD_LIBRARY_PATH": libraries, "SIMULATED_GPUS": "sm_90", "SIMULATED_FAULT": fault,
                                   **variables})
        return done.returncode, done.stdout

    def test_right_and_wrong(self):
        for failure in FAILURES + TAKEN:
            with self.subTest(failure=failure):
                build = self.built_whole if failure in WHOLE else self.built
                program = build(self.program(failure))
                status, out = self.run_program(program)
                self.assertEqual((status, out.splitlines()[-1]), (0, "right"), out)
                self.assertRegex(out, r"\AcuDNN 91900, CUDA runtime 13000, driver for CUDA 13000, Simulated GPU sm_90 ")
                if not failure[3]:
                    continue
                status, out = self.run_program(program, fault=failure[3])
                self.assertEqual((status, out.splitlines()[-1][:5]), (1, "WRONG"), out)

    def test_how_programs_end(self):
        for problem, engine in [("fwd fp32 nchw 2x3x9x7 * 4x3x3x3", 70), ("matmul bf16 2x72x32 * 2x32x128, bias, gelu", 7)]:
            for outcome in ("hung", "died", "failed"):
                text = self.program((problem, engine, outcome, ""))
                self.assertEqual(text.count("alarm(60)"), 1)
                program = self.built(text.replace("alarm(60)", "alarm(2)"))
                for _, fault, words in (one for one in ENDINGS if one[0] == outcome):
                    with self.subTest(problem=problem, fault=fault):
                        status, out = self.run_program(program, fault=fault)
                        self.assertEqual((status, out.splitlines()[-1]), (1, words))

    def of_sweep(self, operation, kind, fault):
        """The program for row 1 of a sweep with that fault."""
        status, out, err = call("sweep", self.sdk.prefix, "--seconds", 5, "--workers", 1, "--operations", operation,
                                "--types", kind, "--reproduce", 1, home=self.scratch, SIMULATED_GPUS="sm_90",
                                SIMULATED_FAULT=fault, LD_LIBRARY_PATH=self.sdk.driver_directory)
        self.assertEqual((status, err), (0, ""))
        return self.built_whole(out)

    def test_a_plan_that_cannot_be_built(self):
        refused = "finalize plan: CUDNN_STATUS_INTERNAL_ERROR"
        for operation, kind, wrong, fault in UNBUILT:
            with self.subTest(operation=operation):
                program = self.of_sweep(operation, kind, fault)
                for now, ending in [(fault, (1, f"WRONG: {refused}")), ("", (0, "right"))]:
                    status, out = self.run_program(program, fault=now)
                    self.assertEqual((status, out.splitlines()[-1]), ending)
                # Where something else was seen, this is not that.
                status, out = self.run_program(self.built(self.program(wrong)), fault=fault)
                self.assertEqual((status, out.splitlines()[-1]), (2, f"not tried: {refused}"))
        status, out = self.run_program(program, fault="unsupported:matmul")
        self.assertEqual((status, out.splitlines()[-1]), (2, "not tried: finalize engine: CUDNN_STATUS_NOT_SUPPORTED"))

    def test_a_heuristic_that_fails(self):
        program = self.of_sweep("matmul", "bf16", "fail-heuristic:B")
        for fault, ending in [("fail-heuristic:B", (1, "WRONG: finalize heuristics: CUDNN_STATUS_INTERNAL_ERROR")),
                              ("unsupported:matmul", (0, "right")), ("", (0, "right"))]:
            status, out = self.run_program(program, fault=fault)
            self.assertEqual((status, out.splitlines()[-1]), ending)

    @unittest.skipUnless(CUDA, "no CUDA toolkit here has the headers of a cuDNN")
    def test_the_real_headers(self):
        """By another compiler than above, where there is one."""
        name = shutil.which("clang++") or compiler("CXX")
        for failure in [*FAILURES[::4], GRAPHS[0], next(one for one in GRAPHS if " e4m3 " in one[0])]:
            done = subprocess.run([name, "-std=c++17", "-x", "c++", "-fsyntax-only", "-Wall", "-Wextra", "-Wpedantic",
                                   "-Werror", f"-isystem{CUDA}", "-"],
                                  input=self.program(failure), capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, f"{failure}: {done.stderr}")

    def test_what_is_multiplied_in_fp32_are_numbers_of_tf32(self):
        text = self.program(("matmul fp32 1x256x128 * 1x128x192, bias, relu", 6, "wrong", ""))
        self.assertEqual(re.findall(r'{"(A|B|bias)", \d+U, (\w+), 0, 0}', text),
                         [("A", "CUDNN_DATA_HALF"), ("B", "CUDNN_DATA_HALF"), ("bias", "CUDNN_DATA_FLOAT")])

    def test_an_engine_that_is_not_there(self):
        program = self.built(self.program(("fwd fp32 nchw 2x3x9x7 * 4x3x3x3", 999, "wrong", "")))
        status, out = self.run_program(program)
        self.assertEqual(status, 2)
        self.assertRegex(out.splitlines()[-1], r"^not tried: finalize engine: CUDNN_STATUS_")

    def test_the_tensors_as_files(self):
        folder = self.scratch / "tensors"
        folder.mkdir()
        program = self.built(self.program(("dgrad fp32 nchw 1x2x3x3 * 2x2x2x2", 78, "wrong", "")))
        self.assertEqual(self.run_program(program, folder)[0], 0)
        numbers = {name: struct.unpack(f"{(folder / name).stat().st_size // size}{kind}", (folder / name).read_bytes())
                   for name, kind, size in [("x.bin", "f", 4), ("w.bin", "f", 4), ("y.bin", "f", 4),
                                            ("reference.bin", "d", 8)]}
        # A third formulation: the sum for each element of dx.
        for c in range(2):
            for row in range(3):
                for column in range(3):
                    total = sum(numbers["w.bin"][((k * 2 + c) * 2 + i) * 2 + j] *
                                numbers["y.bin"][(k * 2 + row - i) * 2 + column - j]
                                for k in range(2) for i in range(2) for j in range(2)
                                if 0 <= row - i < 2 and 0 <= column - j < 2)
                    at = (c * 3 + row) * 3 + column
                    self.assertEqual((numbers["x.bin"][at], numbers["reference.bin"][at]), (total, total))
        status, out = self.run_program(program, self.scratch / "nowhere")
        self.assertEqual((status, out.splitlines()[-1]), (2, f"cannot write {self.scratch}/nowhere/x.bin"))

    def test_it_uses_nothing_of_this_project(self):
        usual = ["cmath", "csignal", "cstdint", "cstdio", "cstdlib", "cstring"]
        for failure, headers in [(FAILURES[0], [*usual, "string", "type_traits", "vector"]),
                                 (GRAPHS[0], ["cctype", *usual, "map", "set", "string", "vector"])]:
            text = self.program(failure)
            self.assertEqual(re.findall(r'#include ["<](.*)[">]', text),
                             ["cuda_runtime_api.h", "cudnn.h", "unistd.h", *headers])
            self.assertNotIn("cudnn_checked", text)
            self.assertTrue(text.isascii())

    def test_a_graph_that_writes_where_it_must_not(self):
        """No fault of the simulated cuDNN does that to a graph: the program is made to do it itself."""
        behind = "bytes were written behind"
        damages = [("outside", "(void)cudaMemset(all[2].memory + all[2].bytes.size(), 1, 1)", f"{behind} C"),
                   ("outside", "(void)cudaMemset(all[0].memory, 1, 1)", "an input was written: A"),
                   ("outside", "(void)cudaMemset(workspace + workspace_bytes, 1, 1)", f"{behind} the workspace"),
                   ("changing", "all[2].bytes[0] ^= 1", "the same plan with the same inputs gave other bits in C")]
        chosen = {"outside": "", "changing": ""}
        for number, (outcome, damage, _) in enumerate(damages):
            chosen[outcome] += f"  if (*std::getenv(\"DAMAGE\") == '{number}') {damage};\n"
        places = {"outside": "  if (zone != 0) check_zones", "changing": "    check_bits"}
        for outcome in chosen:
            text = self.program(("matmul fp16 1x128x1024 * 1x1024x128", 6, outcome, ""))
            for name, place in places.items():
                self.assertEqual(text.count(place), 1)
                text = text.replace(place, f"{chosen[name]}{place}")
            program = self.built(text)
            for number, (of, _, words) in enumerate(damages):
                if of != outcome:
                    continue
                with self.subTest(words=words):
                    status, out = self.run_program(program, DAMAGE=str(number))
                    self.assertEqual((status, out.splitlines()[-1]), (1, f"WRONG: {words}"))

    def test_scales_of_what_inputs_come_from(self):
        """The graph of an attention stands for what its own O comes from, which is then no result but an input."""
        text = self.program(("attention/forward e4m3 1x2x192x128 keys 2x192x128, causal, log-sum-exp 5", 6, "wrong", ""))
        begin = text.index("static const graph computed = ")
        graph = text[begin:text.index(";\n", begin) + 2].replace(" computed ", " earlier ")
        nothing = "static const graph earlier = {};\n"
        self.assertEqual(text.count(nothing), 1)
        folders = [self.scratch / "results", self.scratch / "inputs"]
        for folder, source in zip(folders, (text, text.replace(nothing, graph))):
            folder.mkdir()
            self.assertEqual(self.run_program(self.built(source), folder)[0], 0)
        expected = array.array("d", (folders[0] / "O.reference.bin").read_bytes())
        given = [e4m3(byte) for byte in (folders[1] / "O.bin").read_bytes()]
        self.assertEqual(len(given), len(expected))
        self.assertGreater(max(expected), 50)
        for one, right in zip(given, expected):
            self.assertLessEqual(abs(one - right), max(abs(right) / 16, 2 ** -10))

    def test_the_tensors_of_a_graph_as_files(self):
        folder = self.scratch / "tensors"
        folder.mkdir()
        program = self.built(self.program(("matmul fp32 1x256x128 * 1x128x192, bias, relu", 6, "wrong", "")))
        self.assertEqual(self.run_program(program, folder)[0], 0)
        self.assertEqual(sorted(path.name for path in folder.iterdir()),
                         ["A.bin", "B.bin", "C.bin", "C.reference.bin", "bias.bin"])
        numbers = {path.name: array.array("d" if "reference" in path.name else "f", path.read_bytes())
                   for path in folder.iterdir()}
        for row, column in [(0, 0), (17, 191), (255, 3)]:
            total = numbers["bias.bin"][column] + sum(
                numbers["A.bin"][row * 128 + k] * numbers["B.bin"][k * 192 + column] for k in range(128))
            self.assertAlmostEqual(numbers["C.reference.bin"][row * 192 + column], max(total, 0), places=11)
            self.assertAlmostEqual(numbers["C.bin"][row * 192 + column], max(total, 0), places=3)

    def test_what_is_said_of_a_graph(self):
        program = self.built(self.program(GRAPHS[0]))
        status, out = self.run_program(program, fault="nan:attention/backward/fp16/0")
        self.assertEqual(status, 1)
        lines = out.splitlines()
        for line in lines[1:9]:
            self.assertRegex(line, r"\A  dQ\[0,0,0,[0-7]\] = -?nan, should be -?[0-9.e-]+\Z")
        self.assertEqual(lines[9], "dQ: 24576 of 24576 elements wrong, 24576 of these not finite, 0 unwritten; "
                                   "largest error inf, tolerance 4")
        for name, line in zip(("dK", "dV"), lines[10:12]):
            self.assertRegex(line, f"\\A{name}: 0 of 24576 elements wrong, 0 of these not finite, 0 unwritten; "
                                   r"largest error 0\.\d+, tolerance 4\Z")
        self.assertEqual(lines[12:], ["WRONG: most of all dQ"])

    def test_where_each_process_ended_before_a_plan(self):
        """The messages of such a sweep say to type this."""
        status, out, err = call("sweep", self.sdk.prefix, "--seconds", 5, "--workers", 1, "--operations", "fwd",
                                "--reproduce", 1, home=self.scratch, SIMULATED_GPUS="sm_90",
                                SIMULATED_FAULT="abort:cudnnBackendFinalize", LD_LIBRARY_PATH=self.sdk.driver_directory)
        self.assertEqual((status, err), (0, ""))
        self.assertIn("\n// was died: ended by SIGABRT.\n", out)

    def test_what_cannot_be_reproduced(self):
        file = self.scratch / "sweep.json"
        file.write_text(json.dumps(report(FAILURES[0])), encoding="utf-8")
        sound = self.scratch / "sound.json"
        sound.write_text(json.dumps(report()), encoding="utf-8")
        fused = self.scratch / "fused.json"
        fused.write_text(json.dumps(report(("matmul bf16 8x4 * 4x2", 6, "wrong", ""))), encoding="utf-8")
        for arguments, words in [
                ((file, "--reproduce", 2), "sweep: --reproduce 2: there is 1 row"),
                ((sound, "--reproduce", 1), "sweep: --reproduce 1: no engine failed"),
                ((fused, "--reproduce", 1),
                 "sweep: --reproduce 1: this cudnn-checked has no problem matmul bf16 8x4 * 4x2; the release that "
                 "computed it has"),
                ((file, "--reproduce", 0), "sweep: --reproduce 0: not the number of a row, which is 1 or more"),
                ((file, "--reproduce", "x"), "sweep: --reproduce x: not the number of a row, which is 1 or more"),
                ((file, "--reproduce"), "sweep: --reproduce needs the number of a row"),
                *(((self.sdk.prefix, "--reproduce", 1, option, file),
                   f"sweep: --reproduce prints a program and does nothing else; leave out {option}")
                  for option in ("--errata", "--against"))]:
            self.assertEqual(call("sweep", *arguments, home=self.scratch),
                             (2, "", f"cudnn-checked: error: {words}\n"))
        status, _, err = call("sweep", file, "--reproduce", 1, "--json", home=self.scratch)
        self.assertEqual((status, err),
                         (2, "cudnn-checked: error: sweep: --reproduce prints a program, which is no JSON\n"))


if __name__ == "__main__":
    unittest.main()
