# SPDX-License-Identifier: BSD-3-Clause
"""needs.csv: no boundary without rows on both sides, what the generator refuses, what measure.py reports."""

import csv
import io
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

from support.environment import REPOSITORY, compiler
from support.library_roles import LATER

CATALOGUE = REPOSITORY / "tool/data/catalogue"
MODEL = REPOSITORY / "tool/core/model"
sys.path.insert(0, str(CATALOGUE))

import generate  # noqa: E402
import generate_needs  # noqa: E402
import measure  # noqa: E402

# What a comment names as the source of its rows: files of all releases that were read, or a document.
READ = re.compile(r"readelf|Release Notes|index of PyPI")
BOUNDARY = re.compile(r"^(?:SINCE|UNTIL)\((\w+), (\d+), (\d+), (\d+)\)", re.MULTILINE)


def number(text):
    return tuple(int(part) for part in text.split(".")[:3])


def full_packages():
    """By release: the roles of its full package, from build_ids.csv."""
    found = {}
    with (CATALOGUE / "build_ids.csv").open(newline="") as stream:
        for row in csv.DictReader(stream):
            if row["set"] == "full":
                name = generate.LINUX.file_name.fullmatch(row["file"])
                found.setdefault(number(row["cudnn"]), set()).add(name.group(1) or "shim")
    return found


def measured():
    with (CATALOGUE / "needs.csv").open(newline="") as stream:
        return generate_needs.measured(stream)


def unfounded(text, packages, rows):
    """Boundaries of a .def file that neither reading nor a document has, and that no two measured neighbours show."""
    releases = sorted(packages)
    for block in re.split(r"\n\s*\n", text):
        if READ.search(block):
            continue
        for name, *parts in BOUNDARY.findall(block):
            here = tuple(map(int, parts))
            before = max((release for release in releases if release < here), default=None)
            kinds = [rows.get(release, {}).get("full") for release in (before, here)]
            if None in kinds:
                yield f"{name}: not measured on both sides of {'.'.join(parts)}"
            elif kinds[0].breaks == kinds[1].breaks:
                yield f"{name}: nothing changes at {'.'.join(parts)}"


class Boundaries(unittest.TestCase):
    def test_no_boundary_is_concluded(self):
        text = "".join(path.read_text() for path in sorted(MODEL.glob("*.def")))
        self.assertEqual(list(unfounded(text, full_packages(), measured())), [])

    def test_what_is_found(self):
        packages, rows = full_packages(), measured()
        for text, problem in [
                ("// 9.27.0 and 9.28.0 fail without (measured).\nSINCE(sets_need_tensor_ir, 9, 27, 0)\n",
                 "sets_need_tensor_ir: nothing changes at 9.27.0"),
                ("// Measured.\nUNTIL(engines_did, 9, 29, 5)\n", "engines_did: not measured on both sides of 9.29.5"),
                ("// Measured.\nSINCE(sets_need_tensor_ir, 9, 21, 0)\n", None),
                ("// By readelf on all wheels.\nSINCE(ext_needs_libz, 9, 24, 0)\n", None)]:
            self.assertEqual(list(unfounded(text, packages, rows)), [problem] if problem else [], text)

    def test_each_later_library_was_taken_away_in_each_release_that_ships_it(self):
        rows = measured()
        for release, roles in full_packages().items():
            for role in LATER:
                if role in roles:
                    self.assertIn(role, rows[release]["full"].ships, release)

    def test_both_sides_of_each_change_were_measured(self):
        """Where measured neighbours differ, the catalogue has no release between them."""
        rows, catalogued = measured(), sorted(full_packages())
        known = sorted(release for release, kinds in rows.items() if "full" in kinds)
        for before, after in zip(known, known[1:]):
            if rows[before]["full"].breaks != rows[after]["full"].breaks:
                self.assertEqual([r for r in catalogued if before < r < after], [], (before, after))

    def test_no_package_of_the_jit_kind_ships_a_later_library(self):
        for release, kinds in measured().items():
            if "jit" in kinds:
                self.assertFalse(kinds["jit"].ships & set(LATER), release)


HEAD = ",".join(measure.COLUMNS) + "\n"
WHOLE = "9.98.0.1,13,full,,1001,0,Graph:0\n"


def rows_of(text):
    return generate_needs.measured(io.StringIO(HEAD + text))


class Generator(unittest.TestCase):
    def refused(self, text, message):
        with self.assertRaises(generate_needs.Wrong) as caught:
            rows_of(text)
        self.assertEqual(str(caught.exception), message)

    def test_what_follows_from_rows(self):
        rows = rows_of(WHOLE + "9.98.0.1,13,full,shim,not loaded,not loaded,\n9.98.0.1,13,full,graph,SIGABRT,SIGABRT,\n"
                       "9.98.0.1,13,full,engines_runtime_compiled,1001,1008,\n9.98.0.1,13,full,ops,1001,0,\n"
                       "9.98.0.1,13,full,cnn,1001,0,\n9.98.0.1,13,full,any of ops cnn,1001,0,\n"
                       "9.98.0.1,13,full,ops cnn,1001,1008,\n")
        full, jit = rows[9, 98, 0]["full"], rows[9, 98, 0]["jit"]
        self.assertEqual(full.breaks, {"shim", "graph", "engines_runtime_compiled"})
        self.assertEqual(full.spares, {"ops", "cnn"})
        self.assertEqual((jit.finalizes, jit.ships), (False, {"shim", "graph", "engines_runtime_compiled"}))

    def test_what_is_refused(self):
        name = "9.98.0.1 for CUDA 13, full"
        self.refused(WHOLE, f"{name}: the row of the whole package is not there, or those of single libraries")
        self.refused(WHOLE + "9.98.0.1,13,full,shim,,not loaded,\n9.98.0.1,13,full,of_tomorrow,,0,\n",
                     f"{name}: of_tomorrow is no role of library_roles.def")
        self.refused("9.98.0.1,13,full,,1001,1008,\n9.98.0.1,13,full,shim,,not loaded,\n",
                     f"{name}: the whole package does not finalize, so nothing follows from it without a library")
        self.refused(WHOLE + "9.98.0.1,13,full,graph,,SIGABRT,\n9.98.0.1,12,full,,1001,0,\n9.98.0.1,12,full,graph,,0,\n",
                     f"{name}: full differs from another package of that release")

    def test_a_table_that_is_not_what_the_data_says(self):
        done = subprocess.run([sys.executable, CATALOGUE / "generate_needs.py", "--check"], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))


LIBRARY = r"""
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>
static int there(const char* name) { return dlopen(name, RTLD_NOW) != NULL; }
int cudnnCreate(void** handle) { (void)handle; return there("libcuda.so.1") ? 1001 : 1; }
int cudnnBackendCreateDescriptor(int kind, void** made) { *made = made; return kind == 17 ? 0 : 2000; }
int cudnnBackendSetAttribute(void* of, int name, int type, long count, const void* values) {
  (void)of; (void)name; (void)type; (void)count; (void)values;
  return 0;
}
int cudnnBackendFinalize(void* of) {
  (void)of;
  if (!there("libcudnn_graph.so.9")) abort();
  if (!there("libcudnn_heuristic.so.9")) sleep(60);
  return there("libcudnn_engines_tensor_ir.so.9") ? 0 : 1008;
}
int cudnnOpsVersionCheck(void) { return there("libcudnn_ops.so.9") ? 0 : 3009; }
int cudnnAdvVersionCheck(void) { _exit(7); }
"""


@unittest.skipUnless(os.uname().machine == "x86_64", "measure.py measures libraries for x86_64")
class Measured(unittest.TestCase):
    """measure.py on libraries of which it is known what they return."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.library("sources/libcudnn.so.9", LIBRARY)
        for role in ("graph", "ops", "cnn", "heuristic", "engines_tensor_ir"):
            self.library(f"sources/libcudnn_{role}.so.9", "")
        self.library("toolkit/lib64/stubs/libcuda.so", "")
        self.saved = measure.SECONDS, os.environ.get("CUDAToolkit_ROOT")
        measure.SECONDS, os.environ["CUDAToolkit_ROOT"] = 1, str(self.folder / "toolkit")
        self.addCleanup(self.restore)

    def restore(self):
        measure.SECONDS, root = self.saved
        os.environ.pop("CUDAToolkit_ROOT")
        if root is not None:
            os.environ["CUDAToolkit_ROOT"] = root

    def library(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run([compiler("C"), "-shared", "-fPIC", "-x", "c", "-", "-o", path, "-ldl"], input=text, text=True,
                       check=True)

    def test_each_answer(self):
        libraries = {measure.LIBRARY.fullmatch(path.name).group(2) or "shim": path
                     for path in (self.folder / "sources").iterdir()}
        (self.folder / "bench").mkdir()
        bench = measure.Bench(self.folder / "bench")
        rows = {row["without"]: row for row in
                measure.Cudnn(bench, libraries, "nvidia/cudnn/lib", ("9.98.0.1", "13", "full")).rows()}
        checks = "Graph:absent Ops:{} Cnn:absent Adv:exit-7"
        for without, create, finalize, ops in [
                ("", "1001", "0", "0"), ("shim", "not loaded", "not loaded", ""), ("graph", "1001", "SIGABRT", "0"),
                ("ops", "1001", "0", "3009"), ("heuristic", "1001", "time limit", "0"), ("engines_tensor_ir", "1001", "1008", "0"),
                ("any of ops cnn", "1001", "0", "3009"), ("ops cnn heuristic engines_tensor_ir", "1001", "time limit", "3009")]:
            row = rows.pop(without)
            told = (row["create"], row["finalize"], *([row["checks"]] if ops else []))
            self.assertEqual(told, (create, finalize, *([checks.format(ops)] if ops else [])), without)
        self.assertEqual(set(rows), {"cnn"})
        # All that was linked is gone.
        self.assertEqual(sorted(path.name for path in bench.folder.iterdir()), ["lent", "measure_calls"])

    def test_without_a_stub(self):
        (self.folder / "toolkit/lib64/stubs/libcuda.so").unlink()
        with unittest.mock.patch.dict(os.environ, {"CUDA_HOME": "", "CUDA_PATH": ""}), self.assertRaises(SystemExit) as caught:
            measure.stub_of_driver("/no/cuda")
        self.assertEqual(str(caught.exception),
                         "catalogue: error: no stub of libcuda in CUDAToolkit_ROOT, CUDA_HOME, CUDA_PATH or /no/cuda")


if __name__ == "__main__":
    unittest.main()
