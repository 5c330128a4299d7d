# SPDX-License-Identifier: BSD-3-Clause
"""verify on programs that are started in other ways than most, or not at all; each is started as well.

The libraries of cuDNN have only their names here.
"""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from checked_program import compiled, messages, NOT_STAMPED
from fake_packages import make_library
from support.command_line import cudnn_checked_program
from support.namespaces import own_mounts, why_no_mounts
from support.output import relative_output
from support.patching import patchelf

ROLES = ("", "_graph", "_ops", "_cnn", "_adv", "_engines_precompiled", "_engines_runtime_compiled",
         "_heuristic")
USER, OTHER = 1000, 65534
AS_USER = ("setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups")
PROGRAM = """
#define _GNU_SOURCE
#include <link.h>
#include <stdio.h>
#include <string.h>
static int show(struct dl_phdr_info* info, size_t size, void* data) {
  if (strstr(info->dlpi_name, "libcudnn.so.9") != NULL) puts(info->dlpi_name);
  return 0;
}
int main(void) { return dl_iterate_phdr(show, NULL); }
"""


class Starts(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.made = pathlib.Path(os.path.realpath(tempfile.mkdtemp(prefix="cudnn-checked-starts-")))
        cls.addClassCleanup(shutil.rmtree, cls.made, ignore_errors=True)
        for role in ROLES:
            make_library(cls.made / "lib" / f"libcudnn{role}.so.9", "-Wl,-rpath,$ORIGIN")
        compiled(cls.made / "app", PROGRAM, "-Wl,--no-as-needed", cls.made / "lib/libcudnn.so.9", language="C")
        cls.cli = cudnn_checked_program()

    def setUp(self):
        self.root = pathlib.Path(os.path.realpath(tempfile.mkdtemp(prefix="cudnn-checked-start-")))
        self.addCleanup(shutil.rmtree, self.root, ignore_errors=True)
        self.root.chmod(0o755)
        self.app = self.root / "bin" / "app"
        self.app.parent.mkdir()
        shutil.copy(self.made / "app", self.app)

    def install(self, *folders):
        for folder in folders:
            shutil.copytree(self.made / "lib", self.root / folder)

    def run_path(self, text, *options):
        patchelf(self.app, *options, "--set-rpath", text.format(root=self.root))

    def call(self, *command, prefix=(), **variables):
        done = subprocess.run([str(word) for word in (*prefix, *command)], cwd=self.root, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, timeout=60,
                              env={"PATH": os.environ["PATH"], **variables})
        return done.returncode, done.stdout, done.stderr

    def verify(self, program=None, **more):
        status, out, err = self.call(self.cli, "verify", program or self.app, **more)
        self.assertEqual(err, "")
        return status, relative_output(out, root=self.root)

    def predicted(self, program=None, **more):
        """The shim that the program would get, and why."""
        _, out, _ = self.call(self.cli, "verify", "--json", program or self.app, **more)
        shim = json.loads(out)["cudnn"]["files"][0]
        return shim["path"], shim["chosen_by"]

    def mapped(self, program=None, **more):
        status, out, err = self.call(program or self.app, **more)
        self.assertEqual((status, err), (0, ""))
        return out.splitlines()[0]

    def assert_same(self, program=None, **more):
        """The path that verify names is the one that is mapped."""
        path, by = self.predicted(program, **more)
        self.assertEqual(path, self.mapped(program, **more))
        return relative_output(path, root=self.root), by

    def test_a_name_with_so_through_a_link(self):
        """L4."""
        self.install("lib")
        self.run_path("$ORIGIN/../lib")
        program = self.root / "bin" / "cfd.solver"
        self.app.rename(program)
        (self.root / "elsewhere").mkdir()
        link = self.root / "elsewhere" / "cfd.solver"
        link.symlink_to(program)
        self.assertEqual(self.assert_same(link)[0], "<root>/bin/../lib/libcudnn.so.9")

    def make_foreign(self, *names, folder="lib"):
        """For another machine than this; returns (this, the other)."""
        machines = {62: "x86_64", 183: "aarch64"}
        for name in names:
            path = self.root / folder / name
            content = path.read_bytes()
            other = 183 if content[18] == 62 else 62
            path.write_bytes(content[:18] + bytes([other, 0]) + content[20:])
        return machines[content[18]], machines[other]

    def test_a_library_of_another_machine(self):
        """S39.  No machine has a cuDNN 77, so the loader finds no other."""
        self.install("lib")
        shim = "libcudnn.so.77"
        (self.root / "lib" / "libcudnn.so.9").rename(self.root / "lib" / shim)
        self.run_path("{root}/lib")
        patchelf(self.app, "--replace-needed", "libcudnn.so.9", shim)
        here, other = self.make_foreign(shim)
        status, out = self.verify()
        self.assertEqual((status, messages(out)), (1, [
            ("[wrong-machine]", f"reinstall the package that contains <root>/lib/{shim}"), NOT_STAMPED]))
        self.assertIn(f"  needed:  a file for {here}   by <root>/bin/app\n  found:   a file for {other}   ", out)
        status, _, err = self.call(self.app)
        self.assertEqual(status, 127)
        self.assertIn(f"{shim}: cannot open shared object file", err)

    def test_of_another_machine_and_passed_over(self):
        """The loader searches on, so there is nothing to report."""
        self.install("lib", "other")
        self.run_path("{root}/lib")
        self.make_foreign(*(f"libcudnn{role}.so.9" for role in ROLES), folder="other")
        variables = {"LD_LIBRARY_PATH": str(self.root / "other")}
        self.assertEqual(self.assert_same(**variables)[0], "<root>/lib/libcudnn.so.9")
        self.assertNotIn("wrong-machine", self.verify(**variables)[1])

    def test_inspect_of_another_machine(self):
        self.install("lib")
        here, other = self.make_foreign("libcudnn_ops.so.9")
        status, out, err = self.call(self.cli, "inspect", self.root / "lib" / "libcudnn_ops.so.9")
        self.assertEqual((status, err), (3, ""))
        self.assertIn(f"\n  machine:    {other}\n", out)
        status, out, _ = self.call(self.cli, "inspect", self.root / "lib")
        self.assertEqual(status, 3)
        rows = {line.split()[0]: line.split()[1:] for line in out.splitlines()[1:]}
        self.assertEqual(rows["libcudnn_ops.so.9"], ["ops", "unknown", other, "full", "length"])
        self.assertEqual(rows["libcudnn_adv.so.9"], ["adv", "unknown", here, "full", "length"])

    def test_a_newer_glibc(self):
        """L8, S45."""
        self.install("lib")
        self.run_path("{root}/lib")
        data = self.app.read_bytes()
        wanted = next(f"GLIBC_2.{n}".encode() for n in range(99, 1, -1) if f"GLIBC_2.{n}\0".encode() in data)
        self.app.write_bytes(data.replace(wanted + b"\0", b"GLIBC_2." + b"9" * (len(wanted) - 8) + b"\0"))
        newer = "GLIBC_2." + "9" * (len(wanted) - 8)
        status, out = self.verify()
        self.assertEqual((status, messages(out)), (1, [
            ("[cannot-start]", "run it on a system that has it"), NOT_STAMPED]))
        self.assertRegex(out, rf"\n  needs:  {newer}   by <root>/bin/app\n  found:  GLIBC_2\.\d+   /")
        status, _, err = self.call(self.app)
        self.assertEqual(status, 1)
        self.assertIn(f"version `{newer}' not found", err)

    def test_a_loader_that_does_not_exist(self):
        self.install("lib")
        self.run_path("{root}/lib")
        patchelf(self.app, "--set-interpreter", "/lib64/ld-linux-x86-64.so.99")
        status, out = self.verify()
        self.assertEqual((status, messages(out)), (1, [
            ("[cannot-start]", "run it where that loader is installed"), NOT_STAMPED]))
        with self.assertRaises(FileNotFoundError):
            self.call(self.app)

    def test_no_permission_to_execute(self):
        self.install("lib")
        self.run_path("{root}/lib")
        self.app.chmod(0o644)
        status, out = self.verify()
        self.assertEqual((status, messages(out)), (1, [("[cannot-start]", "chmod +x <root>/bin/app"), NOT_STAMPED]))
        with self.assertRaises(PermissionError):
            self.call(self.app)
        subprocess.run(["chmod", "+x", self.app], check=True)
        self.assertNotIn("cannot-start", self.verify()[1])
        self.mapped()

    def make_big_endian(self, folder):
        shim = self.root / folder / "libcudnn.so.9"
        data = bytearray(shim.read_bytes())
        data[5] = 2
        shim.write_bytes(data)

    def other_loader(self):
        """A program for another loader, which is there: a copy of glibc's."""
        interpreter = self.root / "ld-musl-x86_64.so.1"
        status, out, _ = self.call("patchelf", "--print-interpreter", self.app)
        self.assertEqual(status, 0)
        shutil.copy(out.strip(), interpreter)
        patchelf(self.app, "--set-interpreter", interpreter)

    def test_another_loader(self):
        """L5, N19: musl's libc.so is glibc's linker script to the rules of glibc."""
        self.install("lib")
        self.run_path("{root}/lib")
        self.other_loader()
        self.assertEqual(self.call(self.cli, "run", "--", self.app)[:2], (0, f"{self.root}/lib/libcudnn.so.9\n"))
        (self.root / "lib" / "libc.so").write_text("/* GNU ld script */ GROUP ( libc.so.6 )\n")
        self.make_big_endian("lib")
        patchelf(self.app, "--add-needed", "libc.so")
        status, out = self.verify()
        self.assertEqual(status, 3)
        self.assertTrue(out.startswith("cudnn-checked: unknown: "), out)
        self.assertNotIn("libc.so", out)
        self.assertIn("""\
 which libraries this program gets is decided by rules that are not known here
  expected:  the loader of glibc, without LD_AUDIT
  found:     <root>/ld-musl-x86_64.so.1
  Which cuDNN it gets cannot be predicted: what is found for it is unknown at most.
  fix: nothing; to have it checked, call cudnn_checked::check() once cuDNN is loaded
  [loader-unknown]
""", out)

    def test_auditors(self):
        """L7: LD_AUDIT."""
        self.install("lib")
        self.run_path("{root}/lib")
        self.make_big_endian("lib")
        self.assertEqual(self.verify()[0], 1)
        compiled(self.root / "audit.so", "unsigned la_version(unsigned v) { return v; }\n", "-shared", "-fPIC",
                 language="C")
        status, out = self.verify(LD_AUDIT=str(self.root / "audit.so"))
        self.assertEqual(status, 3)
        self.assertIn("  found:     LD_AUDIT=<root>/audit.so\n", out)

    def test_other_rights(self):
        """L2, N18: only the program's own $ORIGIN is distrusted, and only where the kernel gives other rights."""
        if os.geteuid() != 0 or not shutil.which("setpriv"):
            self.skipTest("only root can start a program as another user")
        if self.call(self.cli, "--version", prefix=AS_USER)[0] != 0:
            self.skipTest("another user may not read cudnn-checked")
        self.install("a", "b")
        cases = {"set-uid": (0o4755, OTHER, 0, ""), "set-gid": (0o2755, 0, OTHER, ""),
                 "set-gid without group-execute": (0o2705, 0, OTHER, ""), "capabilities": (0o755, 0, 0, "cap_net_raw+ep"),
                 "none": (0o755, 0, 0, ""), "set-uid of the user": (0o4755, USER, 0, "")}
        for run_path, trusted in (("$ORIGIN/../a:{root}/b", False), ("{root}/a:{root}/b", True)):
            self.run_path(run_path)
            for name, (mode, user, group, capabilities) in cases.items():
                with self.subTest(name, run_path=run_path):
                    os.chown(self.app, user, group)
                    self.app.chmod(mode)
                    if capabilities:
                        if not shutil.which("setcap"):
                            continue
                        subprocess.run(["setcap", capabilities, self.app], check=True)
                    secure = name in ("set-uid", "set-gid", "capabilities")
                    path, _ = self.assert_same(prefix=AS_USER, LD_LIBRARY_PATH="")
                    self.assertEqual(path.endswith("a/libcudnn.so.9"), trusted or not secure)
                    # No new rights, but a program with capabilities is executed as before.
                    path, _ = self.assert_same(prefix=(*AS_USER, "--no-new-privs"))
                    self.assertEqual(path.endswith("a/libcudnn.so.9"), trusted or name != "capabilities")
                    if capabilities:
                        subprocess.run(["setcap", "-r", self.app], check=True)

    def test_a_directory_that_may_not_be_searched(self):
        """The loader goes on as if nothing were in it; whether there is a file, nobody knows."""
        prefix = AS_USER if os.geteuid() == 0 else ()
        if prefix and (not shutil.which("setpriv") or self.call(self.cli, "--version", prefix=prefix)[0] != 0):
            self.skipTest("another user may not read cudnn-checked")
        # patchelf 0.14 writes a wrong run path where both stand in one call.
        patchelf(self.app, "--add-needed", "libclosed.so.1")
        patchelf(self.app, "--set-rpath", f"{self.root}/lib")
        self.install("lib")
        make_library(self.root / "closed/lib/libclosed.so.1")
        for mode, folder in ((0o600, "closed/lib"), (0o755, "closed/lib"), (0o600, "closed")):
            (self.root / "closed").chmod(0o755)
            (self.root / folder).chmod(mode)
            self.addCleanup((self.root / folder).chmod, 0o755)
            path = str(self.root / "closed/lib")
            status, out = self.verify(prefix=prefix, LD_LIBRARY_PATH=path)
            starts = self.call(self.app, prefix=prefix, LD_LIBRARY_PATH=path)[0] == 0
            self.assertEqual((starts, "read permission" in out), (mode == 0o755, False), out)
            if starts:
                continue
            known = folder == "closed/lib"
            self.assertEqual((status, messages(out)[0][0]), (1, "[dependency-missing]"))
            self.assertRegex(out, r"  looked in:  <root>/closed/lib +LD_LIBRARY_PATH\[0\]" +
                             (", which this user may not search\n" if known else "\n"))
            self.assertEqual("fix: let this user search it: chmod a+x <root>/closed/lib\n" in out, known)
            hints = {} if known else {"LD_LIBRARY_PATH": path, "CUDNN_ROOT": path}
            self.assertNotIn("does not exist", self.call(self.cli, "doctor", prefix=prefix, **hints)[1])
        (self.root / "closed").chmod(0o755)

    def test_preloaded(self):
        """L7: $ORIGIN in LD_PRELOAD, /etc/ld.so.preload."""
        self.install("a", "b")
        self.run_path("{root}/a")
        self.assertEqual(self.assert_same(LD_PRELOAD="$ORIGIN/../b/libcudnn.so.9"),
                         ("<root>/bin/../b/libcudnn.so.9", "LD_PRELOAD"))
        etc = self.root / "etc"
        etc.mkdir()
        shutil.copy("/etc/ld.so.cache", etc)
        (etc / "ld.so.preload").write_text(f"{self.root}/b/libcudnn.so.9\n")
        if why_no_mounts():
            self.skipTest(f"/etc cannot be covered here: {why_no_mounts()}")
        cover = [*own_mounts(), "sh", "-c", 'mount --bind "$1" /etc && shift && exec "$@"', "sh", etc]
        self.assertEqual(self.assert_same(prefix=cover), ("<root>/b/libcudnn.so.9", "/etc/ld.so.preload"))

    def test_a_token_in_a_needed_entry(self):
        self.install("a")
        patchelf(self.app, "--replace-needed", "libcudnn.so.9", "$ORIGIN/../a/libcudnn.so.9")
        self.assertEqual(self.assert_same()[0], "<root>/bin/../a/libcudnn.so.9")

    def test_headers_that_end_the_search(self):
        """A shim that the loader refuses ends the program, although another lies behind it."""
        self.install("a", "b")
        self.run_path("{root}/a:{root}/b")
        self.make_big_endian("a")
        status, out = self.verify()
        self.assertEqual((status, messages(out)), (1, [
            ("[library-corrupt]", "reinstall the package that contains <root>/a/libcudnn.so.9"), NOT_STAMPED]))
        self.assertIn("  The loader ends it before main(): it refuses the file's header.\n", out)
        status, _, err = self.call(self.app)
        self.assertEqual(status, 127)
        self.assertIn("ELF file data encoding not little-endian", err)
