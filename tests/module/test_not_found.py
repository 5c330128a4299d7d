# SPDX-License-Identifier: BSD-3-Clause
"""Where there is no cuDNN, every place that was looked at is listed with the reason."""

import sys

from support import bare_cudnn, warnings
from support.downloads import download
from support.environment import with_installers
from support.locating import LocatingTest

NAME = "name the directory above include/cudnn.h and lib/libcudnn.so: -D CuDNNChecked_ROOT=DIRECTORY\n"
# There is no Python on PATH.
PIP = "in a Python environment, which CuDNNChecked_ROOT then names: pip install nvidia-cudnn-cu13\n" + download()
FIX = f"  fix: {PIP}   or: {NAME}"


class NotFound(LocatingTest):
    def test_nothing_anywhere(self):
        self.assertEqual(self.locate(), f"""\
cudnn_checked: refused: no cuDNN was found
  looked in:  <scratch>/cuda   CUDAToolkit_ROOT: neither cudnn.h nor libcudnn.so
{FIX}  [cudnn-not-found]
""")

    def test_every_hint_is_listed(self):
        (self.scratch / "empty").mkdir()
        text = self.locate(f"-DCUDNN_ROOT={self.scratch}/none",
                           environment={"CUDNN_PATH": self.scratch / "empty",
                                        "CONDA_PREFIX": self.scratch / "conda"})
        self.assertEqual(text, f"""\
cudnn_checked: refused: no cuDNN was found
  looked in:  <scratch>/none   CUDNN_ROOT: no such directory
              <scratch>/empty   environment CUDNN_PATH: neither cudnn.h nor libcudnn.so
              <scratch>/conda   environment CONDA_PREFIX: no such directory
              <scratch>/cuda   CUDAToolkit_ROOT: neither cudnn.h nor libcudnn.so
{FIX}  [cudnn-not-found]
""")

    def test_a_hint_that_leads_nowhere_is_told_where_another_is_taken(self):
        other = bare_cudnn(self.scratch / "other")
        note = ("-- cudnn_checked: note: CUDNN_ROOT names <scratch>/none, which does not exist: cuDNN 9.14.0 of "
                "<scratch>/other is taken\n")
        given = {"request": "REQUIRED", "environment": {"CUDNN_PATH": other}}
        self.assert_located(self.locate(f"-DCUDNN_ROOT={self.scratch}/none", **given), other)
        self.assertIn(note, self.relative(self.output))
        self.assert_located(self.locate(f"-DCUDNN_ROOT={other}", **given), other)
        self.assertNotIn("cudnn_checked: note:", self.output)

    def test_a_hint_without_cudnn_is_told_where_another_is_taken(self):
        other = bare_cudnn(self.scratch / "other")
        empty = self.scratch / "empty"
        empty.mkdir()
        given = {"request": "REQUIRED", "environment": {"CUDNN_PATH": other}}
        said = "-- cudnn_checked: note: CUDNN_ROOT names <scratch>/{}: cuDNN 9.14.0 of <scratch>/other is taken\n"
        self.assert_located(self.locate(f"-DCUDNN_ROOT={empty}", **given), other)
        self.assertIn(said.format("empty (no whole cuDNN)"), self.relative(self.output))
        older = bare_cudnn(self.scratch / "older", "9.5.1")
        self.assert_located(self.locate(f"-DCUDNN_ROOT={older}", **{**given, "request": "9.14;REQUIRED"}), other)
        self.assertIn(said.format("older (cuDNN 9.5.1)"), self.relative(self.output))
        # One of its directories, or a wheel below it, is one.
        self.assert_located(self.locate(f"-DCUDNN_ROOT={empty};{other}", request="REQUIRED"), other)
        self.assertNotIn("cudnn_checked: note:", self.output)

    def test_a_component_without_a_library(self):
        prefix = bare_cudnn(self.scratch / "sdk", "8.9.7")
        (prefix / "lib" / "libcudnn_cnn_infer.so.8").write_text("")
        text = self.locate(f"-DCuDNNChecked_ROOT={prefix}",
                           request="REQUIRED;COMPONENTS;graph;cnn;adv")
        self.assertEqual(text, """\
cudnn_checked: refused: this cuDNN has no library for a component that is asked for: adv
  asked for:  adv   COMPONENTS
  cuDNN:      8.9.7   <scratch>/sdk/lib/libcudnn.so.8
  A program that needs it would fail when it calls it.
  fix: choose another cuDNN or another CUDA: PyPI has no cuDNN 8.9.7 for CUDA 13 (CUDAToolkit_ROOT)
   or: ask for COMPONENTS without adv
  [sublibrary-missing]
""")

    def test_an_explicit_root_is_never_left(self):
        bare_cudnn(self.scratch / "other")
        text = self.locate(f"-DCuDNNChecked_ROOT={self.scratch}/none",
                           f"-DCUDNN_ROOT={self.scratch}/other")
        self.assertEqual(text, f"""\
cudnn_checked: refused: no cuDNN was found
  looked in:  <scratch>/none   CuDNNChecked_ROOT: no such directory
  elsewhere:  cuDNN 9.14.0   <scratch>/other
  CuDNNChecked_ROOT is set, so no other directory was searched.
  fix: cmake -U CuDNNChecked_ROOT <scratch>/app-build
   or: {NAME}\
  [cudnn-not-found]
""")

    def test_a_file_in_place_of_a_directory(self):
        """The cuDNN above it is meant, and not another one."""
        prefix = bare_cudnn(self.scratch / "sdk")
        bare_cudnn(self.scratch / "other", "9.19.0")
        for file in ("lib/libcudnn.so.9", "include/cudnn.h"):
            with self.subTest(file):
                self.assertEqual(self.locate(f"-DCuDNNChecked_ROOT={prefix}/{file}", f"-DCUDNN_ROOT={self.scratch}/other"), f"""\
cudnn_checked: refused: no cuDNN was found
  looked in:  <scratch>/sdk/{file}   CuDNNChecked_ROOT: a file, not a directory
  elsewhere:  cuDNN 9.14.0   <scratch>/sdk
  CuDNNChecked_ROOT is set, so no other directory was searched.
  fix: cmake -D CuDNNChecked_ROOT=<scratch>/sdk <scratch>/app-build
   or: {NAME}\
  [cudnn-not-found]
""")
        self.assert_located(self.locate(f"-DCuDNNChecked_ROOT={prefix}"), prefix)

    def test_a_broken_link_is_named(self):
        prefix = bare_cudnn(self.scratch / "sdk", libraries=False)
        (prefix / "lib").mkdir()
        (prefix / "lib" / "libcudnn.so.9").symlink_to("libcudnn.so.9.14.0")
        self.assertEqual(self.locate(f"-DCuDNNChecked_ROOT={prefix}"), f"""\
cudnn_checked: refused: cuDNN's headers were found without their library
  looked in:  <scratch>/sdk   CuDNNChecked_ROOT: <scratch>/sdk/lib/libcudnn.so.9 is a link to \
libcudnn.so.9.14.0, which is not there
  CuDNNChecked_ROOT is set, so no other directory was searched.
{FIX}  [library-missing]
""")

    RECIPE = ("export {}=\"$(python3 -c 'import nvidia.cudnn as c; print(list(c.__path__)[0])')\"\n")

    def test_a_recipe_that_printed_none(self):
        for name, arguments, environment, label in [
                ("CUDNN_ROOT", ["-DCUDNN_ROOT=None"], {}, "CUDNN_ROOT"),
                ("CUDNN_PATH", ["-UCUDNN_ROOT"], {"CUDNN_PATH": "None"}, "environment CUDNN_PATH")]:
            with self.subTest(name=name):
                self.assertEqual(self.locate(*arguments, environment=environment), f"""\
cudnn_checked: refused: no cuDNN was found, and no directory is named by {label}
  looked in:  <scratch>/app/None   {label}: no directory: Python printed None, because a namespace package has no \
__file__
              <scratch>/cuda   CUDAToolkit_ROOT: neither cudnn.h nor libcudnn.so
  fix: {PIP}   or: {self.RECIPE.format(name)}   or: {NAME}  [library-missing]
""")

    def test_a_recipe_that_printed_nothing(self):
        self.assertEqual(self.locate(environment={"CUDNN_PATH": ""}), f"""\
cudnn_checked: refused: no cuDNN was found
  looked in:  nothing   environment CUDNN_PATH: set, and empty
              <scratch>/cuda   CUDAToolkit_ROOT: neither cudnn.h nor libcudnn.so
  fix: {PIP}   or: {self.RECIPE.format("CUDNN_PATH")}   or: {NAME}  [cudnn-not-found]
""")

    def test_the_recipe_works(self):
        """The package of the real wheel is a namespace too: no __init__.py."""
        bare_cudnn(self.scratch / "site" / "nvidia" / "cudnn")
        program = self.RECIPE.format("X").split("'")[1]
        done = self.app.run(sys.executable, "-c", program,
                            environment={"PYTHONPATH": self.scratch / "site"})
        self.assertEqual(done.output, f"{self.scratch}/site/nvidia/cudnn\n")

    def test_the_library_directory_as_hint(self):
        prefix = bare_cudnn(self.scratch / "sdk")
        self.assertIn("looked in:  <scratch>/sdk/lib   CuDNNChecked_ROOT: it holds the files "
                      "themselves: name the directory above it: <scratch>/sdk\n",
                      self.locate(f"-DCuDNNChecked_ROOT={prefix}/lib"))

    def test_a_wheel_whose_record_lists_absent_libraries(self):
        site = self.scratch / "site"
        names = [bare_cudnn(site / "nvidia" / "cudnn") / "lib" / "libcudnn.so.9"]
        names.append(names[0].with_name("libcudnn_graph.so.9"))
        record = self.write("site/nvidia_cudnn_cu13-9.14.0.64.dist-info/RECORD", "".join(
            f"{name.relative_to(site)},sha256=x,1\n" for name in names) + "other/file.py,,\n")
        self.assertTrue(names[0].exists() and not names[1].exists())
        with self.subTest("some are there: the probe says it"):
            self.assert_located(self.locate(f"-DCuDNNChecked_ROOT={site}"), site / "nvidia" / "cudnn")
        names[0].unlink()
        having_pip = with_installers(self.scratch / "bin", "python3", "pip")
        self.assertEqual(self.locate(f"-DCUDNN_ROOT={site}", "-UCuDNNChecked_ROOT", environment=having_pip), f"""\
cudnn_checked: refused: a Python package of cuDNN is recorded, but its libraries are missing
  looked in:  <scratch>/site   CUDNN_ROOT: neither cudnn.h nor libcudnn.so
              <scratch>/site/nvidia/cudnn   CUDNN_ROOT: <scratch>/{record.relative_to(self.scratch)} \
lists what is not there: libcudnn.so.9, libcudnn_graph.so.9
              <scratch>/cuda   CUDAToolkit_ROOT: neither cudnn.h nor libcudnn.so
  An installation that was interrupted leaves the record behind.
  fix: python3 -m pip install --upgrade --target <scratch>/site --no-deps \
nvidia-cudnn-cu13==9.14.0.64
{download(release='9.14.0')}   or: {NAME}  [library-missing]
""")

    def test_not_required_is_a_warning_and_not_found(self):
        for request in ("", "9.1...<10"):
            result = self.locate(request=request)
            self.assertEqual(result["FOUND"], "FALSE")
            self.assertEqual(result["VERSION"], "")
            self.assertEqual(len(warnings(self.output)), 1, self.output)
            self.assertIn("[cudnn-not-found]", warnings(self.output)[0])
            # CMake's own, for developers: that a range were not supported.
            self.assertNotIn("(dev)", self.output)

    def test_quiet_says_nothing(self):
        result = self.locate(request="QUIET")
        self.assertEqual(result["FOUND"], "FALSE")
        self.assertNotIn("cudnn", self.output.replace(str(self.scratch), "").lower())
