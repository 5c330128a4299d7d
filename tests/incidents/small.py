# SPDX-License-Identifier: BSD-3-Clause
"""Small packages with the names, build ids, SONAMEs, NEEDED entries and run paths of the real ones, and an index of
them for pip.

A library opens what the real one opens, and says what that says where it is missing (cudnn.c).
"""

import csv
import functools
import hashlib
import json
import pathlib
import shutil
import subprocess

from local_index import write_wheel
from support.environment import REPOSITORY, cache_directory, compiler, locked

HERE = pathlib.Path(__file__).resolve().parent
CUDNN = """
cu11 8.5.0.96 8.6.0.163 8.7.0.84 8.9.6.50 9.1.0.70
cu12 8.8.0.121 8.9.4.25 8.9.7.29 9.0.0.312 9.1.0.70 9.1.1.17 9.3.0.75 9.4.0.58 9.5.1.17 9.6.0.74 9.8.0.87 9.10.1.4 9.10.2.21 9.11.0.98
cu12 9.13.0.50 9.13.1.26 9.14.0.64 9.15.1.9 9.18.1.3
cu13 9.19.0.56 9.20.0.48 9.24.0.43 9.26.0.51 9.28.0.42
"""
# Libraries of a toolkit that are opened by name: folder of the wheel, names.
CUDA = {
    ("nvidia-cublas", "13.1.0.3"): ("cu13", "libcublas.so.13 libcublasLt.so.13"),
    ("nvidia-cuda-nvrtc", "13.0.88"): ("cu13", "libnvrtc.so.13 libnvrtc-builtins.so.13.0"),
    ("nvidia-cublas-cu11", "11.11.3.6"): ("cublas", "libcublas.so.11 libcublasLt.so.11"),
    ("nvidia-cublas-cu12", "12.9.1.4"): ("cublas", "libcublas.so.12 libcublasLt.so.12"),
    ("nvidia-cuda-nvrtc-cu11", "11.8.89"): ("cuda_nvrtc", "libnvrtc.so.11.2 libnvrtc-builtins.so.11.8"),
    ("nvidia-cuda-nvrtc-cu12", "12.9.86"): ("cuda_nvrtc", "libnvrtc.so.12 libnvrtc-builtins.so.12.9"),
}
OF_CUDA = {cuda: tuple(f"{name}=={version}" for name, version in CUDA if version.split(".")[0] == str(cuda))
           for cuda in (11, 12, 13)}


def packages():
    """(package, release) of each small cuDNN."""
    for line in CUDNN.split("\n"):
        cuda, *releases = line.split() or [""]
        yield from ((f"nvidia-cudnn-{cuda}", release) for release in releases)


@functools.lru_cache(maxsize=None)
def catalogue(kind="full"):
    """{(release, CUDA major): {file: build id}} of the full sets, or the JIT-only ones: "jit"."""
    known = {}
    with open(REPOSITORY / "tool/data/catalogue/build_ids.csv", encoding="utf-8") as file:
        for row in csv.DictReader(line for line in file if not line.startswith("#")):
            if row["set"] == kind:
                known.setdefault((row["cudnn"], row["cuda_major"]), {})[row["file"]] = row["build_id"]
    return known


def library(path, source=None, *options, soname=None, needed=(), run_path="", build_id="sha1", places=()):
    """A shared library; without a source one that has only its names."""
    path.parent.mkdir(parents=True, exist_ok=True)
    command = [compiler("C"), "-shared", "-fPIC", "-O1", "-g0", "-fvisibility=hidden", "-o", path,
               *(["-xc", "/dev/null", "-nostdlib"] if source is None else [source]), *options,
               f"-Wl,-soname,{soname or path.name},--build-id={build_id}", "-Wl,--no-as-needed,--allow-shlib-undefined",
               "-Wl,-z,undefs", *(f"-L{place}" for place in [path.parent, *places]),
               *(f"-l:{name}" for name in needed)]
    if run_path:
        command.append(f"-Wl,--enable-new-dtags,-rpath,{run_path}")
    subprocess.run([str(word) for word in command], check=True)
    return path


def needed_by(role, number, cuda):
    """NEEDED entries of the real libraries, those of the system left out."""
    cublas = [f"libcublas.so.{cuda}", f"libcublasLt.so.{cuda}"] if number < 8800 else []
    if number < 90000:
        return {"ops_infer": cublas, "cnn_infer": ["libcudnn_ops_infer.so.8", *cublas],
                "adv_infer": ["libcudnn_ops_infer.so.8"], "ops_train": ["libcudnn_ops_infer.so.8"]}.get(
                    role, [f"libcudnn_{part}.so.8" for part in
                           ("ops_infer", "ops_train", role.replace("train", "infer")) if role != "shim"])
    graph = ["libcudnn_graph.so.9"]
    return {"shim": [], "graph": [], "ext": [], "cnn": ["libcudnn_ops.so.9", *graph],
            "adv": ["libcudnn_ops.so.9", *graph]}.get(role, graph)


ORDER = ("graph", "ops", "ops_infer", "ops_train", "cnn_infer", "adv_infer")


def make_cudnn(package, release, folder):
    """The libraries of a cuDNN; returns {name in the wheel: file}."""
    cuda = package[-2:]
    jit = "-jit-" in package
    major, minor, patch = map(int, release.split(".")[:3])
    number = major * (10000 if major >= 9 else 1000) + minor * 100 + patch
    files = catalogue("jit" if jit else "full")[release, cuda]
    roles = {name.split(".so")[0][len("libcudnn"):].lstrip("_") or "shim": name for name in files}
    stubs = folder / "stubs"
    for name in CUDA_NAMES[cuda]:
        library(stubs / name)
    beside = ["cublas", "nvrtc" if number < 91100 else "cuda_nvrtc", *(["cu13"] if cuda == "13" else [])]
    run_path = ":".join(["$ORIGIN", *(f"$ORIGIN/../../{name}/lib" for name in beside)])
    for role in sorted(roles, key=lambda role: (ORDER.index(role) if role in ORDER else len(ORDER), role)):
        library(folder / roles[role], HERE / "cudnn.c", f"-DROLE_{role}", f"-DVERSION={number}", f"-DMAJOR={major}",
                f"-DMINOR={minor}", f"-DPATCH={patch}", f"-DCUDA={cuda}", *(["-DJIT"] if jit else []),
                needed=needed_by(role, number, cuda), run_path="$ORIGIN" if role == "shim" else run_path,
                build_id=f"0x{files[roles[role]]}", places=[stubs])
    header = folder / "cudnn_version.h"
    header.write_text(f"#define CUDNN_MAJOR {major}\n#define CUDNN_MINOR {minor}\n#define CUDNN_PATCHLEVEL {patch}\n")
    (folder / "cudnn.h").write_text('#include "cudnn_version.h"\n')
    home = f"nvidia/cudnn{'_jit' if jit else ''}"
    return {**{f"{home}/lib/{name}": folder / name for name in files},
            **{f"{home}/include/{name}": folder / name for name in ("cudnn.h", header.name)}}


CUDA_NAMES = {cuda: [name for (_, version), (_, names) in CUDA.items() if version.startswith(cuda)
                     for name in names.split()] for cuda in ("11", "12", "13")}


def make_cuda(key, folder):
    place, names = CUDA[key]
    return {f"nvidia/{place}/lib/{name}": library(folder / name, run_path="$ORIGIN") for name in names.split()}


@functools.lru_cache(maxsize=None)
def index():
    """The folder of the wheels, made once for a build tree."""
    sources = [HERE / "cudnn.c", pathlib.Path(__file__), REPOSITORY / "tool/data/catalogue/build_ids.csv"]
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()[:16]
    home = cache_directory() / f"incidents-{digest}"
    with locked(home):
        if not (home / "complete").exists():
            shutil.rmtree(home, ignore_errors=True)
            (home / "wheels").mkdir(parents=True)
            for key in CUDA:
                write_wheel(home / "wheels", *key, make_cuda(key, home / "build" / "-".join(key)))
            for key in packages():
                write_wheel(home / "wheels", *key, make_cudnn(*key, home / "build" / "-".join(key)),
                            [word.split("==")[0] for word in OF_CUDA[int(key[0][-2:])][:1]])
            shutil.rmtree(home / "build")
            (home / "complete").touch()
    return home / "wheels"


@functools.lru_cache(maxsize=None)
def framework(calls="", opens="", compiled=0, linked="", program=False, stamp="", through=""):
    """The file of a library that uses cuDNN, or of a program: made once for each set of words."""
    words = [f'-DCALLS="{calls}"', f"-DCOMPILED={compiled}"]
    if stamp:
        words.append(f"-DSTAMP={json.dumps(stamp)}")
    if opens:
        words.append(f'-DOPENS="{opens}"')
    if through:
        words.append("-DTHROUGH")
        linked = through
    text = repr((words, linked, program)) + (HERE / "framework.c").read_text() + index().parent.name
    made = cache_directory() / f"incidents-{hashlib.sha256(text.encode()).hexdigest()[:16]}.so"
    with locked(made):
        if not made.exists():
            stub = made.with_suffix(".d")
            part = made.with_suffix(".part")
            names = linked.split()
            for name in names:
                library(stub / name)
            links = [f"-L{stub}", *(f"-l:{name}" for name in names)] if names else []
            subprocess.run([compiler("C"), "-O1", "-fPIC", *(["-DPROGRAM"] if program else ["-shared"]), *words, "-o",
                            str(part), str(HERE / "framework.c"), "-Wl,--no-as-needed,--allow-shlib-undefined",
                            "-Wl,-z,undefs", *links, "-ldl"], check=True)
            shutil.rmtree(stub, ignore_errors=True)
            part.rename(made)
    return made
