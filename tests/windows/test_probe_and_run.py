# SPDX-License-Identifier: BSD-3-Clause
"""`cudnn-checked probe` and `run` under wine: on DLLs that have NVIDIA's names and identities, and on NVIDIA's own."""

import os
import re
import shutil
import unittest

import wine
from dll_places import unpacked
from stand_ins import MIXED, WithCommandLine, with_identity
from support.environment import REPOSITORY
from support.scratch import ScratchTest

TABLE = (REPOSITORY / "tool/opened/cudnn_functions.def").read_text(encoding="utf-8")
# All that is called of a shim.  What happens in cudnnGetVersion() is what the test is about.
SHIM = """\
#include <windows.h>
size_t cudnnGetVersion(void) { %s; return 92800; }
size_t cudnnGetCudartVersion(void) { return 12090; }
BOOL WINAPI DllMainCRTStartup(HINSTANCE module, DWORD reason, void* reserved) { return %s; }
""" + "".join(f"int {name}(void) {{ return 0; }}\n"
              for name in re.findall(r"CUDNN_CHECKED_FUNCTION\([^,]+, (cudnn\w+)", TABLE) if not re.fullmatch("cudnnGet(Cudart)?Version", name))
SHIMS = {"opens": ('LoadLibraryA("cudnn_graph64_9.dll")', "TRUE"), "crashes": ("*(volatile int*)0 = 1", "TRUE"),
         "hangs": ("for (;;) Sleep(1000)", "TRUE"), "ends": ("ExitProcess(5)", "TRUE"), "fails": ("", "FALSE")}
SEEN = "cuDNN\n  9.28.0   {}/cudnn/cudnn64_9.dll\nopened\n  %s\nGPUs\n  none\nconvolutions\n  none\n"
KINDS = "  not run: legacy, graph/fp32/nchw, graph/fp32/nhwc, graph/fp16/nchw, graph/fp16/nhwc"
NOT_RUN = KINDS + """: cudaGetDeviceCount: 35 \
cudaErrorInsufficientDriver, CUDA driver version is insufficient for CUDA runtime version
"""
NOT_VERIFIED = """\
note: no convolution was run: %s
  proved by running:  ran
  reached:            %s
  Whether this cuDNN computes right numbers was not verified on this machine.
  fix: nothing; to verify it, do the same on a machine with a GPU
  [not-verified]
"""
NO_DRIVER = NOT_VERIFIED % ("no NVIDIA driver here", "loaded")
ZLIB_IS_ABSENT = """\
error: cuDNN needs zlibwapi.dll, which the loader does not find
  needed:     zlibwapi.dll
  found:      nothing     in the directories that the loader searches
  needed by:  cnn_infer   {}/cudnn/bin/cudnn_cnn_infer64_8.dll
  It is opened by name when cuDNN computes; without it cuDNN ends the process.
  fix: put zlibwapi.dll of 64 bits beside the program: NVIDIA's guide of cuDNN 8, "Installing zlib", says where it is
  [dependency-missing]

"""
NO_CUDNN = "cudnn-checked: note: nothing is known of a cuDNN of started.exe, so none was checked\n"


def loaded(number, cudart, *opened, header="", note=""):
    """What is printed of a whole cuDNN where there is no driver; `opened` is rows."""
    return (f"cuDNN\n  {number}   {{}}/cudnn/cudnn64_{number[0]}.dll   CUDA {cudart} inside{header}\nopened\n"
            + "".join(f"  {row}\n" for row in opened) + f"GPUs\n  none\nconvolutions\n{NOT_RUN}\n{note}{NO_DRIVER}\n"
            f"cudnn-checked: unknown: cuDNN {number} \u00b7 loaded, no convolution was run: no NVIDIA driver here\n")


WHOLE = loaded("9.28.0", "12.9", "{}/cudnn   cudnn64_9.dll, cudnn_graph64_9.dll")


class ProbeAndRun(WithCommandLine):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.shims = {name: cls.shim(name, *does) for name, does in SHIMS.items()}
        cls.started = cls.folder / "started.exe"
        wine.run(wine.CC, "-O1", "-Wall", "-Wextra", "-municode", "-static", wine.HERE / "started.c", "-o", cls.started)

    @classmethod
    def shim(cls, name, *does):
        source, dll = cls.folder / f"{name}.c", cls.folder / f"{name}.dll"
        source.write_text(SHIM % does)
        wine.run(wine.CC, "-shared", "-nostdlib", "-s", "-Wl,--export-all-symbols", "-o", dll, source, "-lkernel32")
        return dll.read_bytes()

    def put_with(self, shim, folder="cudnn", release="9.28.0.42"):
        target = self.put(folder, release)
        identity = self.ids[(release, "12", "cudnn64_9.dll")]
        (target / "cudnn64_9.dll").write_bytes(with_identity(self.shims[shim], identity))
        return target

    def probe(self, *arguments, path=()):
        return self.start_in_windows([self.program, "probe", *arguments], path or [self.cuda])

    def assert_refused(self, seen, summary, rest):
        status, output, errors = self.probe(f"Z:{self.scratch}/cudnn")
        self.assertEqual((status, output), (1, f"""{seen}
error: {summary}
{rest}

cudnn-checked: refused: {summary}
"""))
        self.assertNotIn("cudnn", errors)  # what else is there is wine's

    def test_one_that_is_whole(self):
        """The shim opens cudnn_graph64_9.dll by its bare name."""
        folder = self.put_with("opens")
        self.assertEqual(self.probe(f"Z:{folder}"), (3, WHOLE, ""))
        self.assertEqual(self.probe(path=[self.cuda, folder]), (3, WHOLE, ""))
        status, output, errors = self.probe("--json", "--require", "loaded", f"Z:{folder}")
        self.assertEqual((status, re.findall(r'"(?:level|verdict)": "\w+"', output), errors),
                         (0, ['"verdict": "ok"', '"level": "loaded"'], ""))

    def test_what_wheels_beside_it_have_is_opened(self):
        nvidia = self.scratch / "nvidia"
        self.put_with("opens")
        for wheel, name in (("cublas", "cublasLt64_12.dll"), ("cuda_nvrtc", "nvrtc64_120_0.dll")):
            (nvidia / wheel / "bin").mkdir(parents=True)
            (self.cuda / name).rename(nvidia / wheel / "bin" / name)
        (nvidia / "cudnn").mkdir()
        (self.scratch / "cudnn").rename(nvidia / "cudnn/bin")
        self.assertEqual(self.probe(f"Z:{nvidia}/cudnn/bin"), (3, loaded(
            "9.28.0", "12.9", "{}/cudnn/bin        cudnn64_9.dll, cudnn_graph64_9.dll",
            "{}/cuda_nvrtc/bin   nvrtc64_120_0.dll", "{}/cublas/bin       cublasLt64_12.dll").replace(
                "{}/cudnn/cudnn64", "{}/cudnn/bin/cudnn64").replace("{}/", "{}/nvidia/"), ""))

    def test_a_crash(self):
        self.put_with("crashes")
        self.assert_refused("", "the probe crashed with EXCEPTION_ACCESS_VIOLATION", """\
  exception:  EXCEPTION_ACCESS_VIOLATION
  during:     cudnnGetVersion
  cuDNN:      9.28.0   {}/cudnn/cudnn64_9.dll
  A program that uses this cuDNN would crash in the same call.
  fix: reinstall the cuDNN of {}/cudnn
   or: find where it crashes, with a debugger on such a program
  [probe-crashed]""")

    def test_a_hang(self):
        """What is typed for it is typed, where it no longer hangs."""
        folder = self.put_with("hangs")
        status, output, errors = self.probe("--timeout", "2", f"Z:{folder}")
        typed = re.search(r"(?m)^  fix: (cudnn-checked probe --timeout 600 .*)$", output)[1]
        self.assertEqual((status, output.replace(typed, "TYPED"), errors), (1, """
error: the probe did not finish within 2 s
  limit:   2 s      --timeout
  during:  cudnnGetVersion
  cuDNN:   9.28.0   {}/cudnn/cudnn64_9.dll
  A program that uses this cuDNN may hang in the same call.
  fix: TYPED
   or: check whether the GPU answers: nvidia-smi
  [probe-timeout]

cudnn-checked: refused: the probe did not finish within 2 s
""", ""))
        self.put_with("opens")
        batch = self.app / "typed.bat"
        batch.write_text(f"@{typed.replace('{}', f'Z:{self.scratch}')}\r\n", encoding="utf-8")
        output = self.start_in_windows(["cmd", "/c", "typed.bat"], [self.program.parent, self.cuda])[1]
        self.assertEqual(output, WHOLE)

    def test_an_end(self):
        self.put_with("ends")
        self.assert_refused("", "the probe ended with status 5, and its report gives no reason", """\
  status:  5
  during:  cudnnGetVersion
  cuDNN:   9.28.0   {}/cudnn/cudnn64_9.dll
  A library, a sanitizer or a preloaded library ended it; nothing was proved.
  fix: find what ends the probe, in its words below or with a debugger
  [probe-crashed]""")

    def test_what_the_loader_says(self):
        """A DLL whose start fails, and one that lacks what is called."""
        self.put_with("fails")
        said = """\
  library:     {}/cudnn/cudnn64_9.dll
  the loader:  %s
  A program that uses this cuDNN would not start either.
  fix: correct what the loader complains of
  [probe-crashed]"""
        summary = "the loader does not load this cuDNN"
        self.assert_refused(SEEN % "nothing", summary, said % "error 1114: DLL initialization failed.")
        self.put("cudnn", "9.28.0.42")
        self.assert_refused(SEEN % "{}/cudnn   cudnn64_9.dll", summary,
                            said % "{}/cudnn/cudnn64_9.dll: it lacks the function cudnnGetCudartVersion")

    def test_files_that_are_wrong(self):
        """As `verify` and `doctor` say it; what could end the process is not called."""
        folder = self.put_with("opens")
        (folder / "cudnn_cnn64_9.dll").write_bytes(with_identity(self.fake, self.ids[("9.10.2.21", "12", "cudnn_cnn64_9.dll")]))
        status, output, errors = self.probe(f"Z:{folder}")
        self.assertIn("\nerror: " + MIXED, output)
        self.assertEqual((status, output.splitlines()[-1], errors),
                         (1, "cudnn-checked: refused: the files of cuDNN are of more than one release", ""))
        (folder / "cudnn_cnn64_9.dll").write_bytes(self.fake[:700])
        rest = """\
  expected:  a whole library
  found:     700 bytes of 4096   {}/cudnn/%s   chosen by %s
  Windows does not load it, or it crashes: cuDNN ends the process or continues without it.
  fix: reinstall cuDNN 9.28.0 for CUDA 12 in {}/cudnn
  [library-corrupt]"""
        not_called = "cuDNN was not called, because its files could end the process"
        seen = SEEN.replace("convolutions\n  none", f"convolutions\n{KINDS}: {not_called}") % "{}/cudnn   cudnn64_9.dll"
        self.assert_refused(seen, "a library of cuDNN is damaged: cudnn_cnn64_9.dll", rest % ("cudnn_cnn64_9.dll", "PATH[0]") + "\n\n"
                            + (NOT_VERIFIED % (not_called, "linked"))[:-1])
        self.put("cudnn", "9.28.0.42")
        (folder / "cudnn64_9.dll").write_bytes(self.fake[:700])
        self.assert_refused(seen.replace("{}/cudnn   cudnn64_9.dll", "nothing"), "a library of cuDNN is damaged: cudnn64_9.dll", rest % ("cudnn64_9.dll", "the PATH of the probe"))

    def test_no_cudnn(self):
        for words, said in (((), "no cuDNN was found here; name the directory of one"), ((f"Z:{self.cuda}",), "{}/cuda: no cuDNN in it")):
            self.assertEqual(self.probe(*words), (3, "", f"cudnn-checked: error: probe: {said}\n"))

    # run

    def run_it(self, *words, path=(), **variables):
        return self.start_in_windows([self.program, "run", *words], path or [self.cuda], **variables)

    def test_a_mixed_one_is_not_started(self):
        folder = self.put("cudnn", "9.28.0.42")
        (folder / "cudnn_cnn64_9.dll").write_bytes(with_identity(self.fake, self.ids[("9.10.2.21", "12", "cudnn_cnn64_9.dll")]))
        shutil.copyfile(self.tools.linked, self.app / "app.exe")
        command, path = ["--", f"Z:{self.app}/app.exe"], [folder, self.cuda]
        report = self.scratch / "report.json"
        self.assertEqual(self.run_it(*command, path=path, CUDNN_CHECKED_REPORT=f"Z:{report}"),
                         (78, "", "cudnn-checked: refused: " + MIXED + "  override: CUDNN_CHECKED=warn\n"))
        self.assertIn('"verdict": "refused"', report.read_text(encoding="utf-8"))
        status, output, errors = self.run_it(*command, path=path, CUDNN_CHECKED="warn")
        self.assertEqual((status, errors), (0, "cudnn-checked: warning: " + MIXED + "  continues: CUDNN_CHECKED=warn\n"))
        self.assertIn("\\cudnn\\cudnn64_9.dll\n", output)
        self.assertEqual(self.run_it(*command, path=path, CUDNN_CHECKED="off")[::2], (0, ""))

    def test_a_report_replaces_no_program(self):
        other = self.app / "other.exe"
        shutil.copyfile(self.started, other)
        status, output, errors = self.run_it("--", f"Z:{self.started}", "exit", "5", CUDNN_CHECKED_REPORT=f"Z:{other}")
        self.assertEqual((status, output), (5, ""))
        self.assertEqual(errors, NO_CUDNN + "cudnn-checked: error: cannot write the report to {}/app/other.exe "
                                            "(CUDNN_CHECKED_REPORT): it is a program or a library\n")
        self.assertEqual(other.read_bytes(), self.started.read_bytes())

    def test_words_and_streams(self):
        shutil.copyfile(self.started, self.app / "w\u00f6rter \u8a9e.exe")
        words = ["a b", 'c"d', "e\\", 'f\\\\"g h\\', "", "%PATH%", "a&b", "^", "\u00e4\u8a9e", "--json"]
        note = NO_CUDNN.replace("started", "w\u00f6rter \u8a9e")
        printed = "[words]" + "".join(f"[{word}]" for word in words) + "\n"
        for command in (["--", f"Z:{self.app}/w\u00f6rter \u8a9e.exe"], ["./w\u00f6rter \u8a9e"], [".\\w\u00f6rter \u8a9e.exe"], ["w\u00f6rter \u8a9e"]):
            with self.subTest(command):
                self.assertEqual(self.run_it(*command, "words", *words), (0, printed, note))
        self.assertEqual(self.run_it("w\u00f6rter \u8a9e", "words", CUDNN_CHECKED="off"), (0, "[words]\n", ""))

    def test_what_is_found(self):
        """As by cmd, but for batch files."""
        shutil.copyfile(self.started, self.cuda / "started.exe")
        self.assertEqual(self.run_it("started", "exit", "5"), (5, "", NO_CUDNN))
        (self.app / "batch.bat").write_text("@exit 5\r\n")
        self.assertEqual(self.run_it("batch.bat"), (2, "", """\
cudnn-checked: note: {}/app/batch.bat: not a DLL; for a script, check the program that runs it; nothing was checked
cudnn-checked: error: run: batch.bat: Exec format error
"""))
        self.assertEqual(self.run_it("cmd", "/c", "batch.bat"), (5, "", NO_CUDNN.replace("started", "cmd")))
        self.assertEqual(self.run_it("none"), (2, "", "cudnn-checked: error: run: none: not found on PATH\n"))
        self.assertEqual(self.run_it("./none"), (2, "", "cudnn-checked: error: run: ./none: No such file or directory\n"))

    def test_how_it_ends(self):
        """wine gives the lowest eight bits to who starts a program on Linux: a program under wine looks."""
        started = f"Z:{self.started}"
        run = f"Z:{self.program} run -- {started}"
        for step, command, result in (
                ("status", "exit 1", "status 1"), ("status", "exit 78", "status 78"), ("status", "exit 259", "status 259"),
                ("status", "exit 0xc0000005", "status 3221225477"), ("status", "crash", "status 3221225477"),
                # It gets Ctrl-C, and what waits for it is not ended by that.
                ("console", "interrupt", "status 42"),
                # What waits is killed: so is the program, but not what the program has started.
                ("kill", "wait", "ended"), ("kill", "leave", "runs")):
            with self.subTest(f"{step} {command}"):
                status, output, said = self.start_in_windows([started, step, f"{run} {command}"])
                if output == "status 2\n":  # seen once on a busy machine: wine itself did not start it
                    status, output, said = self.start_in_windows([started, step, f"{run} {command}"])
                self.assertEqual((status, output), (0, result + "\n"), said)


class RealDlls(ScratchTest):
    """<scratch>/Lib/site-packages has wheels: links to NVIDIA's files."""

    @classmethod
    def setUpClass(cls):
        reason = wine.why_not_here()
        cls.program = wine.build_for_windows() / "tool" / "cli" / "cudnn-checked.exe"
        if not reason and not cls.program.exists():
            reason = "the command line is not built for Windows (tests/windows/mingw-w64.cmake)"
        for folder in ("8.9.7.29", "9.10.2.21", "9.28.0.42", "cuda-12.9"):
            if not reason and not unpacked(folder).is_dir():
                reason = f"the wheels in {unpacked(folder)} are not there"
        if reason:
            raise unittest.SkipTest(reason)
        cls.windows = wine.Windows()
        cls.addClassCleanup(cls.windows.wait)

    def wheels(self, release):
        nvidia = self.scratch / release / "Lib/site-packages/nvidia"
        for wheel, source in (("cudnn", release), ("cublas", "cuda-12.9"), ("cuda_nvrtc", "cuda-12.9")):
            shutil.copytree(unpacked(source) / "nvidia" / wheel, nvidia / wheel, copy_function=os.symlink)
        return nvidia

    def probe(self, nvidia):
        done = self.windows.start([self.program, "probe", f"Z:{nvidia}/cudnn/bin"], cwd=self.scratch)
        output = done.output.replace("\r\n", "\n").replace(f"Z:{nvidia}", "{}")
        # What package a link leads to is no part of the probe.
        return done.status, re.sub(r" \(wheel [^)]*\)", "", output), done.errors

    def test_whole_sets(self):
        self.maxDiff = None
        for release, number, cudart, opened, cublas, note in (
                ("8.9.7.29", "8.9.7", "12.2", "cudnn64_8.dll, cudnn_ops_infer64_8.dll", "cublas64_12.dll, cublasLt64_12.dll", ZLIB_IS_ABSENT),
                ("9.10.2.21", "9.10.2", "12.9", "cudnn64_9.dll, cudnn_graph64_9.dll", "cublasLt64_12.dll", ""),
                ("9.28.0.42", "9.28.0", "12.9", "cudnn64_9.dll, cudnn_graph64_9.dll", "cublasLt64_12.dll", "")):
            rows = [f"{{}}/cudnn/bin        {opened}", "{}/cuda_nvrtc/bin   nvrtc64_120_0.dll", f"{{}}/cublas/bin       {cublas}"]
            if note:
                rows[1:] = reversed(rows[1:])
            with self.subTest(release):
                whole = loaded(number, cudart, *rows, header=f"   header {number}", note=note)
                if note:
                    whole = whole.rpartition("cudnn-checked: ")[0] + "cudnn-checked: refused: " + note.partition("\n")[0][7:] + "\n"
                self.assertEqual(self.probe(self.wheels(release)), (1 if note else 3, whole.replace("{}/cudnn/cudnn64", "{}/cudnn/bin/cudnn64"), ""))

    def test_sets_that_are_not_whole(self):
        nvidia = self.wheels("9.28.0.42")
        ops = nvidia / "cudnn/bin/cudnn_ops64_9.dll"
        real = ops.resolve()
        ops.unlink()
        ops.symlink_to(unpacked("9.10.2.21") / "nvidia/cudnn/bin" / ops.name)
        status, output, errors = self.probe(nvidia)
        self.assertIn("""
error: the files of cuDNN are of more than one release
  shim:  9.28.0 for CUDA 12   {}/cudnn/bin/cudnn64_9.dll   chosen by PATH[0]
  ops:   9.10.2 for CUDA 12   {}/cudnn/bin/cudnn_ops64_9.dll   chosen by PATH[0]
""", output)
        self.assertEqual((status, output.splitlines()[-1], errors),
                         (1, "cudnn-checked: refused: the files of cuDNN are of more than one release", ""))
        ops.unlink()
        with open(real, "rb") as file:
            ops.write_bytes(file.read(100000))
        status, output, errors = self.probe(nvidia)
        self.assertIn("""
error: a library of cuDNN is damaged: cudnn_ops64_9.dll
  expected:  a whole library
  found:     100000 bytes of 90087024   {}/cudnn/bin/cudnn_ops64_9.dll   chosen by PATH[0]
""", output)
        self.assertEqual((status, output.splitlines()[-1], errors),
                         (1, "cudnn-checked: refused: a library of cuDNN is damaged: cudnn_ops64_9.dll", ""))


if __name__ == "__main__":
    unittest.main()
