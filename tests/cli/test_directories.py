# SPDX-License-Identifier: BSD-3-Clause
"""doctor DIR and inspect DIR: the set that one points at, and nothing else of the machine."""

import base64
import hashlib
import json
import os
import platform
import re
import shutil
import subprocess

from checked_program import CalledTest
from fake_packages import record
from support import clean_environment, simulated_sdk
from support.command_line import cudnn_checked_program
from support.downloads import download
from support.environment import add_pip

ROLES = ["shim", "adv", "cnn", "engines_precompiled", "engines_runtime_compiled",
         "graph", "heuristic", "ops"]
HEADING = "<scratch>/{}: a directory with libraries of cuDNN\n"


class DirectoriesTest(CalledTest):
    def mixed(self):
        sdk = self.sdk(cudnn="9.14.0")
        other = self.sdk("other", cudnn="9.19.0")
        sdk.take_from(other, "heuristic")
        return sdk


class Hash(DirectoriesTest):
    """doctor --hash: the contents, against the record."""

    def setUp(self):
        super().setUp()
        self.site = self.scratch / "venv/lib/python3.12/site-packages"
        self.prefix = self.scratch / "venv"

    def put(self, folder):
        """The libraries of an SDK in that folder, without links, as packages have them."""
        folder.mkdir(parents=True)
        self.files = {}
        for path in sorted(simulated_sdk(cudnn="9.14.0").library_directory.glob("libcudnn*.so.9")):
            (folder / path.name).write_bytes(path.read_bytes())
            self.files[path.name] = folder / path.name

    def wheel(self):
        self.put(self.site / "nvidia/cudnn/lib")
        (self.prefix / "bin").mkdir()
        (self.prefix / "bin/python").touch()
        add_pip(self.site)
        info = record(self.site, "nvidia-cudnn-cu13", "9.14.0.64", [])
        digest = {path: base64.urlsafe_b64encode(hashlib.sha256(path.read_bytes()).digest()).decode().rstrip("=")
                  for path in self.files.values()}
        (info / "RECORD").write_text("".join(
            f"{path.relative_to(self.site)},sha256={digest[path]},{path.stat().st_size}\n" for path in digest))

    def conda(self):
        self.put(self.prefix / "lib")
        (self.prefix / "conda-meta").mkdir()
        (self.prefix / "conda-meta/libcudnn-9.14.0.64-h0_0.json").write_text(json.dumps({
            "name": "libcudnn", "version": "9.14.0.64", "build": "h0_0", "paths_data": {"paths": [
                {"_path": f"lib/{path.name}", "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
                 "size_in_bytes": path.stat().st_size} for path in self.files.values()]}}))

    def damage(self, name):
        """Zeros in the middle of it; its length stays, and its headers."""
        path = self.files[name]
        whole = path.read_bytes()
        middle = len(whole) // 2
        path.write_bytes(whole[:middle] + bytes(b ^ 0x55 for b in whole[middle:middle + 16]) + whole[middle + 16:])

    def test_a_wheel(self):
        self.wheel()
        before, hashed = self.called("doctor", "venv"), self.called("doctor", "--hash", "venv")
        self.assertEqual((before[0], hashed[0], hashed[2]), (0, 0, ""), hashed)
        rows = "contents\n  <scratch>/venv/lib/python3.12/site-packages/nvidia/cudnn/lib   8 of 8 files compared with the " \
               "recorded SHA-256\n"
        self.assertEqual(hashed[1].replace(rows, ""), before[1])
        self.assertIn(rows, hashed[1])
        self.damage("libcudnn_cnn.so.9")
        self.assertEqual(self.called("doctor", "venv"), before)
        status, out, _ = self.called("doctor", "--hash", "venv")
        self.assertEqual(status, 1)
        self.assertIn(f"""
error: a library of cuDNN is damaged: libcudnn_cnn.so.9
  expected:  a whole library
  found:     a file with other contents than recorded (SHA-256)   <scratch>/venv/lib/python3.12/site-packages/nvidia/cudnn/\
lib/libcudnn_cnn.so.9   chosen by RUNPATH of <scratch>/venv/lib/python3.12/site-packages/nvidia/cudnn/lib/libcudnn.so.9
  A call into what was changed crashes, or computes something else.
  fix: <scratch>/venv/bin/python -m pip install --force-reinstall --no-deps nvidia-cudnn-cu13==9.14.0.64
{download(release="9.14.0")}  [library-corrupt]
""", out)
        with self.subTest("of another length: record-differs reports it"):
            with open(self.files["libcudnn_cnn.so.9"], "ab") as file:
                file.write(bytes(16))
            tree = json.loads(self.called("doctor", "--hash", "--json", "venv")[1])["cudnn"][0]
            # A machine without CUDA has notes about cuBLAS and NVRTC.
            wrong = [f["name"] for f in tree["findings"] if f["severity"] != "note"]
            self.assertEqual((tree["compared"], wrong), (7, ["record-differs"]))

    def test_a_package_of_conda(self):
        self.conda()
        tree = json.loads(self.called("doctor", "--hash", "--json", "venv/lib")[1])["cudnn"][0]
        self.assertEqual((tree["compared"], tree["findings"]), (8, []))
        self.damage("libcudnn_ops.so.9")
        status, out, _ = self.called("doctor", "--hash", "--json", "venv/lib")
        tree = json.loads(out)["cudnn"][0]
        self.assertEqual((status, [f["name"] for f in tree["findings"]]), (1, ["library-corrupt"]))
        self.assertIn("libcudnn_ops.so.9", tree["findings"][0]["summary"])

    def test_nothing_is_recorded(self):
        self.sdk(cudnn="9.14.0")
        status, out, _ = self.called("doctor", "--hash", "sdk")
        self.assertEqual(status, 0)
        self.assertIn("contents\n  <scratch>/sdk/lib   no SHA-256 is recorded\n", out)


class Doctor(DirectoriesTest):
    def test_a_sound_set(self):
        self.sdk(cudnn="9.14.0", cuda="13.0")
        text = """\
cuDNN
  9.14.0   full   <scratch>/sdk/lib   command line   header 9.14.0

cudnn-checked: ok: 1 cuDNN, 0 errors, 0 warnings
"""
        for directory in ["sdk", "sdk/lib", self.scratch / "sdk/lib", "sdk/lib/"]:
            status, out, err = self.called("doctor", directory, CUDNN_ROOT="/absent",
                                           LD_LIBRARY_PATH="/absent")
            self.assertEqual((status, out.replace("lib/ ", "lib "), err), (0, text, ""))

    def test_something_else_in_the_place_of_a_library(self):
        """It is named, and nothing waits for it."""
        for kind, make in [("a FIFO", os.mkfifo), ("a directory", os.mkdir), ("a device", lambda path: os.symlink("/dev/zero", path))]:
            with self.subTest(kind=kind):
                sdk = self.sdk(kind[2:], cudnn="9.14.0")
                for path in sdk.library_directory.glob("libcudnn_ops.so*"):
                    path.unlink()
                path = sdk.library_directory / "libcudnn_ops.so.9.14.0"
                make(path)
                status, out, _ = self.called("doctor", sdk.prefix)
                self.assertEqual(status, 1)
                self.assertIn(f"""
error: a library of cuDNN is damaged: libcudnn_ops.so.9.14.0
  expected:  a whole library
  found:     {kind}   <scratch>/{kind[2:]}/lib/libcudnn_ops.so.9.14.0""", out)
                self.assertIn(f": {kind}\n", self.called("verify", path)[2])

    def test_a_mixed_one(self):
        self.mixed()
        status, out, _ = self.called("doctor", "sdk")
        self.assertEqual(status, 1)
        self.assertIn("\nerror: the files of cuDNN are of more than one release\n", out)
        self.assertTrue(out.endswith(
            "\ncudnn-checked: refused: 1 cuDNN, 1 of them broken, 1 error, 0 warnings\n"), out)
        tree = json.loads(self.called("doctor", "sdk", "--json")[1])
        self.assertEqual((tree["verdict"], tree["cudnn"][0]["findings"][0]["name"], tree["findings"],
                          tree["toolkits"]), ("refused", "mixed-sublibraries", [], []))

    def test_a_preloaded_one(self):
        """What a program gets that is linked with the one that is looked at."""
        self.sdk(cudnn="9.19.0")
        older, same = self.sdk("older", cudnn="9.14.0"), self.sdk("same", cudnn="9.19.0")
        jit = self.sdk("jit", cudnn="9.19.0", sublibraries="jit")
        self.assertEqual(self.called("doctor", "sdk", LD_PRELOAD=older.library())[::2], (0, ""))
        text = self.called("doctor", "sdk", LD_PRELOAD=older.library())[1]
        self.assertEqual(re.sub(r"(?s)^.*?\n(?=warning: a pre)", "", text), """\
warning: a preloaded library brings another cuDNN than that of <scratch>/sdk/lib
  there:       9.19.0   <scratch>/sdk/lib/libcudnn.so.9
  would load:  9.14.0   <scratch>/older/lib/libcudnn.so.9   chosen by LD_PRELOAD
  A program that is linked with the cuDNN there gets the preloaded one.
  fix: unset LD_PRELOAD
  [loader-override]

cudnn-checked: warning: 1 cuDNN, 0 errors, 1 warning
""")
        self.assertIn("  would load:  9.19.0, JIT-only   <scratch>/jit/lib/libcudnn.so.9   chosen by LD_PRELOAD\n",
                      self.called("doctor", "sdk", LD_PRELOAD=jit.library())[1])
        for library in [same.library(), same.library("graph"), "libm.so.6", self.scratch / "absent/libcudnn.so.9"]:
            with self.subTest(library=library):
                self.assertEqual(self.called("doctor", "sdk", LD_PRELOAD=library)[1], self.called("doctor", "sdk")[1])

    def test_a_preloaded_library_that_makes_a_mixture(self):
        self.sdk(cudnn="9.19.0")
        library = self.sdk("older", cudnn="9.14.0").library("graph")
        status, out, _ = self.called("doctor", "sdk", LD_PRELOAD=library)
        self.assertEqual((status, re.findall(r"(?m)^  .*: .*(?:<scratch>/older/lib/libcudnn_graph.*|LD_PRELOAD)$|^  \[.*", out)), (
            1, ["  graph:  9.14.0   <scratch>/older/lib/libcudnn_graph.so.9   chosen by LD_PRELOAD", "  fix: unset LD_PRELOAD",
                "  [mixed-sublibraries]"]), out)

    def test_several(self):
        self.mixed()
        status, out, _ = self.called("doctor", "other", "sdk")
        self.assertEqual(status, 1)
        self.assertEqual(re.findall(r"(?m)^  (9\.\S+).*<scratch>/(\w+)/lib ", out),
                         [("9.19.0", "other"), ("9.14.0", "sdk")])

    def test_a_broken_link(self):
        sdk = self.sdk(cudnn="9.14.0")
        (sdk.library_directory / "libcudnn_extra.so.9").symlink_to("libcudnn_extra.so.9.14.0")
        status, out, _ = self.called("doctor", "sdk")
        self.assertEqual(status, 1)
        self.assertIn("\nerror: a symbolic link of cuDNN is broken: libcudnn_extra.so.9\n", out)

    def test_an_environment_and_its_site_packages(self):
        sdk = self.sdk(cudnn="9.14.0")
        wheel = self.scratch / "venv/lib/python3.99/site-packages/nvidia/cudnn"
        wheel.mkdir(parents=True)
        sdk.library_directory.rename(wheel / "lib")
        for directory in ["venv", "venv/lib/python3.99/site-packages", wheel.parent, wheel, wheel / "lib"]:
            tree = json.loads(self.called("doctor", "--json", directory)[1])
            self.assertEqual([one["library"] for one in tree["cudnn"]], [
                "<scratch>/venv/lib/python3.99/site-packages/nvidia/cudnn/lib/libcudnn.so.9"])

    def test_what_debian_s_pip_installs_with_a_prefix(self):
        place = self.scratch / "P/local/lib/python3.99/dist-packages/nvidia/cudnn"
        place.mkdir(parents=True)
        self.sdk(cudnn="9.14.0").library_directory.rename(place / "lib")
        (record(place.parents[1], "nvidia-cudnn-cu13", "9.14.0.64", []) / "RECORD").unlink()
        for directory in ["P", "P/local", place.parents[1]]:
            tree = json.loads(self.called("doctor", "--json", directory)[1])
            self.assertEqual(([one["library"] for one in tree["cudnn"]], [one["directory"] for one in tree["environments"]]), (
                ["<scratch>/P/local/lib/python3.99/dist-packages/nvidia/cudnn/lib/libcudnn.so.9"],
                ["<scratch>/P/local/lib/python3.99/dist-packages"]))

    def test_the_same_one_several_times(self):
        """Named twice, through a link, and as a part of another."""
        self.test_what_debian_s_pip_installs_with_a_prefix()
        library = self.scratch / "P/local/lib/python3.99/dist-packages/nvidia/cudnn/lib"
        (library / "libcudnn_extra.so.9").symlink_to("libcudnn_extra.so.9.14.0")
        (self.scratch / "link").symlink_to("P")
        once = self.called("doctor", "P")
        self.assertIn(": 1 cuDNN, ", once[1])
        self.assertEqual(once[1].count("is broken: libcudnn_extra.so.9\n"), 1)
        for others in [["P"], ["P/"], ["link"], ["link/local"], [library], [library, "link", "P"]]:
            with self.subTest(others=others):
                self.assertEqual(self.called("doctor", "P", *others), once)
        (library / "libcudnn.so.9").unlink()
        for shim in library.glob("libcudnn.so*"):
            shim.unlink()
        self.assertEqual(self.called("doctor", "P", "link")[1].count("lie without"), 1)

    def test_a_file(self):
        library = self.sdk(cudnn="9.14.0").library()
        (self.scratch / "notes").write_text("no ELF file")
        prefix = "cudnn-checked: error: doctor: "
        for file, text in [
                (library, f"<scratch>/sdk/lib/{library.name}: not a directory; to check its cuDNN: cudnn-checked doctor "
                 "<scratch>/sdk/lib\n"),
                ("/bin/sh", "/bin/sh: not a directory; to check a program or a library: cudnn-checked verify /bin/sh\n"),
                ("notes", "notes: not a directory\n")]:
            with self.subTest(file=file):
                self.assertEqual(self.called("doctor", file), (2, "", prefix + text))

    def test_libraries_that_lost_their_shim(self):
        library = self.sdk(cudnn="9.14.0").library_directory
        (library / "libcudnn_ops_infer.so.8").write_bytes(b"")  # left of another major
        before = self.called("doctor", library)
        self.assertNotIn("lie without", before[1])
        for shim in library.glob("libcudnn.so*"):
            shim.unlink()
        status, out, _ = self.called("doctor", library)
        self.assertEqual(status, 1)
        for major in (8, 9):
            self.assertIn(f"\nerror: libraries of cuDNN lie without libcudnn.so.{major} in one directory\n", out)

    def test_none(self):
        (self.scratch / "empty").mkdir()
        self.assertEqual(self.called("doctor", "empty"), (
            3, "", "cudnn-checked: error: doctor: empty: no cuDNN in it\n"))
        self.assertEqual(self.called("doctor", "absent"), (
            2, "", "cudnn-checked: error: doctor: absent: no such directory\n"))

    def test_no_permission(self):
        """Whether one is in it is not known."""
        (self.scratch / "closed").mkdir(mode=0)
        # Root may list all directories, unless it gives that up.
        rights = "-dac_override,-dac_read_search"
        limited = [str(shutil.which("setpriv")), f"--bounding-set={rights}", f"--inh-caps={rights}"] if os.geteuid() == 0 else []
        if limited and (limited[0] == "None" or subprocess.run([*limited, "/bin/true"], stderr=subprocess.DEVNULL).returncode != 0):
            self.skipTest("root, and no setpriv that can limit its rights")
        for command in ("doctor", "probe"):
            done = subprocess.run([*limited, cudnn_checked_program(), command, "closed"], cwd=self.scratch, text=True,
                                  capture_output=True, env=clean_environment(self.scratch))
            self.assertEqual((done.returncode, done.stdout, done.stderr), (
                3, "", f"cudnn-checked: error: {command}: closed: no permission to list it\n"))

    def test_one_that_lies_deeper(self):
        sdk = self.sdk("AppDir/opt/cudnn", cudnn="9.14.0")
        self.assertEqual(self.called("doctor", "AppDir"), (
            3, "", "cudnn-checked: error: doctor: AppDir: no cuDNN where programs look in it; one lies deeper: "
                   "cudnn-checked doctor <scratch>/AppDir/opt/cudnn/lib\n"))
        self.assertIn("9.14.0", self.called("doctor", sdk.library_directory)[1])


class Inspect(DirectoriesTest):
    def test_each_library_once(self):
        sdk = self.sdk(cudnn="9.14.0")
        status, out, err = self.called("inspect", sdk.library_directory)
        self.assertEqual(err, "")
        lines = out.splitlines(keepends=True)
        self.assertEqual(lines[0], HEADING.format("sdk/lib"))
        self.assertEqual(sorted(line.split()[1] for line in lines[1:]), sorted(ROLES))
        machine = platform.machine()
        self.assertIn(f"  libcudnn_graph.so   graph   9.14.0   version word   {machine}   full length\n",
                      re.sub(r" {2,}", "   ", out).replace("\n   ", "\n  "))
        self.assertEqual(status, 0)
        tree = json.loads(self.called("inspect", "--json", sdk.library_directory)[1])
        self.assertEqual((tree["file"], sorted(one["role"] for one in tree["libraries"])),
                         ("<scratch>/sdk/lib", sorted(ROLES)))

    def test_a_damaged_one(self):
        sdk = self.sdk(cudnn="9.14.0")
        (sdk.library_directory / "libcudnn_ops.so.9.14.0").write_bytes(b"")
        status, out, _ = self.called("inspect", sdk.library_directory)
        self.assertEqual(status, 1)
        self.assertRegex(out, r"(?m)^  libcudnn_ops\.so +ops .* +empty$")

    def test_no_library(self):
        (self.scratch / "empty").mkdir()
        self.assertEqual(self.called("inspect", self.scratch / "empty"), (
            2, "", "cudnn-checked: error: inspect: <scratch>/empty: a directory without libraries of cuDNN\n"))
