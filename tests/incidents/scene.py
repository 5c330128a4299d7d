# SPDX-License-Identifier: BSD-3-Clause
"""What lay where: each function returns one that is called with the scene, and makes a part of it."""

import json
import os
import shutil
import subprocess
import unittest
import zipfile

import small
import surroundings
from breaking import all_of, deleted, of_another, uninstalled, variable  # noqa: F401  (for the tables)
from environments import PYTHON, World, quoted
from local_index import write, write_wheel
from real_cudnn import fetched
from support import bare_cuda, bare_cudnn, simulated_sdk
from support.environment import RELEASE, REPOSITORY, put_compiler
from support.known_configure import give_configure, keep_configure
from support.patching import patchelf

SITE = f"../venv/lib/{PYTHON}/site-packages"
TORCH = f"{SITE}/torch/lib/libtorch_cuda.so"
HEAD = """cmake_minimum_required(VERSION 3.22)
project(app LANGUAGES NONE)
set(CMAKE_FIND_USE_CMAKE_SYSTEM_PATH OFF)
set(CMAKE_FIND_LIBRARY_PREFIXES lib)
set(CMAKE_FIND_LIBRARY_SUFFIXES .so)
"""
CHECKED = """list(APPEND CMAKE_MODULE_PATH "{source}/cmake")
set(CuDNNChecked_REQUIRE LOCATED)
find_package(CuDNNChecked {request})
"""


class Scene(World):
    """A person's machine: an active virtual environment, folders beside it, and ../start, which imports a library."""

    def __init__(self, root, etc):
        super().__init__(root, etc, small.index)
        shutil.copy(small.framework(program=True), self.root / "start")
        (self.bin / "ln").symlink_to(shutil.which("ln"))
        put_compiler(self.bin / "c++")
        give_configure(self.root / "checked-build")
        self.environment["VIRTUAL_ENV"] = str(self.root / "venv")

    def sh(self, text, timeout=120):
        done = super().sh(f"PATH={quoted(str(self.root / 'venv/bin'))}:$PATH\n{text}", timeout)
        keep_configure(self.root / "checked-build")
        return done


def venv(*requirements, cuda=12):
    """A virtual environment with these wheels and those of that CUDA's cuBLAS and NVRTC."""
    return lambda scene: scene.venv(*requirements, *(small.OF_CUDA[cuda] if cuda else ()))


def uses_cudnn(path, calls="", linked="", opens="", compiled=0, run_path="", new_tags=False, program=False,
               stamp="", through=""):
    """A library or program that uses cuDNN: `calls` are words of framework.c, `linked` or `opens` is the shim's name,
    `through` a library that opens it for this one."""
    def make(scene):
        made = small.framework(calls, opens, compiled, linked, program, stamp, through)
        target = scene.home / path
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(made, target)
        if run_path:
            tags = [] if new_tags else ["--force-rpath"]
            patchelf(target, *tags, "--set-rpath", run_path)
    return make


def declares(path, built, *operations):
    """A program that was built with that release, finds the wheel, and says of itself which operations it calls."""
    stamp = {"schema": 1, "package": RELEASE, "program": "app", "level": "located",
             "cudnn": {"header": ".".join(built.split(".")[:3]), "library": "", "cudart": ""},
             "cuda": {"toolkit": "", "runtime": "", "driver": ""}, "architectures": {"measured": [], "compiled": []},
             "components": [], "sublibraries": [], "operations": list(operations), "policy": "compatible",
             "gpu": "required"}
    return uses_cudnn(path, "create", "libcudnn.so.9", program=True, stamp=json.dumps(stamp),
                      run_path=f"$ORIGIN/venv/lib/{PYTHON}/site-packages/nvidia/cudnn/lib")


def requires(name, version, *requirements, top=""):
    """The record of a package in the environment, whose files are in the folder `top`, and what it requires."""
    def make(scene):
        found = (scene.site / (top or name)).rglob("*")
        files = {str(path.relative_to(scene.site)): path for path in found if path.is_file()}
        with zipfile.ZipFile(write_wheel(scene.root, name, version, files, requirements)) as archive:
            about = f"{name.replace('-', '_')}-{version}.dist-info"
            archive.extractall(scene.site, [member for member in archive.namelist() if member.startswith(about)])
        write(scene.site / about / "INSTALLER", b"pip\n")
    return make


def release(name, version):
    """Another release of the package `name`, with the same files, that `pip install --find-links ..` finds."""
    def make(scene):
        files = {str(path.relative_to(scene.site)): path for path in (scene.site / name).rglob("*") if path.is_file()}
        write_wheel(scene.root, name, version, files, [])
    return make


def imports(name, *libraries):
    """A package whose import loads these libraries; the first one has work(), the others are loaded before it."""
    def make(scene):
        paths = [str(scene.home / library) for library in reversed(libraries)]
        file(str((scene.site / name / "__init__.py").relative_to(scene.root)),
             f"import ctypes\n*_, library = [ctypes.CDLL(path, ctypes.RTLD_GLOBAL) for path in {paths}]\nwork = library.work\n")(scene)
    return make


def torch(version, requirement, calls="create ops cnn finalize", major=9, compiled=0):
    """PyTorch from PyPI: its library finds the wheel of cuDNN by its run path."""
    return all_of(uses_cudnn(TORCH, calls, f"libcudnn.so.{major}", compiled=compiled,
                             run_path="$ORIGIN/../../nvidia/cudnn/lib"), requires("torch", version, requirement))


def folder(name, wheel, *roles, without=()):
    """The libraries of a wheel in a folder, as an archive or a distribution has them; of them those roles."""
    def make(scene):
        unpacked = scene.unpack(wheel, f"unpacked {name.replace('/', ' ')}")
        target = scene.root / name
        target.mkdir(parents=True, exist_ok=True)
        for file in unpacked.iterdir():
            role = file.name.split(".so")[0][len("libcudnn"):].lstrip("_") or "shim"
            if (not roles or role in roles) and role not in without:
                shutil.copy(file, target / file.name)
        shutil.rmtree(unpacked.parents[2])
    return make


def toolkit(name, cuda):
    """cuBLAS and NVRTC of that CUDA in a folder."""
    def make(scene):
        for word in small.OF_CUDA[cuda]:
            lib = scene.unpack(word, "toolkit").parents[1]
            for file in lib.glob("*/lib/*.so*"):
                (scene.root / name).mkdir(parents=True, exist_ok=True)
                shutil.move(str(file), scene.root / name / file.name)
            shutil.rmtree(scene.root / "toolkit")
    return make


def library_path(*names):
    """LD_LIBRARY_PATH leads to these folders of the scene, in this order."""
    def make(scene):
        scene.environment["LD_LIBRARY_PATH"] = ":".join(str(scene.root / name) for name in names)
    return make


def cached(*names):
    """ld.so.cache leads to these folders of the scene, before any that are named later."""
    def make(scene):
        etc = scene.root / "etc"
        if not etc.exists():
            scene.own_etc()
            (etc / "ld.so.conf.d").mkdir(exist_ok=True)
        with open(etc / "ld.so.conf.d" / "000_cuda.conf", "a", encoding="utf-8") as conf:
            conf.writelines(f"{scene.root / name}\n" for name in names)
        subprocess.run([*surroundings.within(scene.covers), surroundings.LDCONFIG, "-X"], check=True,
                       stderr=subprocess.DEVNULL)
    return make


def file(name, text=""):
    """A file of the scene with that text."""
    def make(scene):
        path = scene.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        write(path, text.encode())
    return make


def bare(place, version="9.1.0", **more):
    """A cuDNN that is only located, not loaded."""
    return lambda scene: bare_cudnn(scene.root / place, version, **more)


def cuda(place, version="12.4"):
    """The headers and runtime of CUDA, where CUDAToolkit_ROOT names them."""
    def make(scene):
        bare_cuda(scene.root / place, version)
        scene.environment["CUDAToolkit_ROOT"] = str(scene.root / place)
        project("")(scene)
    return make


def sets(**variables):
    """Variables that name folders of the scene."""
    return lambda scene: scene.environment.update({name: str(scene.root / place) for name, place in variables.items()})


def project(text, request="REQUIRED"):
    """Their project, and beside it one that uses CuDNNChecked as far as it can go without a compiler."""
    def make(scene):
        for name, lines in (("project", text), ("checked", CHECKED.format(source=REPOSITORY, request=request))):
            file(f"{name}/CMakeLists.txt", HEAD + lines)(scene)
    return make


def real_headers(place):
    """Headers of cuDNN 9.14 and of CUDA, from PyPI."""
    def make(scene):
        cudnn = fetched("jit")
        if cudnn is None:
            raise unittest.SkipTest("PyPI cannot be reached, and the cache has no real cuDNN")
        shutil.copytree(cudnn, scene.root / place)
        shutil.copytree(cudnn.parent / "cu13/include", scene.root / place / "cuda")
        cuda("cuda", "13.0")(scene)
    return make


def fetched_folder(name):
    """A set of scripts/cudnn_sets.txt."""
    real = fetched(name)
    if real is None:
        raise unittest.SkipTest(f"the packages of {name} are not in the cache: ./dev incidents fetches them")
    return real


def installed(name):
    """The packages of a set, in the environment, from PyPI."""
    def make(scene):
        for source in fetched_folder(name).iterdir():
            if source.is_dir() and source.name != "bin":
                shutil.copytree(source, scene.site / source.name, copy_function=linked)
    return make


def real_files(name, place):
    """The libraries of cuDNN in a set, in a folder seen from home."""
    def make(scene):
        source = fetched_folder(name) / "lib"
        shutil.copytree(source, scene.home / place, copy_function=linked)
    return make


def linked(source, target):
    try:
        os.link(source, target)
    except OSError:  # another file system
        shutil.copy(source, target)


def without_run_path(name):
    return lambda scene: patchelf(scene.root / name, "--remove-rpath")


def driver_library(place):
    """libcuda.so.1 of a driver alone, without a name that has no number."""
    def make(scene):
        (scene.root / place).mkdir(parents=True)
        made = simulated_sdk(cudnn=None, cuda=None, gpus="sm_86").driver_directory
        shutil.copy(made / "libcuda.so.1", scene.root / place / "libcuda.so.1")
        cached(place)(scene)
    return make


def copies(name, version):
    """Each library there under three names, as copies."""
    def make(scene):
        for library in (scene.root / name).glob("*.so.8"):
            for copy in (library.with_suffix(""), f"{library.with_suffix('')}.{version}"):
                shutil.copy(library, copy)
    return make


def changed(name, change):
    """The bytes of a file of the scene as that function returns them."""
    return lambda scene: write(scene.root / name, bytes(change(bytearray((scene.root / name).read_bytes()))))


def of_machine(number):
    """The header of an ELF file for another machine: 183 is aarch64."""
    def change(data):
        data[18:20] = number.to_bytes(2, "little")
        return data
    return change


def of_32_bits(data):
    data[4], data[18:20] = 1, (3).to_bytes(2, "little")
    return data


def old_library(name, *versions):
    """A library that has these versions of symbols and no newer one."""
    def make(scene):
        script = scene.root / "versions"
        write(script, "".join(f"{version} {{}};\n" for version in versions).encode())
        small.library(scene.root / name, None, f"-Wl,--version-script={script}")
    return make


def old_standard_library(name):
    """A libstdc++ of GCC 4.8: up to GLIBCXX_3.4.19."""
    return old_library(name, "GLIBCXX_3.4", "CXXABI_1.3", *(f"GLIBCXX_3.4.{number}" for number in range(1, 20)),
                       *(f"CXXABI_1.3.{number}" for number in range(1, 8)))


def versioned(name, version):
    """The names that a package of a distribution gives: libcudnn.so.9.14.0 and two links."""
    def make(scene):
        for library in (scene.root / name).glob("*.so.9"):
            full = library.with_name(library.name[:-1] + version)
            library.rename(full)
            library.symlink_to(full.name)
            library.with_suffix("").symlink_to(full.name)
    return make


def real_include(name, place):
    """The headers of cuDNN in a set; those of 9.14 are in right."""
    def make(scene):
        shutil.copytree(fetched_folder(name) / "include", scene.root / place)
        shutil.copytree(fetched_folder("jit") / "include", scene.root / "right")
    return make
