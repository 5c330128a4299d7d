# SPDX-License-Identifier: BSD-3-Clause
"""Installs that have the right names and nothing in them: enough for what is only located."""

import pathlib
import re
import subprocess

from support.environment import compiler


def bare_cudnn(prefix, version="9.14.0", include="include", lib="lib", headers=True, libraries=True,
               header_name="cudnn_version.h", unversioned=False):
    """Makes the files of one cuDNN below <prefix>, which is returned as a path."""
    prefix = pathlib.Path(prefix)
    major, minor, patch = version.split(".")
    if headers:
        directory = prefix / include
        directory.mkdir(parents=True, exist_ok=True)
        (directory / "cudnn.h").write_text(f'#include "{header_name}"\n')
        (directory / header_name).write_text(
            f"#define CUDNN_MAJOR {major}\n#define CUDNN_MINOR {minor}\n"
            f"#define CUDNN_PATCHLEVEL {patch}\n")
    if libraries:
        directory = prefix / lib
        directory.mkdir(parents=True, exist_ok=True)
        (directory / f"libcudnn.so.{major}").write_text("")
        if unversioned:
            (directory / "libcudnn.so").symlink_to(f"libcudnn.so.{major}")
    return prefix


def bare_cuda(prefix, version="13.0", include="include", lib="lib", crt=True):
    """Makes the files of a CUDA runtime below <prefix>, which is returned as a path."""
    prefix = pathlib.Path(prefix)
    major, minor = version.split(".")
    directory = prefix / include
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "cuda_runtime_api.h").write_text(
        f"#define CUDART_VERSION  {int(major) * 1000 + int(minor) * 10}\n"
        '#include "crt/host_defines.h"\n')
    if crt:
        (directory / "crt").mkdir(exist_ok=True)
        (directory / "crt" / "host_defines.h").write_text("")
    if lib:
        (prefix / lib).mkdir(parents=True, exist_ok=True)
        (prefix / lib / f"libcudart.so.{major}").write_text("")
    return prefix


def bare_wheel(site, name, version, *files, installer="pip"):
    """Empty files of one of NVIDIA's wheels below a site-packages directory, with its record."""
    site = pathlib.Path(site)
    record = site / f"{name.replace('-', '_')}-{version}.dist-info"
    record.mkdir(parents=True, exist_ok=True)
    (record / "INSTALLER").write_text(f"{installer}\n")
    (record / "METADATA").write_text(f"Name: {name}\nVersion: {version}\n")
    (record / "RECORD").write_text("".join(f"nvidia/{file},,\n" for file in files))
    for file in files:
        path = site / "nvidia" / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
    return site


def empty_library(path):
    """A shared library of this machine without a function; in the place of another, if there is one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    soname = re.sub(r"(\.so\.\d+).*", r"\1", path.name)
    options = [f"-Wl,-soname,{soname}", "-Wl,--enable-new-dtags,-rpath,$ORIGIN"]
    subprocess.run([compiler("C"), "-shared", "-xc", "/dev/null", "-o", path, *options], check=True)
    return path
