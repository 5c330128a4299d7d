# SPDX-License-Identifier: BSD-3-Clause
"""A configure where nothing has changed searches nothing; any change lets it search again."""

import os
import re
import shutil

from support import REPOSITORY, bare_cudnn
from support.locating import LocatingTest

# Of our own parts, and of a configure that searches nothing.
MOST_FILE_CALLS = 120


class Recall(LocatingTest):
    def setUp(self):
        super().setUp()
        self.sdk = bare_cudnn(self.scratch / "sdk")
        (self.scratch / "empty").mkdir()
        (self.scratch / "empty" / "lib").mkdir()
        bare_cudnn(self.scratch / "older", "9.1.0")
        self.age = 10**6
        self.arguments = [f"-DCUDNN_ROOT={self.scratch}/absent", f"-DCUDNN_PATH={self.scratch}/empty",
                          f"-DCUDNN_ROOT_DIR={self.scratch}/older", f"-DCUDNN_HOME={self.sdk}"]
        self.variables = {}

    def settle(self):
        """Gives everything a time in the past: what is new is not trusted (see remember_answer)."""
        self.age += 10
        for folder in [self.sdk, self.cuda, self.scratch / "empty", self.scratch / "absent",
                       self.scratch / "older", self.scratch / "loader"]:
            for path in [folder, *folder.rglob("*")] if folder.exists() else []:
                os.utime(path, (self.age, self.age), follow_symlinks=False)

    def searched(self, request="9.10;REQUIRED"):
        """Configures; whether it searched."""
        trace = self.scratch / "trace.txt"
        self.result = self.locate(*self.arguments, "--trace", f"--trace-redirect={trace}",
                                  request=request, environment=self.variables)
        self.trace = trace.read_text()
        self.assertIsInstance(self.result, dict, self.result)
        return "_cudnn_checked_prove(" in self.trace

    def recalled(self):
        """Lets the next configure search nothing."""
        self.settle()
        self.searched()
        self.assertFalse(self.searched())

    def test_nothing_changed(self):
        self.recalled()
        self.assert_located(self.result, self.sdk)
        first = self.result
        self.assertFalse(self.searched())
        self.assertEqual(self.result, first)
        calls = re.findall(r"/cmake/CuDNNChecked/\w+/\w+\.cmake\(\d+\):  file\(", self.trace)
        self.assertLess(len(calls), MOST_FILE_CALLS)
        self.assertNotRegex(self.trace, r"CuDNNChecked/\w+/\w+\.cmake\(\d+\):  (execute_process|try_compile)")

    def test_what_is_new_is_not_trusted(self):
        self.assertTrue(self.searched())
        self.assertTrue(self.searched())

    def test_files(self):
        library, header = self.sdk / "lib/libcudnn.so.9", self.sdk / "include/cudnn_version.h"
        changes = {
            "library touched": library.touch,
            "library older": lambda: os.utime(library, (1, 1)),
            "library longer": lambda: (library.write_text("longer"),
                                       os.utime(library, (self.age, self.age))),
            "link to another file": lambda: (library.rename(self.sdk / "lib/real"),
                                             library.symlink_to("real"),
                                             os.utime(self.sdk / "lib", (self.age, self.age))),
            "new file beside it": (self.sdk / "lib/libcudnn_new.so.9").touch,
            "header": lambda: header.write_text(header.read_text() + "\n"),
            "CUDA header": (self.cuda / "include/cuda_runtime_api.h").touch,
            "new directory": (self.sdk / "lib64").mkdir,
            "a header of a place that was passed over":
                (self.scratch / "older/include/cudnn_version.h").touch,
            "a file in a directory that had none": (self.scratch / "empty/lib/other").touch,
            "a directory that was not there": (self.scratch / "absent").mkdir,
        }
        self.recalled()
        for name, change in changes.items():
            with self.subTest(change=name):
                change()
                self.assertTrue(self.searched())
                self.assert_located(self.result, self.sdk)
                self.recalled()

    def test_where_a_link_leads(self):
        """To a file of the same size and time, by way of a directory that is not looked at."""
        library = self.sdk / "lib/libcudnn.so.9"
        for name in ["one", "other", "way"]:
            (self.scratch / name).mkdir()
            if name != "way":
                (self.scratch / name / library.name).touch()
        link = self.scratch / "way/link"
        link.symlink_to(f"../one/{library.name}")
        library.unlink()
        library.symlink_to(link)
        for name in ["one", "other"]:
            os.utime(self.scratch / name / library.name, (10**6, 10**6))
        self.recalled()
        link.unlink()
        link.symlink_to(f"../other/{library.name}")
        self.assertTrue(self.searched())

    def test_the_same_size_and_time(self):
        """cp -p over a file leaves its directory, its size and its time as they were."""
        library, header = self.sdk / "lib/libcudnn.so.9", self.sdk / "include/cudnn_version.h"
        cudart = self.cuda / "lib/libcudart.so.13"
        for path, content in [(library, b"one"), (cudart, b"x" * 10**5)]:
            path.write_bytes(content)
        for path, content in [(library, b"two"), (cudart, b"x" * 5 * 10**4 + b"y" * 5 * 10**4),
                              (cudart, b"z" * 64 + b"x" * (5 * 10**4 - 64) + b"y" * 5 * 10**4),
                              (header, header.read_bytes().replace(b"14", b"13"))]:
            with self.subTest(path=path.name):
                self.recalled()
                size = path.stat().st_size
                path.write_bytes(content)
                os.utime(path, (self.age, self.age))
                self.assertEqual(path.stat().st_size, size)
                self.assertTrue(self.searched())
        self.assertEqual(self.result["VERSION"], "9.13.0")
        with self.subTest("a FIFO is not waited for"):
            self.recalled()
            library.unlink()
            os.mkfifo(library)
            os.utime(library, (self.age, self.age))
            os.utime(self.sdk / "lib", (self.age, self.age))
            text = self.locate(*self.arguments, request="9.10;REQUIRED")
            self.assertIn("CUDNN_HOME: <scratch>/sdk/lib/libcudnn.so.9 is a FIFO\n", text)

    def package(self, working_tree):
        """Uses a copy of this package."""
        package = self.scratch / "package"
        for folder in ["cmake", "tool", "templates"]:
            shutil.copytree(REPOSITORY / folder, package / folder)
        if working_tree:
            (package / ".git").touch()
        for path in [package, *package.rglob("*")]:
            os.utime(path, (10**6, 10**6))
        self.arguments.append(f"-DCUDNN_CHECKED_SOURCE={package}")
        return package

    def test_a_source_of_this_package_that_is_edited_in_a_working_tree(self):
        package = self.package(working_tree=True)
        for name in ["tool/probe/program.cpp", "tool/core/judge/rules/rules.h",
                     "cmake/CuDNNChecked/package_version.cmake"]:
            with self.subTest(name=name):
                self.recalled()
                (package / name).touch()
                self.assertTrue(self.searched())
                os.utime(package / name, (10**6, 10**6))

    def test_a_release_of_this_package_that_replaces_another(self):
        """File by file, each with the time that it has in its archive."""
        package = self.package(working_tree=False)
        for name in ["tool/probe/program.cpp", "tool/core/judge/rules/rules.h",
                     "cmake/CuDNNChecked/run/prove.cmake"]:
            with self.subTest(name=name):
                self.recalled()
                (self.scratch / "new").write_text((package / name).read_text())
                os.utime(self.scratch / "new", (10**6, 10**6))
                (self.scratch / "new").rename(package / name)
                self.assertTrue(self.searched())
                os.utime((package / name).parent, (10**6, 10**6))

    def test_another_cudnn_comes_first(self):
        for folder in ["empty", "absent"]:
            self.recalled()
            self.assert_located(self.result, self.sdk)
            bare_cudnn(self.scratch / folder)
            self.assertTrue(self.searched())
            self.assert_located(self.result, self.scratch / folder)
            shutil.rmtree(self.scratch / folder)

    def test_a_place_that_was_passed_over_becomes_right(self):
        self.recalled()
        shutil.copy2(self.sdk / "include/cudnn_version.h", self.scratch / "older/include")
        self.assertTrue(self.searched())
        self.assert_located(self.result, self.scratch / "older")

    def test_variables_and_environment(self):
        for argument in [f"-DCuDNNChecked_ROOT={self.sdk}", f"-DCMAKE_PREFIX_PATH={self.scratch}",
                         "-DCuDNNChecked_POLICY=exact", "-DCMAKE_SYSROOT=",
                         "-DCMAKE_FIND_ROOT_PATH_MODE_LIBRARY=BOTH", "-DCMAKE_STAGING_PREFIX=/none",
                         "-DCuDNNChecked_PROBE_TIMEOUT=7", "-DCMAKE_CXX_FLAGS=-O1",
                         "-DCMAKE_CXX_FLAGS_DEBUG=-O1", "-DCMAKE_EXE_LINKER_FLAGS_DEBUG=-s"]:
            with self.subTest(argument=argument):
                self.recalled()
                self.arguments.append(argument)
                self.assertEqual(self.searched(), argument != "-DCMAKE_SYSROOT=")
        (self.scratch / "loader").mkdir()
        for name, value in [("LD_LIBRARY_PATH", self.scratch / "loader"), ("CUDNN_HOME", "/none"),
                            ("CUDA_VISIBLE_DEVICES", "0"), ("CONDA_PREFIX", "/none"),
                            ("CPATH", "/none"), ("NIXPKGS_CMAKE_PREFIX_PATH", "/none")]:
            with self.subTest(variable=name):
                self.recalled()
                self.variables[name] = value
                self.assertTrue(self.searched())
        self.recalled()
        (self.scratch / "loader/libcudnn_graph.so.9").touch()
        self.assertTrue(self.searched())

    def test_another_request(self):
        self.recalled()
        self.assertTrue(self.searched(request="9.11;REQUIRED"))
        self.assertFalse(self.searched(request="9.11;REQUIRED"))
        self.assertFalse(self.searched())

    def test_a_record_that_was_cut_or_changed_is_no_answer(self):
        self.recalled()
        [record] = self.app.path("CuDNNChecked").glob("answer-*.txt")
        text = record.read_text()
        cuts = [match.end() for match in re.finditer("\n", text)][:-1]
        for cut in [0, 1, *cuts, len(text) - 2, len(text) - 1]:
            with self.subTest(cut=text[:cut].splitlines()[-1:]):
                record.write_text(text[:cut])
                self.assertTrue(self.searched())
                self.assert_located(self.result, self.sdk)
        record.write_text(text.replace("place_version=9.14.0", "place_version=9.15.0"))
        self.assertTrue(self.searched())
        self.assertEqual(self.result["VERSION"], "9.14.0")

    def test_a_record_is_data(self):
        """Nothing of it is executed, and it sets no other variables."""
        self.recalled()
        [record] = self.app.path("CuDNNChecked").glob("answer-*.txt")
        self.assertNotRegex(record.read_text(), r"set\(")
