# SPDX-License-Identifier: BSD-3-Clause
"""What the tests on a real GPU share: the cuDNNs of the machine, and a build of examples/minimal on one."""
import glob
import json
import os
import re
import shutil
import subprocess
import sysconfig
import unittest

REPOSITORY = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MINIMAL = os.path.join(REPOSITORY, "examples", "minimal")
MULTIARCH = "/usr/lib/x86_64-linux-gnu"
# Where reports and tables are kept; ./dev gpu sets it.
RESULTS = os.environ.get("CUDNN_CHECKED_RESULTS", "")


def has_gpu():
    return bool(glob.glob("/proc/driver/nvidia/gpus/*/information"))


needs_gpu = unittest.skipUnless(has_gpu(), "no NVIDIA GPU on this machine")


def capability():
    """The compute capability of GPU 0 as CMake writes it: "90"."""
    text = subprocess.run(
        ["nvidia-smi", "--query-gpu=compute_cap", "--format=csv,noheader"],
        check=True, capture_output=True, text=True,
    ).stdout
    return text.splitlines()[0].strip().replace(".", "")


class Install:
    """A cuDNN of this machine: its root for CuDNNChecked_ROOT, its libraries and its release."""

    def __init__(self, name, root, libraries, include):
        self.name, self.root, self.libraries, self.include = name, root, libraries, include

    @property
    def release(self):
        with open(os.path.join(self.include, "cudnn_version.h"), encoding="utf-8") as header:
            text = header.read()
        parts = [re.search(rf"#define CUDNN_{part} (\d+)", text).group(1)
                 for part in ("MAJOR", "MINOR", "PATCHLEVEL")]
        return ".".join(parts)


def debian_package():
    include = "/usr/include/x86_64-linux-gnu"
    if not os.path.exists(f"{include}/cudnn_version.h"):
        return None
    return Install("debian package", "/usr", MULTIARCH, include)


def python_wheel():
    root = os.path.join(sysconfig.get_paths()["purelib"], "nvidia", "cudnn")
    if not os.path.exists(f"{root}/include/cudnn_version.h"):
        return None
    return Install("python wheel", root, f"{root}/lib", f"{root}/include")


def run(command, **environment):
    """Runs a command, with the environment changed; a value of None removes a variable."""
    changed = dict(os.environ)
    for name, value in environment.items():
        changed.pop(name, None)
        if value is not None:
            changed[name] = value
    return subprocess.run(command, capture_output=True, text=True, env=changed, timeout=580)


def in_front(directory):
    """LD_LIBRARY_PATH with a directory before what the machine needs for its driver."""
    rest = os.environ.get("LD_LIBRARY_PATH", "")
    return f"{directory}:{rest}" if rest else directory


class Build:
    """examples/minimal, or another project, configured on one cuDNN."""

    def __init__(self, folder, root, source=MINIMAL, **definitions):
        self.folder = folder
        command = ["cmake", "-S", source, "-B", folder, "-G", "Ninja",
                   f"-DCuDNNChecked_DIR={REPOSITORY}/cmake", f"-DCuDNNChecked_ROOT={root}"]
        command += [f"-D{name}={value}" for name, value in definitions.items()]
        configured = run(command)
        self.status = configured.returncode
        self.output = configured.stdout + configured.stderr
        reports = glob.glob(f"{folder}/CuDNNChecked/*/report.json")
        self.report = {}
        if reports:
            with open(reports[0], encoding="utf-8") as file:
                self.report = json.load(file)

    def compile(self, product="minimal"):
        built = run(["cmake", "--build", self.folder])
        if built.returncode != 0:
            raise AssertionError(self.output + built.stdout + built.stderr)
        return os.path.join(self.folder, product)

    @property
    def line(self):
        """The line that names the triple."""
        lines = [text for text in self.output.splitlines() if " · CUDA " in text]
        return lines[0].replace("-- ", "") if lines else ""

    def findings(self):
        return [finding["name"] for finding in self.report["findings"]]


def keep(name, text):
    """Keeps a result for docs/measurements.md."""
    if RESULTS:
        os.makedirs(RESULTS, exist_ok=True)
        with open(os.path.join(RESULTS, name), "w", encoding="utf-8") as file:
            file.write(text)


def copy_of_set(install, folder):
    """A cuDNN of its own, with headers, made of links to the files of `install`; to be tampered with."""
    libraries = os.path.join(folder, "lib")
    os.makedirs(libraries)
    for path in glob.glob(f"{install.libraries}/libcudnn*.so.9"):
        target = os.path.join(libraries, os.path.basename(path))
        try:
            os.link(os.path.realpath(path), target)
        except OSError:
            shutil.copy(path, target)
    include = os.path.join(folder, "include")
    os.makedirs(include)
    for path in glob.glob(f"{install.include}/cudnn*.h"):
        shutil.copy(path, include)
    return Install("copy", folder, libraries, include)


def make_jit_only(copy):
    """Leaves the engines that are compiled at run time alone, as the JIT-only packages have it."""
    roles = ("", "_graph", "_engines_runtime_compiled")
    for name in set(os.listdir(copy.libraries)) - {f"libcudnn{role}.so.9" for role in roles}:
        os.unlink(os.path.join(copy.libraries, name))
    return copy


def gpu_name():
    text = subprocess.run(
        ["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"],
        check=True, capture_output=True, text=True,
    ).stdout
    return text.splitlines()[0].strip()


def probe_of(build):
    """The probe that a build compiled."""
    return os.path.join(build.folder, "CuDNNChecked", "cudnn_checked_probe")
