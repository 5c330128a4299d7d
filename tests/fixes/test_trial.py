# SPDX-License-Identifier: BSD-3-Clause
"""Advice that was wrong when strangers tried it: a cuDNN that was right was removed, a fix that changed nothing was
repeated, another folder than the broken one was repaired."""

import subprocess

import surroundings
from breaking import CUDA, CUDNN, JIT, OTHER_CUDA, all_of, library_path
from broken_programs import LIBRARY, VERIFY, Programs, framework
from environments import World, quoted
from harness import Fault, FixesTest
from test_machine import stub

OTHER_JIT = "nvidia-cudnn-jit-cu12==9.14.0.64"
LAYER = ("cudnn-checked doctor ../layer",)


def in_cache(wheel):
    """A cuDNN that the whole machine has."""
    def break_it(world):
        etc = world.own_etc()
        (etc / "ld.so.conf.d").mkdir(exist_ok=True)
        (etc / "ld.so.conf.d" / "cudnn.conf").write_text(f"{world.unpack(wheel, 'machine')}\n")
        subprocess.run([*surroundings.within(world.covers), surroundings.LDCONFIG, "-X"], check=True,
                       stderr=subprocess.DEVNULL)
    return break_it


def lost(name):
    def break_it(world):
        (world.root / "layer" / "nvidia" / name).unlink()
    return break_it


class Started(Programs):
    """A suitable cuDNN lies in the program's own environment, and something else was chosen."""

    faults = (
        Fault("F3: the library path has another CUDA's before the wheels", "cuda-major", all_of(
            framework("nvidia-cudnn-cu13==9.19.0.56"), library_path(OTHER_CUDA)), (LIBRARY,), "LD_LIBRARY_PATH"),
        Fault("W11: the program's own environment lost its shim", "library-missing|cuda-major|cudnn-not-found",
              all_of(in_cache(OTHER_CUDA), lambda world: world.library().unlink()), (VERIFY,),
              "nvidia-cudnn-cu13==9.19.0.56"),
        Fault("P4: a stub of the driver behind another cuDNN", "cuda-major|driver-missing", all_of(
            library_path(OTHER_CUDA), stub), (VERIFY,)),
    )



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
        program = world.bin / "python3"
        program.write_text(f'#!/bin/sh\nexec {quoted(str(site.parents[2] / "bin" / "python3"))} "$@"\n')
        program.chmod(0o755)
        for wheel in CUDA:
            world.unpack(wheel, "layer")
        return world

    def run_fix(self, fault, world, line, checks):
        before = sorted(world.site.rglob("*"))
        super().run_fix(fault, world, line, checks)
        self.assertEqual(sorted(world.site.rglob("*")), before, line)
