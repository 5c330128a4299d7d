# SPDX-License-Identifier: BSD-3-Clause
"""usage: make_wheel.py --program FILE --installed PREFIX --into DIR

Makes the wheel of a program cudnn-checked that is there already, and prints its path.  PREFIX is what
`cmake --install` has written; its own program is not read.  The same files give the same bytes.  Of Python
its standard library alone is used.
"""

import argparse
import base64
import hashlib
import os
import pathlib
import re
import struct
import time
import zipfile

import elf
import pe

HERE = pathlib.Path(__file__).resolve().parent
REPOSITORY = HERE.parents[1]
NAME = "cudnn_checked"
# Where pip puts "data" is the prefix of the environment (Python Packaging User Guide, "Binary distribution format").
ENTRY_POINTS = """\
[cmake.module]
CuDNNChecked = cudnn_checked.cmake

[cmake.prefix]
CuDNNChecked = cudnn_checked

[pytest11]
cudnn_checked = cudnn_checked.pytest_plugin
"""
METADATA = """\
Metadata-Version: 2.4
Name: cudnn-checked
Version: {version}
Summary: Checks that NVIDIA cuDNN computes, before a program starts or a framework is imported
License-Expression: BSD-3-Clause
License-File: LICENSE
Keywords: cudnn,cuda,cmake,pytorch
Classifier: Environment :: GPU :: NVIDIA CUDA
Classifier: Framework :: Pytest
Classifier: Operating System :: Microsoft :: Windows
Classifier: Operating System :: POSIX :: Linux
Classifier: Programming Language :: C++
Classifier: Programming Language :: Python :: 3
Classifier: Topic :: Software Development :: Build Tools
Requires-Python: >=3.8
Provides-Extra: plot
Requires-Dist: matplotlib>=3.7; extra == "plot"
Description-Content-Type: text/markdown

{description}"""


def version():
    text = (REPOSITORY / "cmake/CuDNNChecked/package_version.cmake").read_text(encoding="utf-8")
    return re.search(r"set\(_cudnn_checked_package_version ([0-9.]+)\)", text)[1]


def read_program(data):
    return pe.Program(data) if data[:2] == b"MZ" else elf.Program(data)


def tag_of(program):
    """PEP 600: a manylinux tag promises glibc of that release or newer, and nothing beside it."""
    if isinstance(program, pe.Program):
        return f"py3-none-win_{program.machine}"
    if not program.is_for_every_distribution():
        return f"py3-none-linux_{program.machine}"
    tags = ["manylinux_{}_{}_{}".format(*program.glibc, program.machine)]
    # Of pip before 20.3, which knows 2.17 by this name.
    if program.glibc == (2, 17):
        tags.append(f"manylinux2014_{program.machine}")
    return "py3-none-" + ".".join(tags)


def files_of(installed, program, tag):
    """Names in the wheel, their bytes, and which are programs."""
    info, data = f"{NAME}-{version()}.dist-info", f"{NAME}-{version()}.data"
    description = (HERE / "README.md").read_text(encoding="utf-8")
    files = {
        f"{data}/scripts/cudnn-checked{'.exe' if 'win_' in tag else ''}": program,
        f"{info}/METADATA": METADATA.format(version=version(), description=description).encode(),
        f"{info}/WHEEL": f"Wheel-Version: 1.0\nGenerator: cudnn-checked\nRoot-Is-Purelib: false\nTag: {tag}\n".encode(),
        f"{info}/entry_points.txt": ENTRY_POINTS.encode(),
        f"{info}/licenses/LICENSE": (REPOSITORY / "LICENSE").read_bytes(),
    }
    for path in sorted((HERE / NAME).rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            files[str(path.relative_to(HERE))] = path.read_bytes()
    for path in sorted((installed / "share").rglob("*")):
        if path.is_file():
            files[f"{data}/data/{path.relative_to(installed)}"] = path.read_bytes()
    return files


def record_of(files, info):
    lines = []
    for name, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        lines.append(f"{name},sha256={digest},{len(content)}\n")
    return "".join([*lines, f"{info}/RECORD,,\n"]).encode()


def expand_tag(tag):
    """One line of WHEEL for each platform of a compressed tag (PEP 425)."""
    interpreter, abi, platforms = tag.split("-")
    return "\nTag: ".join(f"{interpreter}-{abi}-{platform}" for platform in platforms.split("."))


def write_wheel(path, files):
    """Beside its place, read back, and renamed: whoever looks finds the wheel whole or not at all."""
    part = path.with_name(f"cudnn_checked.{os.getpid()}.{time.time_ns()}.part")
    try:
        with zipfile.ZipFile(part, "x", zipfile.ZIP_DEFLATED, compresslevel=9) as wheel:
            for name, content in files.items():
                entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
                entry.compress_type = zipfile.ZIP_DEFLATED
                entry.external_attr = (0o100755 if "/scripts/" in name else 0o100644) << 16
                wheel.writestr(entry, content)
        with zipfile.ZipFile(part) as wheel:
            wrong = wheel.testzip()
        if wrong is not None:
            raise SystemExit(f"make_wheel.py: {wrong} cannot be read back from {part.parent}")
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)


def main():
    parser = argparse.ArgumentParser(description="makes the wheel of cudnn-checked")
    parser.add_argument("--program", type=pathlib.Path, required=True)
    parser.add_argument("--installed", type=pathlib.Path, required=True)
    parser.add_argument("--into", type=pathlib.Path, required=True)
    given = parser.parse_args()
    program = given.program.read_bytes()
    try:
        tag = tag_of(read_program(program))
    except (ValueError, KeyError, StopIteration, struct.error) as wrong:
        parser.error(f"{given.program} is no program for a known machine: {wrong}")
    if not (given.installed / "share/CuDNNChecked/cmake/CuDNNCheckedConfig.cmake").is_file():
        parser.error(f"{given.installed} is no prefix into which `cmake --install` has written this project")
    files = files_of(given.installed, program, expand_tag(tag))
    info = f"{NAME}-{version()}.dist-info"
    files[f"{info}/RECORD"] = record_of(files, info)
    given.into.mkdir(parents=True, exist_ok=True)
    path = given.into / f"{NAME}-{version()}-{tag}.whl"
    write_wheel(path, files)
    print(path)


if __name__ == "__main__":
    main()
