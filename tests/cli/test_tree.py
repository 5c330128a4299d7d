# SPDX-License-Identifier: BSD-3-Clause
"""verify --root: a program in the tree of a container, as the container's own loader would start it."""

import json
import os
import pathlib
import shutil
import subprocess

from checked_program import CheckedProgram
from support.command_line import cudnn_checked_program

OK = "cudnn-checked: ok: app would start in <scratch>/tree"
HERE = "cuDNN 9.14.0 · CUDA 13.0"
NOT_CHECKED = "; driver and GPUs are not checked"
NO_CUDNN = """\
cudnn-checked: refused: the loader finds no libcudnn.so.9 for this program
"""


def libraries_of_the_system(program):
    """What a program needs besides cuDNN and CUDA, and its loader: names that it has in the system."""
    out = subprocess.run(["ldd", program], stdout=subprocess.PIPE, text=True, check=True,
                         env={**os.environ, "LD_LIBRARY_PATH": ""}).stdout
    paths = [word for line in out.splitlines() for word in line.split() if word.startswith("/")]
    return [path for path in paths if path.startswith(("/lib", "/usr/lib")) and "libcu" not in path]


class Tree(CheckedProgram):
    device_code = "86-real"

    def setUp(self):
        super().setUp()
        self.tree = self.scratch / "tree"
        self.put(self.app_path, "/opt/app")
        for path in libraries_of_the_system(self.app_path):
            self.put(path, path)
        self.set_directory = self.put_set("/opt/cudnn")

    def put(self, source, path):
        target = self.tree / path[1:]
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(os.path.realpath(source), target)
        return target

    def put_set(self, path, sdk=None):
        shutil.copytree((sdk or self.built_on).library_directory, self.tree / path[1:],
                        symlinks=True)
        return path

    def verify_tree(self, *arguments, program="/opt/app", library_path="/opt/cudnn", **environment):
        variables = ["--env", f"LD_LIBRARY_PATH={library_path}"] if library_path else []
        return self.checked("verify", "--root", self.tree, *variables, *arguments, program,
                            driver=False, **environment)

    def names(self, *arguments, **more):
        status, out, err = self.verify_tree("--json", *arguments, **more)
        self.assertEqual(err, "")
        tree = json.loads(out)
        paths = {pathlib.Path(file["path"]).parent for file in tree["cudnn"]["files"]
                 if file["path"]}
        return status, [f["name"] for f in tree["findings"]], {str(path) for path in paths}

    def test_a_program_of_the_tree(self):
        self.assertEqual(self.verify_tree(), (0, f"{OK}: {HERE}{NOT_CHECKED}\n", ""))
        self.assertEqual(self.names(), (0, [], {"/opt/cudnn"}))
        report = json.loads(self.verify_tree("--json")[1])
        self.assertEqual((report["root"], report["assumed"]),
                         ("<scratch>/tree", "no GPU is checked"))

    def test_for_a_machine(self):
        self.assertEqual(self.verify_tree("--as", "sm_86,driver=580.65.06"), (
            0, f"{OK} on sm_86,driver=580.65.06: {HERE} · sm_86\n", ""))
        self.assertEqual(self.names("--as", "sm_75,driver=580.65.06")[:2], (1, ["arch-not-built"]))

    def test_names_of_this_machine_are_those_of_the_tree(self):
        for here, name in [
            (self.tree, "opt/app"),
            (self.scratch, self.tree / "opt/app"),
            (self.scratch, "tree/opt/app"),
            (self.tree, "../tree/opt/app"),
        ]:
            done = subprocess.run(
                [cudnn_checked_program(), "verify", "--root", self.tree, "--env",
                 "LD_LIBRARY_PATH=/opt/cudnn", name], cwd=here, stdout=subprocess.PIPE, text=True)
            self.assertEqual((done.returncode, self.relative(done.stdout)),
                             (0, f"{OK}: {HERE}{NOT_CHECKED}\n"), name)

    def test_this_machine_s_variables_and_libraries_do_not_count(self):
        # The run path of the program leads to the set on this machine, which the tree lacks.
        status, out, _ = self.verify_tree(library_path="")
        self.assertEqual((status, out.splitlines(True)[0]), (1, NO_CUDNN))
        status, out, _ = self.verify_tree(
            library_path="", LD_LIBRARY_PATH=str(self.built_on.library_directory))
        self.assertEqual((status, out.splitlines(True)[0]), (1, NO_CUDNN))
        # One that this machine has and the tree has not.
        older = self.other_sdk(cudnn="9.13.1", cuda="13.0").library_directory
        self.assertEqual(self.names(library_path=f"{older}:/opt/cudnn"),
                         (0, [], {"/opt/cudnn"}))

    def test_faults_of_the_tree_are_found(self):
        self.put_set("/opt/older", self.other_sdk(cudnn="9.13.1", cuda="13.0"))
        self.assertEqual(self.names(library_path="/opt/older:/opt/cudnn")[:2],
                         (1, ["cudnn-older"]))
        (self.tree / "opt/cudnn/libcudnn_graph.so.9").resolve().write_bytes(b"")
        self.assertEqual(self.names()[:2], (1, ["library-corrupt"]))

    def test_fixes_are_for_the_container(self):
        self.put_set("/opt/older", self.other_sdk(cudnn="9.13.1", cuda="13.0"))
        report = json.loads(self.verify_tree("--json", library_path="/opt/older:/opt/cudnn")[1])
        self.assertEqual([f["fixes"] for f in report["findings"]], [
            [{"kind": "advice", "text": "in the container: export LD_LIBRARY_PATH=/opt/cudnn"},
             {"kind": "advice", "text": "let the loader find cuDNN 9.14 or newer before /opt/older"}]])

    def test_links_stay_in_the_tree(self):
        older = self.other_sdk(cudnn="9.13.1", cuda="13.0").library_directory
        # Absolute for the tree; on this machine the same name is another cuDNN.
        link = self.tree / str(older)[1:]
        link.parent.mkdir(parents=True)
        link.symlink_to("/opt/cudnn")
        self.assertEqual(self.names(library_path=str(older))[:2], (0, []))
        up = self.tree / "opt/up"
        up.symlink_to("../../../../../opt/cudnn")
        self.assertEqual(self.names(library_path="/opt/up")[:2], (0, []))
        (self.tree / "opt/started").symlink_to("/opt/app")
        self.assertEqual(self.verify_tree(program="/opt/started")[0], 0)
        (self.tree / "opt/circle").symlink_to("/opt/circle")
        self.assertEqual(self.verify_tree(program="/opt/circle"), (
            2, "", "cudnn-checked: error: verify: in <scratch>/tree: /opt/circle: no such file\n"))

    def test_a_preload_of_the_tree(self):
        self.put_set("/opt/older", self.other_sdk(cudnn="9.13.1", cuda="13.0"))
        (self.tree / "etc").mkdir()
        (self.tree / "etc/ld.so.preload").write_text("/opt/older/libcudnn.so.9\n")
        self.assertEqual(self.names()[0], 1)

    def test_the_cache_of_the_tree(self):
        if os.geteuid() != 0:
            self.skipTest("ldconfig -r changes the root, which only root may do")
        ldconfig = shutil.which("ldconfig", path="/sbin:/usr/sbin")
        (self.tree / "etc").mkdir()
        (self.tree / "etc/ld.so.conf").write_text("/opt/cudnn\n")
        subprocess.run([ldconfig, "-r", str(self.tree)], check=True)
        self.assertEqual(self.names(library_path=""), (0, [], {"/opt/cudnn"}))

    def test_a_tree_of_another_machine(self):
        # The program says that it is for aarch64: its own loader would start it, not this machine's.
        for path in self.tree.rglob("*"):
            if path.is_file() and path.read_bytes()[:4] == b"\x7fELF":
                contents = bytearray(path.read_bytes())
                contents[18:20] = (183).to_bytes(2, "little")
                path.write_bytes(contents)
        (self.tree / "lib/x86_64-linux-gnu").rename(self.tree / "lib/aarch64-linux-gnu")
        self.assertEqual(self.names(), (0, [], {"/opt/cudnn"}))
        self.put(self.built_on.library_directory / "libcudnn.so.9", "/opt/cudnn/libcudnn.so.9")
        self.assertEqual(self.names()[0], 1)

    def test_wrong_usage(self):
        absent = self.scratch / "absent"
        for arguments, words in [
            (["--root", absent, "app"], "verify: --root <scratch>/absent: not a directory that can "
                                        "be read"),
            (["--root", self.app_path, "app"], "verify: --root <shared>/app-build/app: not a "
                                               "directory that can be read"),
            (["--root", self.tree, "absent"], "verify: in <scratch>/tree: /absent: no such file"),
            (["--root", self.tree, "/opt"], "verify: in <scratch>/tree: /opt: a directory"),
            (["--root", self.tree, "--pid", "1"], "verify: --root or --pid, not both"),
            (["--root", self.tree, "--env", "LD_LIBRARY_PATH", "app"],
             "verify: --env LD_LIBRARY_PATH: not NAME=VALUE"),
            (["--env", "A=b", "app"], "verify: --env is for --root; for a program of this machine, "
                                      "set the variable of cudnn-checked itself"),
            (["app", "--root"], "verify: --root needs the directory of a container's tree"),
            (["app", "--root", self.tree, "--env"],
             "verify: --env needs a variable, for example --env LD_LIBRARY_PATH=/opt/lib"),
        ]:
            self.assertEqual(self.checked("verify", *arguments),
                             (2, "", f"cudnn-checked: error: {words}\n"))
