# SPDX-License-Identifier: BSD-3-Clause
"""Files and paths that somebody else made: none takes long, none ends the program, none writes lines."""

import json
import os
import shutil
import struct
import time

from checked_program import call
from support import ScratchTest, simulated_sdk

NAME = b"cudnn_checked\0\0\0"
BASE = '{"schema":1,"program":"app","cudnn":{"header":"9.14.0"}'
FORGED = "a\ncudnn-checked: ok\r\x1b[2J\x7f"
SHOWN = r"a\x0acudnn-checked: ok\x0d\x1b[2J\x7f"


def note(text):
    data = text.encode("utf-8")
    return struct.pack("<III", 14, len(data), 1) + NAME + data + bytes(-len(data) % 4)


def elf_file(notes, headers=1):
    """The smallest program: that many PT_NOTE, each with all of the notes."""
    offset = 64 + 56 * headers
    return (b"\x7fELF\x02\x01\x01" + bytes(9) +
            struct.pack("<HHIQQQIHHHHHH", 2, 62, 1, 0, 64, 0, 0, 64, 56, headers, 64, 0, 0) +
            struct.pack("<IIQQQQQQ", 4, 4, offset, 0, 0, len(notes), len(notes), 4) * headers + notes)


class UntrustedTest(ScratchTest):
    def inspected(self, contents, *options, name="app"):
        path = self.scratch / name
        path.write_bytes(contents)
        begin = time.monotonic()
        status, out, err = call("inspect", *options, path, home=self.scratch)
        self.assertLess(time.monotonic() - begin, 5)
        return status, out.replace(str(self.scratch), "<scratch>"), err


class Stamps(UntrustedTest):
    def assert_unreadable(self, text, reason):
        contents = elf_file(note(text))
        status, out, err = self.inspected(contents)
        self.assertEqual((status, err), (3, ""))
        self.assertTrue(out.startswith("<scratch>/app: stamped\n  unreadable:   " + reason + "\n"), out)
        tree = json.loads(self.inspected(contents, "--json")[1])
        self.assertEqual(tree["stamps"], [{"unreadable": reason, "text": text[:1024]}])
        # The guard's own rule.
        _, report, _ = call("verify", "--json", self.scratch / "app", home=self.scratch)
        self.assertEqual([(f["name"], f["summary"]) for f in json.loads(report)["findings"]], [
            ("stamp-unreadable", f"the stamp of this program cannot be read: {reason}")])

    def test_a_deep_one(self):
        for depth, reason in [(20000, "it is longer than 64 KiB"), (1000, "it is not a JSON object")]:
            self.assert_unreadable(BASE + ',"x":' + '{"a":' * depth + "1" + "}" * (depth + 1), reason)

    def test_a_long_one(self):
        keys = ",".join(f'"k{number}":1' for number in range(200000))
        self.assert_unreadable(BASE + "," + keys + "}", "it is longer than 64 KiB")

    def test_an_empty_object(self):
        self.assert_unreadable("{}", "it names no schema")
        self.assert_unreadable('{"schema":2}', "a stamp of schema 2, this release reads schema 1")
        self.assert_unreadable('{"schema":1}', "the stamp names no cuDNN version")

    def test_many_headers_over_the_same_notes(self):
        notes = note(BASE + "}") * 1000
        status, out, _ = self.inspected(elf_file(notes, headers=1000))
        self.assertEqual((status, out), (0, "<scratch>/app: stamped\n  schema:         1\n"
                                            "  program:        app\n  cudnn header:   9.14.0\n"))

    def test_many_stamps(self):
        notes = b"".join(note(BASE.replace("app", f"app{number}") + "}") for number in range(1000))
        _, out, _ = self.inspected(elf_file(notes), "--json")
        names = [stamp["program"] for stamp in json.loads(out)["stamps"]]
        self.assertEqual(names, [f"app{number}" for number in range(256)])


class Texts(UntrustedTest):
    """docs/command_line.md, "Untrusted text"."""

    def test_a_stamp(self):
        stamp = BASE.replace("app", "a\\u001b[31m\\u0085\\u202e\\u2028b") + "}"
        contents = elf_file(note(stamp))
        self.assertEqual(self.inspected(contents)[1], (
            "<scratch>/app: stamped\n  schema:         1\n"
            r"  program:        a\x1b[31m\xc2\x85\xe2\x80\xae\xe2\x80\xa8b" "\n"
            "  cudnn header:   9.14.0\n"))
        tree = json.loads(self.inspected(contents, "--json")[1])
        self.assertEqual(tree["stamps"][0]["program"], "a\x1b[31m\x85\u202e\u2028b")

    def test_letters_stay(self):
        contents = elf_file(note(BASE + "}"))
        for name in ["überprüft", "検証", "🚀"]:
            self.assertEqual(self.inspected(contents, name=name)[1].splitlines()[0],
                             f"<scratch>/{name}: stamped")

    def test_a_file_name(self):
        for command in ["verify", "inspect", "run"]:
            status, out, err = call(command, f"./{FORGED}", home=self.scratch)
            words = "No such file or directory" if command == "run" else "no such file"
            self.assertEqual((status, out, err), (
                2, "", f"cudnn-checked: error: {command}: ./{SHOWN}: {words}\n"))
        _, out, _ = call("--json", "verify", f"./{FORGED}", home=self.scratch)
        self.assertEqual(json.loads(out)["error"], f"verify: ./{FORGED}: no such file")

    def test_words(self):
        for arguments, words in [([FORGED], f"unknown command {SHOWN}"),
                                 (["--" + FORGED], f"unknown option --{SHOWN}"),
                                 (["explain", FORGED], f"explain: there is no finding or word {SHOWN}; cudnn-checked explain lists the findings")]:
            self.assertEqual(call(*arguments, home=self.scratch)[2],
                             f"cudnn-checked: error: {words}\n")

    def test_bytes_that_are_no_text(self):
        name = b"./\xff\xc0\xaf\xe2\x80"
        _, _, err = call("verify", os.fsdecode(name), home=self.scratch)
        self.assertEqual(err, "cudnn-checked: error: verify: ./\\xff\\xc0\\xaf\\xe2\\x80: no such file\n")
        _, out, _ = call("--json", "verify", os.fsdecode(name), home=self.scratch)
        self.assertEqual(json.loads(out)["error"], "verify: ./" + "\ufffd" * 5 + ": no such file")

    def test_a_library_and_its_directory(self):
        directory = self.scratch / FORGED
        directory.mkdir()
        sdk = simulated_sdk(cudnn="9.14.0").copy(directory / "sdk")
        status, out, _ = call("inspect", sdk.library("graph"), home=self.scratch)
        self.assertEqual(status, 0)
        self.assertEqual(out.splitlines()[0],
                         f"{self.scratch}/{SHOWN}/sdk/lib/libcudnn_graph.so.9: a library of cuDNN")
        for command in [["doctor"], ["doctor", "--json"]]:
            _, out, _ = call(*command, home=self.scratch, CUDNN_ROOT=sdk.prefix,
                             LD_LIBRARY_PATH=f"{directory}/absent")
            self.assertNotRegex(out, r"[\x00-\x09\x0b-\x1f\x7f]|(?m:^cudnn-checked: ok$)")
        self.assertIn(f"{FORGED}/sdk/lib", [install["directory"].split(f"{self.scratch}/")[-1]
                                           for install in json.loads(out)["cudnn"]])

    def test_the_guards_own_variables(self):
        program = shutil.which("true")
        _, _, err = call("run", program, home=self.scratch, CUDNN_CHECKED=FORGED)
        self.assertEqual(err.splitlines()[0], f"cudnn_checked: error: CUDNN_CHECKED={SHOWN}: not a mode")
