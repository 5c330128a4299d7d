// SPDX-License-Identifier: BSD-3-Clause
//
// What a probe told, as an observation.
#include "prove/told.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "facts/line.h"

using namespace cudnn_checked;
using facts::line_writer;
using prove::told_facts;

static void tell(told_facts& told, const line_writer& line) {
  const std::string text = line.whole();
  told.add(text.substr(0, text.size() - 1));
}

static void tell_all(told_facts& told, const std::vector<std::string>& lines) {
  for (const std::string& line : lines) told.add(line);
}

static line_writer run_line(long long part, const char* by, long long device, long long turn) {
  return line_writer("run")
      .add_whole("part", part)
      .add("by", by)
      .add_whole("device", device)
      .add_whole("turn", turn)
      .add_whole("ran", 1)
      .add_real("difference", -1);
}

static std::string order_of(const told_facts& told) {
  observation observed;
  told.put_into(observed);
  std::string order;
  for (const convolution& run : observed.convolutions) {
    order += std::to_string(run.device) + "." + std::to_string(run.turn) + " ";
  }
  return order;
}

TEST_CASE("told: versions, checks, GPUs and libraries") {
  told_facts told;
  CHECK_FALSE(told.begun());
  told.add("end");
  CHECK_FALSE(told.finished());
  tell_all(told, {"probe\tformat=1\tcudnn=91900\ttoolkit=13000", "end"});
  CHECK_FALSE(told.finished());
  tell_all(told, {"probe\tformat=1\tcudnn=91900\ttoolkit=13000",
                  "versions\tlibrary=91400\tcudart=13010\tmax-device=1210",
                  "check\tname=cudnnGraphVersionCheck\tstatus=0\tstatus-name=CUDNN_STATUS_SUCCESS",
                  "runtime\tcuda=13000", "driver\tcuda=12080", "gpus\tcount=1",
                  "gpu\tindex=0\tuuid=GPU-1\tname=NVIDIA H200\tmajor=9\tminor=0",
                  "mapped\tpath=/x/libcudnn.so.9", "end"});
  CHECK(told.begun());
  CHECK(told.finished());
  CHECK(to_string(told.header()) == "9.19.0");
  CHECK(to_cuda_string(told.toolkit()) == "13.0");
  CHECK(told.mapped() == arena_vector<arena_string>{"/x/libcudnn.so.9"});
  CHECK(told.why_no_gpu().empty());
  observation observed;
  told.put_into(observed);
  CHECK(observed.answers.asked);
  CHECK(to_string(observed.answers.library) == "9.14.0");
  CHECK(observed.answers.max_device == 1210);
  REQUIRE(observed.answers.checks.size() == 1);
  CHECK(observed.answers.checks[0].status_name == "CUDNN_STATUS_SUCCESS");
  CHECK(to_cuda_string(observed.driver.cuda) == "12.8");
  CHECK(observed.devices.source == gpu_source::cuda);
  CHECK(observed.devices.visible == answer::yes);
  REQUIRE(observed.devices.gpus.size() == 1);
  CHECK(observed.devices.gpus[0].name == "NVIDIA H200");
  CHECK(observed.devices.gpus[0].capability.major == 9);
}

TEST_CASE("told: a run has all its members") {
  told_facts told;
  tell(told, line_writer("run")
                 .add_whole("part", 0)
                 .add("by", "cudnn")
                 .add("operation", "attention/forward")
                 .add("api", "graph")
                 .add("type", "bf16")
                 .add("layout", "nhwc")
                 .add("math", "tensor-core")
                 .add("shape", "2x4")
                 .add_whole("engine", 7)
                 .add_whole("device", 1)
                 .add_whole("ran", 0)
                 .add("failed_call", "cudnnBackendExecute")
                 .add_whole("status", 3007)
                 .add("status_name", "CUDNN_STATUS_NOT_SUPPORTED")
                 .add("status_text", "a\nb")
                 .add_whole("memory_free", 150000000000LL)
                 .add_real("element_error", 0x1.8p-30)
                 .add("output", "dQ"));
  observation observed;
  told.put_into(observed);
  REQUIRE(observed.convolutions.size() == 1);
  const convolution& run = observed.convolutions[0];
  CHECK(run.operation == fused_operation::attention_forward);
  CHECK(run.api == convolution_api::graph);
  CHECK(run.type == element::bf16);
  CHECK(run.layout == tensor_layout::nhwc);
  CHECK(run.math == convolution_math::tensor_core);
  CHECK(run.shape == "2x4");
  CHECK(run.engine == 7);
  CHECK(run.device == 1);
  CHECK_FALSE(run.ran);
  CHECK(run.status == 3007);
  CHECK(run.status_text == "a\nb");
  CHECK(run.memory_free == 150000000000ULL);
  CHECK(run.element_error == 0x1.8p-30);
  CHECK(run.output == "dQ");
}

TEST_CASE("told: no GPU has its reason, in the words of the runtime where it has some") {
  told_facts failed;
  tell_all(failed, {"no-gpus\tcall=cudaGetDeviceCount\tstatus=35\tstatus-name="
                    "cudaErrorInsufficientDriver\tstatus-text=driver too old"});
  CHECK(failed.why_no_gpu() ==
        "cudaGetDeviceCount: 35 cudaErrorInsufficientDriver, driver too old");
  observation observed;
  failed.put_into(observed);
  CHECK(observed.devices.failed_call == "cudaGetDeviceCount");
  CHECK(observed.devices.source == gpu_source::none);
  told_facts none;
  tell_all(none,
           {"gpus\tcount=0\tcall=cudaGetDeviceCount\tstatus=100\tstatus-name=\tstatus-text="});
  CHECK(none.why_no_gpu() == "cudaGetDeviceCount: 100");
  observation hidden;
  none.put_into(hidden);
  CHECK(hidden.devices.visible == answer::no);
}

TEST_CASE("told: the step is that of the first part, then of the others, or of the one that died") {
  told_facts told;
  CHECK(told.step().words.empty());
  tell_all(told,
           {"step\tpart=0\twhat=cudnnGetVersion", "step\tpart=0\twhat=legacy on GPU 0",
            "step\tpart=1\twhat=graph/fp16/nchw on GPU 1", "step\tpart=2\twhat=legacy on GPU 0"});
  CHECK(told.step().words == "legacy on GPU 0");
  tell_all(told, {"step\tpart=0\twhat="});
  CHECK(told.step().words == "graph/fp16/nchw on GPU 1, legacy on GPU 0");
  tell_all(told, {"step\tpart=2\twhat="});
  CHECK(told.step().words == "graph/fp16/nchw on GPU 1");
  tell_all(told, {"step\tpart=0\twhat=the version checks"});
  CHECK(told.step().words == "the version checks");
  tell_all(told, {"died\tpart=1"});
  CHECK(told.step().words == "graph/fp16/nchw on GPU 1");
  CHECK(told.step().kind == step_kind::other);
}

TEST_CASE("told: a step says whether it calls the kernel or computes an operation") {
  told_facts told;
  tell_all(told, {"step\tpart=0\twhat=the kernel on GPU 0\tof=kernel"});
  CHECK(told.step().kind == step_kind::kernel);
  tell_all(told, {"step\tpart=0\twhat=", "step\tpart=1\twhat=matmul on GPU 0\tof=operation",
                  "step\tpart=2\twhat=legacy on GPU 1"});
  CHECK(told.step().words == "matmul on GPU 0, legacy on GPU 1");
  CHECK(told.step().kind == step_kind::operation);
}

TEST_CASE("told: parts are put together in their order; operations in that of a GPU") {
  told_facts apart;
  tell(apart, run_line(2, "cudnn", 1, 0));
  tell(apart, run_line(0, "cudnn", 3, 0));
  tell(apart, run_line(1, "cudnn", 2, 0));
  CHECK(order_of(apart) == "3.0 2.0 1.0 ");
  told_facts shared;
  tell(shared, run_line(1, "cudnn", 0, 2));
  tell(shared, run_line(0, "cudnn", 0, 1));
  tell(shared, run_line(0, "cudnn", 0, 3));
  CHECK(order_of(shared) == "0.1 0.2 0.3 ");
}

TEST_CASE("told: what is computed once more is forgotten") {
  told_facts told;
  tell(told, run_line(0, "cudnn", 5, 0));
  tell_all(told, {"skipped\tpart=0\twhat=legacy\twhy=no memory", "forget\tpart=0"});
  tell(told, run_line(1, "cudnn", 6, 0));
  CHECK(order_of(told) == "6.0 ");
  observation observed;
  told.put_into(observed);
  CHECK(observed.skipped.empty());
}

TEST_CASE("told: cuDNN is compared with the kernel of the same GPU and problem") {
  told_facts told;
  const auto run = [&](const char* by, long long device, long long problem, double difference) {
    tell(told, line_writer("run")
                   .add("by", by)
                   .add_whole("device", device)
                   .add_whole("problem", problem)
                   .add_real("difference", difference));
  };
  run("kernel", 0, 0, -1);
  run("kernel", 0, 1, -1);
  run("kernel", 1, 0, -1);
  run("cudnn", 0, 0, 0.25);
  run("cudnn", 0, 0, 0.5);
  run("cudnn", 1, 0, -1);
  observation observed;
  told.put_into(observed);
  REQUIRE(observed.kernel.runs.size() == 3);
  CHECK(observed.kernel.runs[0].difference == 0.5);
  CHECK(observed.kernel.runs[1].difference == -1);
  CHECK(observed.kernel.runs[2].difference == -1);
}

TEST_CASE("told: a line of a library, or of another format, is passed over") {
  told_facts told;
  tell_all(told, {"", "cuDNN says: run", "probe\tformat=2\tcudnn=91900", "mapped", "stop\tpart=x"});
  CHECK_FALSE(told.begun());
  CHECK_FALSE(told.finished());
  CHECK(told.step().words.empty());
}
