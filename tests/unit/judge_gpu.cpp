// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include "core/judge/rules/cudnn_gpu.h"
#include "observation_builder.h"

using namespace cudnn_checked;
using test::machine;

namespace {

machine on(const char* cudnn, const char* gpu) {
  machine m(cudnn, cudnn);
  m.set_gpu(gpu);
  m.observed.devices.gpus.in_place()[0].name = "the GPU";
  return m;
}

}  // namespace

TEST_CASE("a GPU below what cuDNN computes on") {
  machine m = on("9.14.0", "61");
  CHECK(
      m.message() ==
      "refused: cuDNN 9.14.0 does not compute on this GPU, sm_61\n"
      "  needed:  sm_75 or newer   cuDNN Support Matrix\n"
      "  GPU 0:   sm_61            the GPU\n"
      "  cuDNN:   9.14.0           /opt/cudnn/lib/libcudnn_graph.so.9   chosen by RUNPATH of app\n"
      "  It has no code for this GPU: its calls fail, with errors that do not say why.\n"
      "  fix: build the program with cuDNN 9.10.2, the last release for this GPU\n"
      "   or: run it on a newer GPU\n"
      "  [arch-below-cudnn]\n");
  m = on("9.1.0", "37");
  CHECK(m.names() == "arch-below-cudnn");
  CHECK(m.fix() ==
        "> build the program with cuDNN 8.7, the last release for this GPU\n"
        "> run it on a newer GPU");
}

TEST_CASE("the oldest GPU of each release, at each border") {
  const struct {
    const char* cudnn;
    int cuda_major;
    int expected;
  } rows[] = {
      {"7.6.5", 10, 0},   {"8.0.0", 11, 35},  {"8.0.0", 10, 30},  {"8.0.0", 0, 30},
      {"8.7.0", 11, 35},  {"8.7.99", 11, 35}, {"8.8.0", 11, 50},  {"8.9.7", 12, 50},
      {"9.0.0", 12, 50},  {"9.10.2", 12, 50}, {"9.10.2", 11, 50}, {"9.11.0", 12, 75},
      {"9.28.0", 13, 75}, {"10.0.0", 14, 75},
  };
  for (const auto& row : rows) {
    CAPTURE(row.cudnn);
    CHECK(lowest_gpu(parse_version(row.cudnn), row.cuda_major) == row.expected);
  }
  for (const char* gpu : {"50", "61", "70", "72"}) {
    CAPTURE(gpu);
    CHECK(on("9.10.2", gpu).names() == "");
    CHECK(on("9.11.0", gpu).names() == "arch-below-cudnn");
  }
  CHECK(on("9.11.0", "75").names() == "");
  CHECK(on("9.10.2", "37").names() == "arch-below-cudnn");
}

TEST_CASE("a GPU newer than cuDNN knows is a warning at most") {
  machine m = on("9.14.0", "130");
  CHECK(m.message() ==
        "refused: this GPU, sm_130, is newer than cuDNN 9.14.0 knows\n"
        "  known up to:  sm_121   cudnnGetMaxDeviceVersion() of it\n"
        "  GPU 0:        sm_130   the GPU\n"
        "  cuDNN:        9.14.0   /opt/cudnn/lib/libcudnn_graph.so.9   chosen by RUNPATH of app\n"
        "  The driver compiles the PTX of its engines, which takes time, and operations that have "
        "no such engine fail with CUDNN_STATUS_NOT_SUPPORTED_ARCH_MISMATCH. "
        "CUDNN_FORWARD_COMPAT_DISABLE=1 makes it an error in cuDNN itself.\n"
        "  fix: upgrade to a release of cuDNN that knows this GPU\n"
        "  [arch-above-cudnn]\n");
  CHECK(m.result() == verdict::warning);
  m.observed.answers.max_device = 1300;
  CHECK(m.names() == "");
  m.observed.answers.max_device = 1210;
  CHECK(m.findings()[0].expected.where == "cudnnGetMaxDeviceVersion()");
  m = on("8.9.7", "100");
  CHECK(m.findings()[0].because ==
        "Hardware forward compatibility came with cuDNN 9: an older release may fail.");
  CHECK(m.fix() == "> upgrade to a release of cuDNN that knows this GPU");
}

TEST_CASE("the newest GPU of each release, where it was asked") {
  const struct {
    const char* cudnn;
    int expected;
  } rows[] = {
      {"8.7.0", 0},    {"8.8.0", 90},   {"9.5.1", 90}, {"9.5.2", 0},  {"9.10.1", 0},
      {"9.10.2", 120}, {"9.10.3", 0},   {"9.11.0", 0}, {"9.13.1", 0}, {"9.14.0", 121},
      {"9.19.0", 121}, {"9.28.0", 121}, {"9.29.0", 0},
  };
  for (const auto& row : rows) {
    CAPTURE(row.cudnn);
    CHECK(newest_gpu(parse_version(row.cudnn)) == row.expected);
  }
  CHECK(on("9.5.1", "90").names() == "");
  CHECK(on("9.5.1", "100").names() == "arch-above-cudnn");
  CHECK(on("9.12.0", "130").names() == "");  // not asked of this release
  CHECK(on("9.14.0", "103").names() == "");
  CHECK(on("9.14.0", "121").names() == "");
}

TEST_CASE("of several GPUs one that suits cuDNN is enough") {
  machine m = on("9.14.0", "61");
  m.add_gpu("90", "the other");
  CHECK(m.names() == "arch-below-cudnn");
  CHECK(m.result() == verdict::ok);
  m = on("9.14.0", "130");
  m.add_gpu("90", "the other");
  CHECK(m.result() == verdict::ok);
  m = on("9.14.0", "61");
  m.add_gpu("70", "the other");
  CHECK(m.names() == "arch-below-cudnn arch-below-cudnn");
  CHECK(m.result() == verdict::refused);
}

TEST_CASE("what is not known of GPU or cuDNN is silent") {
  machine m = on("9.14.0", "61");
  m.observed.devices.gpus.in_place()[0].capability = {};
  CHECK(m.names() == "");
  m = on("9.14.0", "61");
  m.observed.linked = false;
  CHECK(m.names() == "version-unknown");
}

TEST_CASE("at a program's own start it is a note that the driver compiles PTX") {
  machine m;
  m.compile_for({"75-virtual"});
  CHECK(m.names() == "arch-jit-only");
  CHECK(m.result() == verdict::warning);
  m.options.at_start = true;
  CHECK(m.names() == "arch-jit-only");
  CHECK(m.result() == verdict::ok);
}

TEST_CASE("code for a chip that has two numbers is not known to run, and not refused") {
  machine m = on("9.14.0", "110");
  m.compile_for({"101-real"});
  CHECK(m.message() ==
        "refused: whether this program has code for this GPU, sm_110, is not known\n"
        "  compiled for:  sm_101   /app/bin/app\n"
        "  GPU 0:         sm_110   the GPU\n"
        "  NVIDIA does not document that machine code for related GPUs runs on this chip.\n"
        "  fix: compile it for this GPU as well: -DCMAKE_CUDA_ARCHITECTURES=\"101;110\"\n"
        "  [arch-not-built]\n");
  CHECK(m.result() == verdict::unknown);
  m.compile_for({"110-real"});
  CHECK(m.names() == "");
}
