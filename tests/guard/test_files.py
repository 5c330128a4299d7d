# SPDX-License-Identifier: BSD-3-Clause
"""What the guard says of the files of cuDNN before main, and where it stays silent."""

import subprocess

from guarded_program import PROJECT, GuardedProgram
from support.environment import compiler

LIBRARY = "<shared>/sdk/lib"
OWN = f"export LD_LIBRARY_PATH={LIBRARY}:$LD_LIBRARY_PATH"
MIXED = (
    "shim:         9.14.0   <scratch>/own/lib/libcudnn.so.9   chosen by LD_LIBRARY_PATH[0]\n",
    "heuristic:    9.19.0   <scratch>/own/lib/libcudnn_heuristic.so.9   chosen by LD_LIBRARY_PATH[0]\n",
    f"passed over:  9.14.0   {LIBRARY}/libcudnn_heuristic.so.9.14.0   chosen by RUNPATH of "
    f"{LIBRARY}/libcudnn_graph.so.9.14.0\n")


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
        self.assert_refused(
            self.start(older.library_directory),
            "this program was built with cuDNN 9.14.0 and would run on cuDNN 9.13.1\n", "cudnn-older", OWN,
            "would load:   9.13.1   <scratch>/other/lib/libcudnn_graph.so.9.13.1   chosen by LD_LIBRARY_PATH[0]\n",
            f"passed over:  9.14.0   {LIBRARY}/libcudnn.so.9   chosen by RUNPATH of <shared>/app-build/app\n")

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
        self.assert_refused(self.start(self.mixed()), "the files of cuDNN are of more than one release\n",
                            "mixed-sublibraries", OWN, *MIXED)

    def test_an_auditor(self):
        """What the loader takes is not known then: a mixture is said and not refused, a sound set is not mentioned."""
        auditor = self.scratch / "audit.so"
        subprocess.run([compiler("C"), "-shared", "-fPIC", "-x", "c", "-", "-o", auditor], check=True, text=True,
                       input="unsigned la_version(unsigned version) { return version; }\n")
        self.assert_runs(self.start(LD_AUDIT=str(auditor)))
        self.assertEqual(self.start(self.mixed(), LD_AUDIT=str(auditor)), (0, f"""\
cudnn_checked: warning: the files of cuDNN are of more than one release
  {"  ".join(MIXED)}\
  cuDNN does not compare all of its libraries: such a set has silently computed wrong numbers.
  fix: {OWN}
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
        self.assert_refused(
            self.start(wheel, other.library_directory),
            "nvidia-cudnn-cu13 lacks a library that its record lists\n", "library-missing",
            "for a command: cudnn-checked verify <shared>/app-build/app",
            f"listed:         libcudnn_graph.so.9   <scratch>/{site}/nvidia_cudnn_cu13-9.14.0.64.dist-info/RECORD\n",
            f"found:          no such file   <scratch>/{site}/nvidia/cudnn/lib\n",
            "taken instead:  9.19.0   <scratch>/other/lib/libcudnn_graph.so.9   chosen by LD_LIBRARY_PATH[1]\n")

    def test_a_sub_library_cut_off(self):
        cut = self.own_set()
        victim = cut.library_directory / "libcudnn_ops.so.9.14.0"
        size = victim.stat().st_size
        with open(victim, "r+b") as file:
            file.truncate(size // 2)
        self.assert_refused(self.start(cut.library_directory),
                            "a library of cuDNN is damaged: libcudnn_ops.so.9.14.0\n", "library-corrupt", OWN,
                            f"expected:  a whole library\n  found:     {size // 2} bytes of ")


class BuiltOn81(GuardedProgram):
    """The case that this project began with."""

    sdk_options = {"cudnn": "8.1.0", "cuda": "11.2", "gpus": "sm_86"}

    def test_run_on_805(self):
        older = self.other_sdk(cudnn="8.0.5", cuda="11.2")
        self.assert_refused(
            self.start(older.library_directory),
            "this program was built with cuDNN 8.1.0 and would run on cuDNN 8.0.5\n", "cudnn-older", OWN,
            "would load:   8.0.5   <scratch>/other/lib/libcudnn_ops_infer.so.8   chosen by LD_LIBRARY_PATH[0]\n",
            f"passed over:  8.1.0   {LIBRARY}/libcudnn.so.8   chosen by RUNPATH of <shared>/app-build/app\n")

    def test_a_sub_library_missing(self):
        partial = self.own_set()
        for path in partial.library_directory.glob("libcudnn_cnn_infer.so*"):
            path.unlink()
        self.assert_refused(
            self.start(partial.library_directory),
            "a sub-library of cuDNN is missing: libcudnn_cnn_infer.so.8\n", "sublibrary-missing", OWN,
            "found:   8.1.0   <scratch>/own/lib/libcudnn_ops_infer.so.8   chosen by LD_LIBRARY_PATH[0]\n")

    def test_run_on_its_own(self):
        self.assert_runs(self.start(), 8100)


class PolicyExact(GuardedProgram):
    guard = "POLICY;exact"

    def test_its_own_release(self):
        self.assert_runs(self.start())

    def test_another_patch_release(self):
        patched = self.other_sdk(cudnn="9.14.1", cuda="13.0")
        self.assert_refused(
            self.start(patched.library_directory), "this program", "cudnn-differs", OWN,
            'Its policy is "exact": it may run on the release that it was built with only.\n')


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
