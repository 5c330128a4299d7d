# SPDX-License-Identifier: BSD-3-Clause
"""FIFOs, devices, sockets and directories in the place of files: nothing waits for them, and each is named."""

import os
import pathlib
import socket
import subprocess

from support import bare_cudnn
from support.locating import LocatingTest


def make(kind, path):
    path = pathlib.Path(path)
    if path.exists():
        path.unlink()
    if kind == "a FIFO":
        os.mkfifo(path)
    elif kind == "a directory":
        path.mkdir()
    elif kind == "a socket":
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(str(path))
    else:
        path.symlink_to("/dev/zero")


class StrangeFiles(LocatingTest):
    def test_each_is_named(self):
        for number, (place, name) in enumerate([
                ("cudnn", "include/cudnn.h"), ("cudnn", "include/cudnn_version.h"),
                ("cudnn", "include/cudnn_graph.h"), ("cudnn", "lib/libcudnn.so.9"),
                ("cuda", "include/cuda_runtime_api.h"), ("cuda", "lib/libcudart.so.13")]):
            for kind in ["a FIFO", "a directory", "a socket", "a device"][:4 if number < 2 else 2]:
                with self.subTest(name=name, kind=kind):
                    sdk = bare_cudnn(self.scratch / f"sdk{number}{kind[2:5]}")
                    path = (sdk if place == "cudnn" else self.cuda) / name
                    before = path.read_bytes() if path.exists() else b""
                    make(kind, path)
                    try:
                        text = self.locate(f"-DCuDNNChecked_ROOT={sdk}")
                    except subprocess.TimeoutExpired:
                        text = "it waits"
                    finally:
                        path.rmdir() if kind == "a directory" else path.unlink()
                        path.write_bytes(before)
                    self.assertIsInstance(text, str)
                    said = path.name if name.endswith("api.h") else self.relative(str(path))
                    self.assertRegex(text, f"(?m)^  looked in: .*: {said} is {kind}\n")

    def test_a_report(self):
        sdk = bare_cudnn(self.scratch / "sdk")
        report = self.scratch / "report.json"
        for kind in ["a FIFO", "a directory", "a socket"]:
            with self.subTest(kind=kind):
                make(kind, report)
                self.assertEqual(self.locate(f"-DCuDNNChecked_ROOT={sdk}",
                                             f"-DCuDNNChecked_PROBE_REPORT={report}"), f"""\
cudnn_checked: refused: CuDNNChecked_PROBE_REPORT does not name a file
  value:       <scratch>/report.json   CuDNNChecked_PROBE_REPORT
  looked for:  <scratch>/report.json   which is {kind}
  fix: cmake -U CuDNNChecked_PROBE_REPORT <scratch>/app-build
   or: name the report that the probe wrote where the program will run
  [bad-input]
""")
                report.rmdir() if kind == "a directory" else report.unlink()
