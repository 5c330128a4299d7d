# SPDX-License-Identifier: BSD-3-Clause
"""verify --no-gpu, --as and several files: for login nodes and CI, which have no GPU or another one."""

import json
import platform
import shutil

from checked_program import CheckedProgram, messages
from guarded_program import NO_DRIVER, PROJECT

OK = "cudnn-checked: ok: app would start"
HERE = "cuDNN 9.14.0 · CUDA 13.0"
COMPILE = 'compile it for this GPU as well: -DCMAKE_CUDA_ARCHITECTURES="86;75"'

CPU_UNKNOWN = """\
cudnn-checked: unknown: which libraries this program gets is decided by rules that are not known here
  expected:  the loader of glibc, without LD_AUDIT
  found:     $PLATFORM in <scratch>/$PLATFORM: the CPU that will run it decides
  Which cuDNN it gets cannot be predicted: what is found for it is unknown at most.
  fix: nothing; to have it checked, call cudnn_checked::check() once cuDNN is loaded
  [loader-unknown]
"""

TOO_OLD = """\
cudnn-checked: {verdict}: the NVIDIA driver is too old for CUDA 13.0
  needed:     580 or newer   CUDA Toolkit Release Notes, minimum driver for CUDA 13.x
  found:      470.0.00, CUDA 11.3   /--as/libcuda.so.470.0   already loaded
  built for:  CUDA 13.0   stamp of app
  Every CUDA call would fail with error 35, the CUDA driver version is insufficient.
  fix: upgrade the driver to 580.65.06 or newer, for a container on its host
   or: on a data-center GPU, install the package cuda-compat-13-0
  [driver-too-old]
"""


class OtherMachine(CheckedProgram):
    guard, device_code = "GPU;REQUIRED", "86-real"

    def check(self, *options, driver=False, libraries=(), **environment):
        return self.checked("verify", *options, self.app_path, driver=driver, libraries=libraries,
                            **environment)

    def names(self, *options, **more):
        status, out, _ = self.check("--json", *options, **more)
        tree = json.loads(out)
        return status, sorted(f["name"] for f in tree["findings"]), tree.get("assumed")

    def test_without_a_driver(self):
        self.assertEqual(self.check()[0], 1)
        self.assertEqual(self.check("--no-gpu"), (
            0, f"{OK} here: {HERE}; driver and GPUs are not checked\n", ""))
        self.assertEqual(self.names("--no-gpu"), (0, [], "no GPU is checked"))

    def test_no_gpu_checks_all_else(self):
        older = self.other_sdk(cudnn="9.13.1", cuda="13.0").library_directory
        for option in ["--no-gpu", "--as=sm_86,driver=580.65.06"]:
            status, names, _ = self.names(option, libraries=[older])
            self.assertEqual((status, names), (1, ["cudnn-older"]))
        front = self.scratch / "front"
        front.mkdir()
        (front / "libcudnn.so.9").write_bytes(b"")
        self.assertEqual(self.names("--no-gpu", libraries=[front])[:2], (1, ["library-corrupt"]))

    def test_as_another_machine(self):
        self.assertEqual(self.check("--as", "sm_86,driver=580.65.06"), (
            0, f"{OK} on sm_86,driver=580.65.06: {HERE} · sm_86\n", ""))
        self.assertEqual(self.names("--as", "sm_86,driver=580"), (0, [], "sm_86,driver=580"))
        self.assertEqual(self.names("--as", "sm_86,sm_89")[:2], (0, []))
        # This machine's own driver and GPU (sm_86) do not count.
        for own in [False, True]:
            self.assertEqual(self.names("--as", "sm_75,driver=580.65.06", driver=own)[:2],
                             (1, ["arch-not-built"]))
            self.assertEqual(self.names("--as", "sm_86,driver=470.57.02", driver=own)[:2],
                             (1, ["driver-too-old"]))
            self.assertEqual(self.names("--as", "sm_86,driver=580", driver=own,
                                        CUDA_VISIBLE_DEVICES="")[:2], (0, []))

    def test_the_cpu_of_another_machine_is_not_known(self):
        """$PLATFORM is glibc's word for the CPU: there it decides what the program gets."""
        for word in ("x86_64", "aarch64", "haswell", "xeon_phi"):
            (self.scratch / word).symlink_to(self.built_on.library_directory)
        folder = f"{self.scratch}/$PLATFORM"
        self.assertEqual(self.names("--no-gpu", libraries=[folder])[:2], (0, []))
        if platform.machine() != "x86_64":
            self.skipTest("it is the same on every CPU but those of x86-64")
        self.assertEqual(self.check("--as", "sm_86,driver=580", libraries=[folder]), (3, CPU_UNKNOWN, ""))
        # None of the words leads to a directory.
        self.assertEqual(self.names("--as", "sm_86,driver=580", libraries=[f"{self.scratch}/none/$PLATFORM"])[:2], (0, []))

    def test_the_message_names_the_machine(self):
        _, out, _ = self.check("--as", "sm_75,driver=580.65.06")
        self.assertEqual(messages(out), [("[arch-not-built]", COMPILE)])
        self.assertIn("  GPU 0:         sm_75   GPU of --as\n", out)

    def test_wrong_machines(self):
        for options, words in [
            (["--as", "sm_86,cuda=13"], "verify: --as sm_86,cuda=13: not an architecture or a driver: "
                                        "cuda=13; for example --as sm_86,driver=580.65.06"),
            (["--as", "driver=13"], "verify: --as driver=13: not an architecture or a driver: driver=13; "
                                    "for example --as sm_86,driver=580.65.06"),
            (["--as", "sm_x"], "verify: --as sm_x: not an architecture or a driver: sm_x; for example "
                               "--as sm_86,driver=580.65.06"),
            (["--no-gpu", "--as", "sm_86"], "verify: --no-gpu or --as, not both"),
            (["--nogpu"], "unknown option --nogpu; did you mean --no-gpu?"),
        ]:
            self.assertEqual(self.check(*options), (2, "", f"cudnn-checked: error: {words}\n"))
        self.assertEqual(self.checked("verify", self.app_path, "--as"), (
            2, "", "cudnn-checked: error: verify: --as needs a machine, for example --as "
                   "sm_86,driver=580.65.06\n"))


class NeedsTheDriver(CheckedProgram):
    """A program that is linked with libcuda.so.1, as many are that call the driver API."""

    device_code = "86-real"
    project = PROJECT + """
target_link_libraries(app PRIVATE "-Wl,--no-as-needed" "-L${CuDNNChecked_ROOT}/driver/lib" "-lcuda")
"""

    def check(self, *options, **more):
        return self.checked("verify", *options, self.app_path, **more)

    def test_it_has_none_here(self):
        status, out, err = self.check(driver=False)
        self.assertEqual((status, out.split("\n")[:2], err), (1, [
            "cudnn-checked: refused: there is no NVIDIA driver on this machine",
            "  needed:     libcuda.so.1   by <shared>/app-build/app"], ""))
        self.assertIn('  The loader ends it before main(): "error while loading shared libraries".\n', out)
        self.assertEqual(self.check(driver=True), (0, f"{OK} here: {HERE} · sm_86\n", ""))

    def test_without_gpu(self):
        self.assertEqual(self.check("--no-gpu", driver=False), (
            0, f"{OK} here: {HERE}; driver and GPUs are not checked\n", ""))

    def test_on_another_machine(self):
        self.assertEqual(self.check("--as", "sm_86,driver=580", driver=False), (
            0, f"{OK} on sm_86,driver=580: {HERE} · sm_86\n", ""))
        status, out, err = self.check("--as", "sm_75,driver=580", driver=False)
        self.assertEqual((status, messages(out), err), (1, [("[arch-not-built]", COMPILE)], ""))
        # The driver of this machine, which the loader would map, does not count.
        for own in [False, True]:
            self.assertEqual(self.check("--as", "sm_86,driver=470.57.02", driver=own), (1, """\
cudnn-checked: refused: the NVIDIA driver is too old for CUDA 13.0
  needed:     580 or newer   CUDA Toolkit Release Notes, minimum driver for CUDA 13.x
  found:      470.57.02, CUDA 11.4   /--as/libcuda.so.470.57.02   already loaded
  built for:  CUDA 13.0   stamp of app
  Every CUDA call would fail with error 35, the CUDA driver version is insufficient.
  fix: upgrade the driver to 580.65.06 or newer, for a container on its host
   or: on a data-center GPU, install the package cuda-compat-13-0
  [driver-too-old]
""", ""))

    def test_what_else_it_lacks_is_not_left_out(self):
        empty = self.scratch / "libcudnn.so.9"
        empty.write_bytes(b"")
        for options in (["--no-gpu"], ["--as", "sm_86,driver=580"]):
            status, out, _ = self.check(*options, driver=False, libraries=[self.scratch])
            self.assertEqual((status, out.split("\n")[0]), (
                1, "cudnn-checked: refused: a library of cuDNN is damaged: libcudnn.so.9"))

    def test_the_stub_of_a_toolkit(self):
        """It is on the search path of a login node at times, and is no driver."""
        stubs = self.scratch / "stubs"
        stubs.mkdir()
        shutil.copy(self.built_on.driver_directory / "libcuda.so.1", stubs)
        names = [name for name, _ in messages(self.check(driver=False, libraries=[stubs])[1])]
        self.assertEqual(names, ["[driver-missing]"])
        for options in (["--no-gpu"], ["--as", "sm_86,driver=580"]):
            status, out, _ = self.check(*options, driver=False, libraries=[stubs])
            self.assertEqual((status, messages(out)), (0, []))

    def test_run_and_processes_use_this_machine(self):
        for words in (["--no-gpu"], ["--as", "sm_86"], ["--as=sm_86"]):
            option = words[0].split("=")[0]
            self.assertEqual(self.checked("run", *words, "--", self.app_path), (
                2, "", f"cudnn-checked: error: run: {option} is for verify: run starts the program with the driver "
                       "and GPUs of this machine\n"))
            self.assertEqual(self.checked("verify", *words, "--pid", "1"), (
                2, "", f"cudnn-checked: error: verify: --pid and {option}: a process uses the driver and GPUs of "
                       "this machine\n"))


class WithoutNeedOfAGpu(CheckedProgram):
    device_code = "86-real"

    def test_it_starts_without_a_driver(self):
        missing = NO_DRIVER.format(verdict="note").replace("cudnn_checked", "cudnn-checked")
        self.assertEqual(self.checked("verify", self.app_path, driver=False), (0, f"{OK} here: {HERE}\n{missing}", ""))

    def test_a_driver_that_does_not_serve_the_gpu_is_refused(self):
        status, out, err = self.checked("verify", "--as", "sm_86,driver=470", self.app_path)
        self.assertEqual((status, out, err), (1, TOO_OLD.format(verdict="refused"), ""))

    def test_notes_are_told(self):
        """Of a machine that has no GPU, as far as is known."""
        status, out, err = self.checked("verify", "--as", "driver=470", self.app_path)
        self.assertEqual((status, out, err), (
            0, f"{OK} on driver=470: {HERE}\n{TOO_OLD.format(verdict='note')}", ""))
        tree = json.loads(self.checked("verify", "--json", "--as", "driver=470", self.app_path)[1])
        self.assertEqual([f["name"] for f in tree["findings"]], [name.strip("[]") for name, _ in messages(out)])


class SeveralFiles(CheckedProgram):
    guard = "GPU;REQUIRED"

    def test_each_has_its_answer(self):
        copy = self.app_path.with_name("copy")
        copy.write_bytes(self.app_path.read_bytes())
        copy.chmod(0o755)
        absent = self.scratch / "absent"
        fine = f"cudnn-checked: ok: {{}} would start here: {HERE} · sm_86\n"
        both = f"{self.relative(str(self.app_path))}:\n" + fine.format("app")
        self.assertEqual(self.checked("verify", self.app_path, copy), (
            0, both + f"{self.relative(str(copy))}:\n" + fine.format("copy"), ""))
        self.assertEqual(self.checked("verify", self.app_path, absent), (
            2, both + "<scratch>/absent:\n"
                      "cudnn-checked: error: verify: <scratch>/absent: no such file\n", ""))
        status, out, err = self.checked("verify", "--json", self.app_path, absent)
        tree = json.loads(out)
        self.assertEqual((status, err, tree["status"]), (2, "", 2))
        self.assertEqual([(one["status"], one["error"]) for one in tree["files"]], [
            (0, ""), (2, "verify: <scratch>/absent: no such file")])
        self.assertEqual(tree["files"][0]["report"]["verdict"], "ok")
        self.assertIsNone(tree["files"][1]["report"])

    def test_a_refusal_counts_most(self):
        self.assertEqual(self.checked("verify", self.app_path, self.scratch / "absent",
                                      driver=False)[0], 1)
