# SPDX-License-Identifier: BSD-3-Clause
"""The one release of matplotlib that docs/sweep.svg is drawn with, in an environment of its own.  Tests take it where
it is there, and fetch nothing."""

import os
import shutil
import subprocess
import sys

from home_cache import HOME_CACHE

RELEASE = "3.11.2"
NOT_FETCHED = f"matplotlib {RELEASE} is not here; docs/make_picture.py fetches it"
HERE = HOME_CACHE / f"matplotlib-{RELEASE}"


def python_with_matplotlib():
    """Its Python; None where it has not been fetched, or where the Python that it was made with is gone."""
    python = HERE / "bin/python"
    return python if (HERE / "complete").exists() and os.access(python, os.X_OK) else None


def fetch_matplotlib():
    if python_with_matplotlib() is None:
        shutil.rmtree(HERE, ignore_errors=True)
        subprocess.run([sys.executable, "-m", "venv", HERE], check=True)
        subprocess.run([HERE / "bin/python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
                        f"matplotlib=={RELEASE}"], check=True)
        (HERE / "complete").touch()
    return python_with_matplotlib()
