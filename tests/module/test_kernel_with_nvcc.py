# SPDX-License-Identifier: BSD-3-Clause
"""The probe's kernel: built with the real nvcc as the project's CUDA sources are, run on simulated GPUs."""

import functools
import json
import os
import pathlib
import re
import shlex
import subprocess
import unittest

from support import ProcessLog, cmake_version, status_lines, warnings
from support.known_compilers import compiler, nvcc
from support.proving import PROJECT, ProvingTest

# CMake names the toolkit of nvcc, which comes before CUDAToolkit_ROOT.
BEFORE = "set(CMAKE_CUDA_COMPILER_TOOLKIT_ROOT)\n"
# ccache does not look at a host compiler that an option names.
UNCACHED = "-DCMAKE_CUDA_COMPILER_LAUNCHER="
GENERATORS = {"ninja", "ninja-build", "make", "gmake"}


class KernelTest(ProvingTest):
    """A project with the CUDA language, and the simulated SDK as its CUDA runtime."""

    def setUp(self):
        nvcc()
        super().setUp()
        self.app = self.consumer(cmake_lists=PROJECT.replace("CXX)", "CXX CUDA)"), cuda=True)
        self.app.write("before.cmake", BEFORE)

    def relative(self, text):
        text = super().relative(text)
        for path, word in [(str(nvcc()), "<nvcc>"), (compiler("CXX"), "<c++>"),
                           (os.path.dirname(os.path.dirname(nvcc())), "<toolkit>")]:
            text = text.replace(path, word)
        return re.sub(r"(NVIDIA|nvcc) \d+\.\d+\.\d+", r"\1 <release>", text)

    def on(self, architectures, *arguments, gpus=None, **options):
        """Configures for these architectures on a machine with these GPUs."""
        environment = {"SIMULATED_GPUS": gpus} if gpus else {}
        environment.update(options.pop("environment", {}))
        return self.proved(f"-DCMAKE_CUDA_ARCHITECTURES={architectures}", *arguments,
                           environment=environment, **options)

    def warned(self, *arguments, **options):
        self.on(*arguments, **options)
        return self.relative("".join(warnings(self.output)))

    def lines(self):
        """What is said in one line of what was proved, without numbers."""
        lines = [line for line in status_lines(self.output) if line.startswith("cuDNN ")]
        return [re.sub(r"error [^)]*", "error", self.relative(line)) for line in lines]

    def kernel(self, result):
        with open(result["REPORT"]) as report:
            return json.load(report)["kernel"]

    def fixes(self, text):
        """The commands after "fix:" and "or:", as arguments without the build directory."""
        lines = re.findall(r"^ *(?:fix|or): \S*cmake ([^\n]*)$", text, re.M)
        build = str(self.app.build_directory)
        return [[word for word in shlex.split(line) if word not in (build, self.relative(build))]
                for line in lines]


class NotBuilt(KernelTest):
    @functools.cached_property
    def own_release(self):
        """As nvcc knows it, it compiles the headers of no later GCC."""
        return int(subprocess.check_output([compiler("CXX"), "-dumpversion"], text=True).split(".")[0])

    def host(self, name, release):
        """A host compiler that calls itself GCC <release>."""
        path = self.write(name, f'#!/bin/sh\nexec {compiler("CXX")} -U__GNUC__ -D__GNUC__={release} "$@"\n')
        path.chmod(0o755)
        return path

    def assert_message(self, message, summary, *fixes, host="<c++>", host_by="CMAKE_CUDA_HOST_COMPILER",
                       architectures="86-real", flags="(none)", log=True):
        """The whole of it; a value of the flags is from CMAKE_CUDA_FLAGS."""
        all_of_it = "  all of it:      <scratch>/app-build/CuDNNChecked/build.log\n" if log else ""
        lines = "\n   or: ".join([*fixes, "cmake -D CuDNNChecked_KERNEL=OFF <scratch>/app-build"])
        self.assertEqual(message, f"""\
cudnn_checked: refused: {summary}
  CUDA compiler:  NVIDIA <release>   <nvcc>
  host compiler:  {host}   {host_by}
  architectures:  {architectures}   CMAKE_CUDA_ARCHITECTURES
  flags:          {flags}   CMAKE_CUDA_FLAGS
{all_of_it}\
  The CUDA sources of this project would not build either; cuDNN is not the cause.
  fix: {lines}
  [kernel-not-compiled]
""")

    def kernel_refusal(self, *arguments, **options):
        """The message as far as it is ours, and the words of others."""
        text = self.refused(*arguments, **options)
        message, bar, words = text.partition("  | ")
        return message, bar + words

    def assert_mended_by_each(self, count):
        text = "".join(re.findall(r"^ +(?:fix|or): .*\n", self.output, re.M))
        fixes = self.fixes(text)
        self.assertEqual(len(fixes), count, text)
        for fix in fixes:
            with self.subTest(fix=fix):
                self.proved(*fix)

    def test_an_architecture_that_nvcc_does_not_know(self):
        message, words = self.kernel_refusal("-DCMAKE_CUDA_ARCHITECTURES=35;86-real;35-virtual",
                                             "-DCMAKE_CUDA_FLAGS=-DNAMES='a;b'")
        self.assert_message(message, "the CUDA compiler does not know one of the architectures",
                            "cmake -D CMAKE_CUDA_ARCHITECTURES=86-real <scratch>/app-build",
                            architectures="35;86-real;35-virtual", flags="-DNAMES='a;b'")
        self.assertRegex(words, r"\A  \| nvcc fatal +: Unsupported gpu architecture 'compute_35'\n\Z")
        self.assert_mended_by_each(2)

    def test_a_compiler_that_lists_no_architectures(self):
        """As a wrapper that only compiles: it is not known which architectures there are."""
        wrapper = self.write("nvcc", f'#!/bin/sh\n[ "$1" != --list-gpu-arch ] || exit 1\nexec {nvcc()} "$@"\n')
        wrapper.chmod(0o755)
        self.app.write("before.cmake", f'{BEFORE}set(CMAKE_CUDA_COMPILER "{wrapper}")\n')
        message, _ = self.kernel_refusal("-DCMAKE_CUDA_ARCHITECTURES=35")
        self.assert_message(message.replace("<scratch>/nvcc", "<nvcc>"),
                            "the CUDA compiler does not know one of the architectures",
                            "name architectures that the CUDA compiler knows: -D CMAKE_CUDA_ARCHITECTURES=LIST",
                            architectures="35")
        self.assertNotIn("list(GET", self.output)

    def test_a_host_compiler_that_nvcc_does_not_support(self):
        """As after an upgrade of the machine's GCC: what CMake knows of the compiler stays."""
        host = self.host("g++", self.own_release)
        arguments = ["-DCMAKE_CUDA_ARCHITECTURES=86-real", f"-DCMAKE_CUDA_FLAGS=-lineinfo -ccbin={host}"]
        self.proved(*arguments)
        self.host("g++", 99)
        message, words = self.kernel_refusal(UNCACHED)
        self.assert_message(message, "the CUDA compiler does not support its host compiler",
                            "cmake -D 'CMAKE_CUDA_FLAGS=-lineinfo -ccbin=<c++>' <scratch>/app-build",
                            host="<scratch>/g++", host_by="CMAKE_CUDA_FLAGS", flags="-lineinfo -ccbin=<scratch>/g++")
        self.assertRegex(words, r"  \| [^\n]*/host_config\.h:\d+:\d+: error: #error -- unsupported GNU "
                                r"version! gcc versions later than \d+ are not supported! ")
        self.assert_mended_by_each(2)

    def test_a_host_compiler_in_quoted_flags(self):
        message, _ = self.kernel_refusal("-DCMAKE_CUDA_ARCHITECTURES=86-real",
                                         f'-DCMAKE_CUDA_FLAGS=-DNAME="a b" -ccbin={self.host("g++-99", 99)}')
        self.assertIn("""\n  fix: cmake -D 'CMAKE_CUDA_FLAGS=-DNAME="a b" -ccbin=<c++>' <scratch>/app-build\n""",
                      message)

    def test_an_option_that_nvcc_does_not_know(self):
        message, words = self.kernel_refusal("-DCMAKE_CUDA_ARCHITECTURES=86-real",
                                             "-DCMAKE_CUDA_FLAGS=-lineinfo --no-such-option")
        self.assert_message(message, "the CUDA compiler does not build the probe's kernel",
                            "cmake -D CMAKE_CUDA_FLAGS=-lineinfo <scratch>/app-build",
                            "remove --no-such-option from CMAKE_CUDA_FLAGS, or correct it",
                            flags="-lineinfo --no-such-option")
        self.assertIn("--no-such-option", words)

    def test_cmake_names_the_host_compiler(self):
        host = self.host("g++", self.own_release)
        arguments = ["-DCMAKE_CUDA_ARCHITECTURES=86-real", f"-DCMAKE_CUDA_HOST_COMPILER={host}",
                     "-DCuDNNChecked_KERNEL=OFF"]
        self.proved(*arguments)
        self.host("g++", 99)
        message, _ = self.kernel_refusal("-DCuDNNChecked_KERNEL=ON", UNCACHED)
        self.assertIn("  host compiler:  <scratch>/g++   CMAKE_CUDA_HOST_COMPILER\n", message)
        self.assertRegex(message, r"\n  fix: rm -rf <scratch>/app-build/CMakeFiles/\S*/CMakeCUDACompiler\.cmake && "
                                  r"cmake -D CMAKE_CUDA_HOST_COMPILER=<c\+\+> <scratch>/app-build\n")
        fix = re.search("^ +fix: (.*)$", self.output, re.M)[1]
        done = self.app.run("sh", "-c", fix, environment=self.sdk.environment)
        self.assertEqual(done.status, 0, done.output)

    @unittest.skipIf(cmake_version() < (3, 24), "CMake knows the word native since 3.24")
    @unittest.skipIf(cmake_version() >= (3, 31), "this CMake leaves the word to nvcc")
    def test_native_without_a_gpu(self):
        message, words = self.kernel_refusal("-DCMAKE_CUDA_ARCHITECTURES=native")
        self.assert_message(message, "there is no GPU here for CMAKE_CUDA_ARCHITECTURES=native",
                            "cmake -D CMAKE_CUDA_ARCHITECTURES=all-major <scratch>/app-build",
                            architectures="native", log=False)
        self.assertEqual(words, "")

    def test_a_value_that_is_not_known(self):
        self.assertEqual(self.refused("-DCuDNNChecked_KERNEL=perhaps"), """\
cudnn_checked: refused: CuDNNChecked_KERNEL has a value that is not known
  value:     perhaps   CuDNNChecked_KERNEL
  possible:  ON, OFF
  fix: cmake -U CuDNNChecked_KERNEL <scratch>/app-build
  [bad-input]
""")


class OnTwoGpus(KernelTest):
    sdk_options = {"cudnn": "9.14.0", "gpus": "sm_75;sm_86"}

    def process_log(self):
        """Made when CMake knows the compilers: what it would start for them is not of interest."""
        self.on("75-real", "-DCuDNNChecked_REQUIRE=LOCATED")
        return ProcessLog(self.scratch / "log")

    def test_machine_code(self):
        result = self.on("75", gpus="sm_75")
        self.assertEqual(self.kernel(result)["compiled"], ["75"])
        [line] = status_lines(self.output)
        self.assertRegex(self.relative(line), r"\AcuDNN 9\.14\.0 · .*\), kernel verified "
                                              r"\(nvcc <release>, sm_75\)\Z")

    def test_code_for_another_gpu(self):
        message = """\
  compiled for:      sm_86   CMAKE_CUDA_ARCHITECTURES
  GPU 0:             sm_75   Simulated GPU sm_75
  cudaLaunchKernel:  cudaErrorNoKernelImageForDevice (209)   no kernel image is available for execution \
on the device
  Its first kernel would fail with error 209, no kernel image is available.
  fix: cmake -D 'CMAKE_CUDA_ARCHITECTURES=86-real;75' <scratch>/app-build
  [arch-not-built]
"""
        text = self.warned("86-real", gpus="sm_75")
        self.assertEqual(self.lines(), [
            "cuDNN 9.14.0 · CUDA 13.0 · sm_75, convolution verified (legacy, graph; error)"])
        self.assertEqual(text, "cudnn_checked: warning: this project compiles no code for this GPU, sm_75\n"
                         + message)
        fix, = self.fixes(text)
        self.assertEqual(self.refused("-DCuDNNChecked_REQUIRE=RAN",
                                      environment={"SIMULATED_GPUS": "sm_75"}),
                         "cudnn_checked: refused: this project compiles no code for this GPU, sm_75\n"
                         + message)
        self.proved(*fix, environment={"SIMULATED_GPUS": "sm_75"})
        self.assertEqual(warnings(self.output), [])

    def test_ptx_alone(self):
        text = self.warned("75-virtual", gpus="sm_86")
        self.assertEqual(self.lines(), [
            "cuDNN 9.14.0 · CUDA 13.0 · sm_86, convolution verified (legacy, graph; error), kernel "
            "verified (nvcc <release>, compute_75 (PTX))"])
        self.assertEqual(text, """\
cudnn_checked: warning: this project compiles no machine code for this GPU, sm_86, only PTX
  compiled for:  compute_75 (PTX)   CMAKE_CUDA_ARCHITECTURES
  GPU 0:         sm_86   Simulated GPU sm_86
  The driver compiles the PTX when the program starts, which takes time.
  fix: cmake -D 'CMAKE_CUDA_ARCHITECTURES=75-virtual;86' <scratch>/app-build
  [arch-jit-only]
""")

    def test_headers_of_another_release(self):
        """The runtime wheel of another release, by an option of nvcc: nvcc reports nothing."""
        include = pathlib.Path(nvcc()).parents[1] / "include"
        text = (include / "cuda_runtime_api.h").read_text()
        folder = self.write("cuda-12.6/cuda_runtime_api.h",
                            re.sub(r"(#define CUDART_VERSION) +\d+", r"\1 12060", text)).parent
        for file in include.glob("*.h"):
            if not (folder / file.name).exists():
                (folder / file.name).symlink_to(file)
        self.assertEqual(self.warned("75-real", f"-DCMAKE_CUDA_FLAGS=-I{folder}", gpus="sm_75"), """\
cudnn_checked: warning: the CUDA compiler and the CUDA headers are of different releases
  compiler:  nvcc <release>   CMAKE_CUDA_COMPILER
  headers:   CUDA 12.6   found by the CUDA compiler
  What a CUDA compiler generates relies on the headers of its own release.
  fix: remove the directory of the other headers from CPATH, CMAKE_CUDA_FLAGS and NVCC_APPEND_FLAGS
  [toolkit-mixed]
""")

    def test_wrong_numbers_and_a_crash(self):
        text = self.refused("-DCMAKE_CUDA_ARCHITECTURES=75-real",
                            environment={"SIMULATED_FAULT": "wrong:kernel", "SIMULATED_GPUS": "sm_75"})
        self.assertIn("[wrong-numbers]", text)
        text = self.refused("-DCMAKE_CUDA_ARCHITECTURES=75-real", environment={
            "SIMULATED_FAULT": "crash:cudaLaunchKernel", "SIMULATED_GPUS": "sm_75"})
        self.assertIn("""\
  What ran is a kernel that this project's CUDA compiler made, and nothing of cuDNN.
  fix: cmake -D CuDNNChecked_KERNEL=OFF <scratch>/app-build
  [probe-crashed]
""", text)

    def test_left_out(self):
        self.assertIsNone(self.kernel(self.on("86", "-DCuDNNChecked_KERNEL=off")))

    def test_flags_and_forms_of_building(self):
        """Warnings as errors, device linking, an older standard; the host compiler is nvcc's own choice."""
        self.app.write("before.cmake", BEFORE + "set(CMAKE_CUDA_SEPARABLE_COMPILATION ON)\n"
                                                "set(CMAKE_CUDA_RUNTIME_LIBRARY Static)\n")
        self.app.generator = "Ninja Multi-Config" if self.app.generator == "Ninja" else self.app.generator
        result = self.on("75-real", "-DCMAKE_CUDA_STANDARD=03", "-DCMAKE_CXX_FLAGS=-ffast-math -Werror",
                         "-DCMAKE_CUDA_FLAGS=-Werror all-warnings -Xcompiler=-Werror,-Wall --use_fast_math",
                         "-DCMAKE_TRY_COMPILE_CONFIGURATION=Release", gpus="sm_75")
        self.assertEqual(self.kernel(result)["compiled"], ["75-real"])

    def test_a_standard_that_is_not_required(self):
        """CMake takes the newest that it knows for nvcc.  Device linking is a property of some targets."""
        result = self.on("75-real", "-DCMAKE_CUDA_STANDARD=23", "-DCMAKE_CUDA_FLAGS=-rdc=true",
                         "-DCuDNNChecked_CONVOLUTIONS=legacy", gpus="sm_75")
        self.assertEqual(self.kernel(result)["compiled"], ["75-real"])

    def test_what_it_depends_on(self):
        log = self.process_log()

        def processes(architectures, *arguments):
            log_path = self.scratch / "log"
            log_path.write_text("")
            self.on(architectures, *arguments, environment=log.environment)
            return set(log.programs) - GENERATORS

        self.assertIn("cudnn_checked_probe", processes("75-real", "-DCuDNNChecked_REQUIRE="))
        self.assertEqual(processes("75-real"), set())
        for arguments in [("75", ), ("75", "-DCMAKE_CUDA_FLAGS=-lineinfo")]:
            with self.subTest(arguments=arguments):
                self.assertIn("cudnn_checked_probe", processes(*arguments))
                self.assertEqual(processes("75"), set())
        # What was proved with earlier values is still known.
        self.assertEqual(processes("75-real", "-DCMAKE_CUDA_FLAGS="), set())

    def test_a_language_that_is_enabled_later(self):
        self.app.write("CMakeLists.txt", PROJECT + """
set(before "${CuDNNChecked_REPORT}")
add_subdirectory(part)
""")
        self.app.write("part/CMakeLists.txt", f"""
enable_language(CUDA)
{BEFORE}
find_package(CuDNNChecked REQUIRED)
file(WRITE "${{CMAKE_BINARY_DIR}}/result.txt" "REPORT=${{CuDNNChecked_REPORT}}\\nBEFORE=${{before}}\\n")
""")
        log = self.process_log()
        result = self.on("75-real", "-DCuDNNChecked_REQUIRE=", environment=log.environment)
        with open(result["BEFORE"]) as report:
            self.assertIsNone(json.load(report)["kernel"])
        self.assertEqual(self.kernel(result)["compiled"], ["75-real"])
        (self.scratch / "log").write_text("")
        self.assertEqual(self.on("75-real", environment=log.environment), result)
        self.assertEqual(set(log.programs) - GENERATORS, set())


class Stamped(KernelTest):
    """What a word for architectures means is read from the kernel, not from a table of CMake's."""

    def architectures(self, target):
        text = self.app.path(f"CuDNNChecked/{target}/stamp_of_target.inc").read_text()
        return json.loads(re.search(r'R"json\((.*)\)json"', text).group(1))["architectures"]["compiled"]

    def of_nvcc(self, word):
        """What nvcc says it would do: it starts nothing."""
        done = subprocess.run([nvcc(), "--dryrun", f"-arch={word}", "-c", "main.cu"], check=True,
                              cwd=self.app.source, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        forms = re.findall(r"--image3=kind=(elf|ptx),sm=(\w+)", done.stdout)
        return {"elf": {sm for form, sm in forms if form == "elf"},
                "ptx": {sm for form, sm in forms if form == "ptx"}}

    def forms(self, items):
        return {"elf": {item.split("-")[0] for item in items if not item.endswith("-virtual")},
                "ptx": {item.split("-")[0] for item in items if not item.endswith("-real")}}

    @unittest.skipIf(cmake_version() < (3, 23), "CMake knows the words since 3.23")
    def test_words(self):
        self.app.write("main.cu", "int main() {}\n")
        self.app.write("after.cmake", """
foreach(name IN ITEMS same other named)
  add_executable(${name} main.cu)
  target_link_libraries(${name} PRIVATE CuDNNChecked::cudnn)
  cudnn_checked_guard(${name})
endforeach()
set_property(TARGET other PROPERTY CUDA_ARCHITECTURES all)
set_property(TARGET named PROPERTY CUDA_ARCHITECTURES 75-real 86)
""")
        self.on("all-major")
        self.assertEqual(self.forms(self.architectures("same")), self.of_nvcc("all-major"))
        self.assertEqual(self.architectures("other"), [])
        self.assertEqual(self.architectures("named"), ["75-real", "86"])
        self.on("75-real", "-DCuDNNChecked_KERNEL=OFF")
        self.assertEqual(self.architectures("same"), ["75-real"])
        self.on("all-major", "-DCuDNNChecked_KERNEL=OFF")
        self.assertEqual(self.architectures("same"), [])


class OfNewerCompilers(KernelTest):
    """nvcc is newer than the driver and the runtime."""

    sdk_options = {"cudnn": "8.9.7", "cuda": "12.2", "driver": "535.54.03", "gpus": "sm_86"}

    def test_ptx_that_the_driver_cannot_compile(self):
        self.assertEqual(self.warned("86-virtual"), """\
cudnn_checked: warning: the NVIDIA driver cannot compile the PTX that this project has for its GPU, sm_86
  compiled for:      compute_86 (PTX)   CMAKE_CUDA_ARCHITECTURES
  GPU 0:             sm_86   Simulated GPU sm_86
  cudaLaunchKernel:  cudaErrorUnsupportedPtxVersion (222)   the provided PTX was compiled with an \
unsupported toolchain.
  PTX of:            nvcc <release>   CMAKE_CUDA_COMPILER
  driver:            535.54.03, CUDA 12.2   <scratch>/sdk/driver/lib/libcuda.so.535.54.03   chosen by \
LD_LIBRARY_PATH[0]
  An older driver runs a newer toolkit's machine code, not its PTX.
  fix: cmake -D 'CMAKE_CUDA_ARCHITECTURES=86-virtual;86' <scratch>/app-build
   or: upgrade the driver to 580.65.06 or newer
  [driver-too-old]
and: the CUDA compiler and the CUDA headers are of different releases
  compiler:  nvcc <release>   CMAKE_CUDA_COMPILER
  headers:   CUDA 12.2   found with cuDNN
  What a CUDA compiler generates relies on the headers of its own release.
  fix: let CUDAToolkit_ROOT and CMAKE_CUDA_COMPILER name the same toolkit
  [toolkit-mixed]
""")
