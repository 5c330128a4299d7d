# SPDX-License-Identifier: BSD-3-Clause
"""Advice that was wrong when strangers tried it: a cuDNN that was right was removed, a fix that changed nothing was
repeated, another folder than the broken one was repaired."""

from breaking import CUDA, CUDNN, JIT, OLDER, OTHER_CUDA, all_of, in_cache, uninstalled, variable
from broken_programs import FRAMEWORK, LIBRARY, VERIFY, Programs, framework
from environments import World, quoted
from harness import Fault, FixesTest, advice
from support import simulated_sdk
from support.patching import patchelf
from test_fixes_of_machine import stub

OTHER_JIT = "nvidia-cudnn-jit-cu12==9.14.0.64"
NVRTC = CUDA[-1]
OF_THE_MACHINE = in_cache(lambda world: world.unpack(OTHER_CUDA, "machine"))
PYTORCH = "cudnn-checked verify --as sm_90,driver=580.65.06 " + FRAMEWORK.replace("/framework/", "/torch/")
LAYER = ("cudnn-checked doctor ../layer",)


def lost(name):
    def break_it(world):
        (world.root / "layer" / "nvidia" / name).unlink()
    return break_it


def for_other_cuda(world):
    uninstalled("nvidia-cudnn-cu13")(world)
    world.unpack(OTHER_CUDA, world.site)


def of_another_project(break_it):
    def all_of_it(world):
        for_other_cuda(world)
        world.environment["VIRTUAL_ENV"] = str(world.root / "own")
        site = world.site
        world.venv(CUDNN, *CUDA, name="own")
        world.site = site
        break_it(world)
    return all_of_it


def not_on_the_way(break_it):
    """A package of CUDA 13 whose library has no run path: its cuDNN lies beside it, and is not looked for there."""
    def all_of_it(world):
        framework("nvidia-cudnn-cu13==9.19.0.56")(world)
        patchelf(world.site / "framework" / "libframework.so", "--remove-rpath")
        OF_THE_MACHINE(world)
        break_it(world)
    return all_of_it


def beside_another_library(world):
    folder = world.unpack(OLDER, "old")
    (folder / "libhelper.so.1").touch()
    world.environment["LD_LIBRARY_PATH"] = str(folder)


def pytorch(world):
    """On this GPU its cuDNN has a defect that it does not avoid: a warning, when that cuDNN is taken."""
    framework(CUDNN, name="torch", number="2.11.0")(world)
    variable("LD_LIBRARY_PATH", str(world.unpack(OLDER, "old")))(world)


class Started(Programs):
    """A suitable cuDNN lies in the program's own environment, and something else was chosen."""

    faults = (
        Fault("F2: a cuDNN for another CUDA in the loader's cache", "cuda-major", not_on_the_way(lambda world: None),
              (LIBRARY,), "LD_LIBRARY_PATH"),
        Fault("F3: the library path has the other wheels", "cuda-major", not_on_the_way(lambda world: variable(
            "LD_LIBRARY_PATH", str(world.site / "nvidia/cu13/lib"))(world)), (LIBRARY,), "LD_LIBRARY_PATH"),
        Fault("another program's library lies beside the older cuDNN that a variable names", "cudnn-older",
              beside_another_library, (VERIFY,), ':"$LD_LIBRARY_PATH"'),
        Fault("what is right has a known defect on this GPU", "cudnn-older", pytorch,
              (PYTORCH,), "LD_LIBRARY_PATH"),
        Fault("W11: the program's own environment lost its shim", "library-missing|cuda-major|cudnn-not-found",
              all_of(OF_THE_MACHINE, lambda world: world.library().unlink()), (VERIFY,),
              "nvidia-cudnn-cu13==9.19.0.56"),
        Fault("a library's run path leads to a JIT-only cuDNN that is gone", "cudnn-not-found", all_of(
            framework(folder="cudnn_jit"), uninstalled("nvidia-cudnn-cu13")), (LIBRARY,), "nvidia-cudnn-"),
    )


class OtherPlaces(Programs):
    """What else pip or the loader takes into account than the folder that is repaired."""

    faults = (
        Fault("the run path leads to another project's, and the active one has the right cuDNN", "cuda-major",
              of_another_project(lambda world: None), (VERIFY,), "export LD_LIBRARY_PATH="),
    )
    without_command = (
        advice("the same, and the run path comes first", "cuda-major", of_another_project(lambda world: patchelf(
            world.root / "app" / "app", "--force-rpath", "--set-rpath",
            ":".join(str(path) for path in world.site.glob("nvidia/*/lib")))), (VERIFY,), "it is another project's"),
        advice("a file of paths leads to a folder that has what is ordered", "cuda-major", all_of(
            for_other_cuda, lambda world: (world.unpack(CUDNN, "shared"), (world.site / "shared.pth").write_text(
                str(world.root / "shared")))), (VERIFY,), "pip finds it there, and installs nothing"),
    )


class StartedWithGpu(Programs):
    """The driver is found through LD_LIBRARY_PATH."""

    guard, device_code = "GPU;REQUIRED", "86-real"
    faults = (
        Fault("P4: one value for two findings", "cudnn-older|driver-missing", all_of(lambda world: variable(
            "LD_LIBRARY_PATH", f"{world.unpack(OLDER, 'old')}:{world.environment['LD_LIBRARY_PATH']}")(world), stub),
              (VERIFY,)),
    )

    @classmethod
    def driver_path(cls):
        return simulated_sdk(cudnn=None, cuda=None, gpus="sm_86").environment


class Folders(FixesTest):
    """A folder of pip install --target; a Python with pip is on PATH, and is not to be changed."""

    faults = (
        Fault("A1: JIT-only wheels of both CUDAs", "record-shared", lambda world: (
            world.unpack(JIT, "layer"), world.unpack(OTHER_JIT, "layer")), LAYER, "--target"),
        Fault("A2, F7: a file is lost", "sublibrary-missing|library-missing", lambda world: (
            world.unpack(CUDNN, "layer"), lost("cudnn/lib/libcudnn_ops.so.9")(world)), LAYER, "--target"),
        Fault("A2, F7: a JIT-only one lost its graph library", "sublibrary-missing|library-missing", lambda world: (
            world.unpack(JIT, "layer"), lost("cudnn_jit/lib/libcudnn_graph.so.9")(world)), LAYER, "--target"),
    )

    def make_world(self):
        world = World(self.root, self.etc)
        site = world.venv(*CUDA)
        for name in ("python3", "pip3"):
            world.start(site.parents[2] / "bin" / name, name)
        for wheel in CUDA:
            world.unpack(wheel, "layer")
        return world

    def run_fix(self, fault, world, line, checks):
        before = sorted(world.site.rglob("*"))
        super().run_fix(fault, world, line, checks)
        self.assertEqual(sorted(world.site.rglob("*")), before, line)

    def test_the_whole_message_of_a_jit_only_cudnn_without_graph(self):
        world = self.make_world()
        for wheel in (JIT, NVRTC):
            world.unpack(wheel, "jit")
        (world.root / "jit/nvidia/cudnn_jit/lib/libcudnn_graph.so.9").unlink()
        status, output = world.sh("cudnn-checked doctor ../jit")
        self.assertEqual((status, output.replace(quoted(str(world.root / "jit")), "'W'").replace(str(world.root), "W")), (
            1, """\
cuDNN
  9.14.0 for CUDA 13   JIT-only, broken   W/jit/nvidia/cudnn_jit/lib   command line   header 9.14.0

error: nvidia-cudnn-jit-cu13 lacks a library that its record lists
  listed:  libcudnn_graph.so.9   W/jit/nvidia_cudnn_jit_cu13-9.14.0.64.dist-info/RECORD
  found:   no such file          W/jit/nvidia/cudnn_jit/lib
  An interrupted installation, or the removal of another package with the same folder, causes this; the package \
manager still lists the files.
  fix: python3 -m pip install --upgrade --target 'W' --no-deps nvidia-cuda-nvrtc==13.0.88 \
nvidia-cudnn-jit-cu13==9.14.0.64
  [library-missing]

cudnn-checked: refused: 1 cuDNN, 1 of them broken, 1 error, 0 warnings
"""))
