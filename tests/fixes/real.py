# SPDX-License-Identifier: BSD-3-Clause
"""The rows of the tables with real wheels from PyPI, and the fixes install from there: python3 tests/fixes/real.py

With words, the rows whose names have one of them: real.py "half an upgrade" "older wheel".  Fetches 2 GB into
${XDG_CACHE_HOME:-~/.cache}/cudnn-checked, which is deleted at the end; --keep keeps it.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
from home_cache import HOME_CACHE  # noqa: E402

WHEELS = ("nvidia-cudnn-cu13==9.19.0.56", "nvidia-cudnn-cu13==9.14.0.64", "nvidia-cudnn-cu12==9.14.0.64",
          "nvidia-cudnn-jit-cu13==9.14.0.64", "nvidia-cuda-runtime==13.0.96", "nvidia-cuda-crt==13.0.88",
          "nvidia-cublas==13.1.0.3", "nvidia-cuda-nvrtc==13.0.88")
# One of each kind; a row costs up to a minute.
ROWS = (
    "start: library path leads to an older cuDNN", "start: older cuDNN preloaded", "start: sub-library deleted",
    "start: sub-library of another release", "start: half an upgrade", "start: older wheel",
    "start: cu12 over cu13 in one environment", "start: truncated library", "start: without pip, older wheel",
    "configure: another release is asked for exactly", "configure: no cuDNN", "configure: wheel without its headers",
    "configure: no CUDA runtime", "configure: header of another release", "configure: JIT-only",
    "doctor: library of zeros", "doctor: broken link", "doctor: sub-library deleted",
)


def fetch(folder):
    folder.mkdir(parents=True, exist_ok=True)
    for wheel in WHEELS:
        name, version = wheel.split("==")
        if not list(folder.glob(f"{name.replace('-', '_')}-{version}-*.whl")):
            print(f"fetching {wheel}", flush=True)
            subprocess.run([sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--only-binary=:all:",
                            "--disable-pip-version-check", "-d", str(folder), wheel], check=True)


def rows(wanted):
    """The tests of the rows whose "file: name" begins with or has one of the words."""
    for path in sorted(HERE.glob("test_*.py")):
        module = __import__(path.stem)
        for case in vars(module).values():
            if not isinstance(case, type) or not issubclass(case, unittest.TestCase) or \
                    case.__module__ != path.stem:
                continue
            for fault in [*getattr(case, "faults", ()), *getattr(case, "without_command", ())]:
                title = f"{path.stem[len('test_'):]}: {fault.name}"
                if any(title.startswith(word) if ": " in word else word in title for word in wanted):
                    yield case("test_" + re.sub(r"\W+", "_", fault.name))


def main(words):
    keep = "--keep" in words
    wanted = [word for word in words if not word.startswith("-")] or ROWS
    folder = HOME_CACHE / "fixes"
    (folder / "tmp").mkdir(parents=True, exist_ok=True)
    fetch(folder)
    os.environ["CUDNN_CHECKED_REAL_WHEELS"] = str(folder)
    os.environ["TMPDIR"] = str(folder / "tmp")  # on one file system with the wheels
    result = unittest.TextTestRunner(stream=sys.stdout, verbosity=2).run(unittest.TestSuite(rows(wanted)))
    if not keep:
        shutil.rmtree(folder, ignore_errors=True)
    return 0 if result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
