# SPDX-License-Identifier: BSD-3-Clause
"""The packages of an environment by their records, and whether what they require is there."""

import dataclasses
import os
import pathlib
import re
import typing

from local_index import digest_of


@dataclasses.dataclass
class Package:
    """A package of an environment, by its record."""

    version: str
    requires: typing.Tuple[str, ...]
    files: typing.Dict[str, str]
    whole: bool


def packages(site):
    found = {}
    for about in pathlib.Path(site).glob("*.dist-info"):
        try:
            metadata, record = (about / "METADATA").read_text(), (about / "RECORD").read_text()
        except OSError:
            continue
        name = re.search(r"^Name: (.*)$", metadata, re.M).group(1).lower().replace("_", "-")
        if name == "pip":
            continue
        files = {}
        for line in record.splitlines():
            path, digest, _ = line.rsplit(",", 2)
            if digest and not path.startswith(about.name):
                files[path] = digest
        whole = all(_is_as_recorded(os.path.join(site, p), digest) for p, digest in files.items())
        found[name] = Package(re.search(r"^Version: (.*)$", metadata, re.M).group(1),
                              tuple(re.findall(r"^Requires-Dist: (.*)$", metadata, re.M)), files, whole)
    return found


def _is_as_recorded(path, digest):
    try:
        return digest_of(pathlib.Path(path).read_bytes()) == digest
    except OSError:
        return False


def requirements(installed):
    """Whether each requirement, of one package by another, holds; None where what is required is not there.  Only ==
    and a name alone are written here."""
    found = {}
    for asker, package in installed.items():
        for requirement in package.requires:
            name, _, version = requirement.replace(" ", "").replace("(", "").replace(")", "").partition("==")
            other = installed.get(name)
            found[f"{asker} requires {requirement}"] = (not version or other.version == version) if other else None
    return found
