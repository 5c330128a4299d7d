// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include "defective_machines.h"

using namespace cudnn_checked;
using test::configuration;
using test::defects;
using test::jit_only_on;
using test::machine;
using test::silent_on;

TEST_CASE("a JIT-only set on sm_90 computes some convolutions wrong") {
  machine m = jit_only_on("9.27.0");
  m.options.at_start = true;
  CHECK(m.message() ==
        "refused: cuDNN 9.27.0 has a known defect on this GPU, sm_90: engine-7-nchw\n"
        "  operations:  conv/fp16/nchw conv/bf16/nchw conv/fp32/nchw   docs/measurements.md\n"
        "  cuDNN:       9.27.0                                         "
        "/opt/cudnn/lib/libcudnn_graph.so.9   chosen by RUNPATH of app\n"
        "  GPU 0:       sm_90                                          NVIDIA H200\n"
        "  set:         JIT-only                                       no precompiled engines or "
        "no heuristic\n"
        "  Convolutions of few channels, 16 or 32, read the other layout: wrong numbers, and every "
        "status is success.\n"
        "  fix: install the full cuDNN package instead of the JIT-only one, or keep images in NHWC "
        "and do not train\n"
        "   or: a program that does not use them declares what it uses: cudnn_checked_guard(app "
        "OPERATIONS ...)\n"
        "  [cudnn-known-bad]\n");
  CHECK(m.result() == verdict::warning);
}

TEST_CASE("the defect of JIT-only sets, at each border") {
  CHECK(defects(jit_only_on("9.13.1")) == "conv3d-large");
  CHECK(defects(jit_only_on("9.14.0")) == "engine-7-nchw conv3d-large");
  CHECK(defects(jit_only_on("9.27.0")) == "engine-7-nchw");
  CHECK(defects(jit_only_on("9.27.1")) == "");
  CHECK(defects(jit_only_on("9.27.0", "89")) == "");
  CHECK(defects(jit_only_on("9.27.0", "100")) == "");
  CHECK(defects(silent_on("9.27.0")) == "");
  for (const char* role : {"engines_precompiled", "heuristic"}) {
    machine m = silent_on("9.27.0");
    m.lose(role);
    CHECK(defects(m) == "engine-7-nchw");
  }
  // What another install could add to a JIT-only set is not in it.
  machine m = jit_only_on("9.27.0");
  m.file("engines_precompiled") =
      test::file_of("engines_precompiled", "9.27.0", "/usr/lib/x86_64-linux-gnu");
  m.file("heuristic") = test::file_of("heuristic", "9.27.0", "/usr/lib/x86_64-linux-gnu");
  CHECK(defects(m) == "engine-7-nchw");
}

TEST_CASE("defects of all sets, at each border") {
  const struct {
    const char* cudnn;
    const char* gpu;
    const char* expected;
  } rows[] = {
      {"9.7.1", "90", ""},
      {"9.8.0", "90", "conv3d-large"},
      {"9.13.1", "90", "conv3d-large"},
      {"9.14.0", "90", "conv3d-large"},
      {"9.14.1", "90", "conv3d-large"},
      {"9.15.0", "90", ""},
      {"9.10.2", "89", ""},
      {"9.10.2", "100", ""},
      {"9.10.2", "120", ""},
      {"9.14.0", "89", ""},
      {"9.14.0", "100", ""},
      {"9.15.1", "90", "sdpa-kv-tail"},
      {"9.19.0", "90", "sdpa-kv-tail"},
      {"9.25.1", "90", "sdpa-kv-tail"},
      {"9.26.0", "90", ""},
      {"9.27.0", "90", ""},
      {"9.27.1", "90", ""},
      {"9.28.0", "90", ""},
      {"9.25.1", "89", ""},
      {"9.25.1", "100", ""},
  };
  for (const auto& row : rows) {
    CAPTURE(row.cudnn);
    CAPTURE(row.gpu);
    CHECK(defects(silent_on(row.cudnn, row.gpu)) == row.expected);
  }
}

TEST_CASE("what few programs meet is a warning of verify and a note at a start") {
  machine m = silent_on("9.13.1");
  CHECK(m.message() ==
        "refused: cuDNN 9.13.1 has a known defect on this GPU, sm_90: conv3d-large\n"
        "  operations:  conv3d/bf16 conv3d/fp16   pytorch/pytorch#163539, pytorch/pytorch#166480\n"
        "  cuDNN:       9.13.1                    /opt/cudnn/lib/libcudnn_graph.so.9   chosen by "
        "RUNPATH of app\n"
        "  GPU 0:       sm_90                     NVIDIA H200\n"
        "  Convolutions of large volumes in NCDHW with filters above 1x1x1 are wrong, and every "
        "status is success.\n"
        "  fix: upgrade to cuDNN 9.15.0 or newer\n"
        "   or: a program that does not use them declares what it uses: cudnn_checked_guard(app "
        "OPERATIONS ...)\n"
        "  [cudnn-known-bad]\n");
  CHECK(m.result() == verdict::warning);
  m.options.at_start = true;
  CHECK(m.names() == "cudnn-known-bad");
  CHECK(m.result() == verdict::ok);
}

TEST_CASE("a program that says what it uses is refused for that and hears of nothing else") {
  machine m = silent_on("9.13.1");
  m.options.at_start = true;
  for (const char* uses : {"conv3d/bf16", "conv3d", "conv3d/fp16"}) {
    m.stamped.operations = {"conv/fp32/nhwc", uses};
    CHECK(m.result() == verdict::refused);
    CHECK(m.fix() == "> upgrade to cuDNN 9.15.0 or newer");
  }
  for (const char* uses : {"conv/fp32", "conv/bf16/nchw", "sdpa/forward/decode"}) {
    m.stamped.operations = {uses};
    CHECK(m.names() == "");
  }
  // A misspelt name says nothing.
  m.stamped.operations = {"conv3/bf16"};
  CHECK(m.names() == "cudnn-known-bad");
  CHECK(m.result() == verdict::ok);

  machine attention = silent_on("9.20.0");
  attention.stamped.operations = {"sdpa"};
  CHECK(attention.result() == verdict::refused);
  attention.stamped.operations = {"sdpa/forward"};
  CHECK(attention.names() == "");
}

TEST_CASE(
    "an engine that only autotuners meet is reported to who declares that, and to nobody else") {
  machine m = silent_on("9.19.0");
  CHECK(defects(m) == "sdpa-kv-tail");
  m.stamped.operations = {"conv"};
  CHECK(m.names() == "");
  m.stamped.operations = {"autotune/dgrad"};
  CHECK(defects(m) == "engine-78-dgrad-nchw");
  CHECK(m.because() ==
        "Autotuners meet it, ordinary calls do not: wrong or unwritten numbers, or a lost CUDA "
        "context.");
  CHECK(m.fix() ==
        "> write an errata file, which frameworks obey: cudnn-checked sweep --errata errata.json");
  m.options.at_start = true;
  CHECK(m.result() == verdict::warning);
  const struct {
    const char* cudnn;
    const char* gpu;
    const char* expected;
  } rows[] = {
      {"9.13.1", "90", ""},
      {"9.14.0", "90",
       "engine-71-fwd-nchw engine-72-fwd-nchw engine-78-dgrad-nchw engine-69-wgrad-nhwc "
       "engine-70-wgrad-nchw"},
      {"9.14.0", "100", ""},
      {"9.19.0", "90",
       "engine-72-fwd-nchw engine-78-dgrad-nchw engine-69-wgrad-nhwc engine-70-wgrad-nchw"},
      {"9.19.1", "90", ""},
  };
  for (const auto& row : rows) {
    CAPTURE(row.cudnn);
    machine all = silent_on(row.cudnn, row.gpu);
    all.stamped.operations = {"autotune"};
    CHECK(defects(all) == row.expected);
  }
  configuration c("9.19.0", "9.19.0");
  c.stamped.operations.clear();
  CHECK(c.names().find("engine") == std::string::npos);
}

TEST_CASE("at configure time a defect is a note: nobody knows yet what will be used") {
  configuration c("9.13.1", "9.13.1");
  c.stamped.operations.clear();
  CHECK(c.names() == "cudnn-known-bad");
  CHECK(c.result() == verdict::ok);
  CHECK(c.fix() == "> upgrade to cuDNN 9.15.0 or newer");
}

TEST_CASE("a defect needs a GPU and a release that are known") {
  machine m = silent_on("9.14.0");
  m.observed.devices.gpus.clear();
  m.observed.devices.visible = answer::unknown;
  CHECK(m.names() == "");
  m = silent_on("9.14.0");
  for (cudnn_file& file : m.observed.files.in_place()) file.name_version = {};
  CHECK(defects(m) == "");
}

TEST_CASE("one GPU of several is enough") {
  machine m = silent_on("9.13.1", "89");
  m.add_gpu("90", "NVIDIA H100");
  REQUIRE(m.names() == "cudnn-known-bad");
  CHECK(m.findings()[0].more[0].where == "NVIDIA H100");
}

TEST_CASE("9.10.0 runs its own programs only") {
  machine m("9.10.2", "9.10.0");
  CHECK(m.message() ==
        "refused: cuDNN 9.10.0 runs programs that were built with 9.10.0 only\n"
        "  built with:  9.10.2   stamp of app\n"
        "  cuDNN:       9.10.0   /opt/cudnn/lib/libcudnn_graph.so.9   chosen by RUNPATH of app\n"
        "  Its enumerators of block-scaled types have other values than in other releases: calls "
        "would be misread.\n"
        "  fix: upgrade to cuDNN 9.10.1 or newer\n"
        "  [cudnn-known-bad]\n");
  CHECK(m.result() == verdict::refused);
  CHECK(machine("9.8.0", "9.10.0").names() == "cudnn-known-bad");
  CHECK(machine("9.10.0", "9.10.0").names() == "");
  CHECK(machine("9.10.0", "9.10.1").names() == "");
  CHECK(machine("9.8.0", "9.10.1").names() == "");
  CHECK(machine("9.11.0", "9.10.0").names() == "cudnn-older");
}

TEST_CASE("before 9.10.1, cuBLASLt 12.9 and several GPUs") {
  const auto with = [](const char* cudnn, const char* cublas, int gpus) {
    machine m(cudnn, cudnn);
    dependency d;
    d.kind = dependency_kind::cublaslt;
    d.name = "libcublasLt.so.12";
    d.path = "/usr/lib/libcublasLt.so.12";
    d.chosen_by = choice_reason::ld_so_cache;
    d.state = file_state::whole;
    d.release = parse_version(cublas);
    d.cuda_major = 12;
    m.stamped.toolkit = parse_version("12.9");
    m.observed.dependencies = {d};
    while (static_cast<int>(m.observed.devices.gpus.size()) < gpus) {
      m.observed.devices.gpus.push_back(m.observed.devices.gpus[0]);
    }
    return m;
  };
  machine m = with("9.10.0", "12.9.1", 2);
  CHECK(m.message() ==
        "refused: cuDNN 9.10.0 with cuBLASLt 12.9.1 computes wrong numbers on more than one GPU\n"
        "  cuDNN:     9.10.0   /opt/cudnn/lib/libcudnn_graph.so.9   chosen by RUNPATH of app\n"
        "  cuBLASLt:  12.9.1   /usr/lib/libcublasLt.so.12   chosen by ld.so.cache\n"
        "  GPUs:      2\n"
        "  Matrix products on several GPUs are wrong, and every status is success.\n"
        "  fix: upgrade to cuDNN 9.10.1 or newer\n"
        "   or: let CUDA_VISIBLE_DEVICES name one GPU\n"
        "  [cudnn-known-bad]\n");
  CHECK(m.result() == verdict::refused);
  CHECK(with("9.10.1", "12.9.1", 2).names() == "");
  CHECK(with("9.10.0", "12.8.4", 2).names() == "");
  CHECK(with("9.10.0", "12.9.0", 2).names() == "cudnn-known-bad");
  CHECK(with("9.10.0", "12.9.1", 1).names() == "");
  CHECK(with("9.10.0", "0", 2).names() == "");  // which cuBLASLt is not known
  CHECK(with("9.5.1", "12.9.1", 2).names() == "cudnn-known-bad");
  CHECK(with("8.9.7", "12.9.1", 2).names() == "");
}
