# SPDX-License-Identifier: BSD-3-Clause
"""Fixes of what a program meets on its machine: driver and GPUs, its own file; and of libraries without a stamp."""

import shutil
import subprocess

from breaking import (CUDA, CUDNN, OLDER, OTHER_CUDA, active, all_of, deleted, instead, of_another, package, uninstalled,
                      variable)
from harness import Fault, advice
from local_index import write
from environments import PYTHON
from broken_programs import APP, BOTH, LIBRARY, VERIFY, Programs, framework
from support import simulated_sdk
from support.environment import compiler
from support.patching import patchelf


def stub(world):
    """The toolkit's libcuda, before the driver's."""
    path = world.root / "cuda's" / "lib64" / "stubs" / "libcuda.so.1"
    path.parent.mkdir(parents=True)
    subprocess.run([compiler("C"), "-shared", "-nostdlib", "-xc", "/dev/null", "-o", str(path),
                    "-Wl,-soname,libcuda.so.1"], check=True)
    world.environment["LD_LIBRARY_PATH"] = f"{path.parent}:{world.environment['LD_LIBRARY_PATH']}"


def old_driver(world):
    other = simulated_sdk(cudnn=None, cuda=None, driver="535.104.05", gpus="sm_86")
    world.environment.update(other.environment)


def without_driver(world):
    del world.environment["LD_LIBRARY_PATH"]


def without_run_path(world):
    patchelf(world.root / "app/app", "--remove-rpath")


def needs_only_cudnn(world):
    """As a program that was linked without the wheels' other directories."""
    for name in ["libnvrtc.so.13", "libnvrtc-builtins.so.13.0", "libcublasLt.so.13"]:
        patchelf(world.root / "app/app", "--remove-needed", name)


def without_loader(world):
    patchelf(world.root / "app/app", "--set-interpreter", "/lib64/ld-linux-x86-64.so.99")


def damaged_stamp(world):
    program = world.root / "app/app"
    program.write_bytes(program.read_bytes().replace(b'{"schema"', b'["schema"'))


def newline(world):
    """The folder of a damaged cuDNN has a name that no terminal shows as it is."""
    write(world.library("ops"), b"")
    odd = world.root / "od\nd"
    shutil.copytree(world.lib, odd)
    world.library("ops").unlink()
    world.environment["LD_LIBRARY_PATH"] = f"{odd}:{world.environment.get('LD_LIBRARY_PATH', '')}"


class WithGpu(Programs):
    """The driver is found through LD_LIBRARY_PATH, so no fix may empty it."""

    guard, device_code = "GPU;REQUIRED", "86-real"
    faults = (
        Fault("newline in a folder's name", "library-corrupt", newline, (VERIFY,)),
        Fault("stub of the driver on the library path", "driver-missing", stub, BOTH),
        Fault("GPUs hidden", "no-device", variable("CUDA_VISIBLE_DEVICES", ""), BOTH),
        Fault("older cuDNN before the driver on the library path", "cudnn-older", lambda world: variable(
            "LD_LIBRARY_PATH", f"{world.unpack(OLDER, 'old')}:{world.environment['LD_LIBRARY_PATH']}")(world), BOTH),
        Fault("no run path", "cudnn-not-found|dependency-missing", all_of(
            needs_only_cudnn, without_run_path, active), (VERIFY,)),
        Fault("cuBLAS not on the run path", "dependency-missing", lambda world: patchelf(
            world.root / "app/app", "--set-rpath", str(world.lib)), (VERIFY,)),
    )
    without_command = (
        advice("no driver", "driver-missing", without_driver, BOTH,
               "a driver is installed for the kernel of a machine that has a GPU, not by a line"),
        advice("compiled for another GPU", "arch-not-built", variable("SIMULATED_GPUS", "sm_75"), (APP,),
               "where it is built, and from what, is not known where it runs"),
        advice("GPU older than cuDNN supports", "arch-below-cudnn", variable("SIMULATED_GPUS", "sm_60"), (APP,),
               "which GPU or which release the program is for is a decision"),
        advice("driver too old", "driver-too-old", old_driver, BOTH,
               "a driver is installed for the kernel of the machine, by who administers it"),
        advice("loader is not there", "cannot-start", without_loader, (VERIFY,),
               "the program is of another system: to build it there or to run it elsewhere is a decision"),
        advice("stamp is damaged", "stamp-unreadable", damaged_stamp, (VERIFY,),
               "where it is built, and from what, is not known where it runs"),
        advice("newline in a folder's name, at the start", "library-corrupt", newline, (APP,),
               "what is printed for the name is not the name"),
        advice("auditor in the loader", "loader-unknown", variable("LD_AUDIT", "/nowhere/audit.so"), (VERIFY,),
               "nothing is wrong: an auditor is there on purpose"),
    )

    @classmethod
    def driver_path(cls):
        return simulated_sdk(cudnn=None, cuda=None, gpus="sm_86").environment


CUBLAS = CUDA[2]


def uses_cublas(*requirements):
    """A library that finds cuDNN and CUDA in the folders of their wheels, and NEEDs cuBLAS as well."""
    def break_it(world):
        framework(*requirements)(world)
        library = world.site / "framework" / "libframework.so"
        # patchelf 0.14 writes the one into the other.
        patchelf(library, "--add-needed", "libcublas.so.13")
        patchelf(library, "--set-rpath", "$ORIGIN/../nvidia/cudnn/lib:$ORIGIN/../nvidia/cu13/lib")
    return break_it


EXTRAS = ('nvidia-cublas~=13.0; extra == "cuda"', 'nvidia-cuda-runtime~=13.0; extra == "cuda"',
          'nvidia-other-cu13~=1.0; extra == "more"', 'nvidia-cudnn-cu13~=9.0; extra == "cudnn"')
IMPORT = "env cudnn-checked run --python framework -- ../venv/bin/python -c pass"
ONLY_CUDNN = "nvidia-cudnn-cu13~=9.18; extra == 'cudnn'"


COPY = "libcudnn-74a4c495.so.9.14.0"
ENGINE = f"cudnn-checked verify ../venv/lib/{PYTHON}/site-packages/engine/libengine.so"


def own_copy(break_it):
    """A package that has brought a shim of its own, under a name of auditwheel's: broken so."""
    def break_copy(world):
        copy = world.root / COPY
        shutil.copy(world.lib / "libcudnn.so.9", copy)
        patchelf(copy, "--set-soname", COPY)
        patchelf(copy, "--set-rpath", "$ORIGIN/../nvidia/cudnn/lib")
        library = world.root / "libengine.so"
        subprocess.run([compiler("C"), "-shared", "-nostdlib", "-xc", "/dev/null", "-o", str(library),
                        "-Wl,--no-as-needed", "-Wl,-rpath,$ORIGIN", "-L", str(world.root), f"-l:{COPY}"], check=True)
        package("engine", "4.6.0", files=[(path.name, path) for path in (library, copy)])(world)
        # pip takes a blank in the variable for its end.
        shutil.copy(next(world.root.glob("engine-*.whl")), world.root.parent)
        world.environment["PIP_FIND_LINKS"] += f" {world.root.parent}"
        break_it(world.site / "engine" / COPY)
    return break_copy


def for_cuda_12(world):
    for name in ("nvidia-cudnn-cu13", "nvidia-cublas", "nvidia-cuda-runtime", "nvidia-cuda-nvrtc"):
        uninstalled(name)(world)
    for wheel in (OTHER_CUDA, "nvidia-cublas-cu12==12.9.1.4"):
        world.unpack(wheel, world.site)


class Unstamped(Programs):
    """A library of a package: only what its package and its NEEDED entries say is known."""

    faults = (
        Fault("package requires a newer cuDNN", "cudnn-older", all_of(
            framework("nvidia-cudnn-cu13==9.19.0.56"), instead(OLDER)), (LIBRARY,), "9.19.0.56"),
        Fault("package requires cuDNN for another CUDA", "cuda-major", framework("nvidia-cudnn-cu12==9.14.0.64"),
              (LIBRARY,), "nvidia-cudnn-cu12==9.14.0.64"),
        Fault("package without its cuDNN", "cudnn-not-found", all_of(
            framework("nvidia-cudnn-cu13==9.19.0.56"), uninstalled("nvidia-cudnn-cu13")), (LIBRARY,), "==9.19.0."),
        Fault("package without the cuBLAS that it requires", "dependency-missing", all_of(
            uses_cublas(CUDNN, CUBLAS), uninstalled("nvidia-cublas")), (LIBRARY,), f"install {CUBLAS}"),
        Fault("package without anything that it requires", "cudnn-not-found|dependency-missing", all_of(
            uses_cublas(CUDNN, CUBLAS), uninstalled("nvidia-cublas"), uninstalled("nvidia-cudnn-cu13")), (LIBRARY,),
              f"install {CUDNN} {CUBLAS}"),
        Fault("package without what comes by its extras", "cudnn-not-found|dependency-missing", all_of(
            uses_cublas(*EXTRAS[:2], EXTRAS[3]), uninstalled("nvidia-cublas"), uninstalled("nvidia-cudnn-cu13")),
              (LIBRARY, "cudnn-checked doctor ../venv", IMPORT), "'framework[cuda,cudnn]==2.1'"),
        Fault("package with an older cuDNN than its extra brings", "cudnn-older|requirement-unmet", all_of(
            framework(ONLY_CUDNN), instead(OLDER)), (LIBRARY,), "'framework[cudnn]==2.1'"),
        Fault("a package's own copy of the shim is cut", "library-corrupt", own_copy(
            lambda copy: write(copy, copy.read_bytes()[:9000])), (ENGINE, "cudnn-checked doctor ../venv"),
              "--force-reinstall --no-deps engine==4.6.0"),
        Fault("a package's own copy of the shim is empty", "library-corrupt", own_copy(
            lambda copy: write(copy, b"")), (ENGINE,), "--force-reinstall --no-deps engine==4.6.0"),
        Fault("a package's own copy of the shim is gone", "cudnn-not-found|library-missing", own_copy(
            lambda copy: copy.unlink()), (ENGINE,), "--force-reinstall --no-deps engine==4.6.0"),
        Fault("sub-library of a package's cuDNN deleted", "sublibrary-missing|library-missing", all_of(
            framework("nvidia-cudnn-cu13==9.19.0.56"), deleted("cnn")), (LIBRARY,)),
        Fault("sub-library of another release in a package's cuDNN", "mixed-sublibraries", all_of(
            framework("nvidia-cudnn-cu13==9.19.0.56"), of_another("heuristic")), (LIBRARY,)),
    )
    def test_packages_of_a_path_file(self):
        """What a file NAME.pth leads to is of the environment."""
        world = self.make_world()
        framework(CUDNN)(world)
        layer = world.root / "layer"
        layer.mkdir()
        for path in [*world.site.glob("nvidia*")]:
            path.rename(layer / path.name)
        status, output = world.sh("cudnn-checked doctor ../venv")
        self.assertIn("[requirement-unmet]", output)
        self.assertEqual(status, 1, output)
        (world.site / "layer.pth").write_text(f"{layer}\n")
        status, output = world.sh("cudnn-checked doctor ../venv")
        self.assertNotIn("[requirement-unmet]", output)
        self.assertEqual(status, 0, output)

    without_command = (
        advice("built for another CUDA than its name and what is around it", "dependency-missing", all_of(
            for_cuda_12, framework(name="engine_cu12"), lambda world: patchelf(
                world.site / "engine_cu12" / "libframework.so", "--add-needed", "libcublas.so.13")),
               (LIBRARY.replace("/framework/", "/engine_cu12/"),), "another build of it is a decision"),
        advice("another package requires an older cuDNN", "cudnn-older", all_of(
            framework("nvidia-cudnn-cu13==9.19.0.56"), instead(OLDER), package("another", "1.0", OLDER)), (LIBRARY,),
            "two that require different releases cannot share an environment"),
    )
