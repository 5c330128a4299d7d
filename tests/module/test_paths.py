# SPDX-License-Identifier: BSD-3-Clause
"""Characters that CMake cannot have in a path, and build trees that cannot be written: each is named."""

import os
import re
import shutil
import unittest

from support import REPOSITORY, bare_cudnn
from support.known_configure import own_work_directory
from support.locating import LocatingTest
from support.namespaces import why_no_mounts

LISTS = "CMake's lists of files cannot have it."
TARGETS = "No target can be compiled or linked with this path."


def message(path, character, because, named_by=None):
    named = f"  named by:   {named_by}\n" if named_by else ""
    link = "   or: name a link to it, made with ln -s\n" if because == TARGETS else ""
    return f"""\
cudnn_checked: refused: CMake cannot use a path with this character
  path:       <scratch>/{path}
  character:  {character}
{named}  {because}
  fix: choose another name for the directory
{link}\
  [bad-input]
"""


class Characters(LocatingTest):
    def test_no_element_of_a_list(self):
        for name, character in [("a[[b", "[ without ]"), ("a]]b", "] without ["),
                                ("a]==]b", "] without ["), ("a;b", ";")]:
            sdk = bare_cudnn(self.scratch / name)
            for variable in ["CuDNNChecked_ROOT", "CUDNN_HOME", "CMAKE_PREFIX_PATH"]:
                given = [f"-D{v}={sdk}" if v == variable else f"-U{v}"
                         for v in ["CuDNNChecked_ROOT", "CUDNN_HOME", "CMAKE_PREFIX_PATH"]]
                with self.subTest(name=name, variable=variable):
                    self.assertEqual(self.locate(*given), message(name, character, LISTS, variable))

    def test_in_the_environment(self):
        sdk = bare_cudnn(self.scratch / "a;b[")
        self.assertEqual(self.locate(environment={"CMAKE_PREFIX_PATH": f"/nowhere:{sdk}"}),
                         message("a;b[", ";", LISTS, "environment CMAKE_PREFIX_PATH"))

    def test_of_the_cuda_runtime(self):
        cuda = self.scratch / "cuda[["
        shutil.move(self.cuda, cuda)
        sdk = bare_cudnn(self.scratch / "sdk")
        self.assertEqual(self.locate(f"-DCuDNNChecked_ROOT={sdk}", f"-DCUDAToolkit_ROOT={cuda}",
                                     cuda=False),
                         message("cuda[[", "[ without ]", LISTS, "CUDAToolkit_ROOT"))

    def test_not_to_be_compiled_with(self):
        for name, character, shown in [('a"b', '"', 'a"b'), ("a\nb", "\\x0a", "a\\x0ab"),
                                       ("a\\b", "\\", "a\\b"), ("a${X}b", "${", "a${X}b"),
                                       ("a$ENV{X}b", "$ENV{", "a$ENV{X}b"),
                                       ("a$<X>b", "$<", "a$<X>b"), ("a|b", "|", "a|b")]:
            if name == "a|b" and self.app.generator != "Ninja":
                continue
            with self.subTest(name=name):
                sdk = bare_cudnn(self.scratch / name)
                self.assertEqual(self.locate(f"-DCuDNNChecked_ROOT={sdk}"),
                                 message(f"{shown}/include", character, TARGETS))

    def test_all_others_are_found(self):
        for name in ["a b", "a(b)", "a#b", "a$b", "a'b", "a[b]c", "a*b?", "a`b&c", "@X@", os.fsdecode(b"\xff")]:
            with self.subTest(name=name):
                sdk = bare_cudnn(self.scratch / name)
                self.assertIsInstance(self.locate(f"-DCuDNNChecked_ROOT={sdk}"), dict)

    def test_a_link(self):
        link = self.scratch / "link"
        link.symlink_to(bare_cudnn(self.scratch / 'a"b'))
        self.assertIsInstance(self.locate(f"-DCuDNNChecked_ROOT={link}"), dict)
        link.unlink()
        link.symlink_to(bare_cudnn(self.scratch / "a[b"))
        self.assertEqual(self.locate(f"-DCuDNNChecked_ROOT={link}"),
                         message("a[b/include", "[ without ]", LISTS))

    def test_of_this_package(self):
        sdk = bare_cudnn(self.scratch / "sdk")
        # CMake cannot name the sources of the program that says more.
        unlisted = """\
cudnn_checked: refused: CMake cannot use a path with this character: <scratch>/a[[b/tool, [ without ]
  no program says more: its sources have a path that CMake cannot use
"""
        for name, expected in [("a[[b", unlisted), ('a"b', message('a"b/tool', '"', TARGETS))]:
            package = self.scratch / name
            package.symlink_to(REPOSITORY)
            self.assertEqual(self.locate(f"-DCuDNNChecked_ROOT={sdk}",
                                         f"-DCUDNN_CHECKED_SOURCE={package}"), expected)


class BuildTrees(LocatingTest):
    def setUp(self):
        super().setUp()
        self.sdk = bare_cudnn(self.scratch / "sdk")
        self.work = self.scratch / "app-build" / "CuDNNChecked"

    def configure(self, *arguments):
        return self.locate(f"-DCuDNNChecked_ROOT={self.sdk}", *arguments)

    def mounted(self, commands):
        """Configures with a directory mounted in the place of CuDNNChecked, where no program can be compiled."""
        self.app.shares_configure = False
        self.configure()
        for answer in self.work.glob("answer-*"):
            answer.unlink()
        run = self.app.run
        if why_no_mounts("unshare", "-rm"):
            raise unittest.SkipTest(why_no_mounts("unshare", "-rm"))
        unshare = shutil.which("unshare")
        script = (f'path=$PATH; PATH=/usr/sbin:/usr/bin:/sbin:/bin; cd "$1" && {commands} && '
                  'cd / && shift && PATH=$path exec "$@"')
        self.app.run = lambda *command, **options: run(
            unshare, "-rm", "sh", "-c", script, "sh", self.work, *command, **options)
        return self.configure()

    def assert_unwritable(self, message, error):
        self.assertRegex(message, rf"""\Acudnn_checked: refused: a directory of the build tree cannot be written: <scratch>/app-build/CuDNNChecked, {error}
  no program says more: \S+ cannot compile \S+/tool/configure/linux/configure.cpp: \d
\Z""")

    def test_read_only(self):
        self.assert_unwritable(self.mounted("mount --bind . . && mount -o remount,ro,bind \"$PWD\""), "Read-only file system")

    def test_full(self):
        self.assert_unwritable(self.mounted("mount -t tmpfs -o size=4k none . && cd \"$PWD\" && touch cudnn_checked.txt && "
                                            "{ head -c 9999 /dev/zero > full 2> /dev/null; true; }"), "No space left on device")

    def in_the_way(self, path, kind):
        self.assertEqual(self.configure("-DCuDNNChecked_REQUIRE=LINKED"), f"""\
cudnn_checked: refused: something else is in the place of a file of the build tree
  path:   <scratch>/app-build/{path}
  it is:  {kind}
  fix: rm -rf <scratch>/app-build/{path}
  [bad-input]
""")
        fix = re.search("fix: (.*)", self.output).group(1)
        self.assertEqual(self.app.run("sh", "-c", fix).status, 0)

    def test_a_directory_of_somebody_else(self):
        """Where the package is vendored as CuDNNChecked and the build tree is the source tree, or by a link."""
        thesis = self.write("person/build/thesis", "work")
        film = self.write("person/film.new", "film")
        self.work.parent.mkdir()
        for kind, make in (("a link", lambda: self.work.symlink_to(thesis.parent.parent)),
                           ("a directory that CuDNNChecked did not make",
                            lambda: shutil.copytree(thesis.parent.parent, self.work))):
            with self.subTest(kind=kind):
                make()
                before = sorted(str(path) for path in self.work.rglob("*"))
                self.assertEqual(self.configure("-DCuDNNChecked_REQUIRE=LINKED"), f"""\
cudnn_checked: refused: something else is in the place of a directory of the build tree: <scratch>/app-build/CuDNNChecked, {kind}
  no program says more: none can be compiled in <scratch>/app-build/CuDNNChecked
""")
                self.assertEqual(sorted(str(path) for path in self.work.rglob("*")), before)
                self.assertEqual((thesis.read_text(), film.read_text()), ("work", "film"))
                self.work.unlink() if self.work.is_symlink() else shutil.rmtree(self.work)

    def test_what_add_subdirectory_makes_there(self):
        """Of a vendored package's folder, by each generator, before the first find_package."""
        for name in ("CMakeFiles/x", "cmake_install.cmake", "CTestTestfile.cmake", "Makefile", "CuDNNChecked.sln",
                     "ALL_BUILD.vcxproj", "ALL_BUILD.vcxproj.filters", "CuDNNChecked.xcodeproj/x", "CMakeScripts/x"):
            self.write(f"app-build/CuDNNChecked/{name}")
        self.assert_located(self.configure(), self.sdk)
        self.assertTrue((self.work / "cudnn_checked.txt").exists())

    def test_only_what_a_killed_cmake_left_is_removed(self):
        own_work_directory(self.work.parent)
        kept = [self.write(name, "work") for name in (
            "app/thesis.new", "app-build/CuDNNChecked/a;thesis.new", "app-build/CuDNNChecked/draft.new",
            "app-build/CuDNNChecked/notes/film.part")]
        left = [self.write(f"app-build/CuDNNChecked/{name}") for name in (
            "build.log.0123456789ab.new", "all/cudnn_checked.12.3456.part")]
        self.configure()
        self.assertEqual([path.exists() for path in kept + left], [True] * 4 + [False] * 2)

    def test_something_else_in_the_place(self):
        self.app.write("CMakeLists.txt", (self.app.source / "CMakeLists.txt").read_text().replace(
            "set(CuDNNChecked_REQUIRE LOCATED)\n", ""))
        self.work.parent.mkdir()
        self.work.write_text("")
        self.assertEqual(self.configure("-DCuDNNChecked_REQUIRE=LINKED"), """\
cudnn_checked: refused: something else is in the place of a file of the build tree: <scratch>/app-build/CuDNNChecked, not a directory
  no program says more: none can be compiled in <scratch>/app-build/CuDNNChecked
""")
        self.work.unlink()
        own_work_directory(self.work.parent)
        (self.work / "all").write_text("")
        self.in_the_way("CuDNNChecked/all", "not a directory")
        (self.work / "all" / "report.json").mkdir(parents=True)
        self.in_the_way("CuDNNChecked/all/report.json", "a directory, not a file")
        (self.work / "cudnn_checked_probe").mkdir()
        self.in_the_way("CuDNNChecked/cudnn_checked_probe", "a directory, not a file")
        for name in ("report.json", "result.txt", "swept.json.end", "swept.json.told"):
            os.mkfifo(self.work / "all" / name)
            self.in_the_way(f"CuDNNChecked/all/{name}", "a FIFO, not a file")
        # The search compiles these already, where it needs them.
        for name in ("reader", "reader.signature", "configure.signature", "core.o.signature", "judge.o.signature"):
            (self.work / f"cudnn_checked_{name}").unlink(missing_ok=True)
            os.mkfifo(self.work / f"cudnn_checked_{name}")
            self.in_the_way(f"CuDNNChecked/cudnn_checked_{name}", "a FIFO, not a file")
        thesis = self.write("thesis", "work")
        (self.work / "lock").unlink()
        (self.work / "lock").symlink_to(thesis)
        self.in_the_way("CuDNNChecked/lock", "a link, not a file")
        self.assertEqual(thesis.read_text(), "work")
        # With nothing in the way.
        self.assertIn("[probe-not-compiled]", self.configure("-DCuDNNChecked_REQUIRE=LINKED"))
