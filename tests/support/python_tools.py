# SPDX-License-Identifier: BSD-3-Clause
"""pytest, mypy and ruff in an environment of their own, which pip makes once; its Python runs them."""

import functools
import os
import shutil
import subprocess
import sys
import unittest

from home_cache import HOME_CACHE
from support.environment import locked

TOOLS = ["pytest==9.2.0", "pytest-xdist==3.8.0", "mypy==2.4.1", "ruff==0.17.6"]
HERE = HOME_CACHE / "-".join(["python", "{}.{}".format(*sys.version_info), *(one.replace("==", "-") for one in TOOLS)])
PYTHON = HERE / "bin/python"


def python_with_tools():
    """Its Python.  Raises SkipTest where pip cannot fetch them, as without a network."""
    if not _made():
        raise unittest.SkipTest(f"pip cannot fetch {', '.join(TOOLS)}")
    return PYTHON


@functools.lru_cache(maxsize=None)
def _made():
    try:
        with locked(HERE):
            if not (HERE / "complete").exists() or not os.access(PYTHON, os.X_OK):
                shutil.rmtree(HERE, ignore_errors=True)
                subprocess.run([sys.executable, "-m", "venv", HERE], check=True, capture_output=True)
                subprocess.run([PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--retries", "0",
                                "--timeout", "15", *TOOLS], check=True, capture_output=True)
                (HERE / "complete").touch()
    except (OSError, subprocess.CalledProcessError):
        return False
    return True
