# SPDX-License-Identifier: BSD-3-Clause
"""sizes.csv: what an index tells of wheels, sorted in; the table; and no guard that has it."""

import io
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import urllib.error
from contextlib import redirect_stderr, redirect_stdout
from unittest import mock

from support.environment import REPOSITORY

sys.path.insert(0, str(REPOSITORY / "tool/data/catalogue"))

import sizes  # noqa: E402

HEAD = "cudnn,cuda_major,set,machine,bytes\n"
FILES = [("nvidia_cudnn_cu13-9.14.0.64-py3-none-manylinux_2_27_x86_64.whl", 350_763_257),
         ("nvidia_cudnn_cu13-9.14.0.64-py3-none-manylinux2014_aarch64.whl", 415_153_059),
         ("nvidia_cudnn_cu13-9.14.0.64-py3-none-win_amd64.whl", 335_562_562),
         # Of no machine that there is a table for, no wheel, and of a release that the catalogue lacks.
         ("nvidia_cudnn_cu13-9.14.0.64-py3-none-win_arm64.whl", 1),
         ("nvidia_cudnn_cu13-0.0.0a0.tar.gz", 489),
         ("nvidia_cudnn_cu13-9.98.0.1-py3-none-win_amd64.whl", 1)]


class Sizes(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.data, self.table = (pathlib.Path(folder.name) / name for name in ("sizes.csv", "sizes_table.inc"))
        self.data.write_text(HEAD)
        self.answers, self.asked = {"nvidia-cudnn-cu13": FILES}, []
        for patch in (mock.patch.object(sizes, "DATA", self.data), mock.patch.object(sizes, "TABLE", self.table),
                      mock.patch.object(sizes, "index_of_pip", lambda: "https://index.example/simple/"),
                      mock.patch.object(sizes.urllib.request, "urlopen", self.answer)):
            patch.start()
            self.addCleanup(patch.stop)

    def answer(self, request, timeout):
        self.assertEqual(request.headers, {"Accept": sizes.SIMPLE})
        self.asked.append(request.full_url)
        files = self.answers.get(request.full_url.split("/")[-2])
        if files is None:
            raise urllib.error.HTTPError(request.full_url, 404, "Not Found", {}, None)
        if isinstance(files, Exception):
            raise files
        return io.BytesIO(json.dumps({"files": [{"filename": name, "size": size} for name, size in files]}).encode())

    def add(self):
        out, errors = io.StringIO(), io.StringIO()
        with redirect_stdout(out), redirect_stderr(errors):
            good = sizes.add()
        return good, out.getvalue(), errors.getvalue()

    def test_what_the_index_tells_of_catalogued_packages(self):
        self.assertEqual(self.add(), (True, "catalogue: added 3 sizes\n", ""))
        self.assertEqual(self.data.read_text(), HEAD + """\
9.14.0.64,13,full,manylinux_x86_64,350763257
9.14.0.64,13,full,manylinux_aarch64,415153059
9.14.0.64,13,full,win_amd64,335562562
""")
        self.assertTrue(self.table.read_text().endswith(
            "static constexpr wheel_size wheel_sizes[] = {\n    {9, 14, 0, 13, true, {351, 415, 336}},\n};\n"))
        self.assertEqual(self.asked, [f"https://index.example/simple/{name}/" for name in sizes.PACKAGES])
        self.assertEqual(self.add(), (True, "", ""))

    def test_nothing_is_asked_where_nothing_is_missing(self):
        with mock.patch.object(sizes, "catalogued", lambda: set()):
            self.assertEqual(self.add(), (True, "", ""))
        self.assertEqual(self.asked, [])

    def test_an_index_that_does_not_answer(self):
        self.answers["nvidia-cudnn-cu12"] = OSError("no route to host")
        self.assertEqual(self.add(), (False, "catalogue: added 3 sizes\n", "catalogue: error: nvidia-cudnn-cu12: the "
                                      "index tells no sizes: no route to host\n"))

    def test_the_table_is_what_the_data_says(self):
        mock.patch.stopall()
        done = subprocess.run([sys.executable, sizes.HERE / "sizes.py", "--check"], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        text = (sizes.HERE / "sizes.csv").read_text()
        known = {tuple(line.split(",")[:3]) for line in text.splitlines()[1:]}
        self.assertEqual(sizes.catalogued() - known, set())

    def test_no_guard_has_it(self):
        including = [path.name for path in (REPOSITORY / "tool/core").rglob("*.cpp")
                     if "wheel_sizes.cpp" in path.read_text()]
        self.assertEqual(including, ["core.cpp"])


class Index(unittest.TestCase):
    def test_the_one_that_pip_asks(self):
        for variables, expected in (({"PIP_INDEX_URL": "https://index.example/simple"}, "https://index.example/simple"),
                                    ({"PIP_INDEX_URL": "https://index.example/simple", "PIP_NO_INDEX": "1"}, "")):
            with self.subTest(variables), mock.patch.dict(os.environ, PIP_CONFIG_FILE=os.devnull, **variables):
                self.assertEqual(sizes.index_of_pip(), expected)


if __name__ == "__main__":
    unittest.main()
