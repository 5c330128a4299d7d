# SPDX-License-Identifier: BSD-3-Clause
"""What the guard says of sets that the loader puts together, and of two cuDNNs in one process."""

import struct

from guarded_program import GuardedProgram
from support.output import relative_output

LIBRARY = "<shared>/sdk/lib"
OTHER = "<scratch>/wheel/nvidia/cudnn/lib"
MIXED = ("the files of cuDNN are of more than one release\n", "mixed-sublibraries",
         f"export LD_LIBRARY_PATH={LIBRARY}:$LD_LIBRARY_PATH")

MAIN = """
#include <cudnn.h>
#include <cudnn_checked/guard.hpp>
#include <dlfcn.h>
#include <cstdio>
#include <cstring>
int main(int argc, char** argv) {
  for (int i = 2; i < argc; ++i) {
    void* const library = std::strcmp(argv[1], "dlmopen") == 0
                              ? dlmopen(LM_ID_NEWLM, argv[i], RTLD_NOW | RTLD_LOCAL)
                              : dlopen(argv[i], RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) std::printf("%s\\n", dlerror());
  }
  if (argc > 1) {
    const cudnn_checked::report r = cudnn_checked::check();
    std::printf("verdict %d\\n%s", static_cast<int>(r.verdict()), r.text().c_str());
    return 0;
  }
  std::printf("main runs on %zu\\n", cudnnGetVersion());
  return 0;
}
"""


def without_debug_entry(program):
    """The program with its entry DT_DEBUG turned into one that nobody knows."""
    data = bytearray(program)
    offset, size, count = struct.unpack_from("<Q14xHH", data, 32)
    for at in range(offset, offset + size * count, size):
        kind, _, begin, _, _, length = struct.unpack_from("<IIQQQQ", data, at)
        for entry in range(begin, begin + length, 16):
            if kind == 2 and struct.unpack_from("<q", data, entry)[0] == 21:
                struct.pack_into("<q", data, entry, 0x60000000)
                return bytes(data)
    raise AssertionError("there is no DT_DEBUG")


class LoaderCase(GuardedProgram):
    main = MAIN

    def open(self, how, *libraries):
        done = self.app.run(self.app.path("app"), how, *libraries,
                            environment=self.built_on.environment)
        return done.status, relative_output(done.output, scratch=self.scratch, shared=self.shared)

    def wheel(self, **options):
        """A wheel's files without its shim, which the program has from elsewhere."""
        sdk = self.other_sdk("wheel", layout="wheel", cuda="13.0", **options)
        directory = sdk.prefix / "nvidia" / "cudnn" / "lib"
        (directory / "libcudnn.so.9").unlink()
        return directory


class BuiltOn914(LoaderCase):
    def test_two_shims_by_their_paths(self):
        other = self.other_sdk(cudnn="9.19.0", cuda="13.0")
        self.assertEqual(self.open("dlopen", other.library()), (0, f"""\
verdict 3
cudnn_checked: refused: there are two cuDNNs in this process: 9.14.0 and 9.19.0
  shim:  9.14.0   {LIBRARY}/libcudnn.so.9   chosen by RUNPATH of <shared>/app-build/app
  shim:  9.19.0   <scratch>/other/lib/libcudnn.so.9   opened by its path
  One of them runs on sub-libraries of the other, or is called with its handles.
  fix: let both users of cuDNN load the one in {LIBRARY}
   or: let both users of cuDNN load the one in <scratch>/other/lib
  [two-cudnns]
"""))

    def test_a_copy_through_dlmopen(self):
        other = self.other_sdk(cudnn="9.19.0", cuda="13.0")
        self.assertIn("there are two cuDNNs in this process: 9.14.0 and 9.19.0\n"
                      f"  shim:  9.14.0   {LIBRARY}/libcudnn.so.9   chosen by RUNPATH of <shared>/app-build/app\n"
                      "  shim:  9.19.0   <scratch>/other/lib/libcudnn.so.9   in a namespace of its own (dlmopen)\n",
                      self.open("dlmopen", other.library())[1])

    def test_a_copy_through_dlmopen_where_the_loader_tells_nothing(self):
        """Without DT_DEBUG, as in programs that are linked statically, /proc/self/maps shows it."""
        other = self.other_sdk(cudnn="9.19.0", cuda="13.0")
        program = self.scratch / "app"
        program.write_bytes(without_debug_entry(self.app.path("app").read_bytes()))
        program.chmod(0o755)
        done = self.app.run(program, "dlmopen", other.library(), environment=self.built_on.environment)
        self.assertIn("there are two cuDNNs in this process: 9.14.0 and 9.19.0\n", done.output)
        self.assertIn("other/lib/libcudnn.so.9.19.0   in a namespace of its own (dlmopen)\n", done.output)

    def test_a_second_copy_of_the_same_release(self):
        own = self.own_set()
        self.assertEqual(self.open("dlopen", own.library()), (0, "verdict 0\n"))
        self.assertEqual(self.open("dlmopen", own.library()), (0, "verdict 0\n"))

    def test_a_sub_library_of_the_next_directory(self):
        own = self.own_set()
        for path in own.library_directory.glob("libcudnn_adv.so*"):
            path.unlink()
        other = self.other_sdk(cudnn="9.19.0", cuda="13.0")
        self.assert_refused(
            self.start(own.library_directory, other.library_directory), *MIXED,
            "shim:         9.14.0   <scratch>/own/lib/libcudnn.so.9   chosen by LD_LIBRARY_PATH[0]\n",
            "adv:          9.19.0   <scratch>/other/lib/libcudnn_adv.so.9   chosen by LD_LIBRARY_PATH[1]\n",
            f"passed over:  9.14.0   {LIBRARY}/libcudnn_adv.so.9.14.0   chosen by RUNPATH of {LIBRARY}/libcudnn.so.9\n")

    def test_the_first_call_decides(self):
        wheel = self.wheel(cudnn="9.19.0")
        status, output = self.start(wheel)
        self.assertEqual((status, output), (0, f"""\
cudnn_checked: warning: which files of cuDNN this program gets depends on what it calls first
  usually:    9.14.0   {LIBRARY}/libcudnn_graph.so.9.14.0   chosen by RUNPATH of {LIBRARY}/libcudnn.so.9
  after ops:  9.19.0   <scratch>/wheel/nvidia/cudnn/lib/libcudnn_graph.so.9   chosen by LD_LIBRARY_PATH[0]
  A program that calls functions of ops first gets a mix of two releases.
  fix: export LD_LIBRARY_PATH={LIBRARY}:$LD_LIBRARY_PATH
  [loader-override]
main runs on 91400
"""))

    def test_a_wheel_of_the_same_release_decides_nothing(self):
        self.assert_runs(self.start(self.wheel(cudnn="9.14.0")))


class BuiltOn8(GuardedProgram):
    """A major release that no machine's ld.so.cache completes where a library is missing."""

    sdk_options = {"cudnn": "8.9.7", "cuda": "12.2", "driver": "535.54.03", "gpus": "sm_86"}

    def without(self, role):
        own = self.own_set()
        for path in own.library_directory.glob(f"libcudnn_{role}.so*"):
            path.unlink()
        # The program's own run path leads to a whole one.
        hidden = self.built_on.library_directory.with_name("hidden")
        self.built_on.library_directory.rename(hidden)
        self.addCleanup(hidden.rename, self.built_on.library_directory)
        return self.start(own.library_directory, own.driver_directory, driver=False)

    def assert_missing(self, role, found):
        self.assert_refused(
            self.without(role), f"a sub-library of cuDNN is missing: libcudnn_{role}.so.8\n", "sublibrary-missing",
            "reinstall cuDNN 8.9.7 in <scratch>/own/lib",
            f"found:   8.9.7   <scratch>/own/lib/{found}   chosen by LD_LIBRARY_PATH[0]\n")

    def test_whole(self):
        self.assert_runs(self.start(), 8907)

    def test_without_ops_there_is_no_abort(self):
        self.assert_missing("ops_infer", "libcudnn.so.8")

    def test_without_cnn(self):
        self.assert_missing("cnn_infer", "libcudnn_ops_infer.so.8")


class BuiltOnAWheelOf928(LoaderCase):
    """Since 9.21 the shim has an RPATH: its own questions are safe from LD_LIBRARY_PATH."""

    # The engines of a wheel are told by their build ids alone.
    sdk_options = {"cudnn": "9.28.0", "gpus": "sm_86", "build_ids": "catalogue"}

    @classmethod
    def prepare_sdk(cls):
        cls.built_on.add_cuda_libraries(cls.built_on.driver_directory)

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        # As in a wheel: the names with the major number only.
        for link in cls.built_on.library_directory.glob("libcudnn*.so.9"):
            file = link.resolve()
            link.unlink()
            file.rename(link)

    def test_its_own(self):
        self.assert_runs(self.start(), 92800)

    def test_the_engines_come_through_ld_library_path(self):
        self.assert_refused(self.start(self.wheel(cudnn="9.14.0", build_ids="catalogue")), *MIXED, *[
            f"{part + ':':27}{release}   {folder}/libcudnn_{library or part}.so.9   chosen by {by}\n"
            for part, library, release, folder, by in [
                ("graph", "", "9.28.0 for CUDA 13", LIBRARY, f"RPATH of {LIBRARY}/libcudnn.so.9"),
                ("engines_precompiled", "", "9.14.0 for CUDA 13", OTHER, "LD_LIBRARY_PATH[0]"),
                ("engines_runtime_compiled", "", "9.14.0 for CUDA 13", OTHER, "LD_LIBRARY_PATH[0]"),
                ("heuristic", "", "9.14.0 for CUDA 12 or 13", OTHER, "LD_LIBRARY_PATH[0]"),
                ("passed over", "engines_precompiled", "9.28.0 for CUDA 13", LIBRARY,
                 f"RUNPATH of {LIBRARY}/libcudnn_graph.so.9")]])
