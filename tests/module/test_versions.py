# SPDX-License-Identifier: BSD-3-Clause
"""The version that find_package asks for is cuDNN's: minimum, range and EXACT."""

from support import bare_cudnn
from support.downloads import download
from support.locating import LocatingTest


class Versions(LocatingTest):
    def ask(self, installed, request):
        """True where a cuDNN <installed> answers find_package(CuDNNChecked <request>)."""
        prefix = self.scratch / f"sdk-{installed}"
        if not prefix.exists():
            bare_cudnn(prefix, installed)
        result = self.locate(f"-DCuDNNChecked_ROOT={prefix}", request=f"{request};REQUIRED")
        if isinstance(result, dict):
            self.assertEqual(result["VERSION"], installed)
            return True
        self.assertIn("[cudnn-not-found]", result)
        return False

    def test_requests(self):
        for installed, request, answer in [
                ("9.14.0", "9.1", True), ("9.14.0", "9.14.0", True), ("9.14.0", "9.15", False),
                ("9.14.0", "99", False), ("9.14.0", "9.1...<10", True),
                ("9.14.0", "9.1...9.13", False), ("9.14.0", "9.1...<9.14", False),
                ("9.14.0", "9.15...<10", False), ("9.14.0", "9.14.0;EXACT", True),
                ("9.14.0", "9.14;EXACT", True), ("9.14.0", "9.13;EXACT", False),
                ("10.0.0", "9.1...<10", False), ("10.0.0", "10", True),
                ("10.2.1", "1;EXACT", False),
                ("8.9.7", "9", False), ("8.9.7", "8.1...<9", True)]:
            with self.subTest(installed=installed, request=request):
                self.assertIs(self.ask(installed, request), answer, self.output)

    def test_a_newer_major_release(self):
        """The number is the least one, as for other find modules; this one says so."""
        note = ("-- cudnn_checked: note: find_package(CuDNNChecked 8) takes newer major releases, too; "
                "for cuDNN 8 alone: find_package(CuDNNChecked 8...<9)\n")
        for installed, request, said in [("9.14.0", "8", True), ("9.14.0", "9", False), ("9.14.0", "8...<10", False),
                                         ("9.14.0", "", False), ("9.14.0", "8;QUIET", False), ("8.9.7", "8", False)]:
            with self.subTest(installed=installed, request=request):
                prefix = self.scratch / f"major-{installed}"
                if not prefix.exists():
                    bare_cudnn(prefix, installed)
                self.locate(f"-DCuDNNChecked_ROOT={prefix}", request=request)
                self.assertEqual(note in self.output, said, self.output)

    def test_one_that_does_not_fit_is_passed_over(self):
        bare_cudnn(self.scratch / "old", "9.1.0")
        new = bare_cudnn(self.scratch / "new", "9.14.0")
        result = self.locate(f"-DCUDNN_ROOT={self.scratch}/old", f"-DCUDNN_PATH={new}",
                             request="9.10;REQUIRED")
        self.assert_located(result, new)

    def test_the_message(self):
        bare_cudnn(self.scratch / "old", "9.1.0")
        text = self.locate(f"-DCUDNN_ROOT={self.scratch}/old", request="9.10...<10;REQUIRED")
        self.assertEqual(text, f"""\
cudnn_checked: refused: no cuDNN 9.10...<10 was found, only others
  asked for:  cuDNN 9.10...<10   find_package
  looked in:  <scratch>/old   CUDNN_ROOT: cuDNN 9.1.0
              <scratch>/cuda   CUDAToolkit_ROOT: neither cudnn.h nor libcudnn.so
  fix: in a Python environment, which CuDNNChecked_ROOT then names: pip install 'nvidia-cudnn-cu13>=9.10,<10'
{download()}   or: name the directory above include/cudnn.h and lib/libcudnn.so: -D CuDNNChecked_ROOT=DIRECTORY
  [cudnn-not-found]
""")

    def test_a_changed_root_takes_effect(self):
        first = bare_cudnn(self.scratch / "first", "9.10.0")
        second = bare_cudnn(self.scratch / "second", "9.14.0")
        self.assert_located(self.locate(f"-DCuDNNChecked_ROOT={first}"), first, version="9.10.0")
        self.assert_located(self.locate(f"-DCuDNNChecked_ROOT={second}"), second)

    def test_a_header_that_defines_no_version(self):
        prefix = bare_cudnn(self.scratch / "sdk")
        (prefix / "include" / "cudnn_version.h").write_text("#define CUDNN_MAJOR 9\n")
        self.assertIn("<scratch>/sdk/include/cudnn_version.h defines no release as three plain numbers",
                      self.locate(f"-DCuDNNChecked_ROOT={prefix}"))
