# SPDX-License-Identifier: BSD-3-Clause
"""What tool/repair assumes of NVIDIA's wheels, against the wheels."""

import json
import subprocess

from real_cudnn import fetched
from support import ScratchTest
from support.environment import built

TRY_REPAIR = built("tests/support/try_repair")
SETS = {
    "jit": "nvidia-cudnn-jit-cu13==9.14.0.64",
    "jit-9.20-cu13": "nvidia-cudnn-jit-cu13==9.20.0.48",
    "jit-9.27-cu13": "nvidia-cudnn-jit-cu13==9.27.0.42",
    "older-cu12": "nvidia-cudnn-jit-cu12==9.13.1.26",
    "full-9.14-cu13": "nvidia-cudnn-cu13==9.14.0.64",
    "full-9.19-cu13": "nvidia-cudnn-cu13==9.19.0.56",
    "full-9.14-cu12": "nvidia-cudnn-cu12==9.14.0.64",
    "full-9.28-cu13": "nvidia-cudnn-cu13==9.28.0.42",
    "full-8.5-cu11": "nvidia-cudnn-cu11==8.5.0.96",
}


def libraries(*command):
    done = subprocess.run([TRY_REPAIR, *command], check=True, stdout=subprocess.PIPE, text=True)
    seen = {}
    for path, about in json.loads(done.stdout)["files"].items():
        if "/libcudnn" in path:
            needed = [n for n in about["needed"] if n.startswith(("libcudnn", "libcublas", "libcuda.", "libz."))]
            seen[path] = {**about, "build_id": about["build_id"][:10], "needed": sorted(needed)}
    return seen


class AssumedWheels(ScratchTest):
    def test_libraries_are_those_of_the_wheels(self):
        compared = 0
        for name, requirement in SETS.items():
            folder = fetched(name)
            if folder is not None:
                compared += 1
                with self.subTest(requirement):
                    self.assertEqual(libraries(self.scratch, requirement), libraries(folder.parents[1]))
        if compared == 0:
            self.skipTest("PyPI cannot be reached, and the cache has no real cuDNN")
