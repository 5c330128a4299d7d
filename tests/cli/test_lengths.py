# SPDX-License-Identifier: BSD-3-Clause
"""Files that are shorter or longer than their headers say, and what is no file in the place of a library: each command
that reads one names it, and none waits for it or reads behind the end."""

import json
import os
import socket

from checked_program import CheckedProgram

TERABYTE = 1 << 40


class Lengths(CheckedProgram):
    def broken(self, role, change):
        """A copy of the SDK in which `change` was made to the library of that role."""
        self.copies = getattr(self, "copies", 0) + 1
        sdk = self.built_on.copy(self.scratch / f"sdk-{self.copies}")
        path = os.path.realpath(sdk.library(role))
        change(path)
        return sdk, path

    def called_on(self, sdk, *arguments):
        return self.checked(*arguments, libraries=[sdk.library_directory])

    def assert_named_by_all(self, sdk, path, words):
        """Each says that it is refused, in these words."""
        name = os.path.basename(path)
        for arguments in (["doctor", sdk.prefix], ["verify", self.app_path], ["bundle", "--from", sdk.prefix, self.scratch / "b"],
                          ["run", "--", self.app_path]):
            with self.subTest(command=arguments[0]):
                status, out, err = self.called_on(sdk, *arguments)
                self.assertEqual(status, 78 if arguments[0] == "run" else 1, out + err)
                self.assertIn(f"a library of cuDNN is damaged: {name.split('.so')[0]}", out + err)
                if arguments[0] != "bundle":
                    self.assertIn(f"  found:     {words}   ", out + err)
        self.assertFalse((self.scratch / "b").exists())
        self.assertEqual([p for p in os.listdir(self.scratch) if p.endswith(".part")], [])

    def test_longer_than_its_headers_say(self):
        for role in ("", "ops"):
            with self.subTest(role=role):
                sdk, path = self.broken(role, lambda path: os.truncate(path, TERABYTE))
                size = os.path.getsize(os.path.realpath(self.built_on.library(role)))
                words = f"{TERABYTE} bytes, and its headers say {size}"
                self.assert_named_by_all(sdk, path, words)
                status, out, err = self.called_on(sdk, "inspect", path)
                self.assertEqual((status, err), (1, ""))
                self.assertRegex(out, f"\n  state: +too long: {words}\n")
                status, out, _ = self.called_on(sdk, "inspect", sdk.library_directory)
                self.assertEqual(status, 1)
                self.assertIn(f"too long: {words}\n", out)
                status, _, err = self.called_on(sdk, "sweep", sdk.prefix)
                self.assertEqual(status, 1)
                self.assertRegex(err, f"^cudnn-checked: error: sweep: a library of cuDNN is damaged: \\S+: {words}; cudnn-checked "
                                      f"doctor <scratch>/{sdk.prefix.name}/lib says more\n$")
                self.assertIn(f", {words}  ", self.called_on(sdk, "explain", self.app_path)[1])
                self.assertIn(f"too long: {words}\n", self.called_on(sdk, "explain", path)[1])
                # The guard in the program itself.
                self.assertEqual(self.start(sdk.library_directory)[0], 78)

    def test_a_page_behind_the_end(self):
        sdk, path = self.broken("ops", lambda path: os.truncate(path, os.path.getsize(path) + 4096))
        status, out = self.verify(sdk.library_directory)
        self.assertEqual(status, 0, out)
        self.assertIn("full length", self.called_on(sdk, "inspect", path)[1])

    def test_a_program_that_carries_data_behind_its_end(self):
        """As one of PyInstaller or makeself does."""
        program = self.compile("longer", "int main() {}")
        with open(program, "ab") as file:
            file.truncate(TERABYTE)
        status, out = self.verify(program=program)
        self.assertEqual(status, 3, out)
        self.assertNotIn("headers", out)

    def test_a_program_that_was_copied_half(self):
        whole = self.app_path.read_bytes()
        half = self.scratch / "half"
        for size in (3000, len(whole) // 2, len(whole) - 1):
            half.write_bytes(whole[:size])
            half.chmod(0o755)
            words = f"<scratch>/half: shorter than its headers say: {size} bytes of {len(whole)}"
            for command in ("verify", "inspect", "explain"):
                with self.subTest(size=size, command=command):
                    self.assertEqual(self.checked(command, half), (1, "", f"cudnn-checked: error: {command}: {words}\n"))
            with self.subTest(size=size, command="run"):
                self.assertIn(f"cudnn-checked: note: {words}; nothing was checked\n", self.checked("run", "--", half)[2])
            status, out, _ = self.checked("verify", "--json", half)
            self.assertEqual((status, json.loads(out)["error"]), (1, f"verify: {words}"))

    def test_what_is_no_file(self):
        """Nobody writes to the FIFO: what opens it would wait for ever."""
        def listen(path):
            server = socket.socket(socket.AF_UNIX)
            self.addCleanup(server.close)
            here = os.getcwd()
            os.chdir(os.path.dirname(path))
            server.bind(os.path.basename(path))
            os.chdir(here)

        kinds = (("a FIFO", os.mkfifo), ("a socket", listen), ("a device", lambda path: os.symlink("/dev/zero", path)))
        for kind, make in kinds:
            for role in ("", "ops"):
                with self.subTest(kind=kind, role=role):
                    sdk, path = self.broken(role, lambda path: (os.unlink(path), make(path)))
                    for arguments in (["doctor", sdk.prefix], ["verify", self.app_path], ["probe", sdk.prefix], ["inspect", path],
                                      ["bundle", "--from", sdk.prefix, self.scratch / "b"], ["explain", self.app_path],
                                      ["explain", path], ["sweep", sdk.prefix]):
                        status, out, err = self.called_on(sdk, *arguments)
                        # `explain` tells which files are taken, and refuses nothing.
                        self.assertEqual(status != 0, arguments[0] != "explain", arguments)
                        self.assertIn("is damaged" if arguments[0] == "bundle" else kind, out + err, arguments)
                    self.assertFalse((self.scratch / "b").exists())
