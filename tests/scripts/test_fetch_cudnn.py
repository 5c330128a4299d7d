# SPDX-License-Identifier: BSD-3-Clause
"""scripts/fetch_cudnn.sh: what is in the cache is whole, or it is not there under its name."""

import os
import pathlib
import subprocess
import tempfile
import unittest
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIBRARY = "nvidia/cudnn_jit/lib/libcudnn.so.9"


def write_wheel(folder, library=b"a library"):
    """A wheel of the same name and release as the set older-cu13 asks for."""
    name = "nvidia_cudnn_jit_cu13-9.13.0.50"
    info = name + ".dist-info/"
    folder.mkdir(exist_ok=True)
    path = folder / (name + "-py3-none-any.whl")
    with zipfile.ZipFile(path, "w") as wheel:
        wheel.writestr(LIBRARY, library)
        wheel.writestr(info + "METADATA",
                       "Metadata-Version: 2.1\nName: nvidia-cudnn-jit-cu13\nVersion: 9.13.0.50\n")
        wheel.writestr(info + "WHEEL",
                       "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(info + "RECORD", "")
    return path


class FetchCudnn(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.index = self.folder / "index"
        self.cache = self.folder / "cache" / "cudnn-checked"

    def fetch(self, name="older-cu13", **variables):
        environment = dict(os.environ, XDG_CACHE_HOME=str(self.folder / "cache"), PIP_NO_INDEX="1",
                           PIP_FIND_LINKS=str(self.index), PIP_CONFIG_FILE=os.devnull,
                           **{"CUDNN_CHECKED_BUILD": "", **variables})
        return subprocess.run(["sh", str(ROOT / "scripts/fetch_cudnn.sh"), name], env=environment,
                              capture_output=True, text=True)

    def test_prints_the_folder_that_holds_the_libraries(self):
        write_wheel(self.index)
        result = self.fetch()
        self.assertEqual(result.returncode, 0, result.stderr)
        home = pathlib.Path(result.stdout.rstrip("\n"))
        self.assertEqual((home / LIBRARY).read_bytes(), b"a library")
        self.assertIn("== fetching from PyPI, about 16 MB: nvidia-cudnn-jit-cu13==9.13.0.50\n",
                      result.stderr)

    def test_second_use_fetches_nothing(self):
        wheel = write_wheel(self.index)
        first = self.fetch()
        wheel.unlink()
        second = self.fetch()
        self.assertEqual((second.returncode, second.stdout), (0, first.stdout), second.stderr)
        self.assertEqual(second.stderr, "")

    def test_file_that_was_cut_in_the_cache_is_fetched_again(self):
        write_wheel(self.index)
        home = pathlib.Path(self.fetch().stdout.rstrip("\n"))
        (home / LIBRARY).write_bytes(b"a lib")
        self.assertEqual(self.fetch().returncode, 0)
        self.assertEqual((home / LIBRARY).read_bytes(), b"a library")

    def test_download_that_breaks_off_leaves_nothing(self):
        wheel = write_wheel(self.index, library=bytes(100000))
        wheel.write_bytes(wheel.read_bytes()[:5000])
        result = self.fetch()
        self.assertEqual(result.returncode, 1)
        self.assertEqual(result.stdout, "")
        self.assertIn("dev: error: pip could not fetch nvidia-cudnn-jit-cu13==9.13.0.50\n"
                      "  Its own lines stand above; nothing was kept.\n", result.stderr)
        self.assertEqual(list(self.cache.iterdir()), [])

    def test_entries_of_a_suite_do_not_each_wait_for_what_cannot_be_reached(self):
        suite, failed = {"CUDNN_CHECKED_BUILD": str(self.folder)}, self.folder / "not_fetched"
        self.assertEqual(self.fetch(**suite).returncode, 1)
        write_wheel(self.index)
        result = self.fetch(**suite)
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertEqual(result.stderr, "dev: error: nothing is fetched for ten minutes: "
                         "pip could not fetch nvidia-cudnn-jit-cu13==9.13.0.50\n")
        eleven_minutes_ago = failed.stat().st_mtime - 660
        os.utime(failed, (eleven_minutes_ago, eleven_minutes_ago))
        self.assertEqual(self.fetch(**suite).returncode, 0)

    def test_unknown_set(self):
        result = self.fetch("newest")
        self.assertEqual(result.returncode, 1)
        self.assertEqual(result.stderr, 'dev: error: cudnn_sets.txt has no set "newest"\n')
