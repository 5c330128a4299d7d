# SPDX-License-Identifier: BSD-3-Clause
"""The files of doors_cases.py: small wheels, users of cuDNN, guarded programs, each made once."""

import functools
import hashlib
import json
import pathlib
import shutil
import subprocess

import small
from local_index import write_wheel
from support import simulated_sdk
from support.environment import RELEASE, REPOSITORY, cache_directory, compiler, locked

HERE = pathlib.Path(__file__).resolve().parent

# Package, release, CUDA.  No two full ones are the same release for the same CUDA.
CUDNNS = (("nvidia-cudnn-cu12", "9.10.2.21", 12), ("nvidia-cudnn-cu12", "9.13.0.50", 12),
          ("nvidia-cudnn-cu12", "9.14.0.64", 12), ("nvidia-cudnn-cu13", "9.19.0.56", 13),
          ("nvidia-cudnn-cu13", "9.20.0.48", 13), ("nvidia-cudnn-jit-cu12", "9.14.0.64", 12),
          ("nvidia-cudnn-jit-cu13", "9.14.0.64", 13), ("nvidia-cudnn-jit-cu13", "9.20.0.48", 13))
# Where the wheels have what cuDNN opens, as the run paths of frameworks say.
FOLDERS = {12: ("cublas", "cuda_nvrtc"), 13: ("cu13",)}
RUN_PATHS = {"RPATH": "--disable-new-dtags", "RUNPATH": "--enable-new-dtags"}
STUB = '__attribute__((visibility("default"))) unsigned long cudnnGetVersion(void) { return 0; }\n'
# What a program does with cuDNN before it computes; of the small ones none has an argument.
CALLS = ("cudnnCreate", "cudnnGraphVersionCheck", "cudnnBackendFinalize")
SOURCE = """\
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
extern unsigned long cudnnGetVersion(void);
#ifdef PROGRAM
static int work(void) {
  static const char* const names[] = {CALLS};
  for (unsigned i = 0; i < sizeof names / sizeof *names; ++i) {
    unsigned long (*const call)(void) = (unsigned long (*)(void))dlsym(RTLD_DEFAULT, names[i]);
    if (call == NULL || call() != 0) return 3;
  }
  return 7;
}
int main(int count, char** words) {
  if (count > 1 && strcmp(words[1], "never") == 0) cudnnGetVersion();
  if (count > 1 && strcmp(words[1], "work") == 0) return work();
  if (count > 1 && strcmp(words[1], "wait") == 0) {
    char end;
    if (write(1, "ready\\n", 6) != 6 || read(0, &end, 1) < 0) return 1;
  }
  return 7;
}
#else
unsigned long call(void) { return cudnnGetVersion(); }
#endif
"""


@functools.lru_cache(maxsize=None)
def index():
    """The folder of the wheels, made once for a build tree."""
    sources = [HERE.parent / "incidents" / name for name in ("cudnn.c", "small.py")]
    digest = hashlib.sha256(b"".join(p.read_bytes() for p in sources) + repr(CUDNNS).encode()).hexdigest()[:16]
    home = cache_directory() / f"doors-{digest}"
    with locked(home):
        if not (home / "complete").exists():
            shutil.rmtree(home, ignore_errors=True)
            (home / "wheels").mkdir(parents=True)
            for key in small.CUDA:
                if not key[1].startswith("11"):
                    write_wheel(home / "wheels", *key, small.make_cuda(key, home / "build" / "-".join(key)))
            for name, release, _ in CUDNNS:
                write_wheel(home / "wheels", name, release,
                            small.make_cudnn(name, release, home / "build" / f"{name}-{release}"))
            shutil.rmtree(home / "build")
            (home / "complete").touch()
    return home / "wheels"


# The stamp as cudnn_checked_guard gives it to a program (templates/stamp_object.inc.in).
STAMP = """\
#include "stamp_object.h"
CUDNN_CHECKED_DEFINE_STAMP(stamp, R"json(%s)json")
CUDNN_CHECKED_AT_STARTUP(stamp)
"""


@functools.lru_cache(maxsize=None)
def guard():
    """The guard as an object, made once for its sources."""
    tool = REPOSITORY / "tool"
    sources = sorted(p for part in ("core", "guard") for p in (tool / part).rglob("*") if p.is_file())
    flags = ["-std=c++17", "-O0", "-g0", "-fPIC", f"-I{tool / 'guard/include'}"]
    digest = hashlib.sha256(repr(flags).encode() + b"".join(p.read_bytes() for p in sources)).hexdigest()[:16]
    made = cache_directory() / f"guard-{digest}.o"
    with locked(made):
        if not made.exists():
            part = made.with_suffix(".part")
            subprocess.run([compiler("CXX"), *flags, "-c", tool / "guard/linux/guard.cpp", "-o", part], check=True)
            part.rename(made)
    return made


def is_jit(cudnn):
    return "-jit-" in cudnn[0]


def folder_of(cudnn):
    return "nvidia/cudnn_jit" if is_jit(cudnn) else "nvidia/cudnn"


def run_path(cudnn, site="$ORIGIN/../.."):
    return ":".join([f"{site}/{folder_of(cudnn)}/lib", *(f"{site}/nvidia/{one}/lib" for one in FOLDERS[cudnn[2]])])


@functools.lru_cache(maxsize=None)
def user(name, *needed, path="", tag="RPATH", program=False, stamp=""):
    """A library or program that NEEDs these, made once for each set of words."""
    guarded = [guard()] if stamp else []
    words = repr((SOURCE, STUB, STAMP, CALLS, 1, RUN_PATHS[tag], name, needed, path, program, stamp, guarded)).encode()
    digest = hashlib.sha256(words).hexdigest()[:16]
    made = cache_directory() / f"doors-{digest}.so"
    with locked(made):
        if not made.exists():
            stub = made.with_suffix(".d")
            stub.mkdir(exist_ok=True)
            (stub / "stub.c").write_text(STUB)
            for library in needed:
                small.library(stub / library, stub / "stub.c" if "cudnn" in library or len(needed) == 1 else None)
            calls = ",".join(json.dumps(call) for call in CALLS)
            kind = ["-DPROGRAM", f"-DCALLS={calls}"] if program else ["-shared", "-fPIC", f"-Wl,-soname,lib{name}.so"]
            run = [f"-Wl,{RUN_PATHS[tag]},-rpath,{path}"] if path else []
            part = made.with_suffix(".part")
            if stamp:
                (stub / "stamp.cpp").write_text(STAMP % stamp)
                guarded += [f"-I{REPOSITORY / 'tool/guard/linux'}", stub / "stamp.cpp"]
            if not program:
                guarded += ["-DCUDNN_CHECKED_NO_PREINIT"]  # of a program alone
            subprocess.run([compiler("CXX" if stamp else "C"), *kind, "-xc", "-", "-xnone", *guarded, "-o", str(part),
                            f"-L{stub}", "-Wl,--no-as-needed,--allow-shlib-undefined", "-Wl,-z,undefs,-z,lazy",
                            *(f"-l:{library}" for library in needed), *run], input=SOURCE, text=True, check=True)
            shutil.rmtree(stub)
            part.rename(made)
    return made


@functools.lru_cache(maxsize=None)
def driver():
    """The folder of a simulated driver."""
    return simulated_sdk(cudnn=None, cuda=None, gpus="sm_86").driver_directory


def stamp_of(release, cuda):
    number = ".".join(release.split(".")[:3])
    return json.dumps({"schema": 1, "package": RELEASE, "program": "app", "level": "located",
                       "cudnn": {"header": number, "library": "", "cudart": ""},
                       "cuda": {"toolkit": f"{cuda}.0", "runtime": "", "driver": ""},
                       "architectures": {"measured": [], "compiled": []}, "components": [], "sublibraries": [],
                       "operations": [], "policy": "compatible", "gpu": "optional"})


def number(cudnn):
    return [int(n) for n in cudnn[1].split(".")]

