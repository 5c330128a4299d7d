# SPDX-License-Identifier: BSD-3-Clause
"""What is made of a sweep of a real cuDNN: the errata file makes PyTorch right, and each failure is reproduced
without this project's reference."""
import concurrent.futures
import json
import os
import subprocess
import sys
import unittest

import of_gpu  # noqa: F401 -- before gpu_machine
import gpu_machine
import sweeps
from gpu_machine import copy_of_set, debian_package, in_front, keep, make_jit_only, needs_gpu, python_wheel
from sweeps import KNOWN, OnBoth, file_names, scratch, whole_sweep

HERE = os.path.dirname(os.path.abspath(__file__))


def pytorch(libraries, errata=None):
    """The 864 convolutions of stock PyTorch in a process of its own, which reads the errata file once."""
    done = gpu_machine.run([sys.executable, os.path.join(os.path.dirname(gpu_machine.__file__), "pytorch_convolutions.py")],
                           LD_LIBRARY_PATH=in_front(libraries), CUDNN_ERRATA_JSON_FILE=errata)
    if done.returncode != 0:
        raise AssertionError(done.stdout + done.stderr)
    return json.loads(done.stdout)


@needs_gpu
class ErrataFile(OnBoth):
    """The file that a sweep writes, obeyed by stock PyTorch."""

    def test_a_set_without_its_heuristic(self):
        install = python_wheel() or self.skipTest("no wheel of cuDNN")
        folder = scratch(self)
        own = copy_of_set(install, os.path.join(folder, "own"))
        os.unlink(os.path.join(own.libraries, "libcudnn_heuristic.so.9"))
        errata = os.path.join(folder, "errata.json")
        status, report, error, _ = sweeps.sweep(
            own.libraries, "--seconds", "25", "--operations", "fwd", "--errata", errata, timeout=200)
        keep("sweep-no-heuristic.txt", f"status {status}\n{sweeps.table(report)}\n{error}")
        print("\n" + sweeps.table(report), flush=True)
        with open(errata, encoding="utf-8") as file:
            keep("errata-no-heuristic.json", file.read())
        with concurrent.futures.ThreadPoolExecutor() as both:
            without = both.submit(pytorch, own.libraries)
            under = both.submit(pytorch, own.libraries, errata)
            without, under = without.result(), under.result()
        answers = {"without": without, "under": under}
        keep("errata-pytorch.json", json.dumps(answers, indent=2))
        for name, answer in answers.items():
            print(f"PyTorch {name}: {answer['wrong']} wrong, {answer['raised']} raised of "
                  f"{answer['convolutions']}: {answer['exception']}", flush=True)
        self.assertEqual((without["wrong"], without["raised"], without["convolutions"]), (187, 0, 864))
        self.assertEqual(under["wrong"], 0)

    def test_whole_sets_lose_nothing_that_a_offers(self):
        for install in self.installs():
            report, errata, _, _ = whole_sweep(install)
            with self.subTest(install.name):
                offered = {(problem.split()[0], tag) for problem, tag, _, offers in report.plans()
                           if any(sweeps.Report.is_of_a(offer) for offer in offers)}
                self.assertGreater(len(offered), 10)
                blocked = [(rule["rule_id"], operation, tag) for rule in errata["rules"]
                           for operation, tag in sorted(offered) if sweeps.blocks(rule, operation, tag)]
                self.assertEqual(blocked, [])
                wrong = {(problem.split()[0], tag) for problem, tag, outcome, _ in report.plans()
                         if outcome not in sweeps.RIGHT}
                passed = [plan for plan in sorted(wrong)
                          if not any(sweeps.blocks(rule, *plan) for rule in errata["rules"])]
                keep(f"errata-{install.release}-passed.json", json.dumps(passed))
                self.assertEqual(passed, [])

    def test_pytorch_on_the_whole_set_computes_as_before(self):
        install = python_wheel() or self.skipTest("no wheel of cuDNN")
        whole_sweep(install)
        errata = sweeps.kept(file_names(install)[1]) or self.skipTest("CUDNN_CHECKED_RESULTS is not set")
        answer = pytorch(install.libraries, errata)
        self.assertEqual((answer["wrong"], answer["raised"]), (0, 0), answer["exception"])


@needs_gpu
class Comparison(OnBoth):
    """The same cuDNN on the same GPU, swept again."""

    def test_nothing_got_worse(self):
        for install in self.installs():
            before, _, _, _ = whole_sweep(install)
            folder = scratch(self)
            then = os.path.join(folder, "then.json")
            with open(then, "w", encoding="utf-8") as file:
                json.dump(before.tree, file)
            done = gpu_machine.run([sweeps.program(), "sweep", install.libraries, "--seed", sweeps.SEED,
                                    "--seconds", "15", "--against", then])
            keep(f"against-itself-{install.release}.txt", done.stdout + done.stderr)
            with self.subTest(install.name):
                self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
                self.assertRegex(done.stdout, r"cudnn-checked: ok: no engine got worse at the \d+ problems of both sweeps")


@needs_gpu
class Reproductions(OnBoth):
    """The program of `--reproduce N`, compiled without this project, and PyTorch in float64 on the CPU."""

    def emit(self, report_file, number, folder):
        done = gpu_machine.run([sweeps.program(), "sweep", report_file, "--reproduce", str(number)])
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        with open(os.path.join(folder, "reproduce.cpp"), "w", encoding="utf-8") as file:
            file.write(done.stdout)

    def build(self, install, folder):
        cuda = os.environ.get("CUDA_HOME", "/usr/local/cuda")
        done = gpu_machine.run([
            "g++", "-std=c++17", "-Wall", "-Wextra", "-Werror", f"-isystem{install.include}",
            f"-isystem{cuda}/include", f"{folder}/reproduce.cpp", "-o", f"{folder}/reproduce",
            f"-L{install.libraries}", "-l:libcudnn.so.9", f"-L{cuda}/lib64", "-lcudart",
            f"-Wl,-rpath,{install.libraries}:{cuda}/lib64"])
        self.assertEqual(done.returncode, 0, done.stderr)

    def one(self, install, report_file, row, folder):
        """A row's program, compiled and run: its status and words."""
        os.makedirs(folder)
        with open(os.path.join(folder, "problem.txt"), "w", encoding="utf-8") as file:
            file.write(row["example"]["problem"])
        self.emit(report_file, row["row"], folder)
        self.build(install, folder)
        done = gpu_machine.run([f"{folder}/reproduce", folder], LD_LIBRARY_PATH=in_front(install.libraries))
        return {"row": row["row"], "status": done.returncode, "said": done.stdout + done.stderr}

    def check(self, install, report, name):
        folder = scratch(self)
        report_file = os.path.join(folder, "report.json")
        with open(report_file, "w", encoding="utf-8") as file:
            json.dump(report.tree, file)
        rows = report.tree["rows"]
        with concurrent.futures.ThreadPoolExecutor(8) as some:
            done = list(some.map(
                lambda row: self.one(install, report_file, row, os.path.join(folder, str(row["row"]))), rows))
        dumped = [f"{folder}/{row['row']}" for row in rows if os.path.exists(f"{folder}/{row['row']}/y.bin")]
        computed = subprocess.run([sys.executable, os.path.join(HERE, "reproduced.py"), *dumped], text=True,
                                  check=True, capture_output=True, timeout=200,
                                  env={**os.environ, "CUDA_VISIBLE_DEVICES": ""}).stdout
        by_pytorch = json.loads(computed)
        for row, result in zip(rows, done):
            result.update({key: row[key] for key in ("operation", "engine", "type", "layout", "worst", "reach")},
                          example=row["example"], pytorch=by_pytorch.get(f"{folder}/{row['row']}"))
        keep(f"reproductions-{name}.json".replace(", ", "-").replace(",", "-"), json.dumps(done, indent=2))
        self.print_table(name, done)
        for r in done:
            # Where there is a dump, both formulations say the same of it.
            if r["pytorch"] is not None and r["worst"] in ("wrong", "unwritten"):
                with self.subTest(name, row=r["row"]):
                    self.assertEqual(r["status"] == 1, self.wrong_by_pytorch(r), r)
        return {(r["operation"], r["engine"]) for r in done
                if r["status"] not in (0, 2) and (r["worst"] == "died" or self.wrong_by_pytorch(r))}

    @staticmethod
    def print_table(name, done):
        print(f"\nreproductions, cuDNN {name}")
        for r in done:
            theirs = r["pytorch"]
            words = "no dump" if theirs is None else (
                f"relative error {theirs['relative_error']:.3g}, {theirs['not_finite']} of {theirs['elements']} "
                f"not finite, {theirs['elements_off']} off")
            print(f"  {r['row']:3} {r['operation']} engine {r['engine']} {r['type']} {r['layout']} {r['worst']}: "
                  f"status {r['status']}; PyTorch: {words}", flush=True)

    @staticmethod
    def wrong_by_pytorch(result):
        theirs = result["pytorch"]
        return theirs is not None and theirs["elements_off"] > 0

    def agree(self, install):
        report, _, _, _ = whole_sweep(install)
        shown = self.check(install, report, install.release)
        for operation, engines in KNOWN.get(install.release, {}).items():
            for engine in engines:
                with self.subTest(operation=operation, engine=engine):
                    self.assertIn((operation, engine), shown)

    def test_wheel(self):
        self.agree(python_wheel() or self.skipTest("no wheel of cuDNN"))

    def test_debian(self):
        self.agree(debian_package() or self.skipTest("no package of cuDNN"))

    def test_jit_only(self):
        install = python_wheel() or self.skipTest("no wheel of cuDNN")
        own = make_jit_only(copy_of_set(install, os.path.join(scratch(self), "own")))
        for operations in ("fwd", "dgrad,wgrad"):
            _, report, _, _ = sweeps.sweep(own.libraries, "--seconds", "15", "--operations", operations)
            name = f"{install.release}, JIT-only, {operations}"
            print("\n" + sweeps.table(report), flush=True)
            rows = {(row["operation"], row["engine"]) for row in report.tree["rows"]}
            self.assertNotEqual(rows, set())
            self.assertEqual(self.check(own, report, name), rows)


if __name__ == "__main__":
    unittest.main()
