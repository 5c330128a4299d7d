# SPDX-License-Identifier: BSD-3-Clause
"""What tool/repair says that a command of pip or uv does, against what it really does."""

import dataclasses
import json
import re
import unittest

from environments import PYTHON, SITE, World, make_environment, quoted
from local_index import unpack
from support.environment import built
from random_environments import make_system_python
from support import ScratchTest

TRY_REPAIR = built("tests/support/try_repair")
FULL_13, OLD_13 = "nvidia-cudnn-cu13==9.19.0.56", "nvidia-cudnn-cu13==9.14.0.64"
FULL_12, EIGHT = "nvidia-cudnn-cu12==9.14.0.64", "nvidia-cudnn-cu12==8.9.7.29"
JIT_13 = "nvidia-cudnn-jit-cu13==9.14.0.64"
CUBLAS_13, CUBLAS_12 = "nvidia-cublas==13.1.0.3", "nvidia-cublas-cu12==12.9.1.4"
NVRTC_13 = "nvidia-cuda-nvrtc==13.0.88"
NO_RECORD, NO_METADATA = "rm nvidia_cudnn_*/RECORD", "rm nvidia_cudnn_*/METADATA"
LOST = "rm nvidia/cudnn/lib/libcudnn_ops.so.9"
SPELT_OTHERWISE = ("mv nvidia_cudnn_cu13-9.14.0.64.dist-info Nvidia.cuDNN_cu13-9.14.0.64.dist-info; "
                   "/bin/sed -i s/nvidia_cudnn_cu13-/Nvidia.cuDNN_cu13-/ Nvidia*/RECORD")
ABSOLUTE = '/bin/sed -i "s,^nvidia/,$PWD/&," nvidia_cudnn_*/RECORD'


@dataclasses.dataclass(frozen=True)
class Effect:
    """An environment, what happens to it, and what is ordered there."""

    kinds: str  # of environments
    name: str
    wheels: tuple
    order: str  # the words of try_repair
    before: str = ""  # a line for sh in the site
    # Where the view does not know the effect: "fails" where the command does as well, else "works".
    unknown: str = ""


EFFECTS = (
    Effect("pip uv uv_target", "the first cuDNN", (CUBLAS_13,), "nvidia-cudnn-cu13==9.14.0.*"),
    Effect("uv target uv_target", "another release", (OLD_13, CUBLAS_13), "nvidia-cudnn-cu13==9.19.0.*"),
    Effect("pip uv", "satisfied, and its dependency missing", (OLD_13,), "nvidia-cudnn-cu13>=9.14", LOST),
    Effect("uv user target uv_target", "again", (OLD_13,), f"--again {OLD_13}", LOST),
    Effect("pip uv target", "another release again", (OLD_13, CUBLAS_13), f"--again {FULL_13}"),
    Effect("uv target uv_target", "one for another CUDA goes", (FULL_12, CUBLAS_12),
           "--remove=nvidia-cudnn-cu12 nvidia-cudnn-cu13==9.14.0.*"),
    Effect("pip uv uv_target", "one of two goes, and one that is not there", (FULL_12, OLD_13, CUBLAS_12, CUBLAS_13),
           f"--remove=nvidia-cudnn-cu12 --remove=nvidia-cudnn-cu11 --again {OLD_13}"),
    Effect("uv", "full in place of JIT-only", (JIT_13, CUBLAS_13, NVRTC_13),
           f"--remove=nvidia-cudnn-jit-cu13 {OLD_13}"),
    Effect("target uv", "JIT-only beside full", (OLD_13, CUBLAS_13), f"{JIT_13} nvidia-cuda-nvrtc==13.0.*"),
    Effect("pip uv", "over files without a record", (EIGHT, CUBLAS_12), "nvidia-cudnn-cu12==9.14.0.*",
           "rm -r nvidia_cudnn_*"),
    Effect("uv", "beside a stray file", (OLD_13, CUBLAS_13), FULL_13, "touch nvidia/cudnn/lib/libcudnn.so.8"),
    Effect("pip", "in a linked folder", (OLD_13, CUBLAS_13), FULL_13,
           "mv nvidia/cudnn ../elsewhere; /bin/ln -s ../../elsewhere nvidia/cudnn"),
    Effect("pip uv target", "a link in a circle", (OLD_13, CUBLAS_13), f"--again {OLD_13}",
           f"{LOST}; /bin/ln -s libcudnn_ops.so.9 nvidia/cudnn/lib/libcudnn_ops.so.9"),
    Effect("pip uv target", "a link to what is gone", (OLD_13, CUBLAS_13), FULL_13,
           f"{LOST}; /bin/ln -s ../../../gone.so nvidia/cudnn/lib/libcudnn_ops.so.9"),
    Effect("pip uv target", "the folder leads to what is gone", (OLD_13, CUBLAS_13), f"--again {OLD_13}",
           "rm -r nvidia/cudnn/lib; /bin/ln -s /gone nvidia/cudnn/lib"),
    Effect("pip uv target", "a name that is spelt otherwise", (OLD_13, CUBLAS_13), FULL_13, SPELT_OTHERWISE),
    Effect("pip uv", "one that is spelt otherwise goes", (OLD_13, FULL_12, CUBLAS_12),
           f"--remove=nvidia-cudnn-cu13 --again {FULL_12}", SPELT_OTHERWISE),
    Effect("pip uv", "absolute paths in RECORD", (OLD_13, CUBLAS_13), "nvidia-cudnn-cu13==9.19.0.*", ABSOLUTE),
    Effect("target", "another release by its first numbers", (OLD_13, CUBLAS_13), "nvidia-cudnn-cu13==9.19.0.*"),
    Effect("target", "the same release by its first numbers", (OLD_13, CUBLAS_13), "nvidia-cudnn-cu13==9.14.0.*", LOST),
    Effect("pip", "RECORD lost", (OLD_13, CUBLAS_13), f"--again {OLD_13}", NO_RECORD, "fails"),
    Effect("uv", "RECORD lost", (OLD_13, CUBLAS_13), f"--again {OLD_13}", NO_RECORD),
    Effect("uv", "RECORD lost of another release", (OLD_13, CUBLAS_13), FULL_13, NO_RECORD),
    Effect("uv", "RECORD lost of what goes", (FULL_12, CUBLAS_12), f"--remove=nvidia-cudnn-cu12 {OLD_13}",
           NO_RECORD, "fails"),
    Effect("uv", "METADATA lost", (OLD_13, CUBLAS_13), FULL_13, NO_METADATA),
    Effect("pip", "METADATA lost", (OLD_13, CUBLAS_13), FULL_13, NO_METADATA, "works"),
    Effect("uv", "METADATA lost of what is satisfied", (OLD_13, CUBLAS_13), OLD_13, NO_METADATA, "fails"),
    Effect("uv", "two releases recorded", (OLD_13, FULL_13, CUBLAS_13), f"--again {FULL_13}"),
    Effect("uv", "two releases recorded, one asked", (OLD_13, FULL_13, CUBLAS_13), OLD_13),
    Effect("pip", "two releases recorded", (OLD_13, FULL_13, CUBLAS_13), f"--again {FULL_13}", "", "works"),
    Effect("target", "a record of what is not there", (FULL_12, OLD_13, CUBLAS_13),
           f"--remove=nvidia-cudnn-cu12 --again {OLD_13}", "rm -r nvidia/cudnn"),
    Effect("target", "a part of CUDA beside two that write the same files", (FULL_12, OLD_13, CUBLAS_13), NVRTC_13, "",
           "works"),
    Effect("uv", "there is no such release", (OLD_13, CUBLAS_13), "nvidia-cudnn-cu13==9.14.9.*", "", "fails"),
)


def comparable(files):
    """What both know: the fourth component of a number, and what else is in a wheel, is not in the catalogue."""
    seen = {}
    for path, about in files.items():
        info = re.fullmatch(r"([Nn]vidia[\w.]+)-(.*)\.dist-info/(METADATA|RECORD|INSTALLER)", path)
        if info:
            parts = 3 if "cudnn" in info.group(1) else 1
            number = ".".join(info.group(2).split(".")[:parts])
            seen[f"{info.group(1)}-{number}/{info.group(3)}"] = ""
        elif re.search(r"\.so\.|/cudnn(_version)?\.h$", path):
            seen[path] = about.get("build_id", "")[:10] if "libcudnn" in path else ""
    return seen


class Effects(ScratchTest):
    def make(self, kind):
        world = World(self.scratch / "it's a world")
        if "uv" in kind:
            world.add_uv()
        if kind in ("pip", "uv"):
            return world, make_environment(world.root / "env", pip=kind == "pip")
        make_system_python(world.root / "usr", False)
        world.start(world.root / "usr" / "bin" / PYTHON, "python3", PYTHON, "pip")
        site = world.home / ".local" / SITE if kind == "user" else world.root / "layer"
        site.mkdir(parents=True)
        return world, site

    def files(self, world, site, order=""):
        status, output = world.sh(f"{quoted(str(TRY_REPAIR))} {quoted(str(site))} {order}")
        self.assertEqual(status, 0, output)
        return json.loads(output)

    def try_effect(self, effect, kind):
        world, site = self.make(kind)
        for wheel in effect.wheels:
            unpack(wheel, site, "uv" if "uv" in kind else "pip")
        status, output = world.sh(f"cd {quoted(str(site))} && {effect.before or ':'}")
        self.assertEqual(status, 0, output)
        words = " ".join(quoted(word) for word in effect.order.split())
        said = self.files(world, site, words)
        status, output = world.sh(said["command"])
        about = f"{said['command']}\n{output}"
        self.assertEqual("" if said["known"] else "works" if status == 0 else "fails", effect.unknown, about)
        if said["known"]:
            self.assertEqual(status, 0, about)
            self.assertEqual(comparable(said["files"]), comparable(self.files(world, site)["files"]), about)


def add_cases():
    for effect in EFFECTS:
        for kind in effect.kinds.split():
            name = "test_" + re.sub(r"\W+", "_", f"{kind} {effect.name}")
            assert not hasattr(Effects, name), name
            setattr(Effects, name, lambda self, effect=effect, kind=kind: self.try_effect(effect, kind))


add_cases()

if __name__ == "__main__":
    unittest.main()
