# SPDX-License-Identifier: BSD-3-Clause
"""What this machine's ld.so.cache leads to."""

import subprocess


def has_in_loader_cache(name):
    """Does the loader find a library of this name without any path?"""
    listed = subprocess.run(["ldconfig", "-p"], stdout=subprocess.PIPE, text=True, check=False, env={"PATH": "/usr/sbin:/sbin"})
    return f"\t{name} (" in listed.stdout
