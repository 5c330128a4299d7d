# SPDX-License-Identifier: BSD-3-Clause
"""Fixes of what refuses a program: its own guard, and verify."""

from breaking import (OLDER, OTHER_CUDA, OTHER_MAJOR, added, all_of, broken_link, cut, deleted, for_this_cpu,
                      instead, library_path, of_another, preloaded, uninstalled, unlinked, variable, without_pip, zeroed)
from harness import Fault
from broken_programs import BOTH, VERIFY, Programs


class WithoutGpu(Programs):
    faults = (
        Fault("library path leads to cuDNN for another CUDA", "cuda-major", library_path(OTHER_CUDA), BOTH),
        Fault("library path leads to an older cuDNN", "cudnn-older", library_path(OLDER), BOTH),
        Fault("library path has an older cuDNN among other entries", "cudnn-older",
              library_path("/opt/mkl", OLDER, "/opt/mpi"), BOTH),
        Fault("library path has two stale cuDNNs", "cudnn-older", library_path(OLDER, OTHER_CUDA), BOTH),
        Fault("older cuDNN preloaded", "cudnn-older", preloaded(OLDER), BOTH),
        Fault("sub-library deleted", "library-missing", deleted("cnn"), BOTH),
        Fault("graph library deleted", "library-missing", deleted("graph"), BOTH),
        Fault("graph library deleted where another cuDNN lends one", "library-missing", all_of(
            deleted("graph"), lambda world: library_path(str(world.lib), OLDER)(world)), BOTH),
        Fault("sub-library deleted and no record", "sublibrary-missing|mixed-sublibraries",
              deleted("cnn", record=False), BOTH),
        Fault("sub-library of another release", "mixed-sublibraries", of_another("heuristic"), BOTH),
        Fault("sub-library of another release and no record", "mixed-sublibraries",
              of_another("heuristic", record=False), BOTH),
        Fault("sub-library for another CUDA", "mixed-sublibraries",
              of_another("engines_precompiled", wheel=OTHER_CUDA), BOTH),
        Fault("sub-library of another release in a folder for this CPU", "mixed-sublibraries",
              for_this_cpu("heuristic"), (VERIFY,)),
        Fault("half an upgrade", "mixed-sublibraries", of_another("ops", "cnn", "adv", "heuristic"), BOTH),
        Fault("cu12 over cu13 in one environment", "cuda-major", added(OTHER_CUDA), BOTH),
        Fault("older wheel", "cudnn-older", instead(OLDER), BOTH),
        Fault("wheel for another CUDA instead", "cuda-major", instead(OTHER_CUDA), BOTH),
        Fault("wheel of another major", "cudnn-major|cudnn-not-found", instead(OTHER_MAJOR), (VERIFY,)),
        Fault("no wheel", "cudnn-not-found", uninstalled("nvidia-cudnn-cu13"), (VERIFY,)),
        Fault("empty library", "library-corrupt", cut("ops", 0), BOTH),
        Fault("truncated library", "library-corrupt", cut("engines_precompiled", 9000), BOTH),
        Fault("library of zeros", "library-corrupt", zeroed("graph", 4096), BOTH),
        Fault("empty shim", "library-corrupt", cut("", 0), (VERIFY,)),
        Fault("library is a broken link", "library-missing", broken_link("adv"), BOTH),
        Fault("cuBLAS deleted", "dependency-missing", unlinked("cu13/lib/libcublasLt.so.13"), (VERIFY,)),
        Fault("NVRTC and its record deleted", "dependency-missing", lambda world: (
            unlinked("cu13/lib/libnvrtc.so.13", "cu13/lib/libnvrtc-builtins.so.13.0")(world),
            world.forget("nvidia-cuda-nvrtc")), (VERIFY,)),
        Fault("misspelt mode", "bad-input|not a mode", variable("CUDNN_CHECKED", "ofl"), BOTH),
        Fault("not executable", "cannot-start", lambda world: (world.root / "app/app").chmod(0o644), (VERIFY,)),
        Fault("without pip, sub-library deleted", "library-missing",
              without_pip(deleted("cnn")), BOTH),
        Fault("without pip, older wheel", "cudnn-older", without_pip(instead(OLDER)), BOTH),
    )
