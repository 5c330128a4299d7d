# SPDX-License-Identifier: BSD-3-Clause
"""What the tests start: the auditor, a program without a guard, and guarded ones built on two releases.

Everything is built once for these sources and kept, because several tests run at the same time.
"""

import hashlib
import pathlib
import shutil
import subprocess

from places import Place, files_of, prefix_of
from support import REPOSITORY, Consumer
from support.environment import cache_directory, compiler, locked

HERE = pathlib.Path(__file__).resolve().parent
SOURCES = ("cmake", "tool", "templates", "tests/real/audit", "tests/real/programs.py")
LINKS = {"runpath": "--enable-new-dtags,-rpath,", "rpath": "--disable-new-dtags,-rpath,", "none": ""}
RUN_PATH = "$ORIGIN/../A/cudnn/lib"

# SONAMEs of what cuDNN uses and does not ship; where they lie they are never called here.
CUDA_LIBRARIES = ("libcublas.so.13", "libcublasLt.so.13", "libnvrtc.so.13", "libnvrtc-builtins.so.13.0",
                  "libcublas.so.12", "libcublasLt.so.12", "libnvrtc.so.12", "libnvrtc-builtins.so.12.9")

PROJECT = """
cmake_minimum_required(VERSION 3.22)
project(app LANGUAGES C CXX)
list(APPEND CMAKE_MODULE_PATH "${CUDNN_CHECKED_SOURCE}/cmake")
find_package(CuDNNChecked REQUIRED)
function(add_app folder link)
  add_executable(${folder} main.cpp)
  target_link_libraries(${folder} PRIVATE CuDNNChecked::cudnn)
  cudnn_checked_guard(${folder} ${ARGN})
  set_target_properties(${folder} PROPERTIES OUTPUT_NAME app RUNTIME_OUTPUT_DIRECTORY ${folder}
                        BUILD_WITH_INSTALL_RPATH ON)
  if(link STREQUAL rpath)
    target_link_options(${folder} PRIVATE "LINKER:--disable-new-dtags")
  else()
    target_link_options(${folder} PRIVATE "LINKER:--enable-new-dtags")
  endif()
  if(NOT link STREQUAL none)
    set_property(TARGET ${folder} PROPERTY INSTALL_RPATH "$ORIGIN/../A/cudnn/lib")
  endif()
endfunction()
foreach(link IN ITEMS runpath rpath none)
  add_app(app-${link} ${link} GPU REQUIRED)
  add_app(optional-${link} ${link} GPU OPTIONAL)
endforeach()
add_executable(asks asks.cpp)
target_link_libraries(asks PRIVATE CuDNNChecked::guard ${CMAKE_DL_LIBS})
cudnn_checked_guard(asks MANUAL GPU OPTIONAL)
"""

MAIN = """
#include <cudnn.h>
#include <cstdio>
int main(int count, char**) {
  if (count > 1) {  // as it is before it calls cuDNN
    std::puts("ready");
    std::fflush(stdout);
    std::getchar();
  }
  std::printf("main runs on %zu\\n", cudnnGetVersion());
  return 0;
}
"""

# Opens cuDNNs as plugins and interpreters do, and asks the guard then.  Arguments: PATH opens it as
# the loader would for a NEEDED entry, "global:PATH" for all, "apart:PATH" in a namespace of its own.
ASKS = """
#include <cudnn_checked/guard.hpp>
#include <dlfcn.h>
#include <cstdio>
#include <cstring>
int main(int count, char** names) {
  for (int i = 1; i < count; ++i) {
    const char* path = std::strchr(names[i], '/');
    void* opened = std::strncmp(names[i], "apart:", 6) == 0
                       ? dlmopen(LM_ID_NEWLM, path, RTLD_NOW)
                       : dlopen(path, RTLD_NOW | (names[i] == path ? RTLD_LOCAL : RTLD_GLOBAL));
    if (opened == nullptr) std::printf("%s\\n", dlerror());
  }
  std::printf("%s", cudnn_checked::check().text().c_str());
  return 0;
}
"""


def _fingerprint():
    digest = hashlib.sha256(repr((compiler("CXX"), compiler("C"))).encode())
    for name in SOURCES:
        path = REPOSITORY / name
        for file in sorted([path] if path.is_file() else path.rglob("*")):
            if file.is_file() and "__pycache__" not in file.parts:
                digest.update(str(file.relative_to(REPOSITORY)).encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()[:16]


def _run(*command):
    done = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        raise AssertionError(done.stdout)


def _stub(target, functions=()):
    """A library that has a name and, if needed, functions that answer 100 (no device)."""
    source = target.with_name(target.name + ".c")
    source.write_text("".join(f"int {name}(void) {{ return 100; }}\n" for name in functions))
    _run(compiler("C"), "-shared", "-fPIC", f"-Wl,-soname,{target.name}",
         "-Wl,-rpath,$ORIGIN", "-o", target, source)
    source.unlink()


def _driver_functions():
    """What the runtime-compiled engines since 9.27 want of libcuda.so.1, all of it when they load."""
    engines = files_of("jit 9.27")["engines_runtime_compiled"]
    done = subprocess.run(["nm", "-D", "--undefined-only", engines], check=True, text=True,
                          stdout=subprocess.PIPE)
    names = (line.split()[-1].split("@")[0] for line in done.stdout.splitlines())
    return sorted({name for name in names if name.startswith("cu") and name[2:3].isupper()})


class Programs:
    def __init__(self, folder):
        self.folder = folder

    @property
    def audit(self):
        return self.folder / "unguarded" / "audit.so"

    def calls(self, link):
        """The program without a guard; it calls what its arguments name."""
        return self.folder / "unguarded" / f"calls-{link}"

    @property
    def cuda(self):
        """cuBLAS and nvrtc, to be put beside an install; with_driver has a libcuda.so.1 as well."""
        return self.folder / "unguarded" / "cuda"

    @property
    def cuda_with_driver(self):
        return self.folder / "unguarded" / "cuda-with-driver"

    def app(self, built_on, link, gpu="required"):
        """A guarded program; built_on is "9.14", "9.19" or "jit 9.14"; gpu may be "optional"."""
        folder = f"optional-{link}" if gpu == "optional" else f"app-{link}"
        return self.folder / built_on / "app-build" / folder / "app"

    def asks(self, built_on):
        return self.folder / built_on / "app-build" / "asks"


def _build_unguarded(folder):
    made = Programs(folder)
    shim = files_of("9.14")["shim"]
    _run(compiler("C"), "-O1", "-shared", "-fPIC", "-o", made.audit, HERE / "audit" / "audit.c")
    for link, options in LINKS.items():
        _run(compiler("C"), "-O1", "-o", made.calls(link), HERE / "audit" / "calls.c", shim,
             "-Wl,--allow-shlib-undefined", *([f"-Wl,{options}{RUN_PATH}"] if options else []))
    made.cuda.mkdir()
    for name in CUDA_LIBRARIES:
        _stub(made.cuda / name)
    shutil.copytree(made.cuda, made.cuda_with_driver)
    _stub(made.cuda_with_driver / "libcuda.so.1", _driver_functions())


def _build_guarded(folder, of):
    made = Programs(folder)
    home = folder / of
    place = Place(home, made.cuda)
    place.wheel("sdk", of)
    place.include("sdk", of)
    app = Consumer(home / "app", home=home, cmake_lists=PROJECT, **{"main.cpp": MAIN, "asks.cpp": ASKS})
    for done in (app.configure(f"-DCuDNNChecked_ROOT={home / 'sdk' / 'cudnn'}",
                               f"-DCUDAToolkit_ROOT={prefix_of('jit 9.14').parent / 'cu13'}",
                               "-DCuDNNChecked_REQUIRE=LOADED"), app.build()):
        if done.status != 0:
            raise AssertionError(done.output)


def programs(*built_on):
    """The programs; of the guarded ones those that are built on the named releases."""
    folder = cache_directory() / f"real-{_fingerprint()}"
    for name, build in [("unguarded", _build_unguarded),
                        *((of, lambda f, o=of: _build_guarded(f, o)) for of in built_on)]:
        complete = folder / f"complete-{name}"
        with locked(folder / f"lock-{name}"):
            if not complete.exists():
                shutil.rmtree(folder / name, ignore_errors=True)
                (folder / name).mkdir()
                build(folder)
                complete.touch()
    return Programs(folder)
