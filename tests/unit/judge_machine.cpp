// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include "observation_builder.h"

using namespace cudnn_checked;
using test::machine;

TEST_CASE("no driver") {
  machine m;
  m.observed.driver = {};
  CHECK(m.names() == "");  // not looked at: unknown, never a refusal
  m.observed.driver.present = answer::no;
  m.observed.devices.visible = answer::no;
  CHECK(m.message() ==
        "refused: there is no NVIDIA driver on this machine\n"
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
  m.observed.driver.present = answer::no;
  m.observed.driver.kernel_module = parse_version("580.159.04");
  CHECK(m.message() ==
        "refused: the NVIDIA kernel module is loaded, but the driver's library was not found\n"
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
  m.observed.driver.chosen_by = {choice_reason::ld_library_path, 1};
  CHECK(m.message() ==
        "refused: the loader finds the toolkit's stub instead of the NVIDIA driver\n"
        "  needed:  libcuda.so.1   of the NVIDIA driver\n"
        "  found:   a stub         /cuda/lib64/stubs/libcuda.so   chosen by LD_LIBRARY_PATH[1]\n"
        "  Every CUDA call would fail: cuDNN computes on a GPU only.\n"
        "  fix: unset LD_LIBRARY_PATH\n"
        "  [driver-missing]\n");
  m.observed.driver.chosen_by = {choice_reason::runpath, "/app/bin/app"};
  CHECK(m.fix() == "> link without a run path to /cuda/lib64/stubs: stubs are for the linker only");
  m.observed.driver.chosen_by = test::by_cache;
  CHECK(m.fix() == "> remove /cuda/lib64/stubs from /etc/ld.so.conf.d, then: ldconfig");
}

TEST_CASE("no GPU") {
  machine m;
  m.observed.devices.visible = answer::no;
  m.observed.devices.gpus.clear();
  CHECK(m.message() ==
        "refused: no GPU is visible to this program\n"
        "  needed:  a GPU\n"
        "  found:   none\n"
        "  cuDNN computes on a GPU only.\n"
        "  fix: nvidia-smi lists the GPUs that the driver detects\n"
        "  [no-device]\n");
  m.observed.devices.hidden_by = "CUDA_VISIBLE_DEVICES=";
  CHECK(m.fix() == "$ unset CUDA_VISIBLE_DEVICES\n> let CUDA_VISIBLE_DEVICES name a GPU");
  m.observed.devices.visible = answer::unknown;
  CHECK(m.names() == "");
}

TEST_CASE("a program that may run without a GPU gets a note at most") {
  machine m;
  m.options.gpu_optional = true;
  m.observed.devices.visible = answer::no;
  CHECK(m.names() == "no-device");
  CHECK(m.result() == verdict::ok);
  m.observed.driver.present = answer::no;
  CHECK(m.names() == "driver-missing");
  CHECK(m.result() == verdict::ok);
}

TEST_CASE("cubins for other GPUs only") {
  machine m;
  m.compile_for({"75-real", "86-real"});
  CHECK(m.message() ==
        "refused: this program was not compiled for this GPU, sm_90\n"
        "  compiled for:  sm_75, sm_86   /app/bin/app\n"
        "  GPU 0:         sm_90          NVIDIA H200\n"
        "  Its first kernel would fail with error 209, no kernel image is available.\n"
        "  fix: compile it for this GPU as well: -DCMAKE_CUDA_ARCHITECTURES=\"75;86;90\"\n"
        "  [arch-not-built]\n");
}

TEST_CASE("PTX only") {
  machine m;
  m.compile_for({"75-virtual", "86-real"});
  CHECK(m.message() ==
        "refused: this program carries no machine code for this GPU, sm_90, only PTX\n"
        "  compiled for:  compute_75 (PTX), sm_86   /app/bin/app\n"
        "  GPU 0:         sm_90                     NVIDIA H200\n"
        "  The driver compiles the PTX when the program starts, which takes time.\n"
        "  fix: compile it for this GPU as well: -DCMAKE_CUDA_ARCHITECTURES=\"86;90\"\n"
        "  [arch-jit-only]\n");
  CHECK(m.result() == verdict::warning);
}

TEST_CASE("code that fits is silent, and so is a program without device code") {
  machine m;
  m.compile_for({"90"});
  CHECK(m.names() == "");
  m.observed.code.containers.clear();
  CHECK(m.names() == "");
}

TEST_CASE("where the program cannot be read, the stamp of its target speaks") {
  machine m;
  m.stamped.compiled = parse_cuda_architectures({"86-real"});
  CHECK(m.names() == "arch-not-built");
  CHECK(m.findings()[0].expected.where == "CUDA_ARCHITECTURES, stamp of app");
  m.compile_for({"90"});
  CHECK(m.names() == "");
}

TEST_CASE("of several GPUs one is enough; the others are a note") {
  machine m;
  m.add_gpu("75", "Quadro RTX 4000");
  m.compile_for({"90-real"});
  CHECK(m.names() == "arch-not-built");
  CHECK(m.result() == verdict::ok);
}

TEST_CASE("each translation unit of the target itself must fit, of libraries something must") {
  machine m;
  m.compile_for({"90-real"});
  m.observed.code.containers.push_back({parse_cuda_architectures({"86-real"})});
  CHECK(m.names() == "");  // nothing says that the second is the target's own
  m.stamped.compiled = parse_cuda_architectures({"86-real"});
  CHECK(m.names() == "arch-not-built");
  m.stamped.compiled = parse_cuda_architectures({"90-real"});
  CHECK(m.names() == "");
  m.compile_for({"90a-real"});
  m.observed.code.containers.push_back({parse_cuda_architectures({"86"})});
  m.set_gpu("86");
  CHECK(m.names() == "");  // the unit for sm_90a is not for this GPU
}
