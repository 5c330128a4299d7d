# SPDX-License-Identifier: BSD-3-Clause
"""./dev catalogue: rows of a wheel, sorted in; or a message, and nothing changed."""

import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
CATALOGUE = ROOT / "tool/data/catalogue"
TABLE = ROOT / "tool/core/catalogue/catalogue_table.inc"
ROLES = ROOT / "tool/core/model/library_roles.def"
MOST_BYTES = 40 * 1024  # of the table in a guarded program


def notes_of(build_id, align=4):
    """A foreign note and, where there is one, a build id."""
    notes = b""
    for kind, text in ((5, b"ABI\0"), (3, build_id)):
        if text:
            note = struct.pack("<III", 4, len(text), kind) + b"GNU\0" + text
            notes += note + bytes(-len(note) % align)
    return notes


def library(build_id, align=4, section=None, rodata=None):
    """An ELF file of a header, one PT_NOTE and, where `section` is an id, the section of build ids.

    With `rodata`, that section has another name, and these contents.
    """
    notes = notes_of(build_id, align)
    table, sections = 0, b""
    if section is not None or rodata is not None:
        names, own = b"\0.note.gnu.build-id\0.text\0.shstrtab\0\0", rodata or notes_of(section)
        if rodata is not None:
            names = names.replace(b".note.gnu.build-id", b".rodata".ljust(18, b"\0"))
        at = 120 + len(notes)
        table = at + len(names) + len(own)
        sections = names + own + bytes(64) + b"".join(
            struct.pack("<IIQQQQIIQQ", name, kind, 0, 0, offset, size, 0, 0, 4, 0)
            for name, kind, offset, size in ((20, 1, 0, 0), (1, 7, at + len(names), len(own)),
                                             (26, 3, at, len(names))))
    header = b"\x7fELF\x02\x01\x01".ljust(16, b"\0") + struct.pack(
        "<HHIQQQIHHHHHH", 3, 62, 1, 0, 64, table, 0, 64, 56, 1, 64, 4 if table else 0, 3 if table else 0)
    segment = struct.pack("<IIQQQQQQ", 4, 4, 120, 120, 120, len(notes), len(notes), align)
    return header + segment + notes + sections


def write_wheel(folder, package, release, members, tag="py3-none-manylinux_2_27_x86_64"):
    name = f"{package.replace('-', '_')}-{release}"
    folder.mkdir(exist_ok=True)
    with zipfile.ZipFile(folder / f"{name}-{tag}.whl", "w", zipfile.ZIP_DEFLATED) as wheel:
        for member, contents in members.items():
            wheel.writestr(member, contents)
        info = f"{name}.dist-info/"
        wheel.writestr(info + "METADATA", f"Metadata-Version: 2.1\nName: {package}\nVersion: {release}\n")
        wheel.writestr(info + "WHEEL", f"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: {tag}\n")
        wheel.writestr(info + "RECORD", "")


def lib(role):
    return f"nvidia/cudnn/lib/libcudnn{role}.so.9"


class CatalogueCase(unittest.TestCase):
    """A copy of the data and the tables, and an index of wheels that a test writes."""

    data, table_name = "build_ids.csv", TABLE.name

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.index = self.folder / "index"
        self.index.mkdir()
        self.work = self.folder / "tool/data/catalogue"
        self.work.mkdir(parents=True)
        for name in ("add.py", "generate.py", "pe.py", "sizes.py", "build_ids.csv", "dll_ids.csv", "sizes.csv"):
            shutil.copy(CATALOGUE / name, self.work)
        tables = self.folder / "tool/core/catalogue"
        tables.mkdir(parents=True)
        for name in (TABLE.name, "dll_table.inc"):
            shutil.copy(TABLE.with_name(name), tables)
        self.table = tables / self.table_name
        roles = self.folder / "tool/core/model" / ROLES.name
        roles.parent.mkdir(parents=True)
        shutil.copy(ROLES, roles)
        self.temporary = self.folder / "tmp"
        self.temporary.mkdir()

    def add(self, *requirements, **variables):
        environment = dict(os.environ, PIP_NO_INDEX="1", PIP_FIND_LINKS=str(self.index),
                           PIP_CONFIG_FILE=os.devnull, TMPDIR=str(self.temporary),
                           PYTHONDONTWRITEBYTECODE="1", **variables)
        return subprocess.run([sys.executable, str(self.work / "add.py"), *requirements],
                              env=environment, capture_output=True, text=True)

    def contents(self):
        return [path.read_text() for path in (self.work / self.data, self.table)]

    def assert_release(self, table, release, roles):
        index = int(re.search(rf"{{{release}, (\d+)}},", table).group(1))
        role_sets = table.partition("_role_sets[] = {")[2].partition("};")[0]
        self.assertEqual(re.findall(r"0x\w+", role_sets)[index], roles)

    def refused(self, requirement, message, pip_speaks=False):
        before = self.contents()
        result = self.add(requirement)
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        text = f"catalogue: error: {requirement}: {message}\n"
        if pip_speaks:
            self.assertTrue(result.stderr.endswith(text), result.stderr)
            self.assertIn("ERROR: ", result.stderr)
        else:
            self.assertEqual(result.stderr, text)
        self.assertEqual(self.contents(), before)


class Catalogue(CatalogueCase):
    def test_adds_rows_in_their_place_and_the_table(self):
        write_wheel(self.index, "nvidia-cudnn-jit-cu13", "9.98.0.1",
                    {lib(""): library(bytes(range(20))), lib("_graph"): library(bytes(range(1, 21)), 8),
                     "nvidia/cudnn/include/cudnn.h": "", "nvidia/cudnn/lib/libother.so.1": "no ELF"})
        before = self.contents()[0].splitlines()
        result = self.add("nvidia-cudnn-jit-cu13==9.98.0.1")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(result.stdout,
                         "catalogue: added 2 libraries of nvidia-cudnn-jit-cu13==9.98.0.1\n")
        rows, table = self.contents()
        new = [f"libcudnn.so.9,{bytes(range(20)).hex()},9.98.0.1,13,jit,",
               f"libcudnn_graph.so.9,{bytes(range(1, 21)).hex()},9.98.0.1,13,jit,"]
        self.assertEqual([row for row in rows.splitlines() if row not in before], new)
        self.assertEqual([row for row in rows.splitlines() if row not in new], before)
        names = [row.split(",")[0] for row in rows.splitlines()[1:]]
        self.assertEqual(names, sorted(names))
        self.assert_release(table, "9, 98, 0, 13, false", "0x3")
        self.assertIn(" {{0, 1, 2, 3, 4}, 128}, ", table)
        self.assertEqual(list(self.temporary.iterdir()), [])
        self.refused("nvidia-cudnn-jit-cu13==9.98.0.1", "the catalogue has this release already")

    def graph_that_asks(self, package, release, identity, *names):
        asked = b"".join(b"\0" + name.encode() + b"\0" for name in names)
        write_wheel(self.index, package, release, {
            lib("_graph"): library(bytes([identity] * 20), rodata=b"see libcudnn_ops.so" + asked)})
        return self.add(f"{package}=={release}")

    def test_what_a_library_opens_by_name_is_read_from_it(self):
        both = ("libcudnn_heuristic.so", "libcudnn_engines_precompiled.so", "libcudnn_graph.so.9")
        result = self.graph_that_asks("nvidia-cudnn-jit-cu13", "9.98.0.1", 1, *both)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        rows, table = self.contents()
        self.assertIn(f"{'01' * 20},9.98.0.1,13,jit,engines_precompiled heuristic\n", rows)
        self.assertIn("{9, 98, 0, library_role::graph, 0xa0},\n", table)
        # A release that asks for the same needs no row.
        self.graph_that_asks("nvidia-cudnn-jit-cu13", "9.99.0.1", 2, *both)
        self.assertEqual(self.contents()[1].count("library_role::graph"), table.count("library_role::graph"))

    def test_packages_of_one_release_that_ask_for_other_libraries(self):
        self.graph_that_asks("nvidia-cudnn-jit-cu13", "9.98.0.1", 1, "libcudnn_heuristic.so")
        before = self.contents()
        result = self.graph_that_asks("nvidia-cudnn-jit-cu12", "9.98.0.1", 2, "libcudnn_ops.so")
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stderr, r"^generate.py: error: build_ids.csv:[0-9]+: two packages of one "
                                        r"release ask for different roles\n$")
        result = self.graph_that_asks("nvidia-cudnn-jit-cu12", "9.97.0.1", 3, "libcudnn_tomorrow.so")
        self.assertRegex(result.stderr, r"^generate.py: error: build_ids.csv:[0-9]+: libcudnn_graph.so.9 asks "
                                        r"for tomorrow, a role that library_roles.def lacks\n$")
        self.assertEqual(self.contents(), before)

    def ids_of(self, release):
        rows = [row.split(",") for row in self.contents()[0].splitlines()]
        return {row[0]: row[1] for row in rows if row[2] == release}

    def test_the_id_is_in_a_segment_or_only_in_its_section(self):
        """In some packages the section was moved and the PT_NOTE leads to what lies there now."""
        ids = {role: bytes(range(start, start + 20)) for start, role in enumerate(("", "_ops", "_cnn"))}
        stale = library(b"", section=ids["_cnn"]).replace(notes_of(b""), b"\xff" * len(notes_of(b"")), 1)
        write_wheel(self.index, "nvidia-cudnn-cu12", "9.98.0.1",
                    {lib(""): library(ids[""], section=ids[""]),
                     lib("_ops"): library(b"", section=ids["_ops"]), lib("_cnn"): stale})
        result = self.add("nvidia-cudnn-cu12==9.98.0.1")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(self.ids_of("9.98.0.1"), {f"libcudnn{role}.so.9": value.hex()
                                                   for role, value in ids.items()})

    def test_update_adds_what_the_index_has_and_the_catalogue_lacks(self):
        for number, (package, release) in enumerate((
                ("nvidia-cudnn-cu13", "9.98.1.2"), ("nvidia-cudnn-cu13", "9.98.0.1"),
                ("nvidia-cudnn-jit-cu12", "9.98.0.1"), ("nvidia-cudnn-cu11", "9.98.0.1.post1"))):
            write_wheel(self.index, package, release, {lib(""): library(bytes([number] * 20))})
        # What is known is not fetched: this one could not be read.
        write_wheel(self.index, "nvidia-cudnn-cu13", "9.14.0.64", {lib(""): "text"})
        # Not for x86-64, and no package of cuDNN.
        write_wheel(self.index, "nvidia-cudnn-cu13", "9.98.2.1", {lib(""): "text"},
                    "py3-none-manylinux_2_27_aarch64")
        write_wheel(self.index, "nvidia-cudnn-frontend", "1.0", {})
        write_wheel(self.index, "nvidia-cudnn-cu12", "9.98.0.1", {lib(""): library(b"")})
        result = self.add("--update")
        self.assertEqual(result.returncode, 1)
        self.assertEqual(result.stderr, "catalogue: error: nvidia-cudnn-cu12==9.98.0.1: "
                         "libcudnn.so.9 has no GNU build id\n")
        self.assertEqual(result.stdout, """\
catalogue: added 1 libraries of nvidia-cudnn-cu11==9.98.0.1.post1
catalogue: added 1 libraries of nvidia-cudnn-cu13==9.98.0.1
catalogue: added 1 libraries of nvidia-cudnn-cu13==9.98.1.2
catalogue: added 1 libraries of nvidia-cudnn-jit-cu12==9.98.0.1
""")
        self.assertEqual(self.ids_of("9.98.1.2"), {"libcudnn.so.9": "00" * 20})
        self.assert_release(self.contents()[1], "9, 98, 1, 13, true", "0x1")
        next(self.index.glob("nvidia_cudnn_cu12-*")).unlink()
        before = self.contents()
        result = self.add("--update")
        self.assertEqual((result.returncode, result.stdout, result.stderr),
                         (0, "catalogue: nothing new\n", ""))
        self.assertEqual(self.contents(), before)

    def test_update_without_an_answer_of_the_index(self):
        before = self.contents()
        result = self.add("--update", PIP_TIMEOUT="no number")
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertTrue(result.stderr.endswith("catalogue: error: nvidia-cudnn-jit-cu13: pip could not "
                                               "ask the index; its own lines stand above\n"), result.stderr)
        self.assertIn("invalid", result.stderr)
        self.assertEqual(self.contents(), before)

    def test_the_newest_release_where_none_is_named(self):
        write_wheel(self.index, "nvidia-cudnn-cu13", "9.98.0.1", {lib(""): library(bytes(range(20)))})
        self.assertEqual(self.add("nvidia-cudnn-cu13").returncode, 0)
        self.refused("nvidia-cudnn-cu13", "the catalogue has this release already")

    def test_one_that_fails_does_not_keep_the_next_one_out(self):
        write_wheel(self.index, "nvidia-cudnn-cu13", "9.98.0.1", {lib(""): library(bytes(range(20)))})
        result = self.add("torch", "nvidia-cudnn-cu13==9.98.0.1")
        self.assertEqual(result.returncode, 1)
        self.assertEqual(result.stdout, "catalogue: added 1 libraries of nvidia-cudnn-cu13==9.98.0.1\n")

    def test_release_that_is_known_is_not_fetched(self):
        self.refused("nvidia-cudnn-cu13==9.14.0.64", "the catalogue has this release already")

    def test_no_package_of_cudnn(self):
        for requirement in ("torch", "nvidia-cudnn-cu13>=9", "nvidia-cudnn==9.14.0.64", "--help"):
            self.refused(requirement, "no package of cuDNN; such are nvidia-cudnn-cu13==9.14.0.64 and "
                                      "nvidia-cudnn-jit-cu13==9.14.0.64")

    def test_no_such_release(self):
        self.refused("nvidia-cudnn-cu13==9.99.0.1", "pip could not fetch it; its own lines stand above",
                     pip_speaks=True)

    def test_wheels_that_cannot_be_right(self):
        cases = {
            "9.98.0.1": ({"nvidia/cudnn/bin/cudnn64_9.dll": "MZ"},
                         "nvidia_cudnn_cu13-9.98.0.1-py3-none-manylinux_2_27_x86_64.whl "
                         "holds no library of cuDNN"),
            "9.98.0.2": ({lib(""): "text" * 100}, "libcudnn.so.9 is no ELF file of 64 bits"),
            "9.98.0.3": ({lib(""): library(bytes(20))[:140]},
                         "libcudnn.so.9 is shorter than its own headers say"),
            "9.98.0.4": ({lib("_ops"): library(b"")}, "libcudnn_ops.so.9 has no GNU build id"),
            "9.98.0.5": ({lib("_ops"): library(b"", section=b"")},
                         "libcudnn_ops.so.9 has no GNU build id"),
            "9.98.0.6": ({lib("_ops"): library(bytes(20), section=bytes(range(20)))},
                         f"libcudnn_ops.so.9 has two build ids: {bytes(20).hex()} in its PT_NOTE, "
                         f"{bytes(range(20)).hex()} in .note.gnu.build-id"),
            "9.98.0.7": ({lib("_ops"): library(b"", section=bytes(20))[:-1]},
                         "libcudnn_ops.so.9 is shorter than its own headers say"),
        }
        for release, (members, message) in cases.items():
            write_wheel(self.index, "nvidia-cudnn-cu13", release, members)
            self.refused(f"nvidia-cudnn-cu13=={release}", message)

    def test_role_that_the_table_of_roles_lacks(self):
        write_wheel(self.index, "nvidia-cudnn-cu13", "9.98.0.1",
                    {lib("_of_tomorrow"): library(bytes(range(20)))})
        before = self.contents()
        result = self.add("nvidia-cudnn-cu13==9.98.0.1")
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stderr, r"^generate.py: error: build_ids.csv:[0-9]+: "
                         r"libcudnn_of_tomorrow.so.9 has a role that library_roles.def lacks\n$")
        self.assertEqual(self.contents(), before)

    def test_usage(self):
        for words in ((), ("add",), ("remove", "x"), ("update", "x"), ("measure",)):
            result = subprocess.run(["sh", str(CATALOGUE / "catalogue.sh"), *words],
                                    capture_output=True, text=True)
            self.assertEqual((result.returncode, result.stdout, result.stderr),
                             (1, "", "dev: error: usage: ./dev catalogue update\n"
                              "       ./dev catalogue add [--windows] REQUIREMENT...\n"
                              "       ./dev catalogue measure REQUIREMENT...\n"))

    def test_size_of_the_table(self):
        """Of what the compiler makes of the arrays: 6 bytes an id, 6 a release, 4 a set of roles, 1 a member, 1 a set."""
        def cells(array):
            return TABLE.read_text().partition(f" {array}[] = {{")[2].partition("\n};")[0]
        ids = cells("catalogue_ids").count("{{")
        self.assertGreater(ids, 800)
        indices = cells("catalogue_set_members").count(",") + cells("catalogue_set_sizes").count(",")
        size = (6 * ids + 6 * cells("catalogue_releases").count("{") + indices
                + 4 * cells("catalogue_role_sets").count("0x"))
        self.assertLess(size, MOST_BYTES)
