# SPDX-License-Identifier: BSD-3-Clause
"""verify: what ld.so would do, then what the guard would say; nothing is run."""

import json
import os
import resource
import shutil
import subprocess

from checked_program import CheckedProgram, messages, NOT_STAMPED
from support.command_line import cudnn_checked_program
from support.environment import clean_environment
from support.namespaces import own_mounts, why_no_mounts

LIBRARY = "<shared>/sdk/lib"
LDCONFIG = "/sbin/ldconfig"
NO_STAMP = """\
  It has no stamp: the driver, the GPUs and the code for them are not checked.
  fix: nothing
   or: build it with cudnn_checked_guard()
  [not-stamped]
"""
WHEEL = ("install the wheel nvidia-cudnn-cu11==8.9.6.50 in a Python environment, and name its directory of libraries "
         "in LD_LIBRARY_PATH")


def children_cpu():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Verify(CheckedProgram):
    def skip_where_the_machine_has(self, name):
        if name in subprocess.run([LDCONFIG, "-p"], stdout=subprocess.PIPE, text=True).stdout:
            self.skipTest(f"the loader of this machine finds a {name} in its cache")


class BuiltOn914(Verify):
    def own_library(self, name):
        """A directory with a copy of one library of the program's cuDNN, in front of it."""
        directory = self.scratch / "front"
        directory.mkdir()
        path = directory / name
        path.write_bytes((self.built_on.library_directory / name).read_bytes())
        return path

    def test_the_cudnn_it_was_built_on(self):
        self.assertEqual(self.verify(), (0, "cudnn-checked: ok: app would start here: "
                                            "cuDNN 9.14.0 · CUDA 13.0 · sm_86\n"))

    def test_json_is_the_report_of_the_guard(self):
        older = self.other_sdk(cudnn="9.13.1", cuda="13.0")
        for libraries in [(), (older.library_directory,)]:
            file = self.scratch / "report.json"
            self.start(*libraries, CUDNN_CHECKED_REPORT=file)
            status, report = self.verify_json(*libraries)
            self.assertEqual(status, 1 if libraries else 0)
            self.assertEqual(report["cudnn"]["files"],
                             json.loads(self.relative(file.read_text()))["cudnn"]["files"])
            self.assertEqual(report["verdict"], "refused" if libraries else "ok")
            self.assertEqual([f["name"] for f in report["findings"]],
                             ["cudnn-older"] if libraries else [])

    def test_the_cases_of_the_guard(self):
        self.assert_same_as_guard()
        for number, release in enumerate(["9.19.0", "9.14.1", "9.13.1"]):
            other = self.other_sdk(f"other{number}", cudnn=release, cuda="13.0")
            self.assert_same_as_guard(other.library_directory)
        self.assert_same_as_guard(driver=False)
        self.assert_same_as_guard(CUDA_VISIBLE_DEVICES="")

    def test_a_sub_library_cut_off_or_of_another_release(self):
        cut = self.own_set()
        victim = cut.library_directory / "libcudnn_ops.so.9.14.0"
        with open(victim, "r+b") as file:
            file.truncate(victim.stat().st_size // 2)
        self.assertEqual(self.assert_same_as_guard(cut.library_directory)[0], 1)
        mixed = self.own_set("mixed")
        other = self.other_sdk(cudnn="9.19.0", cuda="13.0")
        mixed.take_from(other, "heuristic")
        self.assertEqual(self.assert_same_as_guard(mixed.library_directory)[0], 1)

    def limited(self, status, library, *before):
        """What verify prints for who may not do all that root may; its mounts are its own."""
        if os.geteuid() != 0 or not shutil.which("setpriv"):
            self.skipTest("not root, or no setpriv")
        if why_no_mounts():
            self.skipTest(why_no_mounts())
        command = [*own_mounts(), "sh", "-c", *before, "setpriv", "--bounding-set=-dac_override,-dac_read_search",
                   cudnn_checked_program(), "verify", self.app_path]
        path = f"{library}:{self.built_on.environment['LD_LIBRARY_PATH']}"
        # With no Python on PATH: its packages may have a cuDNN.
        folder = self.scratch / "programs"
        folder.mkdir(exist_ok=True)
        for name in ("cp", "mount", "setpriv", "sh", "unshare"):
            if not (folder / name).exists():
                (folder / name).symlink_to(shutil.which(name))
        done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, text=True, env=clean_environment(
            self.shared, LD_LIBRARY_PATH=path, PATH=folder))
        self.assertEqual(done.returncode, status, done.stdout)
        return done.stdout

    def test_files_that_this_user_may_not_read(self):
        other = self.other_sdk(cudnn="9.19.0", cuda="13.0").library_directory
        no_cache = ('mount --bind /dev/null /etc/ld.so.cache && exec "$@"', "sh")
        self.limited(0, other, *no_cache)
        (other / "libcudnn_ops.so.9").resolve().chmod(0)
        found = f"  found:     a file without read permission   {other}/libcudnn_ops.so.9.19.0   chosen by"
        self.assertIn(found, self.limited(1, other, *no_cache))

    def test_a_set_on_a_file_system_without_exec(self):
        own = self.own_set().library_directory
        mount = 'mount --bind "$1" "$1" && mount -o "remount,bind,$2" "$1" && shift 2 && exec "$@"'
        self.limited(0, own, mount, "sh", own, "exec")
        found = f"  found:     a file on a file system that is mounted noexec   {own}/libcudnn.so.9   chosen by"
        self.assertIn(found, self.limited(1, own, mount, "sh", own, "noexec"))

    def test_a_cache_that_was_not_written_since(self):
        own = self.own_set().library_directory
        (self.scratch / "new.conf").write_text(f"{own}\n")
        (self.scratch / "old.conf").write_text("/nowhere\n")
        cover = ('mount -t tmpfs none /etc && cp "$1" /etc/ld.so.conf && '
                 'mount -t tmpfs none "$2" && mount -t tmpfs none /usr/local && shift 2 && exec "$@"')
        for name, told in (("new.conf", True), ("old.conf", False)):
            out = self.limited(1, "/nowhere", cover, "sh", self.scratch / name, self.built_on.library_directory)
            self.assertEqual("  fix: ldconfig\n" in out, told, out)

    def test_a_wheel_without_its_graph_library(self):
        wheel = self.wheel("libcudnn_graph.so.9")
        other = self.other_sdk(cudnn="9.19.0", cuda="13.0")
        other.add_cuda_libraries(other.library_directory)
        status, output = self.assert_same_as_guard(wheel, other.library_directory)
        self.assertEqual((status, messages(output)), (1, [
            ("[library-missing]", "export LD_LIBRARY_PATH=<scratch>/other/lib:<shared>/sdk/driver/lib")]))

    def test_an_empty_shim(self):
        shim = self.own_library("libcudnn.so.9")
        shim.write_bytes(b"")
        status, out = self.verify(shim.parent)
        self.assertEqual((status, messages(out)), (1, [
            ("[library-corrupt]", "export LD_LIBRARY_PATH=<shared>/sdk/driver/lib")]))
        self.assertIn("  found:     an empty file   <scratch>/front/libcudnn.so.9   chosen by LD_LIBRARY_PATH[0]\n"
                      '  The loader ends it before main(): "file too short".\n', out)
        # The loader's own words, without a guard.
        self.assertIn("file too short", self.start(shim.parent)[1])

    def test_a_shim_that_is_text(self):
        shim = self.own_library("libcudnn.so.9")
        shim.write_bytes(b"<html>not found</html>" * 100)
        status, out = self.verify(shim.parent)
        self.assertEqual(status, 1)
        self.assertIn('  The loader ends it before main(): "invalid ELF header".\n', out)
        self.assertIn("invalid ELF header", self.start(shim.parent)[1])

    def test_a_cut_shim(self):
        shim = self.own_library("libcudnn.so.9")
        size = shim.stat().st_size
        with open(shim, "r+b") as file:
            file.truncate(size // 2)
        status, out = self.verify(shim.parent)
        self.assertEqual(status, 1)
        self.assertTrue(out.startswith(f"""\
cudnn-checked: refused: a library of cuDNN is damaged: libcudnn.so.9
  expected:  a whole library   needed by <shared>/app-build/app
  found:     {size // 2} bytes of """), out)
        self.assertIn("  The loader maps it; an access beyond its end raises SIGBUS, before or after "
                      "main().\n", out)
        self.assertEqual(out.count("[library-corrupt]"), 1, out)

    def test_the_runtime_is_missing(self):
        name = "libcudart.so.13"
        self.skip_where_the_machine_has(name)
        sdk = self.own_set()
        cudart = sdk.library_directory / name
        program = self.compile("program", "int main() {}", "-Wl,--no-as-needed", cudart,
                               f"-Wl,-rpath,{sdk.library_directory}")
        cudart.unlink()
        status, out = self.verify(program=program)
        self.assertEqual(status, 1)
        # By apt-get where its lists have the package.
        self.assertIn(messages(out), [[("[dependency-missing]", fix), NOT_STAMPED] for fix in (
            "apt-get install cuda-cudart-13-0", "install the CUDA Toolkit 13, which has libcudart.so.13")])
        self.assertIn("  looked in:  <scratch>/own/lib   RUNPATH of <scratch>/program\n", out)

    def test_a_missing_symbol(self):
        source = """
            extern "C" unsigned long cudnnGetVersion();
            extern "C" int cudnnOfTomorrow();
            int main(int count, char**) { return count > 9 ? cudnnOfTomorrow() : !cudnnGetVersion(); }
        """
        shim = self.compile("stub/libcudnn.so.9", """
            extern "C" unsigned long cudnnGetVersion() { return 99900; }
            extern "C" int cudnnOfTomorrow() { return 0; }
        """, "-shared", "-fPIC", "-Wl,-soname,libcudnn.so.9")
        for now, because in [
            ("-Wl,-z,lazy", 'It would start, and the first call ends it: "symbol lookup error".'),
            ("-Wl,-z,now", 'The loader ends it before main(), because it binds at the start: '
                           '"undefined symbol".'),
        ]:
            program = self.compile("tomorrow", source, shim, now,
                                   f"-Wl,-rpath,{self.built_on.library_directory}")
            status, out = self.verify(program=program, driver=False)
            self.assertEqual((status, messages(out)), (1, [
                ("[cudnn-older]", "let the loader find cuDNN of the release that it was built with, or newer before "
                                  + LIBRARY), NOT_STAMPED]))
            self.assertIn(because, out)

    def test_a_plugin_without_a_stamp_on_a_mixed_set(self):
        source = 'extern "C" unsigned long cudnnGetVersion();\n' \
                 'unsigned long f() { return cudnnGetVersion(); }\n'
        plugin = self.compile("plugin.so", source, "-shared", "-fPIC",
                              self.built_on.library_directory / "libcudnn.so.9",
                              f"-Wl,-rpath,{self.built_on.library_directory}")
        other = self.other_sdk(cudnn="9.19.0", cuda="13.0")
        mixed = self.own_set()
        mixed.take_from(other, "heuristic")
        status, out = self.verify(mixed.library_directory, program=plugin)
        self.assertEqual((status, messages(out)), (1, [
            ("[mixed-sublibraries]", f"export LD_LIBRARY_PATH={LIBRARY}:$LD_LIBRARY_PATH"), NOT_STAMPED]))

    def test_a_plugin(self):
        shim = self.built_on.library_directory / "libcudnn.so.9"
        source = 'extern "C" unsigned long cudnnGetVersion();\n' \
                 'unsigned long f() { return cudnnGetVersion(); }\n'
        plugin = self.compile("plugin.so", source, "-shared", "-fPIC", shim,
                              f"-Wl,-rpath,{self.built_on.library_directory}")
        self.assertEqual(self.verify(program=plugin), (0, f"""\
cudnn-checked: ok: plugin.so takes cuDNN 9.14.0, whole, from {LIBRARY}
  shim:  9.14.0   {LIBRARY}/libcudnn.so.9   chosen by RUNPATH of <scratch>/plugin.so
""" + NO_STAMP))
        front = self.own_library("libcudnn.so.9")
        front.write_bytes(b"")
        status, out = self.verify(front.parent, program=plugin)
        self.assertEqual(status, 1)
        self.assertIn("needed by <scratch>/plugin.so\n", out)

    def test_what_is_no_program(self):
        text = self.scratch / "script.sh"
        text.write_text("#!/bin/sh\n")
        empty = self.scratch / "empty"
        empty.write_text("")
        for file, words in [
            (text, "not an ELF file; for a script, check the program that runs it"),
            (empty, "an empty file"), (self.scratch / "absent", "no such file"),
            (self.scratch, "a directory"),
        ]:
            self.assertEqual(self.checked("verify", file),
                             (2, "", self.relative(f"cudnn-checked: error: verify: {file}: {words}\n")))
        other = self.scratch / "other-machine"
        data = bytearray(self.app_path.read_bytes())
        data[18] = 243
        other.write_bytes(data)
        status, out, err = self.checked("verify", other)
        self.assertEqual((status, out), (3, ""))
        self.assertIn("cudnn-checked: error: verify: <scratch>/other-machine: for riscv64, and "
                      "this machine is ", err)

    def test_no_byte_of_a_library_beyond_its_tables(self):
        """A hole of 2 GiB behind the last table is named, and costs nothing."""
        big = self.own_set()
        graph = big.library_directory / "libcudnn_graph.so.9.14.0"
        with open(graph, "r+b") as file:
            file.truncate(1 << 31)
        before = children_cpu()
        status, out = self.verify(big.library_directory)
        self.assertLess(children_cpu() - before, 0.3)
        self.assertEqual(status, 1)
        self.assertIn("2147483648 bytes, and its headers say ", out)


class BuiltOn81(Verify):
    sdk_options = {"cudnn": "8.1.0", "cuda": "11.2", "gpus": "sm_86"}

    def without_its_own(self):
        aside = self.built_on.library_directory.with_name("aside")
        self.built_on.library_directory.rename(aside)
        self.addCleanup(aside.rename, self.built_on.library_directory)
        # Everything but cuDNN.
        rest = self.scratch / "rest"
        rest.mkdir()
        for path in aside.iterdir():
            if not path.name.startswith("libcudnn"):
                (rest / path.name).symlink_to(path)
        return rest

    def test_only_another_major(self):
        nine = self.other_sdk(cudnn="9.14.0", cuda="13.0")
        rest = self.without_its_own()
        status, out = self.verify(rest, nine.library_directory)
        self.assertEqual((status, messages(out)), (1, [
            ("[cudnn-major]", "build it again, in its build directory: cmake --build .")]))
        self.assertIn(f"   or: {WHEEL}\n", out)

    def test_no_cudnn(self):
        self.skip_where_the_machine_has("libcudnn.so")
        rest = self.without_its_own()
        status, out = self.verify(rest)
        self.assertEqual(status, 1)
        self.assertEqual(messages(out), [("[cudnn-not-found]", WHEEL)])
        self.assertIn(f"  looked in:  {LIBRARY}   RUNPATH of <shared>/app-build/app\n", out)

    def test_a_fitting_copy_elsewhere(self):
        copy = self.own_set()
        rest = self.without_its_own()
        status, out = self.verify(rest, CUDNN_ROOT=copy.prefix)
        self.assertEqual(status, 1)
        self.assertIn("  not looked in:  <scratch>/own/lib   cuDNN 8.1.0\n", out)
        self.assertIn("  fix: export LD_LIBRARY_PATH=<scratch>/own/lib:$LD_LIBRARY_PATH\n", out)

    def test_run_on_805(self):
        older = self.other_sdk(cudnn="8.0.5", cuda="11.2")
        self.assertEqual(self.assert_same_as_guard(older.library_directory)[0], 1)


class WithoutCudnn(CheckedProgram):
    """A program that will open cuDNN itself."""

    project = CheckedProgram.project.replace("CuDNNChecked::cudnn CuDNNChecked::cudart",
                                             "CuDNNChecked::guard")
    main = "#include <cstdio>\nint main() { std::puts(\"main runs on 0\"); }\n"

    def test_it_cannot_be_told(self):
        older = self.other_sdk(cudnn="9.13.1", cuda="13.0")
        status, out = self.assert_same_as_guard(older.library_directory)
        self.assertEqual((status, out), (3, """\
cudnn-checked: unknown: this program has no cuDNN at this moment, so none was checked
  built with:  9.14.0   stamp of app
  loaded:      none
  Which cuDNN it opens later, or is linked with statically, is not known.
  fix: nothing; to have it checked, call cudnn_checked::check() once cuDNN is loaded
  [version-unknown]
"""))
