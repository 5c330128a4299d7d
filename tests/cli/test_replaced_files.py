# SPDX-License-Identifier: BSD-3-Clause
"""What a report must not replace, and what is left of a file that has no room for it."""

import os
import pathlib
import shutil
import subprocess

from checked_program import CalledTest, compiled
from support.command_line import cudnn_checked_program
from support.environment import clean_environment

STAYS = "it is a program or a library"
LONG = "older\n" * 10000


class ReplacedFiles(CalledTest):
    def setUp(self):
        super().setUp()
        # A copy of the program: nothing else is at risk.
        self.program = pathlib.Path(shutil.copy(cudnn_checked_program(), self.scratch / "ccx"))

    def run_with_report(self, report, *command, program=None, limit="unlimited", user=None, **options):
        """`cudnn-checked run`, by default of /bin/true; its errors."""
        done = subprocess.run(["/bin/sh", "-c", f'ulimit -f {limit}; exec "$0" run -- "$@"', program or self.program,
                               *(command or ["/bin/true"])], cwd=self.scratch, stderr=subprocess.PIPE, text=True,
                              env=clean_environment(self.scratch, CUDNN_CHECKED_REPORT=str(report)),
                              preexec_fn=(lambda: os.setuid(user)) if user else None, **options)
        self.assertEqual(done.returncode, 0)
        return "".join(line for line in done.stderr.splitlines(True) if not line.startswith("cudnn-checked: note: "))

    def not_written(self, report, reason):
        return f"cudnn-checked: error: cannot write the report to {report} (CUDNN_CHECKED_REPORT): {reason}\n"

    def assert_stays(self, file, action):
        """Neither its text nor the file changes, and nothing is left beside it."""
        before, inode, names = file.read_bytes(), file.stat().st_ino, sorted(os.listdir(self.scratch))
        action()
        self.assertEqual(file.read_bytes() == before, True)
        self.assertEqual((file.stat().st_ino, sorted(os.listdir(self.scratch))), (inode, names))

    def test_a_report_over_a_program_or_a_library(self):
        app = compiled(self.scratch / "app", "int main() { return 0; }\n")
        library = compiled(self.scratch / "libcudnn.so.9", "int f() { return 0; }\n", "-shared", "-fPIC")
        os.symlink("app", self.scratch / "link")
        for report, file, command in [("app", app, ["./app"]), ("link", app, ["./app"]), ("libcudnn.so.9", library, []),
                                      ("/proc/self/exe", self.program, [])]:
            with self.subTest(report=report):
                self.assert_stays(file, lambda: self.assertEqual(self.run_with_report(report, *command),
                                                                 self.not_written(report, STAYS)))

    def test_what_only_begins_like_a_program_is_a_file(self):
        """MZ is a program on Windows alone."""
        for text in ("", "\x7fEL", "MZ"):
            report = self.write("report.json", text)
            self.assertEqual(self.run_with_report("report.json"), "")
            self.assertTrue(report.read_text().startswith("{\n"))

    def test_a_file_that_has_no_name_any_more(self):
        """It is resolved to "gone (deleted)", which is the name of another."""
        gone, other = self.write("gone", "older"), self.write("gone (deleted)", "precious")
        with open(gone, "r+") as opened:
            gone.unlink()
            self.assert_stays(other, lambda: self.assertEqual(
                self.run_with_report(f"/proc/self/fd/{opened.fileno()}", pass_fds=[opened.fileno()]), ""))
            self.assertTrue(opened.read().startswith("{\n"))

    def test_no_room_for_a_report_that_is_written_into_a_file(self):
        """Where the folder takes no file; a limit stands for a full disk."""
        folder = self.scratch / "folder"
        folder.mkdir()
        report = self.write("folder/report.json", LONG)
        is_root = os.geteuid() == 0
        if is_root:  # whom no permission keeps out
            os.chmod(self.scratch, 0o755)
            os.chown(report, 65534, -1)
        folder.chmod(0o555)
        self.addCleanup(folder.chmod, 0o755)
        for limit, whole in (("1", False), ("unlimited", True)):
            with self.subTest(limit=limit):
                text = self.run_with_report("folder/report.json", limit=limit, user=65534 if is_root else None)
                self.assertEqual(text, "" if whole else self.not_written("folder/report.json", "File too large"))
                self.assertEqual(report.read_text() == LONG, not whole)
                self.assertEqual(report.read_text().startswith("{\n"), whole)
                self.assertEqual(report.read_text().endswith("}\n"), whole)

    def test_no_room_behind_a_link_that_leads_nowhere(self):
        (self.scratch / "folder").mkdir()
        os.symlink("folder/next", self.scratch / "link")
        os.symlink("there.json", self.scratch / "folder/next")
        self.assertEqual(self.run_with_report("link", limit="1"), self.not_written("link", "File too large"))
        self.assertEqual(os.listdir(self.scratch / "folder"), ["next"])
        self.assertEqual(self.run_with_report("link"), "")
        self.assertTrue((self.scratch / "folder/there.json").read_text().startswith("{\n"))
        self.assertTrue((self.scratch / "link").is_symlink() and (self.scratch / "folder/next").is_symlink())

    def test_links_that_lead_to_each_other(self):
        os.symlink("a", self.scratch / "b")
        os.symlink("b", self.scratch / "a")
        self.assertEqual(self.run_with_report("a"), self.not_written("a", "Too many levels of symbolic links"))
        self.assertEqual((os.readlink(self.scratch / "a"), os.readlink(self.scratch / "b")), ("b", "a"))
