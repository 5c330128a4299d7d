# SPDX-License-Identifier: BSD-3-Clause
"""`cudnn-checked configure`, which the find module asks: docs/configure.md."""

import re
import shutil
import subprocess
import unittest

from support import REPOSITORY, ScratchTest, clean_environment, cmake_program
from support.command_line import cudnn_checked_program

HASH_OF_SOURCES = """\
foreach(part IN ITEMS every_configure/package search/files build/configure_program)
  include("{package}/cmake/CuDNNChecked/${{part}}.cmake")
endforeach()
set_property(GLOBAL PROPERTY _cudnn_checked_tool_directory "{package}/tool")
_cudnn_checked_own_release(release)
_cudnn_checked_sources_hash(hash)
file(WRITE "{answer}" "${{release}} ${{hash}}\\n")
"""


class Configure(ScratchTest):
    def ask(self, *words):
        done = subprocess.run([cudnn_checked_program(), "configure", *words], env=clean_environment(self.scratch),
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        return done.returncode, done.stdout, done.stderr

    def identity_of(self, package):
        script, answer = self.scratch / "hash.cmake", self.scratch / "answer"
        script.write_text(HASH_OF_SOURCES.format(package=package, answer=answer))
        subprocess.run([cmake_program(), "-P", script], check=True)
        return answer.read_text()

    def test_the_identity_is_the_one_that_the_find_module_computes(self):
        self.assertEqual(self.ask("identity"), (0, self.identity_of(REPOSITORY), ""))
        self.assertRegex(self.ask("identity")[1], r"\A\d+\.\d+\.\d+ [0-9a-f]{32}\n\Z")

    def test_an_edited_or_renamed_source_has_another_hash(self):
        package = self.scratch / "package"
        for name in ("cmake", *(f"tool/{room}" for room in ("facts", "core", "repair", "bundle", "spawn", "prove", "configure"))):
            (package / name).parent.mkdir(parents=True, exist_ok=True)
            subprocess.run(["cp", "-r", REPOSITORY / name, package / name], check=True)
        known = {self.identity_of(package)}
        self.assertEqual(known, {self.identity_of(REPOSITORY)})
        source = package / "tool/configure/verbs.cpp"
        source.write_text(source.read_text() + "\n")
        known.add(self.identity_of(package))
        source.rename(source.with_name("words.cpp"))
        known.add(self.identity_of(package))
        self.assertEqual(len(known), 3)

    def test_an_answer(self):
        told = ("message", "summary=a", "cmake=cmake", "build=/b c", "held=X\tcache\t1", "fix=last", "fix=@unset X", "fix=@set Y a;b",
                "fix=@remove /b c", "fix=@configure -U A -D B=/d e -U C")
        self.assertEqual(self.ask(*told), (0, """\
cudnn_checked: refused: a
  fix: last
   or: cmake -U X '/b c'
   or: cmake -D 'Y=a;b' '/b c'
   or: rm -rf '/b c'
   or: cmake -U A -D 'B=/d e' -U C '/b c'
  [bad-input]
""", ""))

    def test_what_a_file_of_the_project_sets(self):
        """The cache does not count then: presets set it again, and what a file sets overrides it."""
        toolchain = self.write("toolchain.cmake", "# Y\nset(X 1)\n")
        self.write("CMakePresets.json", '{"configurePresets": [{"cacheVariables": {"Z": {"value": "${sourceDir}/z"}, "V": "1"}}]}')
        told = ("fix", "cmake=cmake", "build=/b", f"source={self.scratch}", f"toolchain={toolchain}", "held=X\tproject\t1",
                "held=Y\tproject\t1", f"held=Z\tcache\t{self.scratch}/z", "held=V\tcache\t2")
        for name, line in (("X", f"in {toolchain}: set(X new)"), ("Y", "in CMakeLists.txt: set(Y new)"),
                           ("Z", f'in {self.scratch}/CMakePresets.json: "Z": "new"'), ("V", "cmake -D V=new /b")):
            self.assertEqual(self.ask(*told, f"fix=@set {name} new"), (0, line + "\n", ""))
        self.assertEqual(self.ask(*told, "fix=@unset X"), (0, f"in {toolchain}: remove what sets X\n", ""))

    def test_a_file_that_the_judge_cannot_write(self):
        report = self.scratch / "absent/report.json"
        unwritten = (5, "", f"cudnn_checked: error: cannot write {report}.end: No such file or directory\n")
        for words in (("judge", "program=/bin/true"), ("judge", "convolutions=none"), ("watch", "program=/absent")):
            with self.subTest(words=words):
                report.parent.mkdir()
                self.assertEqual(self.ask(words[0], f"report={report}", *words[1:])[0], 2 if "convolutions=none" in words else 3)
                self.assertTrue(report.with_name("report.json.end").exists())
                shutil.rmtree(report.parent)
                self.assertEqual(self.ask(words[0], f"report={report}", *words[1:]), unwritten)

    def test_what_must_be_typed_besides_a_runtime(self):
        """Behind the command that installs it, or alone in front of words."""
        told = ("explain-runtime", "found=9.14.0", "header=/cudnn_version.h", "machine=x86_64", "folder=cudnn", "cuda=13",
                f"site={self.scratch}/site", "named_toolkit=yes", "cmake=cmake", "build=/b", "held=CUDAToolkit_ROOT\tcache\t/c", "names=libcudart", "shim=libcudart.so.@",
                "place.0=HINT\t/absent", "headers.0=/absent/include", "libraries.0=/absent/lib", "told.1=looked in|/b|WHY")
        text = self.ask(*told)[1]
        then = "cmake -U CUDAToolkit_ROOT /b"
        self.assertEqual(text.count(then), 1, text)
        self.assertEqual(f" && {then}" in text, f"fix: {then}" not in text, text)
        self.assertIn("  looked in:  /absent   HINT: no cuda_runtime_api.h\n              /b        WHY\n", text)

    def test_why_places_did_not_serve(self):
        places = {name: self.scratch / name for name in ("absent", "files", "file", "closed", "link", "wheel/nvidia/cudnn", "None")}
        self.write("files/cudnn.h")
        self.write("file")
        (self.scratch / "closed/lib/libcudnn.so.9").mkdir(parents=True)
        self.write("closed/lib/libcudnn.so.9.1.0")
        (self.scratch / "link/include").mkdir(parents=True)
        (self.scratch / "link/include/cudnn.h").symlink_to("../gone.h")
        self.write("wheel/nvidia_cudnn_cu13-9.1.dist-info/RECORD", "nvidia/cudnn/lib/libcudnn.so.9,sha256=x,1\nnvidia/cudnn/lib/a.so,,\n")
        words = ["pattern=libcudnn.so", "pattern=libcudnn.so.[0-9]*", "shim=libcudnn.so.@", "names=libcudnn.so", "wheel_folder=lib",
                 "machine=x86_64", "words=9.14", "shown=lib/libcudnn.so"]
        for index, (name, prefix) in enumerate(places.items()):
            words += [f"place.{index}=HINT\t{prefix}", f"libraries.{index}={prefix}/lib", f"headers.{index}={prefix}/include"]
        words += [f"told.{len(places)}=looked in|nothing|OTHER: set, and empty"]
        status, text, wrong = self.ask("explain-search", *words)
        self.assertEqual((status, wrong), (0, ""))
        at = self.scratch
        for line in (
                f"{at}/absent               HINT: no such directory",
                f"{at}/files                HINT: it holds the files themselves: name the directory above it: {at}",
                f"{at}/file                 HINT: a file, not a directory",
                f"{at}/closed               HINT: {at}/closed/lib/libcudnn.so.9 is a directory",
                f"{at}/link                 HINT: {at}/link/include/cudnn.h is a link to ../gone.h, which is not there",
                f"{at}/wheel/nvidia/cudnn   HINT: {at}/wheel/nvidia_cudnn_cu13-9.1.dist-info/RECORD lists what is not there: libcudnn.so.9",
                f"{at}/None                 HINT: no directory: Python printed None, because a namespace package has no __file__"):
            self.assertIn(line + "\n", text)
        self.assertTrue(text.startswith("cudnn_checked: refused: cuDNN's library was found without its headers\n"
                                        "  asked for:  cuDNN 9.14"), text)
        self.assertTrue(text.endswith("   or: name the directory above include/cudnn.h and lib/libcudnn.so: -D CuDNNChecked_ROOT=DIRECTORY\n  [headers-missing]\n"), text)

    def test_unknown_verbs(self):
        for words, shown in (((), ""), (("identiy",), "identiy"), (("a\nb",), "a\\x0ab")):
            with self.subTest(words=words):
                self.assertEqual(self.ask(*words), (2, "", f"cudnn-checked: error: configure: unknown verb {shown}\n"))

    def test_no_person_is_told_of_it(self):
        for words in (["--help"], ["--generate", "bash"], ["--generate", "man"]):
            done = subprocess.run([cudnn_checked_program(), *words], stdout=subprocess.PIPE, text=True, check=True,
                                  env=clean_environment(self.scratch))
            self.assertIsNone(re.search(r"(?m)(^|cudnn-checked |\s{2})configure( |$)", done.stdout), words)

    def test_the_page_has_each_verb(self):
        code = "".join((REPOSITORY / "tool/configure" / name).read_text(encoding="utf-8")
                       for name in ("verbs.cpp", "repair_verbs.cpp", "refusals.cpp"))
        verbs = re.findall(r'(?:verb == "|\{"(?=explain-))([a-z-]+)"', code)
        self.assertGreater(len(verbs), 10)
        page = (REPOSITORY / "docs/configure.md").read_text(encoding="utf-8")
        self.assertEqual(sorted(re.findall(r"(?m)^\| `([a-z-]+)` \|", page.split("## Keys")[0])), sorted(set(verbs)))


if __name__ == "__main__":
    unittest.main()
