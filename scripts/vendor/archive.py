# SPDX-License-Identifier: BSD-3-Clause
"""usage: archive.py DIRECTORY [--laboratory]

Writes CuDNNChecked-<release>.tar.gz, the copy of vendor.py, into the directory, and beside it its SHA-256.
"""

import gzip
import hashlib
import io
import pathlib
import sys
import tarfile

from vendor import Copy

TIME = 315532800  # 1980: no file is from the future anywhere, and tar does not warn as of 1970


def archive(files, folder):
    """No entry of a directory: each is made when the archive is unpacked, and its time tells one release from the next."""
    unpacked = io.BytesIO()
    with tarfile.open(fileobj=unpacked, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for name, content in sorted(files.items()):
            entry = tarfile.TarInfo(f"{folder}/{name}")
            entry.size, entry.mtime, entry.mode = len(content), TIME, 0o644
            tar.addfile(entry, io.BytesIO(content))
    packed = io.BytesIO()
    # gzip.compress() writes another header from Python 3.11 on.
    with gzip.GzipFile(filename="", mode="wb", fileobj=packed, mtime=0) as stream:
        stream.write(unpacked.getvalue())
    return packed.getvalue()


def main():
    copy = Copy("--laboratory" in sys.argv)
    name = f"CuDNNChecked-{copy.release}"
    content = archive(copy.contents(), name)
    digest = hashlib.sha256(content).hexdigest()
    target = pathlib.Path(sys.argv[1])
    target.mkdir(parents=True, exist_ok=True)
    (target / f"{name}.tar.gz").write_bytes(content)
    (target / f"{name}.tar.gz.sha256").write_text(f"{digest}  {name}.tar.gz\n", encoding="utf-8")
    print(f"{name}.tar.gz, SHA-256 {digest}")


if __name__ == "__main__":
    main()
