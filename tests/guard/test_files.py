# SPDX-License-Identifier: BSD-3-Clause
"""What the guard says of the files of cuDNN before main, and where it stays silent."""

import subprocess

from guarded_program import PROJECT, GuardedProgram
from support.environment import compiler

LIBRARY = "<shared>/sdk/lib"


class BuiltOn914(GuardedProgram):
    def test_the_cudnn_it_was_built_on(self):
        self.assert_runs(self.start())

    def test_a_newer_minor_release(self):
        newer = self.other_sdk(cudnn="9.19.0", cuda="13.0")
        self.assert_runs(self.start(newer.library_directory), 91900)

    def test_another_patch_release(self):
        patched = self.other_sdk(cudnn="9.14.1", cuda="13.0")
        self.assert_runs(self.start(patched.library_directory), 91401)

    def test_an_older_minor_release(self):
        older = self.other_sdk(cudnn="9.13.1", cuda="13.0")
        self.assertEqual(self.start(older.library_directory), (78, f"""\
cudnn_checked: refused: this program was built with cuDNN 9.14.0 and would run on cuDNN 9.13.1
  built with:   9.14.0   stamp of app
  would load:   9.13.1   <scratch>/other/lib/libcudnn_graph.so.9.13.1   chosen by LD_LIBRARY_PATH[0]
  shim:         9.13.1   <scratch>/other/lib/libcudnn.so.9   chosen by LD_LIBRARY_PATH[0]
  passed over:  9.14.0   {LIBRARY}/libcudnn.so.9   chosen by RUNPATH of <shared>/app-build/app
  An older minor release of cuDNN may lack functions that the program calls.
  fix: export LD_LIBRARY_PATH={LIBRARY}:$LD_LIBRARY_PATH
  [cudnn-older]
  override: CUDNN_CHECKED=warn
"""))

    def mixed(self):
        """The folder of the program's cuDNN with the heuristic of another release."""
        other = self.other_sdk(cudnn="9.19.0", cuda="13.0")
        mixed = self.own_set()
        heuristic = mixed.library("heuristic")
        for path in mixed.library_directory.glob("libcudnn_heuristic.so*"):
            path.unlink()
        heuristic.symlink_to(other.library_directory / "libcudnn_heuristic.so.9.19.0")
        return mixed.library_directory

    def test_a_file_of_another_release(self):
        status, output = self.start(self.mixed())
        self.assertEqual((status, output), (78, f"""\
cudnn_checked: refused: the files of cuDNN are of more than one release
  shim:         9.14.0   <scratch>/own/lib/libcudnn.so.9   chosen by LD_LIBRARY_PATH[0]
  heuristic:    9.19.0   <scratch>/own/lib/libcudnn_heuristic.so.9   chosen by LD_LIBRARY_PATH[0]
  passed over:  9.14.0   {LIBRARY}/libcudnn_heuristic.so.9.14.0   chosen by RUNPATH of {LIBRARY}/libcudnn_graph.so.9.14.0
  cuDNN does not compare all of its libraries: such a set has silently computed wrong numbers.
  fix: export LD_LIBRARY_PATH={LIBRARY}:$LD_LIBRARY_PATH
  [mixed-sublibraries]
  override: CUDNN_CHECKED=warn
"""))

    def test_an_auditor(self):
        """What the loader takes is not known then: a mixture is said and not refused, a sound set is not mentioned."""
        auditor = self.scratch / "audit.so"
        subprocess.run([compiler("C"), "-shared", "-fPIC", "-x", "c", "-", "-o", auditor], check=True, text=True,
                       input="unsigned la_version(unsigned version) { return version; }\n")
        self.assert_runs(self.start(LD_AUDIT=str(auditor)))
        self.assertEqual(self.start(self.mixed(), LD_AUDIT=str(auditor)), (0, f"""\
cudnn_checked: warning: the files of cuDNN are of more than one release
  shim:         9.14.0   <scratch>/own/lib/libcudnn.so.9   chosen by LD_LIBRARY_PATH[0]
  heuristic:    9.19.0   <scratch>/own/lib/libcudnn_heuristic.so.9   chosen by LD_LIBRARY_PATH[0]
  passed over:  9.14.0   {LIBRARY}/libcudnn_heuristic.so.9.14.0   chosen by RUNPATH of {LIBRARY}/libcudnn_graph.so.9.14.0
  cuDNN does not compare all of its libraries: such a set has silently computed wrong numbers.
  fix: export LD_LIBRARY_PATH={LIBRARY}:$LD_LIBRARY_PATH
  [mixed-sublibraries]
and: which libraries this program gets is decided by rules that are not known here
  expected:  the loader of glibc, without LD_AUDIT
  found:     LD_AUDIT=<scratch>/audit.so
  Which cuDNN it gets cannot be predicted: what is found for it is unknown at most.
  fix: nothing; to have it checked, call cudnn_checked::check() once cuDNN is loaded
  [loader-unknown]
main runs on 91400
"""))

    def test_a_wheel_without_its_graph_library(self):
        wheel = self.wheel("libcudnn_graph.so.9")
        other = self.other_sdk(cudnn="9.19.0", cuda="13.0")
        site = "venv/lib/python3.12/site-packages"
        self.assertEqual(self.start(wheel, other.library_directory), (78, f"""\
cudnn_checked: refused: nvidia-cudnn-cu13 lacks a library that its record lists
  listed:         libcudnn_graph.so.9   <scratch>/{site}/nvidia_cudnn_cu13-9.14.0.64.dist-info/RECORD
  found:          no such file   <scratch>/{site}/nvidia/cudnn/lib
  taken instead:  9.19.0   <scratch>/other/lib/libcudnn_graph.so.9   chosen by LD_LIBRARY_PATH[1]
  An interrupted installation, or the removal of another package with the same folder, causes this; \
the package manager still lists the files.
  fix: for a command: cudnn-checked verify <shared>/app-build/app
  [library-missing]
  override: CUDNN_CHECKED=warn
"""))

    def test_a_sub_library_cut_off(self):
        cut = self.own_set()
        victim = cut.library_directory / "libcudnn_ops.so.9.14.0"
        size = victim.stat().st_size
        with open(victim, "r+b") as file:
            file.truncate(size // 2)
        status, output = self.start(cut.library_directory)
        self.assertEqual(status, 78)
        self.assertIn(
            "cudnn_checked: refused: a library of cuDNN is damaged: libcudnn_ops.so.9.14.0\n"
            "  expected:  a whole library\n"
            f"  found:     {size // 2} bytes of ", output)
        self.assertTrue(output.endswith(
            "   <scratch>/own/lib/libcudnn_ops.so.9.14.0   chosen by LD_LIBRARY_PATH[0]\n"
            "  Loading it ends the process with a signal, or cuDNN continues without it.\n"
            f"  fix: export LD_LIBRARY_PATH={LIBRARY}:$LD_LIBRARY_PATH\n"
            "  [library-corrupt]\n"
            "  override: CUDNN_CHECKED=warn\n"), output)


class BuiltOn81(GuardedProgram):
    """The case that this project began with."""

    sdk_options = {"cudnn": "8.1.0", "cuda": "11.2", "gpus": "sm_86"}

    def test_run_on_805(self):
        older = self.other_sdk(cudnn="8.0.5", cuda="11.2")
        self.assertEqual(self.start(older.library_directory), (78, f"""\
cudnn_checked: refused: this program was built with cuDNN 8.1.0 and would run on cuDNN 8.0.5
  built with:   8.1.0   stamp of app
  would load:   8.0.5   <scratch>/other/lib/libcudnn_ops_infer.so.8   chosen by LD_LIBRARY_PATH[0]
  shim:         8.0.5   <scratch>/other/lib/libcudnn.so.8   chosen by LD_LIBRARY_PATH[0]
  passed over:  8.1.0   {LIBRARY}/libcudnn.so.8   chosen by RUNPATH of <shared>/app-build/app
  An older minor release of cuDNN may lack functions that the program calls.
  fix: export LD_LIBRARY_PATH={LIBRARY}:$LD_LIBRARY_PATH
  [cudnn-older]
  override: CUDNN_CHECKED=warn
"""))

    def test_a_sub_library_missing(self):
        partial = self.own_set()
        for path in partial.library_directory.glob("libcudnn_cnn_infer.so*"):
            path.unlink()
        self.assertEqual(self.start(partial.library_directory), (78, f"""\
cudnn_checked: refused: a sub-library of cuDNN is missing: libcudnn_cnn_infer.so.8
  needed:  libcudnn_cnn_infer.so.8
  found:   8.1.0   <scratch>/own/lib/libcudnn_ops_infer.so.8   chosen by LD_LIBRARY_PATH[0]
  cuDNN does not report it: depending on the file it aborts, fails later, runs slower or computes \
wrong numbers.
  fix: export LD_LIBRARY_PATH={LIBRARY}:$LD_LIBRARY_PATH
  [sublibrary-missing]
  override: CUDNN_CHECKED=warn
"""))

    def test_run_on_its_own(self):
        self.assert_runs(self.start(), 8100)


class PolicyExact(GuardedProgram):
    guard = "POLICY;exact"

    def test_its_own_release(self):
        self.assert_runs(self.start())

    def test_another_patch_release(self):
        patched = self.other_sdk(cudnn="9.14.1", cuda="13.0")
        status, output = self.start(patched.library_directory)
        self.assertEqual(status, 78)
        self.assertIn("  Its policy is \"exact\": it may run on the release that it was built with only.\n"
                      f"  fix: export LD_LIBRARY_PATH={LIBRARY}:$LD_LIBRARY_PATH\n"
                      "  [cudnn-differs]\n", output)


class PolicyMajor(GuardedProgram):
    guard = "POLICY;major"

    def test_an_older_minor_release(self):
        older = self.other_sdk(cudnn="9.13.1", cuda="13.0")
        self.assert_runs(self.start(older.library_directory), 91301)


class WithoutCudnn(GuardedProgram):
    """A program that will open cuDNN itself is not judged on what the loader would find."""

    project = PROJECT.replace("CuDNNChecked::cudnn CuDNNChecked::cudart", "CuDNNChecked::guard")
    main = "#include <cstdio>\nint main() { std::puts(\"main runs on 0\"); }\n"

    def test_an_older_cudnn_on_the_loaders_path(self):
        older = self.other_sdk(cudnn="9.13.1", cuda="13.0")
        self.assert_runs(self.start(older.library_directory), 0)
