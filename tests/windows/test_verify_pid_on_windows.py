# SPDX-License-Identifier: BSD-3-Clause
"""cudnn-checked.exe verify --pid, of a program that has loaded DLLs and waits.

The DLLs have NVIDIA's names and identities.  PATH and the working directory are the program's alone.
"""

import shutil
import subprocess
import textwrap

import wine
from stand_ins import WithCommandLine, with_identity

OK = """\
ok: app.exe has in its memory cuDNN 9.28.0 for CUDA 12, whole, from {{}}/cudnn
  shim:       9.28.0 for CUDA 12   {{}}/cudnn/cudnn64_9.dll   chosen by PATH[0]
  in memory:  {} of 10 files       {}process N
  It has no stamp: the driver, the GPUs and the code for them are not checked.
  fix: nothing
  [not-stamped]
"""


class Process(WithCommandLine):
    maxDiff = None

    def setUp(self):
        super().setUp()
        shutil.copyfile(self.tools.calls, self.app / "app.exe")
        self.cudnn = self.put("cudnn", "9.28.0.42")

    def waiting(self, *loaded):
        """The number of a process that has loaded these."""
        entries = ";".join("Z:" + str(entry).replace("/", "\\") for entry in (self.cudnn, self.cuda))
        command = [wine.program_of_wine("wine64", "wine"), str(self.app / "app.exe"),
                   *(f"load:{name}" for name in loaded), "pid", "wait"]
        # Wine's server can end while a program starts.
        for _ in range(3):
            process = subprocess.Popen(command, cwd=self.app, env=self.windows.environment(entries), text=True,
                                       stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            self.addCleanup(self.end, process)
            for line in iter(process.stdout.readline, ""):
                if line.startswith("pid "):
                    return line.split()[1]
        raise AssertionError("it has ended")

    @staticmethod
    def end(process):
        process.stdin.close()
        process.wait(timeout=60)
        process.stdout.close()

    def assert_said(self, pid, status, text):
        done = self.start_in_windows([self.program, "verify", "--pid", pid])
        self.assertEqual((done[0], (done[1] + done[2]).replace(f"process {pid}", "process N")),
                         (status, "cudnn-checked: " + textwrap.dedent(text)))

    def spoil(self, name):
        (self.cudnn / name).write_bytes(with_identity(self.fake, self.ids["9.10.2.21", "12", name]))

    def test_all_of_it_is_loaded(self):
        pid = self.waiting(*sorted(path.name for path in self.cudnn.iterdir()))
        self.assert_said(pid, 0, OK.format(10, ""))
        # A DLL in use can be renamed.  What is in memory is judged.
        (self.cudnn / "cudnn_ops64_9.dll").rename(self.cudnn / "old.dll")
        self.spoil("cudnn_ops64_9.dll")
        self.assert_said(pid, 0, OK.format(10, "") + """\
cudnn-checked: note: files of cuDNN in this process were deleted or replaced since it loaded them
  in memory:  9.28.0 for CUDA 12   {}/cudnn/cudnn_ops64_9.dll
  All of cuDNN is in its memory, so nothing of it is loaded any more.
  fix: restart the process
  [replaced-in-use]
""")

    def test_what_it_will_load(self):
        """Found by its own PATH."""
        pid = self.waiting("cudnn64_9.dll")
        self.assert_said(pid, 0, OK.format(1, " "))
        (self.cudnn / "cudnn_ops64_9.dll").unlink()
        self.assert_said(pid, 1, """\
            refused: a sub-library of cuDNN is missing: cudnn_ops64_9.dll
              needed:  cudnn_ops64_9.dll
              found:   9.28.0 for CUDA 12   {}/cudnn/cudnn_graph64_9.dll   chosen by PATH[0]
              cuDNN does not report it: depending on the file it aborts, fails later, runs slower or computes wrong numbers.
              fix: reinstall cuDNN 9.28.0 for CUDA 12 in {}/cudnn
              [sublibrary-missing]
            """)

    def test_a_file_that_was_replaced(self):
        pid = self.waiting("cudnn64_9.dll")
        (self.cudnn / "cudnn64_9.dll").rename(self.cudnn / "old.dll")
        self.spoil("cudnn64_9.dll")
        self.assert_said(pid, 0, """\
            warning: files of cuDNN in this process were deleted or replaced since it loaded them
              in memory:       9.28.0 for CUDA 12   {}/cudnn/cudnn64_9.dll
              not loaded yet:  9 files
              What the process loads from now on comes from the files that lie there now.
              fix: restart the process
              [replaced-in-use]
            """)

    def test_a_library_of_another_program(self):
        other = self.put("other", "9.10.2.21", only={"cudnn_ops64_9.dll"})
        ops = f"Z:{other}/cudnn_ops64_9.dll".replace("/", "\\")
        self.assert_said(self.waiting(ops, "cudnn64_9.dll"), 1, """\
            refused: the files of cuDNN are of more than one release
              shim:  9.28.0 for CUDA 12   {}/cudnn/cudnn64_9.dll   chosen by PATH[0]
              ops:   9.10.2 for CUDA 12   {}/other/cudnn_ops64_9.dll   already loaded
              cuDNN does not compare all of its libraries: such a set has silently computed wrong numbers.
              fix: reinstall cuDNN 9.28.0 for CUDA 12 in {}/cudnn, so that every file comes from there
              [mixed-sublibraries]
            """)

    def test_none(self):
        pid = self.waiting()
        self.assert_said(pid, 3, """\
            unknown: app.exe has no cuDNN in its memory
              in memory:  none   process N
              A framework can load cuDNN when it first computes. What is not loaded was not checked.
              fix: run verify --pid while it computes
              [not-stamped]
            """)
        # Windows takes the number for that of the same process.
        self.assert_said(str(int(pid) + 1), 2, "error: verify: process N: no such process\n")
        self.assert_said("999996", 2, "error: verify: process N: no such process\n")
