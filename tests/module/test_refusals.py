# SPDX-License-Identifier: BSD-3-Clause
"""What is said where the probe cannot be built, dies, hangs, or finds something wrong."""

import re
import shutil
import subprocess

from support import compiler, warnings
from support.downloads import download
from support.output import assert_refusal
from support.proving import ProvingTest


EMPTY = ("a library of cuDNN is damaged: libcudnn.so.9\n", "library-corrupt")


class NotBuilt(ProvingTest):
    def masked(self, text):
        """The message without what depends on the compiler: its name, and its own lines."""
        text = re.sub(r"(compiler:\s+)\S+ \S+   \S+", r"\1<compiler>", text)
        text, _, lines = text.partition("  | ")
        return text, lines

    def test_not_compiled(self):
        self.app.write("before.cmake", 'set(CMAKE_CXX_FLAGS "-include nowhere.h")')
        text, lines = self.masked(self.refused())
        self.assertEqual(text, """\
cudnn_checked: refused: the probe does not compile, so cuDNN could not be checked
  cuDNN:      9.14.0   <scratch>/sdk/include/cudnn_version.h
  CUDA:       13.0   <scratch>/sdk/lib/libcudart.so.13
  compiler:   <compiler>
  flags:      -include nowhere.h   CMAKE_CXX_FLAGS
  all of it:  <scratch>/app-build/CuDNNChecked/build.log
  The cause is the compiler, its flags or a header, not cuDNN.
  fix: remove -include nowhere.h from CMAKE_CXX_FLAGS, or correct it
   or: correct the compiler's errors below
  [probe-not-compiled]
""")
        self.assertRegex(lines, r"^[^\n|]*fatal error: '?nowhere\.h'?[^\n|]*\n$")

    def test_a_program_that_prints_no_message(self):
        """Nothing printed is no acceptance: CMake says it by itself."""
        self.app.write("before.cmake", 'set(CMAKE_CXX_FLAGS "-include nowhere.h")')
        self.refused()
        program = shutil.copy2(self.app.path("CuDNNChecked/cudnn_checked_configure"), self.scratch / "configure")
        self.replace_program("configure", f'[ "$2" = explain-build ] || exec {program} "$@"\n')
        self.assertRegex(self.refused(), r"""\Acudnn_checked: refused: the probe was not built, so cuDNN could not be checked
  the compiler: [^\n]*fatal error: '?nowhere\.h'?[^\n]*
  all of it: <scratch>/app-build/CuDNNChecked/build.log
\Z""")

    def test_not_linked(self):
        self.app.write("before.cmake", 'set(CMAKE_EXE_LINKER_FLAGS "-static")')
        text, lines = self.masked(self.refused())
        self.assertEqual(text, """\
cudnn_checked: refused: the probe compiles but does not link
  cuDNN:      9.14.0   <scratch>/sdk/include/cudnn_version.h
  CUDA:       13.0   <scratch>/sdk/lib/libcudart.so.13
  compiler:   <compiler>
  flags:      -static   CMAKE_EXE_LINKER_FLAGS
  all of it:  <scratch>/app-build/CuDNNChecked/build.log
  A program that uses this cuDNN would not link either.
  fix: remove -static from CMAKE_EXE_LINKER_FLAGS, or correct it
   or: correct the linker's errors below
  [probe-not-linked]
""")
        self.assertRegex(lines, r"^\S+: (error: )?attempted static link of dynamic object "
                                r"`<scratch>/sdk/lib/libcudnn\.so\.9'\n$")
        log = self.app.path("CuDNNChecked/build.log").read_text()
        self.assertIn("libcudnn.so.9", log)

    def test_the_language_of_the_user(self):
        """The compiler is asked in English, by the launcher of the project, and the environment is left alone."""
        launcher = self.write("launcher", '#!/bin/sh\necho "error: LC_ALL is $LC_ALL"\nexit 1\n')
        launcher.chmod(0o755)
        text, lines = self.masked(self.refused(f"-DCMAKE_CXX_COMPILER_LAUNCHER={launcher}",
                                               environment={"LC_ALL": "de_DE.UTF-8"}))
        self.assertIn("[probe-not-compiled]", text)
        self.assertEqual(lines, "error: LC_ALL is C\n")

    def test_an_empty_library_is_not_the_linkers_fault(self):
        self.sdk.library().write_bytes(b"")
        assert_refusal(self, self.refused(), *EMPTY, "reinstall cuDNN in <scratch>/sdk/lib",
                       "found:     an empty file   <scratch>/sdk/lib/libcudnn.so.9   chosen by the RUNPATH of the probe\n")

    def test_an_empty_cuda_runtime(self):
        (self.sdk.library_directory / "libcudart.so.13").write_bytes(b"")
        text = self.refused()
        self.assertIn("  CUDA:       an empty file   <scratch>/sdk/lib/libcudart.so.13\n", text)
        self.assertIn("[probe-not-linked]\n", text)


class MixedHeaders(ProvingTest):
    """Half an upgrade.  cuDNN's headers carry their release, and compare it with cudnn_version.h."""

    sdk_options = {"cudnn": "9.14.0", "gpus": ""}

    def setUp(self):
        super().setUp()
        self.names = sorted(f.name for f in self.sdk.include.glob("cudnn_*.h")
                            if f.name not in ["cudnn_version.h", "cudnn_backend.h"])
        for name in self.names:
            self.carry(name, "14")

    def carry(self, name, minor):
        part = name[len("cudnn_"):-len(".h")].upper()
        file = self.sdk.include / name
        text = file.read_text().split("// numbers\n")[0]
        file.write_text(text + f"""// numbers
#define CUDNN_{part}_MAJOR 9
#define CUDNN_{part}_MINOR {minor}
#define CUDNN_{part}_PATCH 0
#if CUDNN_{part}_MINOR != CUDNN_MINOR
#error Version mismatch in cuDNN {part}!
#endif
""")

    def test_half_an_upgrade(self):
        header = self.sdk.include / "cudnn_version.h"
        header.write_text(header.read_text().replace("CUDNN_MINOR 14", "CUDNN_MINOR 15"))
        # Nothing includes this one.
        (self.sdk.include / "cudnn_left_behind.h").write_text("")
        self.carry("cudnn_left_behind.h", "1")
        text, _, lines = self.refused().partition("  | ")
        rows = "".join(f"  {name + ':':20}9.14.0   <scratch>/sdk/include/{name}\n"
                       for name in self.names)
        self.assertEqual(sorted(re.sub(r" +", " ", text).splitlines()), sorted(re.sub(r" +", " ", f"""\
cudnn_checked: refused: the headers of cuDNN are of more than one release
  cudnn_version.h: 9.15.0   <scratch>/sdk/include/cudnn_version.h
{rows}  library: <scratch>/sdk/lib/libcudnn.so.9
  No program compiles with them: an upgrade of cuDNN has replaced some of them only.
  fix: in a Python environment, which CuDNNChecked_ROOT then names: pip install \
'nvidia-cudnn-cu13==9.15.0.*'
{download(release='9.15.0')}  [header-mixed]
""").splitlines()))
        self.assertRegex(lines, "Version mismatch in cuDNN GRAPH!\n")

    def test_a_header_that_is_not_there(self):
        (self.sdk.include / "cudnn_ops.h").unlink()
        text, _, lines = self.refused().partition("  | ")
        self.assertIn("refused: a header of cuDNN includes another one that is not there\n", text)
        self.assertRegex(text, r"\n  cudnn_ops\.h: +not there +included by <scratch>/sdk/include/cudnn")
        self.assertIn("[header-mixed]\n", text)
        self.assertRegex(lines, "cudnn_ops\\.h")

    def test_a_header_that_nothing_includes(self):
        (self.sdk.include / "cudnn_left_behind.h").write_text("")
        self.carry("cudnn_left_behind.h", "1")
        self.assertEqual(self.proved()["LEVEL"], "LOADED")
        with self.subTest("nor where a flag is to blame"):
            self.app.write("before.cmake", 'set(CMAKE_CXX_FLAGS "-fnonsense")')
            refused = self.refused()
            self.assertIn("[probe-not-compiled]\n", refused)
        with self.subTest("QUIET is about what is no error"):
            self.assertEqual(self.refused(request="REQUIRED;QUIET"), refused)


class Died(ProvingTest):
    sdk_options = {"cudnn": "9.14.0", "gpus": "sm_90"}

    def refused_with(self, fault, *arguments):
        return self.refused(*arguments, environment={"SIMULATED_FAULT": fault})

    def test_crash(self):
        self.assertEqual(self.refused_with("crash:cudnnGetVersion"), f"""\
cudnn_checked: refused: the probe crashed with SIGSEGV
  signal:  SIGSEGV
  during:  cudnnGetVersion
  cuDNN:   9.14.0   <scratch>/sdk/lib/libcudnn.so.9
  CUDA:    13.0   <scratch>/sdk/lib/libcudart.so.13
  probe:   <scratch>/app-build/CuDNNChecked/cudnn_checked_probe
  A program that uses this cuDNN would crash in the same call.
  fix: find where it crashes, with a debugger on the probe
   or: in a Python environment, which CuDNNChecked_ROOT then names: pip install \
'nvidia-cudnn-cu13==9.14.0.*'
{download(release='9.14.0')}  [probe-crashed]
""")

    def test_abort(self):
        text = self.refused_with("abort:cudnnGetVersion")
        self.assertIn("cudnn_checked: refused: the probe crashed with SIGABRT\n", text)

    def test_hang(self):
        text = self.refused_with("hang:cudnnGetVersion", "-DCuDNNChecked_PROBE_TIMEOUT=2")
        self.assertEqual(text, """\
cudnn_checked: refused: the probe did not finish within 2 s
  limit:   2 s   CuDNNChecked_PROBE_TIMEOUT
  during:  cudnnGetVersion
  cuDNN:   9.14.0   <scratch>/sdk/lib/libcudnn.so.9
  CUDA:    13.0   <scratch>/sdk/lib/libcudart.so.13
  probe:   <scratch>/app-build/CuDNNChecked/cudnn_checked_probe
  A program that uses this cuDNN may hang in the same call.
  fix: cmake -D CuDNNChecked_PROBE_TIMEOUT=600 <scratch>/app-build
   or: check whether the GPU answers: nvidia-smi
  [probe-timeout]
""")

    def test_a_hang_on_the_gpu_names_the_convolution(self):
        text = self.refused_with("hang:cudnnBackendExecute", "-DCuDNNChecked_PROBE_TIMEOUT=5")
        self.assertRegex(text, r"during:  graph/fp\d\d/n\w\w\w on GPU 0\n")

    def test_an_empty_library_on_the_loaders_path(self):
        empty = self.write("other/libcudnn.so.9")
        assert_refusal(self, self.refused(environment={"LD_LIBRARY_PATH": empty.parent}), *EMPTY,
                       "unset LD_LIBRARY_PATH\n   or: export LD_LIBRARY_PATH=<scratch>/sdk/lib",
                       "found:     an empty file   <scratch>/other/libcudnn.so.9   chosen by LD_LIBRARY_PATH[0]\n")

    def test_a_cuda_runtime_that_the_loader_cannot_load(self):
        empty = self.write("other/libcudart.so.13")
        text = self.refused(environment={"LD_LIBRARY_PATH": empty.parent})
        text, _, lines = text.partition("  | ")
        self.assertEqual(text, """\
cudnn_checked: refused: the probe could not be started
  ended with:  exit status 127
  during:      loading the libraries
  cuDNN:       9.14.0   <scratch>/sdk/lib/libcudnn.so.9
  CUDA:        13.0   <scratch>/sdk/lib/libcudart.so.13
  probe:       <scratch>/app-build/CuDNNChecked/cudnn_checked_probe
  A program that uses this cuDNN would not start either.
  fix: correct the loader's error below
  [probe-crashed]
""")
        self.assertIn("<scratch>/other/libcudart.so.13: file too short", lines)

    def test_a_build_tree_that_may_not_start_programs(self):
        unshare = shutil.which("unshare")
        if not unshare or subprocess.run([unshare, "-rm", "true"], capture_output=True).returncode:
            self.skipTest("no mount namespaces")
        self.proved()
        run = self.app.run
        script = ('(PATH=/usr/sbin:/usr/bin:/sbin:/bin; cd "$1" && mount --bind . . && '
                  'mount -o remount,bind,noexec "$PWD") && shift && exec "$@"')
        self.app.run = lambda *command, **options: run(
            unshare, "-rm", "sh", "-c", script, "sh", self.app.path("CuDNNChecked"), *command, **options)
        self.assertEqual(self.refused("-DCuDNNChecked_CONVOLUTIONS=legacy"), """\
cudnn_checked: refused: the probe could not be started: <scratch>/app-build/CuDNNChecked/cudnn_checked_probe, Permission denied
""")


class Ended(ProvingTest):
    """What is preloaded ends the probe, as a sanitizer or a library's constructor does."""

    sdk_options = {"cudnn": "9.14.0", "gpus": ""}

    def preloaded(self, text):
        """Builds a library that acts in the probe alone, and returns its path."""
        source = self.write("preload.cpp", f"""
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <unistd.h>
static bool in_probe() {{
  return std::strcmp(program_invocation_short_name, "cudnn_checked_probe") == 0;
}}
{text}""")
        library = self.scratch / "preload.so"
        done = self.app.run(compiler(), "-shared", "-fPIC", "-o", library, source)
        self.assertEqual(done.status, 0, done.output)
        return library

    def assert_not_proved(self, status, during, library):
        text = self.refused(environment={"LD_PRELOAD": library})
        self.assertIn(f"refused: the probe ended with status {status}, and its report gives no "
                      f"reason\n  status:  {status}\n  during:  {during}\n", text)
        self.assertIn("[probe-crashed]\n", text)
        self.assertFalse(self.app.path("CuDNNChecked/all/result.txt").exists())

    def test_before_main(self):
        for status in [0, 1, 2, 3]:
            with self.subTest(status=status):
                self.assert_not_proved(status, "loading the libraries", self.preloaded(
                    "__attribute__((constructor)) static void first() "
                    f"{{ if (in_probe()) _exit({status}); }}"))

    def test_after_a_good_report(self):
        self.assert_not_proved(1, "its end, after all checks", self.preloaded(
            "__attribute__((destructor)) static void last() { if (in_probe()) _exit(1); }"))

    def test_leaks_are_not_looked_for(self):
        log = self.scratch / "options"
        library = self.preloaded(f"""
#include <cstdio>
__attribute__((constructor)) static void first() {{
  if (!in_probe()) return;
  std::FILE* file = std::fopen("{log}", "w");
  std::fputs(std::getenv("ASAN_OPTIONS"), file);
  std::fclose(file);
}}""")
        self.app.write("after.cmake",
                       'file(WRITE "${CMAKE_BINARY_DIR}/after" "$ENV{ASAN_OPTIONS}")')
        self.proved(environment={"LD_PRELOAD": library, "ASAN_OPTIONS": "verbosity=0"})
        self.assertEqual(log.read_text(), "detect_leaks=0:verbosity=0")
        self.assertEqual(self.app.path("after").read_text(), "verbosity=0")


class Eight(ProvingTest):
    sdk_options = {"cudnn": "8.9.7", "cuda": "12.2", "gpus": ""}

    def test_graph_is_a_part_of_cnn(self):
        self.assertEqual(self.proved(request="REQUIRED;COMPONENTS;graph")["FOUND"], "TRUE")


class Found(ProvingTest):
    sdk_options = {"cudnn": "9.14.0", "gpus": "sm_75;sm_86"}

    def test_wrong_numbers(self):
        text = self.refused("-DCuDNNChecked_DEVICES=0",
                            environment={"SIMULATED_FAULT": "wrong:graph/fp16/nchw"})
        assert_refusal(self, text, "cuDNN computes wrong numbers: ", "wrong-numbers",
                       "take another release of cuDNN", "GPU 0:      GPU-a0")
        self.assertRegex(text, r"\n  computed:   relative error \S+   graph/fp16/nchw, \S+ \* \S+, engine \d+ on GPU 0\n"
                               r"(  also:       relative error .*\n){4}  also:       1 more\n")

    def test_the_header_of_another_release(self):
        header = self.sdk.include / "cudnn_version.h"
        header.write_text(header.read_text().replace("CUDNN_MINOR 14", "CUDNN_MINOR 13"))
        assert_refusal(
            self, self.refused(), "the header is of cuDNN 9.13.0 and the library of cuDNN 9.14.0\n",
            "header-library-mismatch", "let CuDNNChecked_ROOT name an install that has both",
            "header:   9.13.0   <scratch>/sdk/include/cudnn_version.h\n",
            "library:  9.14.0   <scratch>/sdk/lib/libcudnn_graph.so.9.14.0   chosen by RUNPATH of "
            "<scratch>/sdk/lib/libcudnn.so.9\n")

    def test_leaving_the_wrong_kind_out(self):
        result = self.proved("-DCuDNNChecked_CONVOLUTIONS=legacy;graph/fp32/nchw",
                             environment={"SIMULATED_FAULT": "wrong:graph/fp16/nchw"})
        self.assertEqual(result["LEVEL"], "RAN")

    def test_not_required_is_a_warning(self):
        result = self.proved(request="", environment={"SIMULATED_FAULT": "wrong:legacy"})
        self.assertEqual(result["FOUND"], "FALSE")
        self.assertEqual(result["VERSION"], "")
        self.assertIn("[wrong-numbers]", "".join(warnings(self.output)))

    def test_an_unknown_convolution(self):
        self.assertEqual(self.refused("-DCuDNNChecked_CONVOLUTIONS=graph/fp8;legacy"), """\
cudnn_checked: refused: an option of the probe has an invalid value
  convolutions:  graph/fp8, legacy   CuDNNChecked_CONVOLUTIONS
  fix: cmake -U CuDNNChecked_CONVOLUTIONS <scratch>/app-build
   or: name one of the values that the probe lists below
  [bad-input]
  | cudnn_checked: error: unknown convolution 'graph/fp8' in convolutions=; known are: all, \
legacy, graph/fp32/nchw, graph/fp32/nhwc, graph/fp16/nchw, graph/fp16/nhwc
""")

    def test_the_memory_of_the_gpu_is_full(self):
        text = self.refused("-DCuDNNChecked_DEVICES=0",
                            environment={"SIMULATED_FAULT": "fail:cudnnCreate:1001,full:gpu"})
        assert_refusal(self, text, "cudnnCreate failed with CUDNN_STATUS_NOT_INITIALIZED (1001)\n", "convolution-failed",
                       "memory of this GPU must be freed: nvidia-smi lists the processes that hold it",
                       "memory:    5 MiB free   of 16384 MiB on GPU 0\n")
        self.assertEqual(text.count("\n  also:      CUDNN_STATUS_NOT_INITIALIZED (1001)   cudnnCreate, graph/fp"), 4)

    def test_an_unknown_device(self):
        text = self.refused("-DCuDNNChecked_DEVICES=0;7")
        text, _, lines = text.partition("  | ")
        self.assertEqual(text, """\
cudnn_checked: refused: an option of the probe has an invalid value
  devices:  0, 7   CuDNNChecked_DEVICES
  fix: cmake -U CuDNNChecked_DEVICES <scratch>/app-build
   or: name one of the values that the probe lists below
  [bad-input]
""")
        self.assertRegex(lines, r"""\Acudnn_checked: error: devices= names '7', which this machine does not have; it has:
  \|   0  GPU-\S+  .*
  \|   1  GPU-\S+  .*
\Z""")

    def test_a_sublibrary_that_is_asked_for_is_missing(self):
        for file in self.sdk.library_directory.glob("libcudnn_cnn.so*"):
            file.unlink()
        text = self.refused(request="REQUIRED;COMPONENTS;cnn")
        # Where ld.so.cache has another cuDNN, the loader would take the missing file from there.
        self.assertRegex(text, r"\[(sublibrary-missing|mixed-sublibraries)\]")
