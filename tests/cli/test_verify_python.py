# SPDX-License-Identifier: BSD-3-Clause
"""verify --python: modules are imported in a process of their own, and what that has loaded is checked."""

import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time

from checked_program import CalledTest, call, compiled, messages
from fake_packages import record
from support.command_line import cudnn_checked_program
from support.environment import clean_environment
from test_verify_pid import PYTHON

RELEASE = ".".join(map(str, sys.version_info[:3]))
CALLS = 'extern unsigned long cudnnGetVersion(void);\nunsigned long f(void) { return cudnnGetVersion(); }\n'
IN_MEMORY = """\
  in memory:  {}   after import {}
  It has no stamp: the driver, the GPUs and the code for them are not checked.
  fix: nothing
  [not-stamped]
"""
NONE = f"""\
cudnn-checked: unknown: {PYTHON} has no cuDNN in its memory
  in memory:  none   after import {{}}
  A framework can load cuDNN when it first computes. What is not loaded was not checked.
  fix: run verify --pid while it computes
  [not-stamped]
"""


class Imports(CalledTest):
    """Packages of this test in site-packages, and a virtual environment around it."""

    def setUp(self):
        super().setUp()
        self.venv = self.scratch / "venv"
        self.python = self.venv / "bin/python"
        self.python.parent.mkdir(parents=True)
        self.python.symlink_to(os.path.realpath(sys.executable))
        self.site = self.scratch / "venv/lib/site-packages"
        self.site.mkdir(parents=True)

    def package(self, name, source):
        return self.write(f"venv/lib/site-packages/{name}/__init__.py", source).parent

    def opener(self, name, library):
        return self.package(name, f"import ctypes\nctypes.CDLL({str(library)!r})\n")

    def sdk(self, name, release, cuda="13.0"):
        return super().sdk(name, cudnn=release, cuda=cuda)

    def shim(self, name, release):
        return self.sdk(name, release).library_directory / "libcudnn.so.9"

    def plugin(self, package, *arguments):
        """A library of the package, which NEEDs what is named."""
        return compiled(self.site / package / "libplugin.so", CALLS, "-shared", "-fPIC", *arguments, language="C")

    def variables(self, **more):
        return {"PYTHONPATH": str(self.site), **more}

    def verify(self, *modules, place=None, options=(), **more):
        words = [word for module in modules for word in ("--python", module)]
        return self.called("verify", *options, *words, *([place] if place else []),
                           **self.variables(VIRTUAL_ENV=str(self.venv), **more))


class Memory(Imports):
    def test_one_module(self):
        self.opener("one", self.shim("a", "9.14.0"))
        place = "<scratch>/a/lib/libcudnn.so.9"
        self.assertEqual(self.verify("one"), (0, f"""\
cudnn-checked: ok: {PYTHON} has in its memory cuDNN 9.14.0, whole, from <scratch>/a/lib
  shim:       9.14.0   {place}   already loaded
""" + IN_MEMORY.format("1 of 8 files", "one"), ""))
        tree = json.loads(self.verify("one", options=["--json"])[1])
        self.assertEqual((tree["verdict"], tree["triple"]["cudnn"], [f["name"] for f in tree["findings"]]),
                         ("ok", "9.14.0", ["not-stamped"]))

    def test_a_framework_that_does_not_avoid_a_defect(self):
        sdk = self.sdk("a", "9.14.0")
        self.package("torch", "")
        library = self.plugin("torch", sdk.library_directory / "libcudnn.so.9",
                              f"-Wl,-rpath,{sdk.library_directory}")
        (self.site / "torch/__init__.py").write_text(f"import ctypes\nctypes.CDLL({str(library)!r})\n")
        for release, found in [("2.8.0", 1), ("2.9.0", 0)]:
            info = record(self.site, "torch", release, [library])
            for gpu in ["sm_90", "sm_89"]:
                status, out, _ = self.verify("torch", options=["--as", f"{gpu},driver=580.65.06"])
                told = f"{gpu}, and torch {release} does not avoid it: conv3d-large\n"
                # Recurrent networks too, of which no release avoids anything: it is a warning in any case.
                recurrent = out.count("-small-h\n")
                self.assertEqual((status, out.count(told), out.count("cudnn-checked: warning: "), recurrent),
                                 (0, found, 1, 3) if gpu == "sm_90" else (0, 0, 0, 0), out)
                # As of a program, what it computes without cuDNN is a note, which stands in no warning's way.
                if gpu == "sm_89":
                    self.assertEqual(out.count("cudnn-checked: note: torch 2.9.0 computes conv3d"), 1 - found, out)
            shutil.rmtree(info)

    def test_two_modules_with_two_cudnns(self):
        self.opener("one", self.shim("a", "9.14.0"))
        self.opener("two", self.shim("b", "9.19.0"))
        for modules in (["one,two"], ["one", "two"]):
            status, out, err = self.verify(*modules)
            self.assertEqual((status, messages(out), err), (1, [
                ("[two-cudnns]", "let both users of cuDNN load the one in <scratch>/a/lib")], ""))
        self.assertEqual(self.verify("two")[0], 0)

    def test_no_cudnn(self):
        self.assertEqual(self.verify("json,os.path"), (3, NONE.format("json, os.path"), ""))

    def test_another_cudnn_that_is_only_installed(self):
        self.opener("one", self.shim("a", "9.14.0"))
        other = self.sdk("b", "9.19.0").library_directory
        self.assertEqual(self.verify("one", LD_LIBRARY_PATH=str(other))[0], 0)

    def test_the_interpreter_and_its_environment(self):
        self.package("where", "import sys\nprint(sys.executable, file=sys.stderr)\nraise SystemExit(7)\n")
        for place in (None, self.venv, self.python):
            status, _, err = self.verify("where", place=place)
            self.assertEqual((status, err), (1, f"""\
cudnn-checked: error: verify: import where fails in <scratch>/venv/bin/python (Python {RELEASE}): \
it ended the process with status 7
  <scratch>/venv/bin/python
"""))


class NotLoadedYet(Imports):
    def test_a_library_that_would_bring_cudnn(self):
        self.package("lazy", "")
        sdk = self.sdk("a", "9.14.0")
        self.plugin("lazy", sdk.library_directory / "libcudnn.so.9", f"-Wl,-rpath,{sdk.library_directory}")
        place = "<scratch>/venv/lib/site-packages/lazy/libplugin.so"
        self.assertEqual(self.verify("lazy"), (0, NONE.format("lazy").replace("unknown", "ok") + f"""\
and: libplugin.so takes cuDNN 9.14.0, whole, from <scratch>/a/lib
  shim:    9.14.0   <scratch>/a/lib/libcudnn.so.9   chosen by RUNPATH of {place}
  loaded:  not yet   after import lazy
  It has no stamp: the driver, the GPUs and the code for them are not checked.
  fix: nothing
   or: build it with cudnn_checked_guard()
  [not-stamped]
""", ""))

    def test_it_gets_the_one_in_memory(self):
        """A name that is loaded is not searched for again."""
        self.opener("one", self.shim("a", "9.14.0"))
        self.package("lazy", "")
        other = self.sdk("b", "9.19.0")
        self.plugin("lazy", other.library_directory / "libcudnn.so.9", f"-Wl,-rpath,{other.library_directory}")
        status, out, err = self.verify("one,lazy")
        self.assertEqual((status, out.split("\n")[0], err), (
            0, f"cudnn-checked: ok: {PYTHON} has in its memory cuDNN 9.14.0, whole, from <scratch>/a/lib", ""))
        self.assertEqual(out.count("[not-stamped]"), 1)

    def test_it_requires_a_newer_one_than_is_in_memory(self):
        self.opener("one", self.shim("a", "9.14.0"))
        self.package("lazy", "")
        sdk = self.sdk("b", "9.19.0")
        library = self.plugin("lazy", sdk.library_directory / "libcudnn.so.9")
        record(self.site, "lazy", "1.0", [library], "nvidia-cudnn-cu13==9.19.0.56")
        status, out, _ = self.verify("one,lazy")
        self.assertEqual((status, out.split("\n")[:3]), (1, [
            "cudnn-checked: refused: libplugin.so requires cuDNN 9.19.0 and would run on cuDNN 9.14.0",
            "  requires:    9.19.0   nvidia-cudnn-cu13==9.19.0.56 of lazy 1.0",
            "  would load:  9.14.0   <scratch>/a/lib/libcudnn_graph.so.9.14.0   chosen by RUNPATH of "
            "<scratch>/a/lib/libcudnn.so.9"]))

    def test_it_cannot_be_loaded(self):
        """As run --python and doctor say, whether its import loads it or not."""
        self.package("lazy", "")
        sdk = self.sdk("a", "8.9.7", cuda="12.2")
        path = self.plugin("lazy", sdk.library_directory / "libcudnn.so.8")
        nine = {"LD_LIBRARY_PATH": str(self.sdk("b", "9.14.0").library_directory)}
        status, out, err = self.verify("lazy", **nine)
        self.assertEqual((status, [name for name, _ in messages(out)], err),
                         (1, ["[cudnn-major]", "[not-stamped]", "[not-stamped]"], ""))
        self.assertTrue(out.startswith("cudnn-checked: refused: this program needs cuDNN 8, and the loader finds only "
                                       "cuDNN 9\n  needed:   libcudnn.so.8   by <scratch>/venv/lib/site-packages/lazy/"
                                       "libplugin.so\n"), out)
        self.assertTrue(out.endswith("""\
and: libplugin.so uses cuDNN and cannot be loaded in this process
  lacks:  libcudnn.so.8   NEEDED by <scratch>/venv/lib/site-packages/lazy/libplugin.so
  dlopen() of it fails, unless the process loads what it lacks before.
  fix: cudnn-checked verify <scratch>/venv/lib/site-packages/lazy/libplugin.so
  [not-stamped]
"""), out)
        self.assertEqual(call("verify", path, home=self.scratch)[0], 1)


class Failures(Imports):
    def failed(self, why, *lines):
        return (1, "", f"cudnn-checked: error: verify: import broken fails in <scratch>/venv/bin/python (Python "
                       f"{RELEASE}): {why}\n" + "".join(f"  {line}\n" for line in lines))

    def test_an_exception(self):
        # The last lines are shown: a traceback of Python 3.13 has more of them.
        self.package("broken", "import ctypes, sys\nsys.tracebacklimit = 1\nprint('on standard output')\n"
                               "ctypes.CDLL('libnowhere.so.9')\n")
        status, out, err = self.verify("broken")
        self.assertEqual((status, out), (1, ""))
        lines = err.split("\n")
        why = "OSError: libnowhere.so.9: cannot open shared object file: No such file or directory"
        self.assertEqual(lines[0] + "\n", self.failed(why)[2])
        self.assertIn("  Traceback (most recent call last):", lines)
        self.assertIn("  on standard output", lines)
        self.assertEqual(lines[-2:], ["  " + why, ""])

    def test_its_library_lacks_a_cudnn(self):
        """What is wrong with the libraries of the package as they lie is the cause, and has a fix."""
        sdk = self.sdk("a", "8.9.7", cuda="12.2")
        self.package("broken", "import ctypes, os\n"
                               "ctypes.CDLL(os.path.join(os.path.dirname(__file__), 'libplugin.so'))\n")
        self.plugin("broken", sdk.library_directory / "libcudnn.so.8")
        nine = {"LD_LIBRARY_PATH": str(self.sdk("b", "9.14.0").library_directory)}
        status, out, err = self.verify("broken", **nine)
        self.assertEqual((status, err.split("\n")[0] + "\n"), (1, self.failed(
            "OSError: libcudnn.so.8: cannot open shared object file: No such file or directory")[2]))
        self.assertTrue(out.startswith("cudnn-checked: refused: libplugin.so: "
                                       "this program needs cuDNN 8, and the loader finds only cuDNN 9\n"), out)
        # As it is before a start, where nothing was imported yet.
        told = self.called("run", "--python", "broken", self.venv / "bin/python", **self.variables(**nine))
        self.assertEqual((told[0], told[2]), (78, out + "  override: CUDNN_CHECKED=warn\n"))

    def test_its_cudnn_lies_beside_it(self):
        """The import has shown that nothing loads it before."""
        sdk = self.sdk("a", "8.9.7", cuda="12.2")
        self.package("broken", "import ctypes, os\n"
                               "ctypes.CDLL(os.path.join(os.path.dirname(__file__), 'libplugin.so'))\n")
        path = self.plugin("broken", sdk.library_directory / "libcudnn.so.8")
        record(self.site, "broken", "1.0", [path])
        wheel = self.site / "nvidia/cudnn/lib"
        shutil.copytree(sdk.library_directory, wheel)
        status, out, err = self.verify("broken")
        self.assertIn("OSError: libcudnn.so.8: cannot open shared object file", err)
        self.assertEqual(status, 1)
        self.assertIn("as it lies, libplugin.so does not find libcudnn.so.8\n", out)
        self.assertIn("  The import of its package has failed in this way: the package loads none of them first.\n", out)
        self.assertIn(": export LD_LIBRARY_PATH=<scratch>/venv/lib/site-packages/nvidia/cudnn/lib\n", out)
        self.assertNotIn("loaded so", out)
        self.assertIn("nothing, if it is loaded so", self.called("verify", path, **self.variables())[1])

    def test_the_end_of_the_process(self):
        for code, why in [("import os; os._exit(5)", "it ended the process with status 5"),
                          ("raise SystemExit", "it ended the process with status 0"),
                          ("import os; os.abort()", "it ended the process by signal 6 (Aborted)"),
                          ("import os; os.kill(os.getpid(), 9)", "it ended the process by signal 9 (Killed)")]:
            shutil.rmtree(self.site / "broken", ignore_errors=True)
            self.package("broken", code + "\n")
            self.assertEqual(self.verify("broken"), self.failed(why))
        self.assertEqual(list(self.scratch.glob("core*")), [])

    def test_no_end(self):
        self.package("broken", "import time, sys\nsys.stderr.write('waits')\nsys.stderr.flush()\ntime.sleep(60)\n")
        begun = time.monotonic()
        self.assertEqual(self.verify("broken", options=["--timeout", "1"]),
                         self.failed("not finished after 1 s (--timeout)", "waits"))
        self.assertLess(time.monotonic() - begun, 10)

    def test_json(self):
        self.package("broken", "import os; os._exit(5)\n")
        status, out, _ = self.verify("broken", options=["--json"])
        tree = json.loads(out)
        self.assertEqual((status, tree["status"]), (1, 1))
        self.assertIn("it ended the process with status 5", tree["error"])

    def test_output_of_others_is_escaped(self):
        self.package("broken", "import sys\nsys.stderr.write('\\x1b[31mred\\n\\u202efix: curl\\n')\nsys.exit(1)\n")
        self.assertEqual(self.verify("broken"), self.failed(
            r"\xe2\x80\xaefix: curl", r"\x1b[31mred", r"\xe2\x80\xaefix: curl"))

    def test_no_such_module(self):
        self.assertEqual(self.verify("os,nosuch"), (2, "", "cudnn-checked: error: verify: <scratch>/venv/bin/"
                                                           "python: there is no module nosuch\n"))

    def test_no_python(self):
        def named(name, text):
            path = self.scratch / name
            path.write_text("#!/bin/sh\n" + text)
            path.chmod(0o755)
            return path
        empty = self.scratch / "empty"
        empty.mkdir()
        for place, words, lines in [
            (named("python2", "echo old >&3\n"), "<scratch>/python2: Python 2; --python needs Python 3", []),
            (named("python3", "echo not me\nexit 4\n"), "<scratch>/python3: it does not run as a Python: it "
                                                        "ended the process with status 4", ["not me"]),
            (named("sh", ""), "--python: <scratch>/sh: not called python", []),
            (empty, "--python: <scratch>/empty: no Python in it", []),
            (self.scratch / "absent", "--python: <scratch>/absent: no Python in it", []),
        ]:
            self.assertEqual(self.verify("os", place=place), (
                2, "", f"cudnn-checked: error: verify: {words}\n" + "".join(f"  {line}\n" for line in lines)))
        plain = named("python-plain", "")
        plain.chmod(0o644)
        self.assertEqual(self.verify("os", place=plain)[2],
                         "cudnn-checked: error: verify: <scratch>/python-plain: Permission denied\n")
        status, _, err = call("verify", "--python", "os", home=self.scratch, PATH=str(empty))
        self.assertEqual((status, err), (
            2, "cudnn-checked: error: verify: --python: there is no python3 on PATH\n"))

    def test_wrong_words(self):
        for words, error in [
            (["--python"], "--python needs a module, for example --python torch"),
            (["--python", "os;print(1)"], "--python os;print(1): not the name of a module"),
            (["--python", "1os"], "--python 1os: not the name of a module"),
            (["--python", "os."], "--python os.: not the name of a module"),
            (["--python", "os,,sys"], "--python '': not the name of a module"),
            (["--python", "-c"], "--python -c: not the name of a module"),
            (["--python", "os", "a", "b"], "--python takes one environment: b"),
            (["--python", "os", "--root", "/", "--timeout", "5"], "--root or --timeout, not both"),
            (["--python", "os", "--timeout", "soon"], "--timeout soon: not a number of seconds"),
            (["--python", "os", "--timeout", "0"], "--timeout 0: not a number of seconds"),
            (["--python", "os", "--timeout"], "--timeout needs a number of seconds"),
            (["--timeout", "5", "app"], "--timeout is for --python"),
        ]:
            self.assertEqual(call("verify", *words, home=self.scratch),
                             (2, "", f"cudnn-checked: error: verify: {error}\n"))


def runs(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] not in "ZX"
    except FileNotFoundError:
        return False


class NothingIsLeft(Imports):
    SLEEPER = ("import os, pathlib, subprocess, sys\n"
               "child = subprocess.Popen(['/bin/sleep', '300'], start_new_session=True)\n"
               "pathlib.Path(__file__).with_name('pids').write_text(f'{os.getpid()} {child.pid}')\n")

    def pids(self, package):
        file = self.site / package / "pids"
        for _ in range(200):
            if file.exists() and " " in file.read_text():
                break
            time.sleep(0.05)
        return [int(word) for word in file.read_text().split()]

    def assert_ended(self, pids, seconds=6):
        end = time.monotonic() + seconds
        while any(map(runs, pids)) and time.monotonic() < end:
            time.sleep(0.05)
        self.assertEqual([pid for pid in pids if runs(pid)], [])

    def test_processes_that_it_started(self):
        for ending in ("", "import os\nos.abort()\n", "import time\ntime.sleep(60)\n"):
            with self.subTest(ending):
                self.package("busy", self.SLEEPER + ending)
                self.verify("busy", options=["--timeout", "1"] if "sleep(" in ending else [])
                self.assert_ended(self.pids("busy"), seconds=0)
                shutil.rmtree(self.site / "busy")

    def test_when_this_program_is_killed(self):
        self.package("busy", self.SLEEPER + "import time\ntime.sleep(60)\n")
        for number in (signal.SIGINT, signal.SIGKILL):
            started = subprocess.Popen([str(cudnn_checked_program()), "verify", "--python", "busy",
                                        str(self.python)], cwd=self.scratch,
                                       env=clean_environment(self.scratch, **self.variables()))
            pids = self.pids("busy")
            started.send_signal(number)
            started.wait()
            self.assert_ended(pids)
            (self.site / "busy/pids").unlink()

    def test_children_that_are_not_its_own(self):
        """The program that a shell turns into this one has children of its own."""
        self.package("quiet", "")
        # Its end is not waited for: it has no part of the pipe.
        script = '/bin/sleep 30 >/dev/null & echo $!; exec "$@"'
        done = subprocess.run(["sh", "-c", script, "sh", str(cudnn_checked_program()), "verify", "--python",
                               "quiet", str(self.python)], cwd=self.scratch, stdout=subprocess.PIPE,
                              env=clean_environment(self.scratch, **self.variables()), text=True)
        sleeper = int(re.match(r"\d+", done.stdout).group())
        self.assertTrue(runs(sleeper))
        os.kill(sleeper, signal.SIGKILL)

    def test_files_and_words(self):
        """No compiled file stays behind, and nothing of a module is on standard output."""
        self.package("quiet", "import sys\nprint('words')\nprint('more', file=sys.stderr)\n"
                              "assert sys.stdin.read() == ''\nassert sys.argv == ['-c']\n")
        self.assertEqual(self.verify("quiet"), (3, NONE.format("quiet"), ""))
        self.assertEqual(list(self.site.rglob("__pycache__")), [])

    def test_exit_handlers_run(self):
        self.package("tidy", "import atexit, pathlib\nfile = pathlib.Path(__file__).with_name('temporary')\n"
                             "file.write_text('')\natexit.register(file.unlink)\n")
        self.assertEqual(self.verify("tidy")[0], 3)
        self.assertEqual(list(self.site.rglob("temporary")), [])
