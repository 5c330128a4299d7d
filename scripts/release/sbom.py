# SPDX-License-Identifier: BSD-3-Clause
"""usage: sbom.py DIRECTORY --release R --commit C --time SECONDS --linked FILE

Writes DIRECTORY/cudnn-checked-<release>.spdx.json: a package of SPDX 2.3 for each file of the directory, with its SHA-256, the
sources that all are made of, and what is linked into one of them statically.  That is a line of FILE each: PATTERN of
names=NAME=VERSION=LICENSE.  Made and validated by spdx-tools (requirements.txt).  The same files give the same bytes.
"""

import argparse
import datetime
import fnmatch
import hashlib
import pathlib
import re
import sys

from spdx_tools.spdx.model import (Actor, ActorType, Checksum, ChecksumAlgorithm, CreationInfo, Document, Package, Relationship,
                                   RelationshipType, SpdxNoAssertion)
from spdx_tools.spdx.validation.document_validator import validate_full_spdx_document
from spdx_tools.spdx.writer.write_anything import write_file
from spdx_tools.common.spdx_licensing import spdx_licensing

LICENSE = "BSD-3-Clause"


def package(name, version, expression, **more):
    """Where it is downloaded is not known before a person has uploaded it."""
    identifier = "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]+", "-", name)
    return Package(identifier, name, SpdxNoAssertion(), version=version, files_analyzed=False,
                   license_declared=spdx_licensing.parse(expression), license_concluded=spdx_licensing.parse(expression), **more)


def document(given):
    files = sorted(path for path in given.directory.iterdir() if path.suffix not in (".json", ".sha256"))
    digests = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in files}
    whole = hashlib.sha256("".join(f"{digest}  {name}\n" for name, digest in digests.items()).encode()).hexdigest()
    made = Document(CreationInfo(
        "SPDX-2.3", "SPDXRef-DOCUMENT", f"cudnn-checked-{given.release}",
        f"https://cudnn-checked.invalid/spdx/{given.release}/{whole}",
        [Actor(ActorType.TOOL, "spdx-tools"), Actor(ActorType.ORGANIZATION, "CuDNNChecked maintainers")],
        datetime.datetime.fromtimestamp(given.time, datetime.timezone.utc).replace(tzinfo=None)))
    sources = package("cudnn-checked", given.release, LICENSE, comment=f"Commit {given.commit}.")
    made.packages.append(sources)

    def relate(one, kind, other):
        made.relationships.append(Relationship(one, kind, other))

    relate("SPDXRef-DOCUMENT", RelationshipType.DESCRIBES, sources.spdx_id)
    linked = {}
    for path in files:
        one = package(path.name, given.release, LICENSE, file_name=path.name,
                      checksums=[Checksum(ChecksumAlgorithm.SHA256, digests[path.name])])
        made.packages.append(one)
        relate(one.spdx_id, RelationshipType.GENERATED_FROM, sources.spdx_id)
        relate("SPDXRef-DOCUMENT", RelationshipType.DESCRIBES, one.spdx_id)
        for pattern, name, version, expression in (line.split("=") for line in given.linked.read_text(encoding="utf-8").splitlines()):
            if fnmatch.fnmatchcase(path.name, pattern):
                if (name, version) not in linked:
                    linked[name, version] = package(f"{name}-{version}", version, expression)
                relate(one.spdx_id, RelationshipType.STATIC_LINK, linked[name, version].spdx_id)
    made.packages += linked.values()
    return made


def main():
    parser = argparse.ArgumentParser(usage=__doc__.splitlines()[0][len("usage: "):])
    parser.add_argument("directory", type=pathlib.Path)
    parser.add_argument("--release", required=True)
    parser.add_argument("--commit", required=True)
    parser.add_argument("--time", type=int, required=True)
    parser.add_argument("--linked", type=pathlib.Path, required=True)
    given = parser.parse_args()
    made = document(given)
    wrong = validate_full_spdx_document(made)
    if wrong:
        sys.exit("\n".join(f"sbom.py: {message.validation_message}" for message in wrong))
    target = given.directory / f"cudnn-checked-{given.release}.spdx.json"
    write_file(made, str(target), validate=False)
    print(f"{target.name}, {len(made.packages)} packages")


if __name__ == "__main__":
    main()
