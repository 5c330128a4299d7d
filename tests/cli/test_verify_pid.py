# SPDX-License-Identifier: BSD-3-Clause
"""verify --pid: a process that runs, and what it has in its memory."""

import json
import os
import pathlib
import subprocess
import sys

from checked_program import CalledTest, CheckedProgram, call, messages

PYTHON = pathlib.Path(os.path.realpath(sys.executable)).name
OPEN = ("import ctypes, sys\n"
        "for path in sys.argv[1:]: ctypes.CDLL(path)\n"
        "print('ready', flush=True)\n"
        "sys.stdin.read()\n")


class running:
    """A process that has printed its first line, until the end of the block."""

    def __init__(self, *command, **environment):
        self.command, self.environment = [str(word) for word in command], environment

    def __enter__(self):
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL,
                                        env={"PATH": "/usr/bin:/bin", **self.environment})
        self.process.stdout.readline()
        return str(self.process.pid)

    def __exit__(self, *_):
        self.process.communicate(timeout=60)


class Unstamped(CalledTest):
    def opened(self, *sdks, options=()):
        """What is reported of a Python that has opened the shims of these."""
        shims = [sdk.library_directory / "libcudnn.so.9" for sdk in sdks]
        path = ":".join(str(sdk.library_directory) for sdk in sdks[:1])
        with running(sys.executable, "-c", OPEN, *shims, LD_LIBRARY_PATH=path) as pid:
            status, out, err = self.called("verify", *options, "--pid", pid)
        return status, out.replace(pid, "<pid>"), err

    def test_one(self):
        status, out, err = self.opened(self.sdk("a", cudnn="9.14.0", cuda="13.0"))
        self.assertEqual((status, out, err), (0, f"""\
cudnn-checked: ok: {PYTHON} has in its memory cuDNN 9.14.0, whole, from <scratch>/a/lib
  shim:       9.14.0   <scratch>/a/lib/libcudnn.so.9   chosen by LD_LIBRARY_PATH[0]
  in memory:  1 of 8 files   process <pid>
  It has no stamp: the driver, the GPUs and the code for them are not checked.
  fix: nothing
  [not-stamped]
""", ""))

    def test_a_directory_with_a_newline(self):
        r"""The kernel writes \012 for it into maps, and the same for a name with these four characters."""
        for name in ["a\nb", r"a\012b"]:
            with self.subTest(name=name):
                status, out, err = self.opened(self.sdk(name, cudnn="9.14.0", cuda="13.0"))
                shown = name.replace("\n", r"\x0a")
                self.assertEqual((status, out.splitlines()[:2], err), (0, [
                    f"cudnn-checked: ok: {PYTHON} has in its memory cuDNN 9.14.0, whole, from <scratch>/{shown}/lib",
                    f"  shim:       9.14.0   <scratch>/{shown}/lib/libcudnn.so.9   chosen by LD_LIBRARY_PATH[0]"],
                    ""))

    def test_two_in_one_process(self):
        sdks = [self.sdk("a", cudnn="9.14.0", cuda="13.0"), self.sdk("b", cudnn="9.19.0", cuda="13.0")]
        status, out, err = self.opened(*sdks)
        self.assertEqual((status, messages(out), err), (1, [
            ("[two-cudnns]", "let both users of cuDNN load the one in <scratch>/a/lib")], ""))
        status, out, _ = self.opened(*sdks, options=["--json"])
        tree = json.loads(out)
        self.assertIn("two-cudnns", [f["name"] for f in tree["findings"]])
        self.assertEqual((status, tree["verdict"]), (1, "refused"))

    def test_what_it_opens_by_itself_is_not_tried(self):
        """A fix of verify --pid is looked at by the next start of what uses cuDNN; Python says nothing of it."""
        # The loader's cache is what is left without the variable.
        listed = subprocess.run(["/sbin/ldconfig", "-p"], text=True, capture_output=True).stdout
        if "libcudnn.so.9 " not in listed:
            self.skipTest("the loader of this machine finds no libcudnn.so.9 in its cache")
        sdks = [self.sdk("b", cudnn="9.13.0", cuda="13.0"), self.sdk("a", cudnn="9.14.0", cuda="13.0")]
        path = sdks[0].library_directory
        with running(sys.executable, "-c", OPEN, sdks[1].library(), path / "libcudnn_graph.so.9",
                     LD_LIBRARY_PATH=str(path)) as pid:
            _, out, _ = call("verify", "--pid", pid, home=self.scratch)
            _, report, _ = call("verify", "--json", "--pid", pid, home=self.scratch)
        self.assertIn("\n  try: unset LD_LIBRARY_PATH\n", out)
        self.assertNotIn("  fix: ", out.split("[mixed-sublibraries]")[0])
        self.assertEqual(json.loads(report)["findings"][0]["fixes"][0],
                         {"kind": "command", "text": "unset LD_LIBRARY_PATH", "tried": "unknown"})

    def test_none(self):
        with running(sys.executable, "-c", OPEN) as pid:
            status, out, err = call("verify", "--pid", pid, home=self.scratch)
        self.assertEqual((status, out, err), (3, f"""\
cudnn-checked: unknown: {PYTHON} has no cuDNN in its memory
  in memory:  none   process {pid}
  A framework can load cuDNN when it first computes. What is not loaded was not checked.
  fix: run verify --pid while it computes
  [not-stamped]
""", ""))

    def test_no_process(self):
        for arguments, status, words in [
            (["--pid", "4194305"], 2, "process 4194305: no such process"),
            (["--pid", "self"], 2, "--pid self: not the number of a process"),
            (["--pid", "1", "app"], 2, "--pid or files, not both"),
            (["--pid"], 2, "--pid needs the number of a process"),
            (["--pid", "1", "--no-gpu"], 2, "--pid and --no-gpu: a process uses the driver and GPUs of "
                                            "this machine"),
            (["--pid", "1", "--as", "sm_86"], 2, "--pid and --as: a process uses the driver and GPUs of "
                                                 "this machine"),
            (["--pid", "1", "--root", "/"], 2, "--root or --pid, not both"),
            (["--pid", "1", "--python", "os"], 2, "--pid or --python, not both"),
        ]:
            self.assertEqual(call("verify", *arguments, home=self.scratch), (
                status, "", f"cudnn-checked: error: verify: {words}\n"))


class Stamped(CheckedProgram):
    main = """
#include <cudnn.h>
#include <cstdio>
int main() {
  std::printf("main runs on %zu\\n", cudnnGetVersion());
  std::fflush(stdout);
  std::getchar();
}
"""

    def test_the_guarded_program(self):
        path = self.built_on.environment["LD_LIBRARY_PATH"]
        with running(self.app_path, LD_LIBRARY_PATH=path) as pid:
            status, out, err = call("verify", "--pid", pid, home=self.shared, LD_LIBRARY_PATH=path)
        self.assertEqual((status, out.replace(pid, "<pid>"), err), (
            0, "cudnn-checked: ok: process <pid>: what it has loaded is right: cuDNN 9.14.0 · CUDA 13.0 · "
            "sm_86\n", ""))

    def test_started_with_warn_on_another_cudnn(self):
        older = self.other_sdk(cudnn="9.13.1", cuda="13.0").library_directory
        path = f"{older}:{self.built_on.environment['LD_LIBRARY_PATH']}"
        with running(self.app_path, LD_LIBRARY_PATH=path, CUDNN_CHECKED="warn") as pid:
            status, out, _ = call("verify", "--json", "--pid", pid, home=self.shared)
            text = call("verify", "--pid", pid, home=self.shared)[1]
        tree = json.loads(out)
        fix = f"export LD_LIBRARY_PATH={self.built_on.library_directory}:$LD_LIBRARY_PATH"
        self.assertEqual(tree["findings"][0]["fixes"], [{"kind": "command", "text": fix, "tried": "green"}])
        self.assertIn(f"\n  fix: {fix}\n", text)
        done = subprocess.run(["sh", "-c", f"{fix}\nexec {self.app_path}"], env={"LD_LIBRARY_PATH": path}, input="",
                              stdout=subprocess.PIPE, text=True)
        self.assertEqual((done.returncode, done.stdout), (0, "main runs on 91400\n"))
        self.assertEqual((status, tree["verdict"], tree["triple"]["cudnn"], tree["escape"]),
                         (1, "refused", "9.13.1", "CUDNN_CHECKED=warn"))
        self.assertEqual([f["name"] for f in tree["findings"] if f["severity"] == "error"],
                         ["cudnn-older"])
