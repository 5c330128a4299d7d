# SPDX-License-Identifier: BSD-3-Clause
"""Installs of cuDNN and CUDA as packages lay them out: names, links and directories.

Debian's and the toolkit's are those of an Ubuntu 24.04 with libcudnn9-cuda-13 9.14.0.64 and
cuda-cudart-13-0 (dpkg -L).  {triplet} is x86_64-linux-gnu, {target} x86_64-linux.
"""

import pathlib
import struct

MACHINES = {"x86_64": 62, "aarch64": 183}
SUBLIBRARIES = ["adv", "cnn", "engines_precompiled", "engines_runtime_compiled", "graph", "heuristic",
                "ops"]


def libraries(directory, release="9.14.0", development=True):
    """The shared libraries of a package, as lines."""
    major = release.split(".")[0]
    for name in ["libcudnn", *(f"libcudnn_{s}" for s in SUBLIBRARIES)]:
        yield f"{directory}/{name}.so.{release}"
        yield f"{directory}/{name}.so.{major} -> {name}.so.{release}"
        if development:
            yield f"{directory}/{name}.so -> {name}.so.{major}"


def headers(directory, suffix="", names=("adv", "backend", "cnn", "graph", "ops", "version")):
    yield f"{directory}/cudnn{suffix}.h"
    for name in names:
        yield f"{directory}/cudnn_{name}{suffix}.h"


# libcudnn9-cuda-13, libcudnn9-headers-cuda-13, libcudnn9-dev-cuda-13: links without alternatives.
DEBIAN_9 = [
    *libraries("usr/lib/{triplet}"),
    *headers("usr/include/{triplet}", "_v9"),
    *(f"{name}.h -> {name.rsplit('/', 1)[1]}_v9.h" for name in (
        line[:-2] for line in headers("usr/include/{triplet}"))),
]

# libcudnn8 and libcudnn8-dev: only cudnn.h is a link, of update-alternatives (and libcudnn.so, left
# out because cuDNN 9 has that name too).
DEBIAN_8 = [
    *libraries("usr/lib/{triplet}", "8.9.7", development=False),
    *headers("usr/include/{triplet}", "_v8"),
    "usr/include/cudnn.h -> /etc/alternatives/libcudnn",
    "etc/alternatives/libcudnn -> /usr/include/{triplet}/cudnn_v8.h",
]

# libcudnn9-cuda-13, -headers- and -devel- of the RPM repository.
RPM = [
    *libraries("usr/lib64"),
    *headers("usr/include", "_v9"),
    *(f"{name}.h -> {name.rsplit('/', 1)[1]}_v9.h" for name in (
        line[:-2] for line in headers("usr/include"))),
]

# cudnn-linux-x86_64-9.14.0.64_cuda13-archive.tar.xz; -sbsa- for Arm servers.
TARBALL = [
    *libraries("lib"), *headers("include"), *headers("include", "_v9"),
    "lib/libcudnn_cnn_static.a", "lib/libcudnn_cnn_static_v9.a -> libcudnn_cnn_static.a", "LICENSE",
]

# cuda-cudart-13-0, cuda-cudart-dev-13-0, cuda-crt-13-0; cuDNN copied into it from the tarball.
TOOLKIT = [
    "usr/local/cuda -> /etc/alternatives/cuda",
    "etc/alternatives/cuda -> /usr/local/cuda-13.0",
    "usr/local/cuda-13.0/include -> targets/{target}/include",
    "usr/local/cuda-13.0/lib64 -> targets/{target}/lib",
    "usr/local/cuda-13.0/targets/{target}/include/cuda_runtime_api.h",
    "usr/local/cuda-13.0/targets/{target}/include/crt/host_defines.h",
    "usr/local/cuda-13.0/targets/{target}/lib/libcudart.so.13.0.96",
    "usr/local/cuda-13.0/targets/{target}/lib/libcudart.so.13 -> libcudart.so.13.0.96",
    "usr/local/cuda-13.0/targets/{target}/lib/libcudart.so -> libcudart.so.13",
]
CUDNN_IN_TOOLKIT = [*libraries("usr/local/cuda-13.0/lib64"), *headers("usr/local/cuda-13.0/include")]

# conda-forge: cudnn in the prefix, cuda-cudart-dev below targets with links in lib.
CONDA = [
    *libraries("lib"), *headers("include"),
    "targets/{target}/include/cuda_runtime_api.h",
    "targets/{target}/include/crt/host_defines.h",
    "targets/{target}/lib/libcudart.so.13.0.96",
    "targets/{target}/lib/libcudart.so.13 -> libcudart.so.13.0.96",
    "lib/libcudart.so.13.0.96 -> ../targets/{target}/lib/libcudart.so.13.0.96",
    "lib/libcudart.so.13 -> libcudart.so.13.0.96",
]

# nixpkgs, cudaPackages.cudnn: outputs of one derivation in store paths of their own; "dev" has a
# record of the others (pkgs/build-support/setup-hooks/multiple-outputs.sh).
NIX_DEV = "store/1cvhcvbm7m1pcn0j6dbn6kc3vlwh8yqp-cuda13.0-cudnn-9.14.0.64-dev"
NIX_INCLUDE = "store/x0w6v2cqg8lj1pzj6y7p0ij0x0m1c3wq-cuda13.0-cudnn-9.14.0.64-include"
NIX_LIB = "store/9m2h3c8kq5z1d7r0c6yv4b2sn8x5lf1a-cuda13.0-cudnn-9.14.0.64-lib"
NIX = [
    *headers(f"{NIX_INCLUDE}/include"), *libraries(f"{NIX_LIB}/lib"),
    f"{NIX_DEV}/nix-support/propagated-build-inputs",
]


def elf_stub(machine):
    """The header of a 64-bit shared library, and nothing after it."""
    return struct.pack("<4sBBBB8xHHIQQQIHHHHHH", b"\x7fELF", 2, 1, 1, 0, 3, MACHINES[machine], 1, 0, 0,
                       0, 0, 64, 56, 0, 64, 0, 0)


def contents(path, machine, release):
    name = path.name
    if ".so" in name:
        return elf_stub(machine)
    text = ""
    if name.startswith("cudnn_version"):
        text = "".join(f"#define CUDNN_{part} {value}\n" for part, value in zip(
            ["MAJOR", "MINOR", "PATCHLEVEL"], release.split(".")))
    elif name == "cuda_runtime_api.h":
        text = '#define CUDART_VERSION  13000\n#include "crt/host_defines.h"\n'
    return text.encode()


def lay_out(root, *trees, machine="x86_64", target=None, release="9.14.0", absolute=None):
    """Makes the files of <trees> below <root>, which is returned.  Absolute links lead below <root>
    too, unless <absolute> names what they begin with instead."""
    root = pathlib.Path(root)
    target = target or f"{machine}-linux"
    for line in (line for tree in trees for line in tree):
        name, _, link = line.format(triplet=f"{machine}-linux-gnu", target=target).partition(" -> ")
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if link.startswith("/"):
            link = f"{root if absolute is None else absolute}{link}"
        if link:
            path.symlink_to(link)
        else:
            path.write_bytes(contents(path, machine, release))
    return root


def bare_wheels(directory, machine):
    """Python packages of cuDNN and of the CUDA runtime, as pip install --target makes them."""
    lay_out(directory / "nvidia/cudnn", ["lib/libcudnn.so.9", "lib/libcudnn_graph.so.9",
                                         *headers("include")], machine=machine)
    lay_out(directory / "nvidia/cu13", ["lib/libcudart.so.13", "include/cuda_runtime_api.h",
                                        "include/crt/host_defines.h"], machine=machine)
    return directory
