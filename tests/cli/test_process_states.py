# SPDX-License-Identifier: BSD-3-Clause
"""verify --pid of processes that are not as others: ended, foreign, without libraries, in a container, with
files that are gone."""

import os
import pathlib
import shutil
import subprocess
import sys
import time

from checked_program import CalledTest, compiled
from support import simulated_sdk
from support.namespaces import own_mounts, why_no_mounts
from test_verify_pid import OPEN, PYTHON, running

NONE = """\
cudnn-checked: unknown: {} has no cuDNN in its memory
  in memory:  none   process <pid>
  A framework can load cuDNN when it first computes. What is not loaded was not checked.
  fix: run verify --pid while it computes
  [not-stamped]
"""
OK = """\
cudnn-checked: ok: {} has in its memory cuDNN 9.14.0, whole, from {}
  shim:       9.14.0   {}/libcudnn.so.9   {}
  in memory:  {} of 8 files   process <pid>
  It has no stamp: the driver, the GPUs and the code for them are not checked.
  fix: nothing
  [not-stamped]
"""


class Processes(CalledTest):
    def verify(self, pid, **environment):
        status, *texts = self.called("verify", "--pid", pid, **environment)
        return (status, *(text.replace(str(pid), "<pid>") for text in texts))

    def error(self, words, status=3):
        return status, "", f"cudnn-checked: error: verify: process <pid>: {words}\n"

    def compile(self, name, source, *options):
        try:
            return compiled(self.scratch / name, source, *options, language="C")
        except subprocess.CalledProcessError:
            self.skipTest(f"no compiler for {' '.join(options)}")


class WithoutLibraries(Processes):
    def test_ended(self):
        ended = subprocess.Popen(["/bin/true"])
        try:
            os.waitid(os.P_PID, ended.pid, os.WEXITED | os.WNOWAIT)
            self.assertEqual(self.verify(ended.pid), self.error(
                "it has ended, and its parent has not asked for its status (a zombie)"))
        finally:
            ended.wait()
        self.assertEqual(self.verify(ended.pid), self.error("no such process", 2))

    def test_a_thread_of_the_kernel(self):
        flags = pathlib.Path("/proc/2/stat")
        if not flags.exists() or int(flags.read_text().rsplit(")", 1)[1].split()[6]) & 0x200000 == 0:
            self.skipTest("process 2 is no thread of the kernel here")
        self.assertEqual(self.verify("2")[2], "cudnn-checked: error: verify: process <pid>: a thread of the "
                                              "kernel, which has no libraries\n")

    def test_of_somebody_else(self):
        if os.geteuid() == 0:
            self.skipTest("root may look at every process")
        self.assertEqual(self.verify("1")[2].replace("<pid>", "1"),
                         "cudnn-checked: error: verify: process 1: no permission to look at it\n")

    def test_a_static_program(self):
        self.check_a_program("-static")

    def test_a_program_of_32_bits(self):
        self.check_a_program("-m32")

    def check_a_program(self, option):
        program = self.compile("still", '#include <stdio.h>\nint main() { puts("ready"); fflush(stdout); '
                                        'getchar(); }\n', option)
        with running(program) as pid:
            self.assertEqual(self.verify(pid), (3, NONE.format("still"), ""))

    def test_one_that_starts_another_program(self):
        code = "import os, sys; os.execv(sys.executable, [sys.executable, '-S', '-c', sys.argv[1], sys.argv[1]])"
        process = subprocess.Popen([sys.executable, "-S", "-c", code, code])
        try:
            for _ in range(20):
                status, out, err = self.verify(process.pid)
                self.assertEqual((status, err.replace("it starts another program at this moment", "")),
                                 (3, "cudnn-checked: error: verify: process <pid>: \n" if not out else ""))
                self.assertIn(out, ("", NONE.format(PYTHON)))
        finally:
            process.kill()
            process.wait()

    def test_a_library_that_is_only_read(self):
        """An editor, a checksum, a backup: the file is in the memory, and no library."""
        sdk = self.sdk("a", cudnn="9.14.0", cuda="13.0")
        code = ("import mmap, sys\nfile = open(sys.argv[1], 'rb')\n"
                "memory = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)\n"
                "print('ready', flush=True)\nsys.stdin.read()\n")
        with running(sys.executable, "-c", code, sdk.library_directory / "libcudnn.so.9") as pid:
            self.assertEqual(self.verify(pid), (3, NONE.format(PYTHON), ""))


class WithShim(Processes):
    def setUp(self):
        super().setUp()
        self.sdk = simulated_sdk(cudnn="9.14.0", cuda="13.0").copy(self.scratch / "a")
        self.shim = self.sdk.library_directory / "libcudnn.so.9"

    def open_shim(self, **environment):
        return running(sys.executable, "-c", OPEN, self.shim, **environment)


class WithCudnn(WithShim):
    def test_many_pieces_of_memory(self):
        program = self.compile("pieces", """\
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
int main(int count, char** words) {
  (void)count;
  if (dlopen(words[1], RTLD_LAZY) == NULL) return 1;
  const int file = open(words[1], O_RDONLY);
  for (int i = 0; i < 60000; ++i) {
    if (mmap(NULL, 4096, i % 2 ? PROT_READ : PROT_NONE, MAP_PRIVATE, file, 0) == MAP_FAILED) break;
  }
  puts("ready");
  fflush(stdout);
  getchar();
}
""", "-ldl")
        with running(program, self.shim) as pid:
            lines = len(pathlib.Path(f"/proc/{pid}/maps").read_text().splitlines())
            begun = time.monotonic()
            status, out, _ = self.verify(pid)
            self.assertLess(time.monotonic() - begun, 5)
        self.assertGreater(lines, 30000)
        place = "<scratch>/a/lib"
        self.assertEqual((status, out), (0, OK.format("pieces", place, place, "already loaded", 1).replace(
            "libcudnn.so.9 ", "libcudnn.so.9.14.0 ")))

    def test_relative_directories_are_those_of_the_process(self):
        with running("sh", "-c", 'cd "$1" && shift && exec "$@"', "sh", self.sdk.prefix, sys.executable, "-c",
                     OPEN, "libcudnn.so.9", LD_LIBRARY_PATH="lib") as pid:
            status, out, _ = self.verify(pid)
        place = "<scratch>/a/lib"
        self.assertEqual((status, out), (0, OK.format(PYTHON, place, place,
                                                      "chosen by LD_LIBRARY_PATH[0]", 1)))

    def test_started_by_the_loader(self):
        loader = next(pathlib.Path("/lib64").glob("ld-linux-*.so.*"), None)
        program = os.path.realpath(sys.executable)
        if loader is None:
            self.skipTest("no /lib64/ld-linux")
        with running(loader, program, "-c", OPEN, self.shim) as pid:
            status, out, _ = self.verify(pid)
        self.assertEqual((status, out.split("\n")[0]), (
            0, f"cudnn-checked: ok: {PYTHON} has in its memory cuDNN 9.14.0, whole, from <scratch>/a/lib"))


class Replaced(WithShim):
    def replaced(self, release):
        """After an upgrade under a process that has loaded the shim."""
        other = simulated_sdk(cudnn=release, cuda="13.0")
        with self.open_shim() as pid:
            shutil.rmtree(self.sdk.library_directory)
            shutil.copytree(other.library_directory, self.sdk.library_directory, symlinks=True)
            status, out, err = self.verify(pid)
        self.assertEqual(err, "")
        return status, out

    MESSAGE = """\
files of cuDNN in this process were deleted or replaced since it loaded them
  in memory:       {}   <scratch>/a/lib/libcudnn.so.9.14.0
  not loaded yet:  7 files
  What the process loads from now on comes from the files that lie there now.
  fix: restart the process
  [replaced-in-use]
"""

    def may_read_deleted_files(self):
        with running(sys.executable, "-c", OPEN, self.shim) as pid:
            try:
                os.close(os.open(f"/proc/{pid}/mem", os.O_RDONLY))
            except PermissionError:
                return False
        return True

    def test_by_the_same_release(self):
        release = "9.14.0" if self.may_read_deleted_files() else "unknown"
        status, out = self.replaced("9.14.0")
        self.assertIn(self.MESSAGE.format(release), out)
        self.assertEqual(status, 0 if release != "unknown" else status)

    def test_by_another_release(self):
        if not self.may_read_deleted_files():
            self.skipTest("the memory of other processes may not be read")
        status, out = self.replaced("9.19.0")
        self.assertEqual(status, 0)
        self.assertIn("[mixed-sublibraries]\nand: " + self.MESSAGE.format("9.14.0"), out)

    def test_the_program_itself(self):
        program = self.scratch / "python"
        shutil.copy(os.path.realpath(sys.executable), program)
        home = pathlib.Path(sys.base_prefix)
        with running(program, "-S", "-c", OPEN.replace("ctypes, ", ""), PYTHONHOME=str(home),
                     LD_LIBRARY_PATH=str(home / "lib")) as pid:
            program.unlink()
            self.assertEqual(self.verify(pid), (3, NONE.format("python"), ""))


class Container(WithShim):
    def start(self, *command):
        """A Python in a root directory of its own, with this cuDNN in /opt/cudnn."""
        tree = self.scratch / "tree"
        for name in ("usr", "opt", "etc"):
            (tree / name).mkdir(parents=True)
        for name in ("lib", "lib64", "bin"):
            if pathlib.Path("/", name).is_symlink():
                (tree / name).symlink_to(f"usr/{name}")
        (tree / "opt/cudnn").symlink_to("/opt/9.14")
        shutil.copytree(self.sdk.library_directory, tree / "opt/9.14", symlinks=True)
        script = f'PATH=$PATH:/usr/sbin:/sbin; mount --bind /usr "{tree}/usr" && {" ".join(command)}'
        return [*own_mounts(), "sh", "-c", script, "sh", str(tree),
                "/usr/bin/python3", "-c", OPEN, "/opt/cudnn/libcudnn.so.9"]

    def check(self, *command):
        program = pathlib.Path("/usr/bin/python3")
        if not program.exists() or not pathlib.Path("/lib64").is_symlink():
            self.skipTest("no /usr/bin/python3 or no merged /usr")
        if why_no_mounts():
            self.skipTest(why_no_mounts())
        with running(*self.start(*command)) as pid:
            status, out, err = self.verify(pid)
        name = pathlib.Path(os.path.realpath(program)).name
        self.assertEqual((status, out, err), (
            0, OK.format(name, "/opt/9.14", "/opt/cudnn", "already loaded", 1), ""))

    def test_in_another_root_directory(self):
        self.check('exec chroot "$@"')

    def test_in_another_mount_namespace(self):
        self.check('mount --bind "$1" "$1" && mount --bind /usr "$1/usr" && cd "$1" && mkdir old && '
                   'pivot_root . old && shift && exec "$@"')
