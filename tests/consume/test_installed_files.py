# SPDX-License-Identifier: BSD-3-Clause
"""What is installed, what uninstalling removes, and what is in a package of CPack's."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import unittest

from support import REPOSITORY, clean_environment, cmake_program, compiler, errors, simulated_sdk
from support.command_line import cudnn_checked_program
from support.environment import RELEASE
from support.output import warnings
from support.known_compilers import compiler_arguments, give_known_compilers
from support.scratch import ScratchTest

PROJECT = """
cmake_minimum_required(VERSION 3.22)
project(app LANGUAGES CXX)
find_package(CuDNNChecked REQUIRED)
message(STATUS "found by ${CuDNNChecked_CONFIG}")
"""
MODULES = re.compile(r"share/CuDNNChecked/(cmake|templates|tool)/.+")
DOCUMENTS = ["share/CuDNNChecked/schema/cudnn-checked.schema.json", "share/doc/CuDNNChecked/LICENSE", "share/doc/CuDNNChecked/findings.md"]
OF_THE_COMMAND_LINE = [
    "bin/cudnn-checked",
    "share/bash-completion/completions/cudnn-checked",
    "share/fish/vendor_completions.d/cudnn-checked.fish",
    "share/man/man1/cudnn-checked.1",
    "share/zsh/site-functions/_cudnn-checked",
]


def entries(directory):
    """All files and directories below it, relative to it."""
    return sorted(str(path.relative_to(directory)) for path in directory.rglob("*"))


class Packages(ScratchTest):
    def setUp(self):
        super().setUp()
        self.build = self.scratch / "build"
        self.build.mkdir()
        self.prefix = self.scratch / "a prefix"

    def run_cmake(self, *command, program=None, status=0, **environment):
        done = subprocess.run([program or cmake_program(), *map(str, command)], text=True, timeout=300,
                              cwd=self.scratch, env={**os.environ, **environment}, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)
        self.assertEqual(done.returncode, status, done.stdout)
        return done.stdout

    def configure(self, *options, **more):
        return self.run_cmake("-S", REPOSITORY, "-B", self.build, "-DCUDNN_CHECKED_BUILD_TESTING=OFF", *options,
                              **more)

    def configure_with_command_line(self, *options):
        """The program is the one that is tested: it is not compiled again."""
        program = cudnn_checked_program()
        generator = "Ninja" if shutil.which("ninja") else "Unix Makefiles"
        give_known_compilers(self.build, cmake_program(), generator)
        self.configure(*compiler_arguments(generator), "-DCUDNN_CHECKED_BUILD_CLI=ON",
                       "-DCMAKE_EXECUTABLE_FORMAT=ELF", "-DCMAKE_SKIP_INSTALL_ALL_DEPENDENCY=ON",
                       *options)
        shutil.copy(program, self.build / "tool" / "cli")

    def install(self, *options, **environment):
        return self.run_cmake("--install", self.build, "--prefix", self.prefix, *options, **environment)

    def uninstall(self, **options):
        return self.run_cmake("--build", self.build, "--target", "uninstall", **options)

    def installed(self, directory=None):
        """The files, without those of the modules, and whether there are those."""
        files = [name for name in entries(directory or self.prefix)
                 if not ((directory or self.prefix) / name).is_dir()]
        return ([name for name in files if not MODULES.fullmatch(name)],
                any(MODULES.fullmatch(name) for name in files))


class Installed(Packages):
    def test_without_the_command_line(self):
        self.configure("-DCUDNN_CHECKED_BUILD_CLI=OFF")
        self.install()
        self.assertEqual(self.installed(), (DOCUMENTS, True))
        self.uninstall()
        self.assertFalse(self.prefix.exists())
        with self.subTest("nothing is installed any more"):
            done = subprocess.run([cmake_program(), "--build", self.build, "--target", "uninstall"], text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn("nothing is installed from this build tree: there is no\n", re.sub(
                r"[ \n]+" + re.escape(f"{self.build}/installed.txt"), "\n", done.stdout))

    def test_with_the_command_line(self):
        self.configure_with_command_line()
        self.install()
        self.assertEqual(self.installed(), (sorted(OF_THE_COMMAND_LINE + DOCUMENTS), True))
        with self.subTest("a warning is an error for developers, in the presets, and not for packagers"):
            generated = next(self.build.glob("build.ninja"), self.build / "tool/cli/CMakeFiles/cudnn_checked_cli.dir/flags.make")
            self.assertIn("-Wconversion", generated.read_text())
            self.assertNotIn("-Werror", generated.read_text())
            base = json.loads((REPOSITORY / "CMakePresets.json").read_text())["configurePresets"][0]
            self.assertEqual(base["cacheVariables"]["CMAKE_COMPILE_WARNING_AS_ERROR"], "ON")
        self.uninstall()
        self.assertFalse(self.prefix.exists())

    def test_all_that_the_compiler_reads_is_installed(self):
        """Sweep program, core, probe, guard, configure program and stamp, as the compiler itself says; and all that CMake reads."""
        self.configure("-DCUDNN_CHECKED_BUILD_CLI=OFF")
        self.install()
        read = {str(path.relative_to(REPOSITORY)) for folder in ("cmake", "templates")
                for path in (REPOSITORY / folder).rglob("*") if path.is_file()}
        read |= {"tool/core/observe/search_places.def", "tool/probe/kernel/kernel.cu",
                 "tool/guard/include/cudnn_checked/guard.hpp"}
        done = subprocess.run(
            [compiler(), "-MM", "-MG", "-std=c++17", "-DCUDNN_CHECKED_PACKAGE_VERSION=\"\"", "-DCUDNN_CHECKED_PROBE_KERNEL",
             "-DCUDNN_CHECKED_PROBE_FUSED", "-Itool/guard/include", "-Itool/opened/include", "tool/laboratory/sweep/sweep_program.cpp",
             *(f"tool/{name}/{platform}/{name}.cpp" for name in ("core", "configure", "probe", "guard")
               for platform in ("linux", "windows")),
             *(f"tool/laboratory/operations/{platform}/probe.cpp" for platform in ("linux", "windows")),
             *(f"tool/guard/{platform}/stamp_of_target.cpp" for platform in ("linux", "windows"))],
            cwd=REPOSITORY, check=True, stdout=subprocess.PIPE, text=True)
        for path in re.sub(r"\\\n|\S+:", " ", done.stdout).split():
            if (REPOSITORY / path).exists():
                read.add(str((REPOSITORY / path).resolve().relative_to(REPOSITORY)))
        self.assertGreater(len(read), 500)
        self.assertEqual([name for name in sorted(read) if not (self.prefix / "share/CuDNNChecked" / name).exists()], [])

    def test_without_the_laboratory(self):
        """Of sources that lack tool/laboratory all else is installed; the find module there says what is missing."""
        source = self.scratch / "source"
        source.mkdir()
        for name in ("CMakeLists.txt", "LICENSE", "README.md", "cmake", "docs", "packaging", "templates", "tool"):
            (shutil.copytree if (REPOSITORY / name).is_dir() else shutil.copy)(REPOSITORY / name, source / name)
        shutil.rmtree(source / "tool/laboratory")
        self.run_cmake("-S", source, "-B", self.build, "-DCUDNN_CHECKED_BUILD_TESTING=OFF", "-DCUDNN_CHECKED_BUILD_CLI=OFF")
        self.install()
        self.assertEqual(self.installed(), (DOCUMENTS, True))
        sdk = simulated_sdk(cudnn="9.19.0", gpus="sm_90")
        app = self.consumer(cmake_lists=PROJECT)
        done = app.configure(
            f"-DCMAKE_PREFIX_PATH={self.prefix}", f"-DCuDNNChecked_ROOT={sdk.prefix}", f"-DCUDAToolkit_ROOT={sdk.prefix}",
            "-DCuDNNChecked_SWEEP=60", environment=sdk.environment)
        self.assertEqual("".join(errors(done.output)), f"""\
cudnn_checked: refused: CuDNNChecked_SWEEP needs sources that this copy of CuDNNChecked was made without
  value:  60   CuDNNChecked_SWEEP
  copy:   {self.prefix}/share/CuDNNChecked
  fix: take CuDNNChecked from sources that have the folder tool/laboratory
   or: {cmake_program()} -U CuDNNChecked_SWEEP {app.build_directory}
  [bad-input]
""")

    def test_what_is_installed_sweeps_and_proves(self):
        sdk = simulated_sdk(cudnn="9.19.0", gpus="sm_90")
        self.configure_with_command_line()
        self.install()
        swept = subprocess.run(
            ["cudnn-checked", "sweep", sdk.prefix, "--seconds", "0.5"], text=True, cwd=self.scratch,
            env=clean_environment(self.scratch, PATH=self.prefix / "bin", **sdk.environment),
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.assertRegex(swept.stdout, r"\ncudnn-checked: ok: \d+ plans, none failed\n\Z")
        self.assertEqual(swept.returncode, 0)
        app = self.consumer(cmake_lists=PROJECT)
        done = app.configure(f"-DCMAKE_PREFIX_PATH={self.prefix}", f"-DCuDNNChecked_ROOT={sdk.prefix}",
                             f"-DCUDAToolkit_ROOT={sdk.prefix}", environment=sdk.environment)
        self.assertRegex(done.output, r"-- cuDNN 9\.19\.0 · .* · sm_90, convolution verified \(legacy, graph; .*\)\n"
                                      rf"(?s:.*)-- found by {self.prefix}/")
        self.assertEqual(done.status, 0, done.output)

    def test_directories_of_the_users_choice(self):
        self.configure_with_command_line("-DCMAKE_INSTALL_BINDIR=tools", "-DCMAKE_INSTALL_MANDIR=man",
                                         "-DCMAKE_INSTALL_DATADIR=data", "-DCMAKE_INSTALL_DOCDIR=documents")
        self.install()
        self.assertEqual(self.installed(), (sorted([
            "data/bash-completion/completions/cudnn-checked", "data/fish/vendor_completions.d/cudnn-checked.fish",
            "data/zsh/site-functions/_cudnn-checked",
            "share/CuDNNChecked/schema/cudnn-checked.schema.json", "documents/LICENSE", "documents/findings.md",
            "man/man1/cudnn-checked.1", "tools/cudnn-checked"]), True))
        self.uninstall()
        self.assertFalse(self.prefix.exists())


class WithoutCompiler(Packages):
    """No install lacks the command line without a word."""

    not_built = """\
The command line is not built, and not installed.
This machine lacks what cudnn-checked, the command line, is built with:
  a C++ compiler (g++)
The names of Debian's and Ubuntu's packages are in brackets.
-D CUDNN_CHECKED_BUILD_CLI=OFF leaves the command line out.
"""

    def setUp(self):
        super().setUp()
        tools = self.scratch / "tools"
        tools.mkdir()
        make = next(filter(None, map(shutil.which, ("make", "ninja"))))
        (tools / pathlib.Path(make).name).symlink_to(make)
        self.hidden = {"PATH": str(tools), "CXX": ""}

    def test_each_configure_and_install_says_so(self):
        for _ in range(2):
            self.assertEqual(warnings(self.configure(**self.hidden)), [self.not_built])
            self.assertEqual(warnings(self.install()), [self.not_built])
        self.assertEqual(self.installed(), (DOCUMENTS, True))

    def test_it_is_left_out_where_that_is_asked_for(self):
        self.assertEqual(warnings(self.configure("-DCUDNN_CHECKED_BUILD_CLI=OFF", **self.hidden)), [])
        self.assertEqual(warnings(self.install()), [])

    def test_the_next_configure_finds_what_was_installed_since(self):
        self.configure(**self.hidden)
        self.assertEqual(warnings(self.configure()), [])
        self.assertIn("CUDNN_CHECKED_BUILD_CLI:BOOL=ON\n", (self.build / "CMakeCache.txt").read_text())


class Uninstalled(Packages):
    def test_what_was_there_before_stays(self):
        for name in ["share/doc/other/README", "share/CuDNNChecked/own.txt", "bin/cudnn-checked-2"]:
            (self.prefix / name).parent.mkdir(parents=True, exist_ok=True)
            (self.prefix / name).write_text("mine\n")
        (self.prefix / "share" / "man" / "man1").mkdir(parents=True)
        before = entries(self.prefix)
        self.configure("-DCUDNN_CHECKED_BUILD_CLI=OFF")
        self.install()
        self.install()
        self.assertNotEqual(entries(self.prefix), before)
        self.uninstall()
        self.assertEqual(entries(self.prefix), before)

    def test_what_came_later_stays(self):
        self.configure("-DCUDNN_CHECKED_BUILD_CLI=OFF")
        self.install()
        (self.prefix / "share/CuDNNChecked/cmake/own.cmake").write_text("mine\n")
        (self.prefix / "share/doc/CuDNNChecked/LICENSE").unlink()
        output = self.uninstall()
        self.assertIn(f"-- Not there: {self.prefix}/share/doc/CuDNNChecked/LICENSE\n", output)
        self.assertEqual(entries(self.prefix), ["share", "share/CuDNNChecked", "share/CuDNNChecked/cmake",
                                                "share/CuDNNChecked/cmake/own.cmake"])

    def test_below_a_destdir(self):
        """What a packager stages is removed there, and nowhere else."""
        self.configure("-DCUDNN_CHECKED_BUILD_CLI=OFF")
        stage = self.scratch / "stage"
        self.install(DESTDIR=str(stage))
        self.install(DESTDIR="stage/two")  # below the directory in which it is started
        self.assertTrue((stage / f"two{self.prefix}/share/doc/CuDNNChecked/LICENSE").exists())
        same = self.prefix / "share/doc/CuDNNChecked/LICENSE"
        same.parent.mkdir(parents=True)
        same.write_text("of a package\n")
        self.uninstall()
        self.assertFalse(stage.exists())
        self.assertEqual(same.read_text(), "of a package\n")

    def test_a_subproject_has_no_such_target(self):
        app = self.consumer(cmake_lists=f"""
cmake_minimum_required(VERSION 3.22)
project(app LANGUAGES NONE)
add_subdirectory("{REPOSITORY}" checked)
if(TARGET uninstall OR TARGET package)
  message(FATAL_ERROR "a target of ours")
endif()
add_custom_target(uninstall)
""")
        done = app.configure()
        self.assertEqual(done.status, 0, done.output)


def cpack_program():
    """The one of the CMake under test."""
    return pathlib.Path(os.path.realpath(cmake_program())).with_name("cpack")


@unittest.skipUnless(cpack_program().exists(), "there is no cpack")
class Packed(Packages):
    def pack(self, generator):
        packages = self.scratch / "packages"
        self.run_cmake("-G", generator, "-B", packages, "--config", self.build / "CPackConfig.cmake",
                       program=str(cpack_program()))
        return sorted(path for path in packages.iterdir() if path.name.startswith("cudnn-checked"))

    def test_an_archive(self):
        self.configure("-DCUDNN_CHECKED_BUILD_CLI=OFF")
        archive, checksum = self.pack("TGZ")
        self.assertRegex(archive.name, rf"^cudnn-checked-{re.escape(RELEASE)}-Linux-\w+\.tar\.gz$")
        self.assertEqual(checksum.name, archive.name + ".sha256")
        self.prefix.mkdir()
        shutil.unpack_archive(archive, self.prefix)
        self.assertEqual(self.installed(self.prefix / archive.name[:-len(".tar.gz")]), (DOCUMENTS, True))
        self.assertFalse((self.build / "installed.txt").exists())

    def test_the_archive_of_the_sources(self):
        """Without a build tree, and with the folder of the modules that has the same name."""
        sources = self.scratch / "c++ (sources)"
        for name in ("cmake", "packaging", "tool/cli", "build/test", ".git"):
            (sources / name).mkdir(parents=True)
        shutil.copytree(REPOSITORY / "cmake", sources / "cmake", dirs_exist_ok=True)
        shutil.copytree(REPOSITORY / "packaging", sources / "packaging", dirs_exist_ok=True,
                        ignore=shutil.ignore_patterns("__pycache__"))
        for name in ("CMakeLists.txt", "LICENSE", "README.md", "tool/cli/option.cmake"):
            shutil.copy(REPOSITORY / name, sources / name)
        kept = [name for name in entries(sources) if (sources / name).is_file()]
        for name in ("build/test/file", ".git/config", "packaging/__pycache__/file"):
            (sources / name).parent.mkdir(exist_ok=True)
            (sources / name).touch()
        self.run_cmake("-S", sources, "-B", self.build, "-DCUDNN_CHECKED_BUILD_TESTING=OFF", "-DCUDNN_CHECKED_BUILD_CLI=OFF")
        packages = self.scratch / "packages"
        self.run_cmake("-G", "TGZ", "-B", packages, "--config", self.build / "CPackSourceConfig.cmake",
                       program=str(cpack_program()))
        shutil.unpack_archive(packages / f"cudnn-checked-{RELEASE}.tar.gz", self.prefix)
        unpacked = self.prefix / f"cudnn-checked-{RELEASE}"
        self.assertEqual([name for name in entries(unpacked) if (unpacked / name).is_file()], kept)

    @unittest.skipUnless(shutil.which("dpkg-deb") and shutil.which("dpkg-shlibdeps"),
                         "there is no dpkg-deb or no dpkg-shlibdeps")
    def test_a_debian_package(self):
        self.configure_with_command_line()
        package = self.pack("DEB")[0]
        control = subprocess.run(["dpkg-deb", "--field", package], stdout=subprocess.PIPE, text=True).stdout
        architecture = subprocess.run(["dpkg", "--print-architecture"], stdout=subprocess.PIPE,
                                      text=True).stdout.strip()
        self.assertEqual(package.name, f"cudnn-checked_{RELEASE}-1_{architecture}.deb")
        libraries = re.search(r"(?m)^Depends: (.*)$", control).group(1)
        # A compiler of its own may link its libstdc++ statically.
        needed = subprocess.run(["readelf", "-d", cudnn_checked_program()], stdout=subprocess.PIPE, text=True).stdout
        self.assertEqual({re.sub(r" .*", "", one) for one in libraries.split(", ")},
                         {package for name, package in (("libc.", "libc6"), ("libgcc_s.", "libgcc-s1"),
                                                        ("libstdc++.", "libstdc++6")) if f"[{name}so." in needed})
        for line in [f"Architecture: {architecture}", "Maintainer: CuDNNChecked maintainers <maintainers@cudnn-checked.invalid>",
                     "Package: cudnn-checked", "Section: devel", "Suggests: cmake (>= 3.22), g++"]:
            self.assertIn(f"\n{line}\n", f"\n{control}")
        subprocess.run(["dpkg-deb", "--extract", package, self.prefix], check=True)
        self.assertEqual(self.installed(self.prefix / "usr"), ([
            "bin/cudnn-checked", "share/CuDNNChecked/schema/cudnn-checked.schema.json",
            "share/bash-completion/completions/cudnn-checked", "share/doc/cudnn-checked/changelog.Debian.gz",
            "share/doc/cudnn-checked/changelog.gz", "share/doc/cudnn-checked/copyright",
            "share/doc/cudnn-checked/findings.md", "share/fish/vendor_completions.d/cudnn-checked.fish",
            "share/lintian/overrides/cudnn-checked", "share/man/man1/cudnn-checked.1.gz", "share/zsh/vendor-completions/_cudnn-checked"], True))
        self.assertEqual(entries(self.prefix)[0], "usr")
