// SPDX-License-Identifier: BSD-3-Clause
//
// Frameworks whose own tests of the release do not cover a defect of their cuDNN on this GPU.
#include <doctest/doctest.h>

#include "core/judge/rules/known_defects.h"
#include "site_packages.h"

using namespace cudnn_checked;
using test::site;
using test::venv;

namespace {

const char* const torch_library = "torch/lib/libtorch_cuda.so";

/// A PyTorch on that cuDNN, on GPUs that NVML names; without any there is no driver.
venv pytorch(const char* number, const char* cudnn, const char* cuda,
             const std::vector<std::string>& gpus) {
  venv v;
  v.add_torch(number, std::string("nvidia-cudnn-cu") + cuda + "==" + cudnn);
  v.add_cudnn(cudnn, cuda);
  if (!gpus.empty()) v.add_gpus(gpus);
  return v;
}

/// What is found of GPUs in that library, "ok" where nothing is.
std::string told(venv v, const std::string& path = torch_library) {
  std::string text;
  for (const finding& f : v.look(path).findings) {
    if (f.id == finding_id::arch_below_cudnn) text += "below ";
    if (f.id != finding_id::cudnn_known_bad) continue;
    if (f.weight == severity::note) {
      text += "avoided ";
      continue;
    }
    CHECK(f.weight == severity::warning);
    text += f.summary.substr(f.summary.rfind(' ') + 1) + " ";
  }
  return text.empty() ? "ok" : text.substr(0, text.size() - 1);
}

/// "small-h" stands for the three of recurrent networks.
std::string written_out(std::string names) {
  const std::string short_name = "small-h";
  const std::size_t at = names.find(short_name);
  if (at == std::string::npos) return names;
  return names.replace(at, short_name.size(), "rnn-small-h lstm-small-h gru-small-h");
}

/// The whole message of the one finding of that name in the library of PyTorch.
std::string message_of(venv v, finding_id id) {
  for (const finding& f : v.look(torch_library).findings) {
    if (f.id == id) return test::shown(findings_message({f}, to_string(f.weight), severity::note));
  }
  return {};
}

}  // namespace

TEST_CASE("PyTorch without a test of its own, in one message") {
  CHECK(
      message_of(pytorch("2.8.0+cu128", "9.10.2.21", "12", {"90"}), finding_id::cudnn_known_bad) ==
      "warning: cuDNN 9.10.2 has a known defect on this GPU, sm_90, and torch 2.8.0 does not avoid "
      "it: conv3d-large\n"
      "  operations:  conv3d/bf16 conv3d/fp16   pytorch/pytorch#163539, pytorch/pytorch#166480\n"
      "  cuDNN:       9.10.2                    "
      "<site>/torch/lib/../../nvidia/cudnn/lib/libcudnn_graph.so.9   chosen by RUNPATH of "
      "<site>/torch/lib/../../nvidia/cudnn/lib/libcudnn.so.9\n"
      "  GPU 0:       sm_90                     NVIDIA GPU\n"
      "  Convolutions of large volumes in NCDHW with filters above 1x1x1 are wrong, and every "
      "status is success.\n"
      "  fix: upgrade to torch 2.9.0 or newer, which avoids it\n"
      "   or: upgrade to cuDNN 9.15.0 or newer\n"
      "   or: keep volumes in channels_last_3d\n"
      "  [cudnn-known-bad]\n");
}

TEST_CASE("PyTorch with a defect that no release is known to mend, in one message") {
  CHECK(
      message_of(pytorch("2.15.0", "9.26.0.51", "13", {"90"}), finding_id::cudnn_known_bad) ==
      "warning: cuDNN 9.26.0 has a known defect on this GPU, sm_90, and torch 2.15.0 does not "
      "avoid it: sdpa-one-query\n"
      "  operations:  sdpa/backward   docs/measurements.md, NVIDIA/cudnn-frontend#1072\n"
      "  cuDNN:       9.26.0          <site>/torch/lib/../../nvidia/cudnn/lib/libcudnn_graph.so.9  "
      " chosen by RUNPATH of <site>/torch/lib/../../nvidia/cudnn/lib/libcudnn.so.9\n"
      "  GPU 0:       sm_90           NVIDIA GPU\n"
      "  The gradients of K and V are NaN with a single query row in a batch of one, if its "
      "log-sum-exp is below -88, or -12 in fp16, the length of K and V is a multiple of 64 and "
      "there is no padding mask.\n"
      "  fix: give a single query row twice, and drop the second result\n"
      "   or: call torch.backends.cuda.enable_cudnn_sdp(False): PyTorch then takes its own "
      "kernels\n"
      "  [cudnn-known-bad]\n");
}

TEST_CASE("PyTorch takes an algorithm for recurrent networks that is wrong, in one message") {
  CHECK(
      message_of(pytorch("2.10.0", "9.28.0.42", "13", {"90"}), finding_id::cudnn_known_bad) ==
      "warning: cuDNN 9.28.0 has a known defect on this GPU, sm_90, and torch 2.10.0 does not "
      "avoid it: rnn-small-h\n"
      "  operations:  rnn/backward/fp16   docs/recurrent.md\n"
      "  cuDNN:       9.28.0              "
      "<site>/torch/lib/../../nvidia/cudnn/lib/libcudnn_graph.so.9   chosen by RUNPATH of "
      "<site>/torch/lib/../../nvidia/cudnn/lib/libcudnn.so.9\n"
      "  GPU 0:       sm_90               NVIDIA GPU\n"
      "  Gradients of RNNs (tanh, relu) in two directions are wrong by a third where the batch is "
      "a "
      "multiple of 8, the hidden size a multiple of 32 up to 256 and there are two steps or more, "
      "with CUDNN_RNN_ALGO_PERSIST_STATIC_SMALL_H and tensor-op math, and every status is "
      "success.\n"
      "  fix: take CUDNN_RNN_ALGO_STANDARD, bf16, or a batch that is no multiple of 8\n"
      "   or: call the network under torch.backends.cudnn.flags(enabled=False), or make it "
      "bfloat16 "
      "itself, without autocast\n"
      "  [cudnn-known-bad]\n");
}

TEST_CASE("PyTorch: the test of its own, the release and the GPU, at each border") {
  const struct {
    const char* torch;
    const char* cudnn;
    const char* cuda;
    const char* gpu;
    const char* expected;
  } rows[] = {
      {"2.8.0", "9.10.2.21", "12", "90", "conv3d-large"},
      {"2.9.0", "9.7.1.26", "12", "90", "ok"},
      {"2.9.0", "9.10.2.21", "12", "90", "avoided"},
      {"2.9.0", "9.10.2.21", "12", "120", "avoided"},
      {"2.9.0", "9.15.1.9", "12", "90", "small-h avoided"},
      {"2.9.1", "9.14.0.64", "12", "75", "avoided"},
      {"2.9.1", "9.15.1.9", "12", "90", "small-h"},
      {"2.10.0", "9.10.2.21", "12", "90", "avoided"},
      {"2.8.0", "9.7.1.26", "12", "90", "ok"},
      {"2.8.0", "9.10.2.21", "12", "89", "ok"},
      {"2.8.0", "9.10.2.21", "12", "100", "ok"},
      {"2.10.0", "9.19.0.56", "13", "90", "small-h"},
      {"2.11.0", "9.15.0.57", "12", "90", "small-h"},
      {"2.11.0", "9.15.1.9", "12", "90", "sdpa-kv-tail sdpa-one-query small-h"},
      {"2.11.0", "9.19.0.56", "13", "90", "sdpa-kv-tail sdpa-one-query small-h"},
      {"2.11.0", "9.19.0.56", "13", "89", "ok"},
      {"2.13.0", "9.20.0.48", "13", "90", "sdpa-kv-tail sdpa-one-query small-h"},
      {"2.14.1", "9.24.0.43", "13", "90", "sdpa-kv-tail sdpa-one-query small-h"},
      {"2.15.0", "9.24.0.43", "13", "90", "sdpa-one-query small-h"},
      {"2.15.0", "9.26.0.51", "13", "90", "sdpa-one-query small-h"},
      {"2.15.0", "9.28.0.42", "13", "90", "small-h"},
      {"1.11.0", "9.12.0.46", "12", "90", "conv3d-large"},
      {"1.12.0", "9.12.0.46", "12", "90", "conv3d-large small-h"},
      {"2.13.0", "9.20.0.48", "13", "100", "sdpa-decode"},
      {"2.13.0", "9.20.0.48", "13", "120", "ok"},
      {"2.14.0", "9.24.0.43", "13", "100", "ok"},
      {"2.14.0", "9.24.0.43", "13", "107", "sdpa-sm107"},
      {"2.13.0", "9.20.0.48", "13", "", "ok"},
      {"2.7.1", "9.5.1.17", "12", "90", "ok"},
      {"nightly", "9.20.0.48", "13", "90", "ok"},
  };
  for (const auto& row : rows) {
    CAPTURE(std::string(row.torch));
    CAPTURE(std::string(row.cudnn));
    CAPTURE(std::string(row.gpu));
    const std::vector<std::string> gpus = {row.gpu};
    CHECK(told(pytorch(row.torch, row.cudnn, row.cuda, gpus)) == written_out(row.expected));
    CHECK(told(pytorch(row.torch, row.cudnn, row.cuda, {})) == "ok");
  }
}

TEST_CASE("PyTorch that leaves cuDNN aside, in one message") {
  const auto message = [](const char* number, const char* cudnn) {
    return message_of(pytorch(number, cudnn, "12", {"89"}), finding_id::cudnn_known_bad);
  };
  CHECK(message("2.9.1+cu128", "9.10.2.21") ==
        "note: torch 2.9.1 computes conv3d/bf16 conv3d/fp16 without cuDNN 9.10.2\n"
        "  torch:  2.9.1    pytorch/pytorch#166643, pytorch/pytorch#166122\n"
        "  cuDNN:  9.10.2   <site>/torch/lib/../../nvidia/cudnn/lib/libcudnn_graph.so.9   chosen "
        "by RUNPATH of <site>/torch/lib/../../nvidia/cudnn/lib/libcudnn.so.9\n"
        "  Convolutions of volumes in NCDHW with filters above 1x1x1 take several times the "
        "memory and time.\n"
        "  fix: upgrade to cuDNN 9.15.0 or newer\n"
        "   or: keep volumes in channels_last_3d\n"
        "  [cudnn-known-bad]\n");
  CHECK(message("2.9.0+cu128", "9.15.1.9")
            .find("fix: upgrade to torch 2.9.1 or newer, and to cuDNN "
                  "9.15.0 or newer\n") != std::string::npos);
  CHECK(message("2.9.1+cu128", "9.15.1.9") == "");
}

TEST_CASE("cuBLASLt of a wheel has its release in the record") {
  venv v = pytorch("2.6.0", "9.8.0.87", "12", {"90", "90"});
  const std::string cublas = "nvidia/cublas/lib/libcublasLt.so.12";
  v.add_library(cublas, {});
  test::elf_builder b;
  b.soname = "libcudnn_engines_precompiled.so.9";
  b.build_id = test::id_of(b.soname, "9.8.0.87", "12");
  b.needed = test::needed_by("engines_precompiled");
  b.runpath = "$ORIGIN:$ORIGIN/../../cublas/lib";
  v.os.files[test::wheel + "/" + b.soname] = b.build();
  v.add_package("nvidia_cublas_cu12", "12.8.4.1", {}, cublas);
  CHECK(message_of(v, finding_id::cudnn_known_bad).find("cuBLASLt") == std::string::npos);
  v = pytorch("2.6.0", "9.8.0.87", "12", {"90", "90"});
  v.add_library(cublas, {});
  v.os.files[test::wheel + "/" + b.soname] = b.build();
  v.add_package("nvidia_cublas_cu12", "12.9.1.4", {}, cublas);
  CHECK(message_of(v, finding_id::cudnn_known_bad)
            .find("cuDNN 9.8.0 with cuBLASLt 12.9.1 computes wrong numbers on more than one GPU") !=
        std::string::npos);
}

TEST_CASE("a library of another package has no such defect, and one of several GPUs is enough") {
  venv v = pytorch("2.13.0", "9.20.0.48", "13", {"86", "90"});
  CHECK(told(v) == written_out("sdpa-kv-tail sdpa-one-query small-h"));
  v.os.files.erase(site + "/torch-2.13.0.dist-info/RECORD");
  CHECK(told(v) == "ok");
  v.add_package("torchvision", "2.13.0", {}, torch_library);
  CHECK(told(v) == "ok");
}

TEST_CASE("Transformer Engine, by its releases") {
  const auto on = [](const char* package, const char* number, const char* cudnn, const char* cuda,
                     const char* gpu) {
    venv v;
    const std::string path = "pkg/libuser.so";
    v.add_library(path, {"libcudnn.so.9"}, "$ORIGIN/../nvidia/cudnn/lib");
    v.add_package(package, number, {}, path);
    v.add_cudnn(cudnn, cuda);
    v.add_gpus({gpu});
    return told(v, path);
  };
  CHECK(on("transformer_engine_cu12", "2.5.0", "9.10.1.4", "12", "80") == "sdpa-9.10 sdpa-graph");
  CHECK(on("transformer_engine_cu12", "2.6.0", "9.10.1.4", "12", "80") == "sdpa-graph");
  CHECK(on("transformer_engine_cu12", "2.10.0", "9.10.1.4", "12", "80") == "ok");
  CHECK(on("transformer_engine_cu12", "2.7.0", "9.11.0.98", "12", "90") ==
        "sdpa-head-sizes sdpa-graph");
  CHECK(on("transformer_engine_cu13", "2.9.0", "9.14.0.64", "13", "90") ==
        "sdpa-window sdpa-graph");
  CHECK(on("transformer_engine_cu13", "2.16.1", "9.23.1.3", "13", "100") == "sdpa-mxfp8");
  CHECK(on("transformer_engine_cu13", "2.16.1", "9.23.1.3", "13", "90") == "ok");
  CHECK(on("transformer_engine_cu13", "2.17.0", "9.23.1.3", "13", "100") == "ok");
  CHECK(on("transformer_engine_torch", "2.5.0", "9.10.1.4", "12", "80") == "ok");
}

TEST_CASE("TensorFlow with a cuDNN 8, by its releases") {
  const auto on = [](const char* number, const char* cudnn, const char* gpu) {
    venv v;
    const std::string path = "tensorflow/libtensorflow_cc.so.2";
    v.add_library(path, {"libcudnn.so.8"}, "$ORIGIN/../nvidia/cudnn/lib");
    v.add_package("tensorflow", number, {}, path);
    for (const char* role :
         {"shim", "ops_infer", "cnn_infer", "adv_infer", "ops_train", "cnn_train", "adv_train"}) {
      test::elf_builder b;
      b.soname = test::soname_of(role, 8);
      b.build_id = test::id_of(b.soname, cudnn, "11");
      v.os.files[test::wheel + "/" + b.soname] = b.build();
    }
    v.add_gpus({gpu});
    return told(v, path);
  };
  CHECK(on("2.12.0", "8.6.0.163", "75") == "rnn-masked");
  CHECK(on("2.12.0", "8.6.0.163", "90") == "ok");
  CHECK(on("2.12.0", "8.9.2.26", "75") == "ok");
  CHECK(on("2.4.4", "8.6.0.163", "75") == "ok");
}

TEST_CASE("a framework on a GPU for which its cuDNN has no code") {
  CHECK(
      message_of(pytorch("2.13.0", "9.20.0.48", "13", {"70"}), finding_id::arch_below_cudnn) ==
      "warning: cuDNN 9.20.0 does not compute on this GPU, sm_70\n"
      "  needed:  sm_75 or newer   cuDNN Support Matrix\n"
      "  GPU 0:   sm_70            NVIDIA GPU\n"
      "  cuDNN:   9.20.0           <site>/torch/lib/../../nvidia/cudnn/lib/libcudnn_graph.so.9   "
      "chosen by RUNPATH of <site>/torch/lib/../../nvidia/cudnn/lib/libcudnn.so.9\n"
      "  It has no code for this GPU: its calls fail, with errors that do not say why.\n"
      "  fix: take a release of torch that was built with cuDNN 9.10.2, the last release for this "
      "GPU\n"
      "   or: run it on a newer GPU\n"
      "  [arch-below-cudnn]\n");
  CHECK(told(pytorch("2.13.0", "9.20.0.48", "13", {"70"})) == "below");
  CHECK(told(pytorch("2.13.0", "9.20.0.48", "13", {"75"})) == "ok");
  CHECK(told(pytorch("2.13.0", "9.20.0.48", "13", {"70", "86"})) == "ok");
  CHECK(told(pytorch("2.13.0", "9.20.0.48", "13", {"70", ""})) == "ok");
  CHECK(told(pytorch("2.8.0", "9.10.2.21", "12", {"70"})) == "ok");
}

TEST_CASE("every line of the table of frameworks names a defect") {
  for (const char* id : {
#define EXPOSED(package, first, avoids, cudnn, defect, fix) defect,
#define AVOIDED(...)
#include "core/judge/outside/framework_defects.def"
#undef EXPOSED
#undef AVOIDED
       }) {
    CAPTURE(std::string(id));
    bool found = false;
    for (const known_defect& d : known_defects()) found = found || std::string(d.id) == id;
    CHECK(found);
  }
}
