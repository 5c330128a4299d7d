# SPDX-License-Identifier: BSD-3-Clause
"""doctor --paste: Markdown for a bug report, which no file and no variable can forge."""

import re
import shutil
import socket
import sys

from checked_program import CalledTest, call
from support import simulated_sdk
from support.environment import RELEASE

TORCH = """
import ctypes, os
__version__ = "2.7.1+cu126"
class version:
    cuda = "12.6"
class backends:
    class cudnn:
        @staticmethod
        def version():
            ctypes.CDLL(os.environ["CUDNN_OF_TORCH"])
            return 91400
class cuda:
    @staticmethod
    def is_available():
        return False
"""
CRASHES = "import os, signal\nprint('starts')\nos.kill(os.getpid(), signal.SIGSEGV)\n"
NOT_FOUND = "libcudnn.so.9: cannot open shared object file: No such file or directory"
HOSTILE = 'raise ImportError("``` </details> @team |x|\\n# heading ghp_0123456789abcdef0123 \\x1b[31m")\n'


def blocks_of(markdown):
    """The text as CommonMark takes it: ("code", text) and ("markdown", text)."""
    parts, fence, lines = [], None, []
    for line in markdown.splitlines(keepends=True):
        mark = re.match(r"(`{3,})([^`]*)\n", line)
        if fence is None and mark:
            parts.append(("markdown", "".join(lines)))
            fence, lines = mark.group(1), []
        elif fence is not None and re.fullmatch(r" {0,3}`{" + str(len(fence)) + r",}\s*", line):
            parts.append(("code", "".join(lines)))
            fence, lines = None, []
        else:
            lines.append(line)
    return parts + [("markdown" if fence is None else "open", "".join(lines))]


class Paste(CalledTest):
    MARKDOWN = [f"### cudnn-checked doctor {RELEASE}\n\n", "\n<details>\n<summary>cuDNN, libraries, packages and "
                "variables of this machine</summary>\n\n", "\n</details>\n"]

    def pasted(self, *arguments, **environment):
        """The short and the long block of a report that has the right form."""
        status, out, err = call("doctor", "--paste", *arguments, home=self.scratch, **environment)
        self.assertEqual(err, "")
        self.assertIn(status, (0, 1, 3))
        self.assertLess(len(out.encode()), 62000)
        parts = blocks_of(out)
        self.assertEqual([text for kind, text in parts if kind == "markdown"], self.MARKDOWN, out)
        self.assertEqual([kind for kind, _ in parts], ["markdown", "code"] * 2 + ["markdown"], out)
        for secret in [str(self.scratch), "ghp_", "hunter2"]:
            self.assertNotIn(secret, out)
        self.assertNotRegex(out, r"[\x00-\x09\x0b-\x1f\x7f]")
        return parts[1][1], parts[3][1]

    def environment_with(self, **modules):
        """A virtual environment with these modules, whose Python is the one that runs this test."""
        site = self.scratch / "venv/lib/python3.99/site-packages"
        for name, code in modules.items():
            (site / name).mkdir(parents=True)
            (site / name / "__init__.py").write_text(code)
            (site / f"{name}-1.0.dist-info").mkdir()
            (site / f"{name}-1.0.dist-info" / "METADATA").write_text(
                f"Name: {name}\nVersion: 1.0\nRequires-Dist: numpy\n"
                "Requires-Dist: nvidia-cudnn-cu12==9.5.1.17; platform_system == \"Linux\"\n\n"
                "Requires-Dist: nvidia-cudnn-cu99\n")
        python = self.write("venv/bin/python", f"#!/bin/sh\nPYTHONPATH='{site}' exec '{sys.executable}' "
                                               "-S \"$@\"\n")
        python.chmod(0o755)
        return self.scratch / "venv"

    def test_the_whole_report(self):
        sdk = self.sdk(cudnn="9.14.0")
        brief, rest = self.pasted(CUDNN_ROOT=sdk.prefix, CUDA_VISIBLE_DEVICES="0", CUDA_OTHER="hunter2",
                                  CUDA_API_KEY="hunter2", HF_TOKEN="hunter2", PATH="/nothing", NOT_KNOWN="hunter2")
        brief = re.sub(r"(?m)^(  (?:system|container): +).*$", r"\1<text>", brief)
        brief = re.sub(r"(?s)\n(note|warning|error): .*", "", brief)
        self.assertRegex(brief.splitlines()[0], r"^cudnn-checked: \w+: \d+ cuDNNs?, ")
        self.assertEqual(brief.splitlines()[1:], """
system
  system:       <text>
  container:    <text>
  Python:       none
  nvcc:         not on PATH
  nvidia-smi:   not on PATH""".splitlines())
        self.assertIn("cuDNN\n  9.14.0 for CUDA 13   full   ~/sdk/lib   CUDNN_ROOT   header 9.14.0\n",
                      re.sub(r"(?m)^(cuDNN\n)(?:  .*\n)*?(  9.14.0)(?: for CUDA 13)?( .*~/sdk)", r"\1\2 for CUDA 13\3",
                             re.sub(r"(?<=\S) {3,}", "   ", rest)))
        self.assertEqual(rest[rest.index("\nvariables\n"):], """
variables
  CUDA_VISIBLE_DEVICES   0
  CUDNN_ROOT             ~/sdk
  PATH                   /nothing
  also set               CUDA_OTHER
""")

    def test_what_frameworks_load(self):
        sdk = self.sdk(cudnn="9.14.0")
        venv = self.environment_with(torch=TORCH, jaxlib="", jax=CRASHES, onnxruntime=HOSTILE,
                                     cupy=f"raise ImportError('{NOT_FOUND}')")
        brief, rest = self.pasted(VIRTUAL_ENV=venv, CUDNN_OF_TORCH=sdk.library_directory / "libcudnn.so.9",
                                  LD_LIBRARY_PATH=sdk.library_directory)
        brief = re.sub(r"loads libcudnn.*? {3}~", "loads <libraries>   ~", brief)
        self.assertEqual(brief[brief.index("loaded by\n"):].split("\n\n")[0], """\
loaded by
  torch:         version 2.7.1+cu126; CUDA 12.6; cuDNN 91400; file ~/venv/lib/python3.99/site-packages/torch/__init__.py
                 loads <libraries>   ~/sdk/lib
  jax:           ended by Segmentation fault
  onnxruntime:   error ImportError (its text is left out); file ~/venv/lib/python3.99/site-packages/onnxruntime/\
__init__.py
  cupy:          error ImportError: """ + NOT_FOUND + "; file ~/venv/lib/python3.99/site-packages/cupy/__init__.py")
        self.assertIn("""\
packages
  cupy          1.0   wheel   requires nvidia-cudnn-cu12==9.5.1.17
  jax           1.0   wheel   requires nvidia-cudnn-cu12==9.5.1.17
  jaxlib        1.0   wheel   requires nvidia-cudnn-cu12==9.5.1.17
  onnxruntime   1.0   wheel   requires nvidia-cudnn-cu12==9.5.1.17
  torch         1.0   wheel   requires nvidia-cudnn-cu12==9.5.1.17
""", re.sub(r"(?m)^(  \S+) +(1\.0) +(?=wheel)", lambda m: f"{m.group(1):16}{m.group(2)}   ", rest))

    def test_of_a_directory(self):
        sdk = self.sdk(cudnn="9.14.0")
        venv = self.environment_with(torch=TORCH)
        target = venv / "lib/python3.99/site-packages/nvidia/cudnn"
        target.mkdir(parents=True)
        shutil.copytree(sdk.library_directory, target / "lib", symlinks=True)
        brief, rest = self.pasted(venv, CUDNN_OF_TORCH=target / "lib/libcudnn.so.9")
        self.assertRegex(brief, r"(?m)^  Python: +\d\S+   ~/venv/bin/python$")
        self.assertRegex(brief, r"(?m)^  torch: +version 2\.7\.1\+cu126; ")
        self.assertIn("~/venv/lib/python3.99/site-packages/nvidia/cudnn/lib", rest)
        self.assertEqual(self.called("doctor", "--paste", self.scratch / "absent"), (
            2, "", "cudnn-checked: error: doctor: <scratch>/absent: no such directory\n"))

    def test_names_that_would_forge(self):
        sdk = simulated_sdk(cudnn="9.14.0")
        for number, name in enumerate(["```", "a\n```\n# heading", "~~~~", "</details><script>", "| a | b |",
                                       "@team #1", "````````", "\n</details>\n", "[x](http://y)", "\x1b[2J",
                                       "text\r\n```", "<!-- ", "&#96;&#96;&#96;", "\u202e```", "    ```"]):
            with self.subTest(name=name):
                copy = sdk.copy(self.scratch / str(number) / name)
                brief, rest = self.pasted(CUDNN_ROOT=copy.prefix, LD_LIBRARY_PATH=copy.library_directory,
                                          CUDA_PATH=f"{name}\n```\nx")
                self.assertNotRegex(brief + rest, "(?m)^ {0,3}(# heading|</details>)")

    def test_long_values_and_many_lines(self):
        many = ":".join(f"/opt/directory-of-a-long-name-{i:06}/lib" for i in range(200))
        links = self.scratch / "lib"
        links.mkdir()
        for i in range(300):
            (links / f"libcudnn_{i:04}.so.9").symlink_to(f"absent-{i}")
        brief, rest = self.pasted(PATH=many, LD_LIBRARY_PATH=f"{many}:{links}", **{
            f"CUDA_{i:05}_{'X' * 50}": "x" for i in range(1000)})
        self.assertRegex(rest, r"(?m)^  PATH +/opt/directory-of-a-long-name-000000/lib:.*\.\.\. \(cut: \d+ bytes\)$")
        self.assertRegex(brief + rest, r"(?m)^\(\d+ lines? more\)$")

    def test_who_and_where(self):
        home = self.scratch / "people" / "annamaria"
        home.mkdir(parents=True)
        values = {"HOME": home, "USER": "annamaria", "LD_LIBRARY_PATH": f"{home}/a:/scratch/annamaria/b:/home/bob/c",
                  "CUDA_HOME": f"/mnt/{socket.gethostname()}-x/cuda", "PYTHONPATH": "https://annamaria:hunter2@pypi/x",
                  "CUDA_PATH": "ghp_0123456789abcdef0123", "XLA_FLAGS": "--token=hunter2", "HOSTNAME": "node17.site",
                  "CUDNN_LOGDEST_DBG": "/tmp/node17/log", "TORCH_CUDNN_V8_API_DEBUG": "0123456789abcdef" * 3,
                  "JAX_PLATFORMS": "'--auth_token hunter2'", "CUDA_CACHE_PATH": "/home/first last/x",
                  "CUDNN_LOGINFO_DBG": "/opt/x --auth_token hunter2",
                  "CUDA_DEVICE_ORDER": "PCI_BUS_ID", "VIRTUAL_ENV": "/home/first last"}
        _, rest = self.pasted(**values)
        shown = dict(re.findall(r"(?m)^  ([A-Z_]\w+) +(.*)$", rest[rest.index("\nvariables\n"):]))
        self.assertEqual(shown["LD_LIBRARY_PATH"], "~/a:/scratch/<user>/b:/home/<user>/c")
        self.assertEqual((shown["CUDA_CACHE_PATH"], shown["VIRTUAL_ENV"]), ("/home/<user>/x", "/home/<user>"))
        self.assertEqual((shown["PYTHONPATH"], shown["CUDA_DEVICE_ORDER"]), ("<redacted>", "PCI_BUS_ID"))
        self.assertEqual((shown["CUDA_PATH"], shown["XLA_FLAGS"], shown["TORCH_CUDNN_V8_API_DEBUG"],
                          shown["JAX_PLATFORMS"]), (
            "<redacted>", "<redacted>=<redacted>", "<redacted>", "<redacted> <redacted>"))
        self.assertEqual(shown["CUDNN_LOGDEST_DBG"], "/tmp/<host>/log")
        self.assertNotIn("annamaria", rest)
        if len(socket.gethostname()) >= 4 and socket.gethostname() != "localhost":
            self.assertEqual(shown["CUDA_HOME"], "/mnt/<host>-x/cuda")
        self.assertNotIn("HOME ", re.sub("CUDA_HOME", "", rest))

    def test_not_with_json(self):
        self.assertEqual(call("doctor", "--paste", "--json", home=self.scratch)[::2], (
            2, "cudnn-checked: error: doctor: --paste or --json, not both\n"))
