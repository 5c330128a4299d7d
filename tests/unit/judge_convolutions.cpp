// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <limits>

#include "core/judge/rules/tolerance.h"
#include "observation_builder.h"

using namespace cudnn_checked;
using test::configuration;

TEST_CASE("right numbers are silent and prove the level") {
  const configuration c;
  CHECK(c.names() == "");
  CHECK(reached_level(c.observed, c.findings()) == level::ran);
}

TEST_CASE("wrong numbers") {
  configuration c;
  c.observed.convolutions.in_place()[0].relative_error = 1.41;
  c.observed.convolutions.in_place()[0].element_error = 0.2;
  convolution second = c.observed.convolutions[0];
  second.shape = "4x32x16x16 * 32x32x3x3";
  second.unwritten = 12;
  c.observed.convolutions.push_back(second);
  CHECK(c.message() ==
        "refused: cuDNN computes wrong numbers: graph/fp16/nchw\n"
        "  tolerance:  0.002 of sum |x*w|          float64 reference\n"
        "  computed:   relative error 1.4          graph/fp16/nchw, 1x32x16x16 * 32x32x3x3, engine "
        "7 on GPU 0\n"
        "  also:       12 elements never written   graph/fp16/nchw, 4x32x16x16 * 32x32x3x3, engine "
        "7 on GPU 0\n"
        "  cuDNN reports no error: every status was CUDNN_STATUS_SUCCESS.\n"
        "  fix: take another release of cuDNN\n"
        "   or: report it to NVIDIA, if this one is NVIDIA's complete package\n"
        "  [wrong-numbers]\n");
  CHECK(reached_level(c.observed, c.findings()) == level::loaded);
}

/// `count` GPUs of the same kind, each of which computed the same.
static void add_gpus(configuration& c, int count) {
  const convolution first = c.observed.convolutions[0];
  for (int index = 1; index < count; ++index) {
    c.add_gpu("90", "NVIDIA H200");
    c.observed.devices.gpus.in_place().back().uuid = "GPU-0" + std::to_string(index);
    c.observed.convolutions.push_back(first);
    c.observed.convolutions.in_place().back().device = index;
  }
}

TEST_CASE("one GPU of several alike computes wrong numbers") {
  configuration c;
  add_gpus(c, 3);
  c.observed.devices.gpus.in_place()[0].uuid = "GPU-00";
  CHECK(c.names() == "");
  c.observed.convolutions.in_place()[1].relative_error = 1.41;
  c.observed.convolutions.in_place()[1].element_error = 0.2;
  CHECK(c.message() ==
        "refused: GPU 1 computes wrong numbers: graph/fp16/nchw\n"
        "  tolerance:  0.002 of sum |x*w|   float64 reference\n"
        "  computed:   relative error 1.4   graph/fp16/nchw, 1x32x16x16 * 32x32x3x3, engine 7 on "
        "GPU 1\n"
        "  GPU 1:      GPU-01               NVIDIA H200\n"
        "  right on:   2 GPUs               the same cuDNN, sm_90\n"
        "  CUDA and cuDNN report no error, and others of its kind compute right: it is the GPU.\n"
        "  fix: export CUDA_VISIBLE_DEVICES=GPU-00,GPU-02\n"
        "   or: nvidia-smi -q -i GPU-01\n"
        "   or: dcgmi diag -r 3\n"
        "  [wrong-numbers]\n");
}

TEST_CASE("GPUs of several kinds, or all of them, compute wrong numbers: that is cuDNN") {
  configuration c;
  add_gpus(c, 2);
  for (convolution& run : c.observed.convolutions.in_place()) run.element_error = 0.2;
  CHECK(c.summary() == "cuDNN computes wrong numbers: graph/fp16/nchw");
  CHECK(c.findings().size() == 1);
  configuration kinds;
  add_gpus(kinds, 2);
  kinds.observed.devices.gpus.in_place()[1].capability.major = 8;
  kinds.observed.convolutions.in_place()[1].element_error = 0.2;
  CHECK(kinds.summary() == "cuDNN computes wrong numbers: graph/fp16/nchw");
  CHECK(kinds.findings()[0].more.back().value == "GPU-01");
}

TEST_CASE("of many failures the first five are shown") {
  configuration c;
  convolution& first = c.observed.convolutions.in_place()[0];
  first.ran = false;
  first.failed_call = "cudaMalloc";
  for (int total = 1; total <= 24; ++total) {
    const finding f = c.findings()[0];
    REQUIRE(f.id == finding_id::convolution_failed);
    CHECK(f.more.size() == static_cast<std::size_t>(total > 5 ? 5 : total - 1));
    if (total > 5) CHECK(f.more.back().value == std::to_string(total - 5) + " more");
    const convolution next = c.observed.convolutions[0];
    c.observed.convolutions.push_back(next);
  }
}

TEST_CASE("the fix for wrong numbers follows the set") {
  configuration jit;
  jit.observed.convolutions.in_place()[0].element_error = 0.2;
  jit.lose_precompiled();
  CHECK(jit.fix() ==
        "> install the full cuDNN package instead of the JIT-only one\n"
        "> exclude this kind: CuDNNChecked_CONVOLUTIONS");
  configuration partial;
  partial.observed.convolutions.in_place()[0].element_error = 0.2;
  partial.lose("heuristic");
  CHECK(partial.names() == "sublibrary-missing wrong-numbers");
  CHECK(partial.fix(1) == "> repair the set of libraries first: see sublibrary-missing");
}

TEST_CASE("a NaN and an unwritten element are wrong") {
  configuration c;
  c.observed.convolutions.in_place()[0].element_error = std::numeric_limits<double>::quiet_NaN();
  CHECK(c.names() == "wrong-numbers");
  c = configuration();
  c.observed.convolutions.in_place()[0].unwritten = 1;
  CHECK(c.names() == "wrong-numbers");
}

TEST_CASE("the tolerance follows type and math") {
  convolution c;
  c.products = 287;
  const double sum = 288.0 / 16777216;
  const double ten_bits = 1.0 / 2048;
  c.type = element::fp32;
  c.math = convolution_math::fma;
  CHECK(convolution_tolerance(c) == doctest::Approx(4 * sum));
  c.math = convolution_math::tf32;
  CHECK(convolution_tolerance(c) == doctest::Approx(4 * (sum + 2 * ten_bits)));
  c.math = convolution_math::winograd;
  CHECK(convolution_tolerance(c) == doctest::Approx(64 * sum));
  c.math = convolution_math::winograd_tf32;
  CHECK(convolution_tolerance(c) == doctest::Approx(64 * sum + 32 * ten_bits));
  c.type = element::fp16;
  c.math = convolution_math::tensor_core;
  CHECK(convolution_tolerance(c) == doctest::Approx(4 * (sum + ten_bits)));
  c.math = convolution_math::winograd;
  CHECK(convolution_tolerance(c) == doctest::Approx(64 * sum + 32 * ten_bits));
}

TEST_CASE("a convolution that fails is reported by status, call and memory") {
  configuration c;
  convolution& failed = c.observed.convolutions.in_place()[0];
  failed.ran = false;
  failed.failed_call = "cudnnCreate";
  failed.status = 1001;
  failed.status_name = "CUDNN_STATUS_NOT_INITIALIZED";
  failed.status_text = "cudaGetDeviceCount(&count) != cudaSuccess";
  failed.memory_free = 700ULL << 20;
  failed.memory_total = 8192ULL << 20;
  CHECK(
      c.message() ==
      "refused: cudnnCreate failed with CUDNN_STATUS_NOT_INITIALIZED (1001)\n"
      "  expected:  success                               graph/fp16/nchw, 1x32x16x16 * 32x32x3x3\n"
      "  answered:  CUDNN_STATUS_NOT_INITIALIZED (1001)   cudaGetDeviceCount(&count) != "
      "cudaSuccess\n"
      "  memory:    700 MiB free                          of 8192 MiB on GPU 0\n"
      "  The program's own convolutions would fail in the same way.\n"
      "  fix: the status is explained in cuDNN's documentation\n"
      "   or: CUDNN_LOGLEVEL_DBG=2 CUDNN_LOGDEST_DBG=stderr makes cuDNN log more\n"
      "  [convolution-failed]\n");
  failed.memory_free = 5ULL << 20;
  CHECK(c.fact("memory") == "5 MiB free   of 8192 MiB on GPU 0");
  CHECK(c.fix() ==
        "> memory of this GPU must be freed: nvidia-smi lists the processes that hold it\n"
        "> let CuDNNChecked_DEVICES name another GPU");
}

TEST_CASE("a machine without a GPU is a note, or an error where RAN was asked for") {
  configuration c;
  c.observed.convolutions.clear();
  c.observed.driver.present = answer::no;
  c.observed.devices.visible = answer::no;
  CHECK(c.message() ==
        "refused: no convolution was run: no NVIDIA driver here\n"
        "  proved by running:  ran\n"
        "  reached:            loaded\n"
        "  Whether this cuDNN computes right numbers was not verified on this machine.\n"
        "  fix: nothing; to verify it, do the same on a machine with a GPU\n"
        "  [not-verified]\n");
  CHECK(c.result() == verdict::ok);
  CHECK(reached_level(c.observed, c.findings()) == level::loaded);
  c.options.level_required = true;
  c.options.required = level::ran;
  c.options.gpu_optional = false;
  CHECK(c.names() == "driver-missing not-verified");
  c.options.required = level::loaded;
  CHECK(c.names() == "not-verified");
  CHECK(c.result() == verdict::ok);
}

TEST_CASE("a driver that answers with an error is no machine without a GPU") {
  configuration c;
  c.observed.convolutions.clear();
  c.observed.devices = {};
  c.observed.devices.failed_call = "cudaGetDeviceCount";
  c.observed.devices.status = 803;
  c.observed.devices.status_name = "cudaErrorSystemDriverMismatch";
  c.observed.devices.status_text =
      "system has unsupported display driver / cuda driver combination";
  c.observed.driver.library = parse_version("580.65.06");
  CHECK(c.names() == "convolution-failed not-verified");
  const finding f = c.findings()[0];
  CHECK(f.summary == "cudaGetDeviceCount failed with cudaErrorSystemDriverMismatch (803)");
  CHECK(f.more[0].value == "580.65.06");
  CHECK(test::fix_of(f) ==
        "> the status is explained in the CUDA Runtime API, cudaError\n"
        "> nvidia-smi shows what the driver detects");
  c.observed.driver.present = answer::no;
  CHECK(c.names() == "not-verified");
}
