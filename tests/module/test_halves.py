# SPDX-License-Identifier: BSD-3-Clause
"""Header and library always come from the same install."""

from support import bare_cudnn
from support.downloads import download
from support.locating import LocatingTest


class Halves(LocatingTest):
    def test_the_header_of_one_and_the_library_of_another_are_never_taken(self):
        bare_cudnn(self.scratch / "headers", libraries=False)
        bare_cudnn(self.scratch / "library", headers=False)
        text = self.locate(f"-DCUDNN_ROOT={self.scratch}/headers",
                           f"-DCUDNN_PATH={self.scratch}/library")
        self.assertEqual(text, f"""\
cudnn_checked: refused: cuDNN's headers were found without their library
  looked in:  <scratch>/headers   CUDNN_ROOT: cudnn.h of 9.14.0 without libcudnn.so.9
              <scratch>/library   CUDNN_PATH: <scratch>/library/lib/libcudnn.so.9 without cudnn.h
              <scratch>/cuda   CUDAToolkit_ROOT: neither cudnn.h nor libcudnn.so
  A header of one install is never taken with a library of another.
  fix: in a Python environment, which CuDNNChecked_ROOT then names: pip install nvidia-cudnn-cu13
{download()}   or: name the directory above include/cudnn.h and lib/libcudnn.so: -D CuDNNChecked_ROOT=DIRECTORY
  [library-missing]
""")

    def test_headers_missing(self):
        bare_cudnn(self.scratch / "library", headers=False)
        self.assertEqual(self.locate(f"-DCUDNN_PATH={self.scratch}/library"), f"""\
cudnn_checked: refused: cuDNN's library was found without its headers
  looked in:  <scratch>/library   CUDNN_PATH: <scratch>/library/lib/libcudnn.so.9 without cudnn.h
              <scratch>/cuda   CUDAToolkit_ROOT: neither cudnn.h nor libcudnn.so
  Programs that use cuDNN can run here, but cannot be compiled.
  fix: in a Python environment, which CuDNNChecked_ROOT then names: pip install nvidia-cudnn-cu13
{download()}   or: name the directory above include/cudnn.h and lib/libcudnn.so: -D CuDNNChecked_ROOT=DIRECTORY
  [headers-missing]
""")

    def test_half_an_install_is_passed_over_for_a_whole_one(self):
        bare_cudnn(self.scratch / "headers", "9.1.0", libraries=False)
        whole = bare_cudnn(self.scratch / "whole")
        self.assert_located(self.locate(f"-DCUDNN_ROOT={self.scratch}/headers",
                                        f"-DCUDNN_HOME={whole}"), whole)

    def test_a_library_of_another_major_is_no_half(self):
        prefix = bare_cudnn(self.scratch / "sdk", "9.14.0", libraries=False)
        bare_cudnn(prefix, "8.9.7", headers=False)
        self.assertIn("cudnn.h of 9.14.0 without libcudnn.so.9 (there is <scratch>/sdk/lib/"
                      "libcudnn.so.8)", self.locate(f"-DCuDNNChecked_ROOT={prefix}"))

    def test_two_majors_side_by_side(self):
        prefix = bare_cudnn(self.scratch / "sdk", "9.14.0")
        (prefix / "lib" / "libcudnn.so.8").write_text("")
        (prefix / "lib" / "libcudnn.so").symlink_to("libcudnn.so.8")
        self.assert_located(self.locate(f"-DCuDNNChecked_ROOT={prefix}"), prefix)
