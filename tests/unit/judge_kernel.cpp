// SPDX-License-Identifier: BSD-3-Clause
//
// The probe's own kernel, which the project's CUDA compiler compiled.
#include <doctest/doctest.h>

#include "core/json/json.h"
#include "core/judge/rules/coverage.h"
#include "observation_builder.h"

using namespace cudnn_checked;

namespace {

/// A configure run with the CUDA language: the kernel was compiled for these architectures, and
/// ran.
struct kernel_configuration : test::configuration {
  explicit kernel_configuration(const arena_vector<arena_string>& architectures) {
    observed.kernel.compiler = "nvcc 13.0.88";
    observed.kernel.cmake = "cmake";
    observed.kernel.build_directory = "/build";
    observed.kernel.release = observed.kernel.headers = parse_version("13.0");
    observed.code.readable = answer::yes;
    observed.code.containers = {{parse_cuda_architectures(architectures)}};
    convolution c;
    c.shape = "4x32x16x16 * 32x32x3x3";
    c.math = convolution_math::fma;
    c.ran = true;
    c.products = 288;
    c.relative_error = 3e-7;
    c.element_error = 2e-7;
    c.difference = 1e-7;
    observed.kernel.runs = {c};
  }

  convolution& run() { return observed.kernel.runs.in_place()[0]; }

  void fail(int status, const char* name, const char* text) {
    run() = convolution();
    run().failed_call = "cudaLaunchKernel";
    run().status = status;
    run().status_name = name;
    run().status_text = text;
  }
  void require_ran() {
    options.level_required = true;
    options.required = level::ran;
    options.gpu_optional = false;
  }
  level reached() const { return judge_install(stamped, observed, options).reached; }
  static arena_string told(const configuration& c, arena_string (*tell)(const report_input&)) {
    const judgement judged = judge_install(c.stamped, c.observed, c.options);
    return tell({&c.stamped, &c.observed, &judged, {}, {}, {}});
  }
  static arena_string line_of(const configuration& c) { return told(c, report_line); }
  static json report_of(const configuration& c) {
    json report;
    arena_string error;
    REQUIRE(parse_json(told(c, probe_report_text), report, error));
    return report;
  }
  json report() const { return report_of(*this); }
};

}  // namespace

TEST_CASE("a kernel that is right is silent, and is named in the line and in the report") {
  const kernel_configuration c({"75-real", "90"});
  CHECK(c.names() == "");
  CHECK(c.reached() == level::ran);
  CHECK(kernel_configuration::line_of(c) ==
        "cuDNN 9.14.0 \xC2\xB7 CUDA 13.0 \xC2\xB7 sm_90, convolution verified (graph; error fp16 "
        "2.1e-04), kernel verified (nvcc 13.0.88, sm_90)");
  CHECK(c.report()["kernel"].print_compact() ==
        "{\"compiler\":\"nvcc 13.0.88\",\"headers\":\"13.0\",\"compiled\":[\"75-real\",\"90\"],"
        "\"runs\":[{\"device\":0,\"code\":\"sm_90\",\"shape\":\"4x32x16x16 * 32x32x3x3\","
        "\"status\":\"ok\",\"status_number\":0,\"relative_error\":3e-07,\"element_error\":2e-07,"
        "\"tolerance\":6.890296936035156e-05,\"milliseconds\":0,\"cudnn_difference\":1e-07}]}");
}

TEST_CASE("without a kernel nothing of one is claimed") {
  const test::configuration c;
  const json report = kernel_configuration::report_of(c);
  CHECK(report["kernel"].print_compact() == "null");
  CHECK(kernel_configuration::line_of(c) ==
        "cuDNN 9.14.0 \xC2\xB7 CUDA 13.0 \xC2\xB7 sm_90, convolution verified (graph; error fp16 "
        "2.1e-04)");
}

TEST_CASE("a kernel that was not run, for want of a GPU, is not claimed") {
  kernel_configuration c({"75-real"});
  c.observed.kernel.runs.clear();
  c.observed.convolutions.clear();
  c.observed.devices = {};
  c.observed.devices.visible = answer::no;
  CHECK(c.names() == "not-verified");
  CHECK(kernel_configuration::line_of(c) ==
        "cuDNN 9.14.0 \xC2\xB7 CUDA 13.0 \xC2\xB7 loaded, no convolution was run: no GPU here");
}

TEST_CASE("a kernel without code for this GPU is a warning, and an error where RAN is required") {
  kernel_configuration c({"75-real", "86"});
  c.set_gpu("80");
  c.fail(209, "cudaErrorNoKernelImageForDevice",
         "no kernel image is available for execution on the device");
  const char* const text =
      "refused: this project compiles no code for this GPU, sm_80\n"
      "  compiled for:      sm_75, sm_86, compute_86 (PTX)          CMAKE_CUDA_ARCHITECTURES\n"
      "  GPU 0:             sm_80                                   NVIDIA H200\n"
      "  cudaLaunchKernel:  cudaErrorNoKernelImageForDevice (209)   no kernel image is available "
      "for execution on the device\n"
      "  Its first kernel would fail with error 209, no kernel image is available.\n"
      "  fix: cmake -D 'CMAKE_CUDA_ARCHITECTURES=75-real;86;80' /build\n"
      "  [arch-not-built]\n";
  CHECK(c.message() == text);
  CHECK(c.weight() == severity::warning);
  CHECK(c.reached() == level::ran);
  CHECK(c.report()["kernel"]["runs"].elements()[0]["code"].text() == "");
  c.require_ran();
  CHECK(c.message() == text);
  CHECK(c.weight() == severity::error);
  CHECK(c.reached() == level::loaded);
}

TEST_CASE("a fix without other architectures is one word") {
  kernel_configuration c({});
  c.fail(209, "cudaErrorNoKernelImageForDevice", "no kernel image is available");
  CHECK(c.fix() == "$ cmake -D CMAKE_CUDA_ARCHITECTURES=90 /build");
  c.observed.kernel.build_directory = "";
  CHECK(c.fix() == "> configure again with -D CMAKE_CUDA_ARCHITECTURES=90");
}

TEST_CASE("a kernel that is PTX only is a warning") {
  kernel_configuration c({"75-virtual"});
  CHECK(c.names() == "arch-jit-only");
  CHECK(c.summary() == "this project compiles no machine code for this GPU, sm_90, only PTX");
  CHECK(c.fact("compiled for") == "compute_75 (PTX)   CMAKE_CUDA_ARCHITECTURES");
  CHECK(c.fix() == "$ cmake -D 'CMAKE_CUDA_ARCHITECTURES=75-virtual;90' /build");
  CHECK(c.weight() == severity::warning);
  c.require_ran();
  CHECK(c.weight() == severity::warning);
  CHECK(c.reached() == level::ran);
  CHECK(c.report()["kernel"]["runs"].elements()[0]["code"].text() == "compute_75 (PTX)");
}

TEST_CASE("PTX that the driver cannot compile is a warning, and an error where RAN is required") {
  kernel_configuration c({"90-virtual"});
  c.observed.kernel.compiler = "nvcc 13.2.10";
  c.observed.kernel.release = c.observed.kernel.headers = parse_version("13.2");
  c.observed.driver.library = parse_version("580.65.06");
  c.fail(222, "cudaErrorUnsupportedPtxVersion",
         "the provided PTX was compiled with an unsupported toolchain.");
  CHECK(
      c.message() ==
      "refused: the NVIDIA driver cannot compile the PTX that this project has for its GPU, sm_90\n"
      "  compiled for:      compute_90 (PTX)                       CMAKE_CUDA_ARCHITECTURES\n"
      "  GPU 0:             sm_90                                  NVIDIA H200\n"
      "  cudaLaunchKernel:  cudaErrorUnsupportedPtxVersion (222)   the provided PTX was compiled "
      "with an unsupported toolchain.\n"
      "  PTX of:            nvcc 13.2.10                           CMAKE_CUDA_COMPILER\n"
      "  driver:            580.65.06, CUDA 13.0                   /usr/lib/libcuda.so.580.65.06\n"
      "  An older driver runs a newer toolkit's machine code, not its PTX.\n"
      "  fix: cmake -D 'CMAKE_CUDA_ARCHITECTURES=90-virtual;90' /build\n"
      "   or: upgrade the driver to 595.45.04 or newer\n"
      "  [driver-too-old]\n");
  CHECK(c.weight() == severity::warning);
  c.require_ran();
  CHECK(c.weight() == severity::error);
}

TEST_CASE("a kernel that computes wrong is always an error") {
  kernel_configuration c({"90-real"});
  c.run().element_error = 0.3;
  c.run().relative_error = 0.5;
  const convolution second = c.run();
  c.observed.kernel.runs.push_back(second);
  CHECK(c.message() ==
        "refused: a kernel that this project's CUDA compiler made computes wrong numbers\n"
        "  tolerance:       6.9e-05 of sum |x*w|   float64 reference\n"
        "  computed:        relative error 0.5     kernel, 4x32x16x16 * 32x32x3x3 on GPU 0\n"
        "  cuDNN computed:  right                  on the same GPU\n"
        "  compiler:        nvcc 13.0.88           CMAKE_CUDA_COMPILER\n"
        "  CUDA reports no error: every status was cudaSuccess.\n"
        "  fix: remove flags from CMAKE_CUDA_FLAGS one by one\n"
        "   or: use another release of the CUDA compiler\n"
        "  [wrong-numbers]\n");
  CHECK(c.weight() == severity::error);
  CHECK(c.reached() == level::loaded);
  CHECK(c.report()["kernel"]["runs"].elements()[0]["status"].text() == "wrong-numbers");
  c.observed.convolutions.in_place()[0].element_error = 0.3;
  CHECK(c.names() == "wrong-numbers wrong-numbers");
  CHECK(c.findings()[1].more[0].value == "wrong as well");
  CHECK(c.fix(1) == "$ dcgmi diag -r 3\n$ nvidia-smi -q");
}

TEST_CASE("where cuDNN computes wrong and the kernel does not, the message has both") {
  kernel_configuration c({"90-real"});
  c.observed.convolutions.in_place()[0].element_error = 0.3;
  c.observed.convolutions.in_place()[0].relative_error = 0.5;
  CHECK(c.summary() == "cuDNN computes wrong numbers: graph/fp16/nchw");
  CHECK(c.fact("own kernel") == "right   nvcc 13.0.88 on the same GPU");
  c.run().device = 1;
  CHECK(c.findings()[0].more.empty());
}

TEST_CASE("a kernel that fails is an error, with the status and the compiler") {
  kernel_configuration c({"90-real"});
  c.fail(700, "cudaErrorIllegalAddress", "an illegal memory access was encountered");
  CHECK(c.message() ==
        "refused: a kernel that this project's CUDA compiler made fails: cudaErrorIllegalAddress "
        "(700)\n"
        "  expected:  success                         cudaLaunchKernel, kernel on GPU 0\n"
        "  answered:  cudaErrorIllegalAddress (700)   an illegal memory access was encountered\n"
        "  compiler:  nvcc 13.0.88                    CMAKE_CUDA_COMPILER\n"
        "  The program's own kernels would fail in the same way.\n"
        "  fix: the status is explained in the CUDA Runtime API, cudaError\n"
        "   or: cmake -D CuDNNChecked_KERNEL=OFF /build\n"
        "  [kernel-failed]\n");
  CHECK(c.weight() == severity::error);
  CHECK(c.reached() == level::loaded);
}

TEST_CASE("CUDA headers of another release than the compiler") {
  kernel_configuration c({"90-real"});
  c.observed.kernel.headers = parse_version("12.9");
  CHECK(c.message() ==
        "refused: the CUDA compiler and the CUDA headers are of different releases\n"
        "  compiler:  nvcc 13.0.88   CMAKE_CUDA_COMPILER\n"
        "  headers:   CUDA 12.9      found by the CUDA compiler\n"
        "  What a CUDA compiler generates relies on the headers of its own release.\n"
        "  fix: remove the directory of the other headers from CPATH, CMAKE_CUDA_FLAGS and "
        "NVCC_APPEND_FLAGS\n"
        "  [toolkit-mixed]\n");
  CHECK(c.weight() == severity::warning);
  c.observed.kernel.headers = c.observed.kernel.release;
  c.stamped.toolkit = parse_version("12.9");
  CHECK(c.fact("headers") == "CUDA 12.9   found with cuDNN");
  CHECK(c.fix() == "> let CUDAToolkit_ROOT and CMAKE_CUDA_COMPILER name the same toolkit");
  // Wheels of another minor release are common, and work.
  c.stamped.toolkit = parse_version("13.1");
  CHECK(c.names() == "");
  // clang belongs to no release.
  c.observed.kernel.release = {};
  c.observed.kernel.headers = parse_version("11.5");
  CHECK(c.names() == "");
}

TEST_CASE("the code that the driver takes") {
  const auto taken = [](const arena_vector<arena_string>& items, const char* device) {
    return code_for({{parse_cuda_architectures(items)}}, parse_architecture(device));
  };
  CHECK(taken({"75", "80-real", "86-real"}, "89") == "sm_86");
  CHECK(taken({"86-real", "80-real", "75"}, "80") == "sm_80");
  CHECK(taken({"86-real", "80-real"}, "89") == "sm_86");
  CHECK(taken({"80-real", "86-virtual"}, "86") == "sm_80");
  CHECK(taken({"86-virtual", "80-real"}, "86") == "sm_80");
  CHECK(taken({"75", "86"}, "90") == "compute_86 (PTX)");
  CHECK(taken({"90a-real"}, "100") == "");
  CHECK(taken({}, "90") == "");
}

TEST_CASE("architectures are written as CMake reads them") {
  const auto again = [](const arena_vector<arena_string>& items) {
    arena_string text;
    for (const arena_string& item : to_cuda_architectures(parse_cuda_architectures(items)))
      text += item + ";";
    return text;
  };
  CHECK(again({"75-real", "86", "90a-virtual", "120f"}) == "75-real;86;90a-virtual;120f;");
  CHECK(again({"75-real", "75-virtual"}) == "75;");
  CHECK(again({}) == "");
}
