// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include "observation_builder.h"

using test::machine;

static void compile_for(machine& m, const std::vector<std::string>& items) {
  m.observed.code.readable = cudnn_checked::answer::yes;
  m.observed.code.path = "/app/bin/app";
  m.observed.code.containers = {{cudnn_checked::parse_cuda_architectures(items)}};
}

TEST_CASE("no driver") {
  machine m;
  m.observed.driver = {};
  CHECK(m.names() == "");  // not looked at: unknown, never a refusal
  m.observed.driver.present = cudnn_checked::answer::no;
  m.observed.devices.visible = cudnn_checked::answer::no;
  CHECK(m.message() ==
        "cudnn_checked: refused: there is no NVIDIA driver on this machine\n"
        "  needed:  libcuda.so.1   of the NVIDIA driver\n"
        "  found:   nothing        in the directories that the loader searches\n"
        "  Every CUDA call would fail: cuDNN computes on a GPU only.\n"
        "  fix: run it on a machine with a GPU\n"
        "   or: in a container, give it a GPU: docker run --gpus all\n"
        "  [driver-missing]\n");
}

TEST_CASE("a kernel module without its library, as in a container that was given no GPU") {
  machine m;
  m.observed.driver = {};
  m.observed.driver.present = cudnn_checked::answer::no;
  m.observed.driver.kernel_module = cudnn_checked::parse_version("580.159.04");
  CHECK(m.message() ==
        "cudnn_checked: refused: the NVIDIA kernel module is loaded, but the driver's library was "
        "not found\n"
        "  needed:         libcuda.so.1   of the NVIDIA driver\n"
        "  found:          nothing        in the directories that the loader searches\n"
        "  kernel module:  580.159.04     /proc/driver/nvidia/version\n"
        "  Every CUDA call would fail: cuDNN computes on a GPU only.\n"
        "  fix: in a container, give it a GPU: docker run --gpus all\n"
        "   or: elsewhere, add the directory of libcuda.so.1 to LD_LIBRARY_PATH\n"
        "  [driver-missing]\n");
  m.observed.secure = true;
  CHECK(test::fix_of({m.findings()[0].fix.back()}) ==
        "> elsewhere, add the directory of libcuda.so.1 to /etc/ld.so.conf, and run ldconfig");
}

TEST_CASE("the toolkit's stub is no driver") {
  machine m;
  m.observed.driver.stub = true;
  m.observed.driver.path = "/cuda/lib64/stubs/libcuda.so";
  m.observed.driver.chosen_by = {cudnn_checked::choice_reason::ld_library_path, 1};
  CHECK(m.message() ==
        "cudnn_checked: refused: the loader finds the toolkit's stub instead of the NVIDIA driver\n"
        "  needed:  libcuda.so.1   of the NVIDIA driver\n"
        "  found:   a stub         /cuda/lib64/stubs/libcuda.so   chosen by LD_LIBRARY_PATH[1]\n"
        "  Every CUDA call would fail: cuDNN computes on a GPU only.\n"
        "  fix: unset LD_LIBRARY_PATH\n"
        "  [driver-missing]\n");
}

TEST_CASE("no GPU") {
  machine m;
  m.observed.devices.visible = cudnn_checked::answer::no;
  m.observed.devices.gpus.clear();
  CHECK(m.message() ==
        "cudnn_checked: refused: no GPU is visible to this program\n"
        "  needed:  a GPU\n"
        "  found:   none\n"
        "  cuDNN computes on a GPU only.\n"
        "  fix: nvidia-smi lists the GPUs that the driver detects\n"
        "  [no-device]\n");
  m.observed.devices.hidden_by = "CUDA_VISIBLE_DEVICES=";
  CHECK(test::fix_of(m.findings()[0]) ==
        "$ unset CUDA_VISIBLE_DEVICES\n> let CUDA_VISIBLE_DEVICES name a GPU");
  m.observed.devices.visible = cudnn_checked::answer::unknown;
  CHECK(m.names() == "");
}

TEST_CASE("a program that may run without a GPU gets a note at most") {
  machine m;
  m.options.gpu_optional = true;
  m.observed.devices.visible = cudnn_checked::answer::no;
  CHECK(m.names() == "no-device");
  CHECK(cudnn_checked::verdict_of(m.findings()) == cudnn_checked::verdict::ok);
  m.observed.driver.present = cudnn_checked::answer::no;
  CHECK(m.names() == "driver-missing");
  CHECK(cudnn_checked::verdict_of(m.findings()) == cudnn_checked::verdict::ok);
}

TEST_CASE("cubins for other GPUs only") {
  machine m;
  compile_for(m, {"75-real", "86-real"});
  CHECK(m.message() ==
        "cudnn_checked: refused: this program was not compiled for this GPU, sm_90\n"
        "  compiled for:  sm_75, sm_86   /app/bin/app\n"
        "  GPU 0:         sm_90          NVIDIA H200\n"
        "  Its first kernel would fail with error 209, no kernel image is available.\n"
        "  fix: compile it for this GPU as well: -DCMAKE_CUDA_ARCHITECTURES=\"75;86;90\"\n"
        "  [arch-not-built]\n");
}

TEST_CASE("PTX only") {
  machine m;
  compile_for(m, {"75-virtual", "86-real"});
  CHECK(
      m.message() ==
      "cudnn_checked: refused: this program carries no machine code for this GPU, sm_90, only PTX\n"
      "  compiled for:  compute_75 (PTX), sm_86   /app/bin/app\n"
      "  GPU 0:         sm_90                     NVIDIA H200\n"
      "  The driver compiles the PTX when the program starts, which takes time.\n"
      "  fix: compile it for this GPU as well: -DCMAKE_CUDA_ARCHITECTURES=\"86;90\"\n"
      "  [arch-jit-only]\n");
  CHECK(cudnn_checked::verdict_of(m.findings()) == cudnn_checked::verdict::warning);
}

TEST_CASE("code that fits is silent, and so is a program without device code") {
  machine m;
  compile_for(m, {"90"});
  CHECK(m.names() == "");
  m.observed.code.containers.clear();
  CHECK(m.names() == "");
}

TEST_CASE("where the program cannot be read, the stamp of its target speaks") {
  machine m;
  m.stamped.compiled = cudnn_checked::parse_cuda_architectures({"86-real"});
  CHECK(m.names() == "arch-not-built");
  CHECK(m.findings()[0].expected.where == "CUDA_ARCHITECTURES, stamp of app");
  compile_for(m, {"90"});
  CHECK(m.names() == "");
}

TEST_CASE("of several GPUs one is enough; the others are a note") {
  machine m;
  cudnn_checked::gpu old;
  old.index = 1;
  old.name = "Quadro RTX 4000";
  old.capability = cudnn_checked::parse_architecture("75");
  m.observed.devices.gpus.push_back(old);
  compile_for(m, {"90-real"});
  CHECK(m.names() == "arch-not-built");
  CHECK(cudnn_checked::verdict_of(m.findings()) == cudnn_checked::verdict::ok);
}

TEST_CASE("each translation unit of the target itself must fit, of libraries something must") {
  machine m;
  compile_for(m, {"90-real"});
  m.observed.code.containers.push_back({cudnn_checked::parse_cuda_architectures({"86-real"})});
  CHECK(m.names() == "");  // nothing says that the second is the target's own
  m.stamped.compiled = cudnn_checked::parse_cuda_architectures({"86-real"});
  CHECK(m.names() == "arch-not-built");
  m.stamped.compiled = cudnn_checked::parse_cuda_architectures({"90-real"});
  CHECK(m.names() == "");
  compile_for(m, {"90a-real"});
  m.observed.code.containers.push_back({cudnn_checked::parse_cuda_architectures({"86"})});
  m.observed.devices.gpus[0].capability = cudnn_checked::parse_architecture("86");
  CHECK(m.names() == "");  // the unit for sm_90a is not for this GPU
}

TEST_CASE("the stub's fix names the place that it came from") {
  machine m;
  m.observed.driver.stub = true;
  m.observed.driver.path = "/cuda/lib64/stubs/libcuda.so";
  m.observed.driver.chosen_by = {cudnn_checked::choice_reason::runpath, "/app/bin/app"};
  CHECK(test::fix_of(m.findings()[0]) ==
        "> link without a run path to /cuda/lib64/stubs: stubs are for the linker only");
  m.observed.driver.chosen_by = cudnn_checked::choice_reason::ld_so_cache;
  CHECK(test::fix_of(m.findings()[0]) ==
        "> remove /cuda/lib64/stubs from /etc/ld.so.conf.d, then: ldconfig");
}
