# SPDX-License-Identifier: BSD-3-Clause
"""bundle: what is printed and written; what a program then maps is in tests/consume and tests/real."""

import json
import os
import subprocess

from checked_program import CalledTest, compiled
from support.command_line import cudnn_checked_program
from support.environment import RELEASE
from support.namespaces import why_no_mounts

COPIED = """\
cuDNN 9.14.0 for CUDA 13 copied to <scratch>/home/lib: 3 libraries, <size>
  not copied:   libnvrtc.so.13   not found here
  not in it:    libcudnn_ops.so.9.14.0 libcudnn_cnn.so.9.14.0 libcudnn_adv.so.9.14.0 \
libcudnn_engines_precompiled.so.9.14.0 libcudnn_heuristic.so.9.14.0
  cuDNN asks for these as well. If LD_LIBRARY_PATH or ld.so.cache lead to one, the run path cannot keep
  it out; a guarded program refuses one that does not fit.
  no license:   none was found for libcudnn.so.9
  then type:    patchelf --add-needed libcudnn_graph.so.9.14.0 --add-needed \
libcudnn_engines_runtime_compiled.so.9.14.0 'home/bin/an app' && \
patchelf --force-rpath --set-rpath '$ORIGIN/../lib:/opt/own' 'home/bin/an app'
"""


class Bundle(CalledTest):
    def setUp(self):
        super().setUp()
        self.cudnn = self.sdk(sublibraries="jit", build_ids="catalogue", cuda=None, gpus="", driver=None)

    def without_nvrtc(self, text):
        """Whether this machine has one is no matter here."""
        return "".join(line for line in text.splitlines(True) if "libnvrtc" not in line)

    def test_for_a_program(self):
        compiled(self.scratch / "home/bin/an app", "int main() {}", self.cudnn.library(), "-Wl,--no-as-needed",
                 self.cudnn.library(), "-Wl,-rpath,/opt/own,--enable-new-dtags")
        status, out, err = self.called("bundle", "--from", "sdk", "--for", "home/bin/an app", "home/lib/")
        # As disks count; how large the libraries are is the compiler's choice.
        size = sum(path.stat().st_size for path in (self.scratch / "home/lib").iterdir() if not path.is_symlink())
        copied = COPIED.replace("<size>", f"{(size + 500_000) // 1_000_000} MB")
        self.assertEqual((status, self.without_nvrtc(out), err), (0, self.without_nvrtc(copied), ""))
        files = sorted(path.name for path in (self.scratch / "home/lib").iterdir())
        self.assertEqual(files, ["libcudnn.so.9", *[f"libcudnn_{role}.so.9{more}" for role in (
            "engines_runtime_compiled", "graph") for more in ("", ".14.0")]])

    def test_as_json(self):
        (self.cudnn.prefix / "LICENSE").write_text("terms")
        status, out, err = self.called("--json", "bundle", "b", LD_LIBRARY_PATH=self.cudnn.library_directory)
        self.assertEqual((status, err), (0, ""))
        tree = json.loads(out)
        tree.pop("not_copied")
        self.assertEqual(tree, {
            "schema": 1, "package": RELEASE, "directory": "<scratch>/b", "cudnn": "9.14.0", "cuda_major": 13,
            "copied": [{"name": f"{name}{more}", "source": f"<scratch>/sdk/lib/{name}.14.0",
                        "link": name if more else ""} for name, more in (
                            ("libcudnn.so.9", ""), ("libcudnn_graph.so.9", ".14.0"),
                            ("libcudnn_engines_runtime_compiled.so.9", ".14.0"))],
            "not_in_it": [f"libcudnn_{role}.so.9.14.0" for role in (
                "ops", "cnn", "adv", "engines_precompiled", "heuristic")],
            "licenses": [{"source": "<scratch>/sdk/LICENSE", "folder": "sdk"}],
            "without_license": [], "command": ""})
        self.assertEqual((self.scratch / "b/licenses/sdk/LICENSE").read_text(), "terms")

    def test_a_wheel_with_its_license_in_both_places(self):
        """PEP 639 moved it: some wheels have it beside METADATA as well."""
        site = self.scratch / "lib/python3.11/site-packages"
        cudnn = self.cudnn.copy(site / "nvidia/cudnn")
        info = site / "nvidia_cudnn_jit_cu13-9.14.0.64.dist-info"
        for name in ("License.txt", "licenses/License.txt"):
            self.write(info / name, name)
        self.write(info / "METADATA", "Name: nvidia-cudnn-jit-cu13\nVersion: 9.14.0.64\n")
        self.write(info / "RECORD", "".join(
            f"nvidia/cudnn/lib/{path.name},,\n" for path in sorted(cudnn.library_directory.iterdir())))
        status, _, err = self.called("bundle", "--from", str(cudnn.prefix), "b")
        self.assertEqual((status, err), (0, ""))
        copied = {str(path.relative_to(self.scratch / "b/licenses")): path.read_text()
                  for path in (self.scratch / "b/licenses").rglob("*.txt")}
        self.assertEqual(copied, {"nvidia-cudnn-jit-cu13/License.txt": "licenses/License.txt",
                                  "nvidia-cudnn-jit-cu13-2/License.txt": "License.txt"})

    def test_what_cannot_be_copied(self):
        self.write("full/file")
        self.write("text", "not a program")
        (self.scratch / "none").mkdir()
        mixed = self.sdk("mixed", gpus="", build_ids="catalogue")
        mixed.take_from(self.sdk("older", cudnn="9.13.0", gpus="", build_ids="catalogue"), "ops")
        for arguments, status, text in [
                (["--from", "sdk", "full"], 2, "bundle: full: not empty"),
                (["--from", "sdk", "text"], 2, "bundle: text: Not a directory"),
                (["--from", "sdk", "text/b"], 2, "bundle: text/b: Not a directory"),
                (["--from", "gone", "b"], 2, "bundle: gone: no such directory"),
                (["--from", "none", "b"], 3, "bundle: none: no cuDNN in it"),
                (["--from", "sdk", "--for", "text", "b"], 2, "bundle: --for text: not an ELF file; for a script, "
                                                            "check the program that runs it"),
                (["--from", "sdk", "--for", "app", "b"], 2, "bundle: --for app: no such file"),
                (["--from", "mixed", "b"], 1, "bundle: <scratch>/mixed/lib: the files of cuDNN are of more than one release; "
                                              "cudnn-checked doctor <scratch>/mixed/lib says more")]:
            with self.subTest(arguments=arguments):
                found = self.called("bundle", *arguments)
                self.assertEqual(found, (status, "", f"cudnn-checked: error: {text}\n"))
                self.assertEqual(sorted(self.scratch.glob("*.part")), [])
                self.assertFalse((self.scratch / "b").exists())

    def test_a_copy_that_does_not_fit(self):
        """What was copied by then is gone."""
        if why_no_mounts("unshare", "-rm"):
            self.skipTest(why_no_mounts("unshare", "-rm"))
        place = self.scratch / "small"
        place.mkdir()
        command = 'mount -t tmpfs -o size=16k tmpfs small && "$@"; status=$?; ls small; exit $status'
        done = subprocess.run(["unshare", "-rm", "sh", "-c", command, "sh", cudnn_checked_program(), "bundle", "--from",
                               "sdk", "small/b"], cwd=self.scratch, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True, env={"PATH": os.environ["PATH"]}, check=False)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertRegex(done.stderr, r"^cudnn-checked: error: bundle: small/b/libcudnn\S+: "
                                      r"No space left on device\n$")
