# SPDX-License-Identifier: BSD-3-Clause
"""Real cuDNNs from PyPI, and examples/minimal built on one of them."""

import functools
import glob
import pathlib
import re
import shutil
import subprocess

from home_cache import HOME_CACHE
from support import REPOSITORY, ScratchTest, relative_output

FETCH = REPOSITORY / "scripts" / "fetch_cudnn.sh"


def has_gpu():
    return bool(glob.glob("/proc/driver/nvidia/gpus/*/information"))


# What CI fetches.  The other sets are large: they are used where the cache has them already.
FETCHED_IN_CI = ("jit", "older-cu12", "older-cu13", "jit-9.27-cu13", "full-9.14-cu13", "full-9.19-cu13",
                 "jit-9.20-cu13", "ctranslate2-4.4", "ctranslate2-4.5")


def is_cached(name):
    return any(re.fullmatch(re.escape(name) + r"-\d+", folder.name) and (folder / "complete").exists()
               for folder in HOME_CACHE.glob(name + "-*"))


@functools.lru_cache(maxsize=None)
def fetched(name):
    """The directory above include and lib of a set of scripts/cudnn_sets.txt, or that of its packages; None without
    PyPI."""
    if name not in FETCHED_IN_CI and not is_cached(name):
        return None
    done = subprocess.run(["sh", str(FETCH), name], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    if done.returncode != 0:
        return None
    home = pathlib.Path(done.stdout.rstrip("\n"))
    return next((home / "nvidia" / name for name in ("cudnn_jit", "cudnn") if (home / "nvidia" / name).is_dir()), home)


class RealCudnnTest(ScratchTest):
    """self.cudnn is the JIT-only 9.14.0, self.older the JIT-only 9.13.0, both for CUDA 13."""

    def setUp(self):
        super().setUp()
        self.cudnn, self.older = fetched("jit"), fetched("older-cu13")
        if self.cudnn is None or self.older is None:
            self.skipTest("PyPI cannot be reached, and the cache has no real cuDNN")
        shutil.copytree(REPOSITORY / "examples" / "minimal", self.scratch / "minimal")
        self.minimal = self.consumer("minimal")

    def configure(self, *arguments, root=None):
        return self.minimal.configure(f"-DCuDNNChecked_DIR={REPOSITORY / 'cmake'}",
                                      f"-DCuDNNChecked_ROOT={root or self.cudnn}",
                                      "-DMINIMAL_CUDA=OFF", *arguments)

    def built(self):
        """The program, proved as far as LOADED so that a GPU makes no difference."""
        for done in (self.configure("-DCuDNNChecked_REQUIRE=LOADED"), self.minimal.build()):
            self.assertEqual(done.status, 0, done.output)
        return self.minimal.path("minimal")

    def set_of(self, name, **roles):
        """A directory with the files of self.cudnn, some of them replaced: graph=PATH, or None."""
        folder = self.scratch / name
        folder.mkdir()
        for file in (self.cudnn / "lib").glob("libcudnn*.so.9"):
            role = file.name[len("libcudnn"):-len(".so.9")].lstrip("_") or "shim"
            source = roles.get(role, file)
            if source is not None:
                shutil.copyfile(source, folder / file.name)
        return folder

    def relative(self, text):
        return relative_output(text, scratch=self.scratch, cudnn=self.cudnn, older=self.older)
