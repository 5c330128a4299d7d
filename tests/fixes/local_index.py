# SPDX-License-Identifier: BSD-3-Clause
"""An index of small stand-ins for NVIDIA's wheels: the right names, versions, records and requirements, and the
libraries of simulated SDKs in them.

The build ids are those of the real files, so every identification goes the way that it goes with a real one.
"""

import base64
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import zipfile

from support.environment import cache_directory, compiler, locked
from support.simulated_sdk import simulated_sdk

WHEEL = "Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


def _sdk(cudnn, cuda, **more):
    return simulated_sdk(cudnn=cudnn, cuda=cuda, cudnn_cudart=cuda, layout="wheel", build_ids="catalogue",
                         driver=None, **more)


# What a cuDNN of each name and version is made of.
CUDNN = {
    ("nvidia-cudnn-cu13", "9.14.0.64"): ("cudnn", dict(cudnn="9.14.0", cuda="13.0")),
    ("nvidia-cudnn-cu13", "9.19.0.56"): ("cudnn", dict(cudnn="9.19.0", cuda="13.0")),
    ("nvidia-cudnn-cu13", "9.24.1.1"): ("cudnn", dict(cudnn="9.24.1", cuda="13.0")),
    ("nvidia-cudnn-cu12", "9.14.0.64"): ("cudnn", dict(cudnn="9.14.0", cuda="12.9")),
    ("nvidia-cudnn-cu12", "9.19.0.56"): ("cudnn", dict(cudnn="9.19.0", cuda="12.9")),
    ("nvidia-cudnn-cu12", "9.24.1.1"): ("cudnn", dict(cudnn="9.24.1", cuda="12.9")),
    ("nvidia-cudnn-cu12", "8.9.7.29"): ("cudnn", dict(cudnn="8.9.7", cuda="12.2")),
    ("nvidia-cudnn-jit-cu13", "9.14.0.64"): ("cudnn_jit", dict(cudnn="9.14.0", cuda="13.0",
                                                                sublibraries="jit")),
    ("nvidia-cudnn-jit-cu13", "9.19.0.56"): ("cudnn_jit", dict(cudnn="9.19.0", cuda="13.0",
                                                                sublibraries="jit")),
    ("nvidia-cudnn-jit-cu12", "9.14.0.64"): ("cudnn_jit", dict(cudnn="9.14.0", cuda="12.9",
                                                                sublibraries="jit")),
}
# The runtime's headers and library, and the compiler's headers, of a CUDA.
CUDA = {
    ("nvidia-cuda-runtime", "13.0.96"): "13.0",
    ("nvidia-cuda-runtime-cu12", "12.9.79"): "12.9",
}
# Libraries of a toolkit that are opened by name: nothing is in them.
PARTS = {
    ("nvidia-cublas", "13.1.0.3"): ("cu13/lib", ("libcublas.so.13", "libcublasLt.so.13")),
    ("nvidia-cublas-cu12", "12.9.1.4"): ("cublas/lib", ("libcublas.so.12", "libcublasLt.so.12")),
    ("nvidia-cuda-nvrtc", "13.0.88"): ("cu13/lib", ("libnvrtc.so.13", "libnvrtc-builtins.so.13.0")),
    ("nvidia-cuda-nvrtc-cu12", "12.9.86"): ("cuda_nvrtc/lib", ("libnvrtc.so.12",
                                                               "libnvrtc-builtins.so.12.9")),
}
REQUIRES = {
    "nvidia-cudnn-cu13": ("nvidia-cublas",),
    "nvidia-cudnn-cu12": ("nvidia-cublas-cu12",),
    "nvidia-cudnn-jit-cu13": ("nvidia-cublas", "nvidia-cuda-nvrtc"),
    "nvidia-cudnn-jit-cu12": ("nvidia-cublas-cu12", "nvidia-cuda-nvrtc-cu12"),
}


def _library(path, soname, run_path=""):
    """A library with nothing but its names."""
    path.parent.mkdir(parents=True, exist_ok=True)
    options = [f"-Wl,-rpath,{run_path}"] if run_path else []
    subprocess.run([compiler("C"), "-shared", "-nostdlib", "-xc", "/dev/null", "-o", str(path),
                    f"-Wl,-soname,{soname}", "-Wl,--build-id=sha1", *options], check=True)


def _parts(name, version, build):
    """The files of a wheel: a mapping of their names in it to files on the disk."""
    key = (name, version)
    if key in CUDNN:
        folder, options = CUDNN[key]
        return _below(_sdk(**options).prefix, "nvidia/" + folder)
    if key in CUDA:
        options = dict(cudnn="9.14.0", cuda=CUDA[key])
        folder = "nvidia/cu13" if CUDA[key].startswith("13") else "nvidia/cuda_runtime"
        return {n: p for n, p in _below(_sdk(**options).prefix, folder).items() if "/crt/" not in n}
    if name == "nvidia-cuda-crt":
        found = _below(_sdk(cudnn="9.14.0", cuda="13.0").prefix, "nvidia/cu13")
        return {n: p for n, p in found.items() if "/crt/" in n}
    if name == "nvidia-cuda-nvcc-cu12":
        return _below(_sdk(cudnn="9.14.0", cuda="12.9").prefix, "nvidia/cuda_nvcc")
    folder, names = PARTS[key]
    for library in names:
        # NVRTC's own builtins lie beside it.
        _library(build / library, library, "$ORIGIN" if "nvrtc.so" in library else "")
    return {f"nvidia/{folder}/{library}": build / library for library in names}


def _below(prefix, folder):
    return {str(path.relative_to(prefix)): path for path in sorted((prefix / folder).rglob("*"))
            if path.is_file()}


NAMES = (*CUDNN, *CUDA, *PARTS, ("nvidia-cuda-crt", "13.0.88"), ("nvidia-cuda-nvcc-cu12", "12.9.86"))


def digest_of(data):
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def write_wheel(folder, name, version, files, requires=(), tag="py3-none-any"):
    """Makes a wheel; `files` maps names in it to files or to bytes."""
    stem = stem_of(f"{name}=={version}")
    about = f"{stem}.dist-info"
    metadata = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
    metadata += "".join(f"Requires-Dist: {word}\n" for word in requires)
    extras = {found[1] for word in requires if (found := re.search(r"extra == ['\"]([\w-]+)", word))}
    metadata += "".join(f"Provides-Extra: {extra}\n" for extra in sorted(extras))
    contents = {n: f if isinstance(f, bytes) else pathlib.Path(f).read_bytes() for n, f in files.items()}
    contents[f"{about}/METADATA"] = metadata.encode()
    contents[f"{about}/WHEEL"] = WHEEL.replace("py3-none-any", tag).encode()
    record = "".join(f"{n},{digest_of(data)},{len(data)}\n" for n, data in contents.items())
    contents[f"{about}/RECORD"] = f"{record}{about}/RECORD,,\n".encode()
    path = pathlib.Path(folder) / f"{stem}-{tag}.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as wheel:
        for n, data in contents.items():
            wheel.writestr(n, data)
    return path


def local_index():
    """The folder of the wheels, made once for a build tree; or one of real wheels, which real.py names."""
    named = os.environ.get("CUDNN_CHECKED_REAL_WHEELS")
    if named:
        return pathlib.Path(named)
    sources = pathlib.Path(__file__).read_bytes() + _sdk(cudnn="9.14.0", cuda="13.0").prefix.as_posix().encode()
    home = cache_directory() / f"index-{hashlib.sha256(sources).hexdigest()[:16]}"
    with locked(home):
        if not (home / "complete").exists():
            shutil.rmtree(home, ignore_errors=True)
            (home / "wheels").mkdir(parents=True)
            for name, version in NAMES:
                files = _parts(name, version, home / "build" / name)
                write_wheel(home / "wheels", name, version, files, REQUIRES.get(name, ()))
            shutil.rmtree(home / "build", ignore_errors=True)
            (home / "complete").touch()
    return home / "wheels"


def stem_of(requirement):
    """name_of_it-version of name-of-it==version, as its files and folders are called."""
    name, _, version = requirement.partition("==")
    return f"{name.replace('-', '_')}-{version}"


def unpacked(requirement, index=local_index):
    """The contents of a wheel, which are unpacked once: files are links to these."""
    wheel = next(index().glob(f"{stem_of(requirement)}-*.whl"))
    folder = wheel.with_suffix("")
    with locked(folder):
        if not folder.is_dir():
            part = folder.with_suffix(".part")
            shutil.rmtree(part, ignore_errors=True)
            with zipfile.ZipFile(wheel) as archive:
                archive.extractall(part)
            part.rename(folder)
    return folder


def unpack(requirement, site, installer="pip", index=local_index):
    """Installs name==version into a site-packages, as pip would, without starting it."""
    folder = unpacked(requirement, index)
    for source in folder.rglob("*"):
        target = pathlib.Path(site) / source.relative_to(folder)
        if source.is_dir():
            target.mkdir(parents=True, exist_ok=True)
        else:
            target.unlink(missing_ok=True)
            target.parent.mkdir(parents=True, exist_ok=True)
            try:
                os.link(source, target)
            except OSError:  # another file system
                shutil.copyfile(source, target)
    about = pathlib.Path(site) / f"{stem_of(requirement)}.dist-info"
    write(about / "INSTALLER", installer.encode() + b"\n")
    write(about / "RECORD", (about / "RECORD").read_bytes() + f"{about.name}/INSTALLER,,\n".encode())


def write(path, data):
    """A new file in the place of one that may be a link to what others use."""
    path.unlink(missing_ok=True)
    path.write_bytes(data)
