// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include "core/judge/rules/cuda_drivers.h"
#include "observation_builder.h"

using namespace cudnn_checked;
using test::configuration;
using test::machine;

namespace {

/// A machine with that driver, both halves of one release.
machine with_driver(const char* number, const char* toolkit = "13.0") {
  machine m;
  m.stamped.toolkit = parse_version(toolkit);
  m.stamped.cudart = m.stamped.toolkit;
  m.observed.driver.library = m.observed.driver.kernel_module = parse_version(number);
  m.observed.driver.path = std::string("/usr/lib/libcuda.so.") + number;
  m.observed.driver.chosen_by = test::by_cache;
  return m;
}

/// `library` of a cuda-compat package under a kernel module of that number.
machine with_compat(const char* library, const char* kernel_module) {
  machine m = with_driver(library);
  m.observed.driver.kernel_module = parse_version(kernel_module);
  m.observed.driver.compat = true;
  m.observed.driver.path = std::string("/usr/local/cuda-13.0/compat/libcuda.so.") + library;
  m.observed.driver.chosen_by = test::by_variable;
  return m;
}

driver_fit fit(const char* number, const char* cuda) {
  driver_facts driver;
  driver.library = parse_version(number);
  return fit_of(driver, parse_version(cuda));
}

driver_fit fit_of_answer(const char* driver_cuda, const char* cuda) {
  driver_facts driver;
  driver.cuda = parse_version(driver_cuda);
  return fit_of(driver, parse_version(cuda));
}

}  // namespace

TEST_CASE("which driver suits which CUDA, at each border") {
  const struct {
    const char* driver;
    const char* cuda;
    driver_fit expected;
  } rows[] = {
      {"580.65.06", "13.0", driver_fit::full},
      {"580.65.05", "13.0", driver_fit::code_only},
      {"580.10.01", "13.0", driver_fit::code_only},
      {"579.99.99", "13.0", driver_fit::too_old},
      {"580.65.06", "13.3", driver_fit::code_only},
      {"610.43.02", "13.3", driver_fit::full},
      {"610.43.01", "13.3", driver_fit::code_only},
      {"580.65.06", "12.9", driver_fit::full},
      {"575.51.02", "12.9", driver_fit::code_only},
      {"570.26", "12.8", driver_fit::full},
      {"565.57.01", "12.8", driver_fit::code_only},
      {"525.60.13", "12.8", driver_fit::code_only},
      {"525.60.12", "12.8", driver_fit::too_old},
      {"525.60.13", "12.0", driver_fit::full},
      {"450.80.02", "11.8", driver_fit::code_only},
      {"450.80.01", "11.8", driver_fit::too_old},
      {"520.61.05", "11.8", driver_fit::full},
      // Before 11 there is no compatibility between minor versions.
      {"440.33", "10.2", driver_fit::full},
      {"440.32", "10.2", driver_fit::too_old},
      {"418.39", "10.1", driver_fit::full},
      // Releases that the table does not have.
      {"595.71.05", "13.4", driver_fit::code_only},
      {"616.00.01", "13.4", driver_fit::unknown},
      {"579.99.99", "13.4", driver_fit::too_old},
      {"610.43.02", "14.0", driver_fit::too_old},
      {"700.10.01", "14.0", driver_fit::unknown},
      {"565.57.01", "12.7", driver_fit::code_only},
      {"570.26", "12.7", driver_fit::full},
      {"346.46", "7.0", driver_fit::unknown},
  };
  for (const auto& row : rows) {
    CAPTURE(row.driver);
    CAPTURE(row.cuda);
    CHECK(fit(row.driver, row.cuda) == row.expected);
  }
  driver_facts nothing;
  CHECK(fit_of(nothing, parse_version("13.0")) == driver_fit::unknown);
  CHECK(fit("580.65.06", "0") == driver_fit::unknown);
}

TEST_CASE("each CUDA of the table has its first driver, which knows no newer one") {
#define CUDA_DRIVER(cuda, driver)                        \
  CHECK(driver_of_cuda(version cuda) == version driver); \
  CHECK(cuda_of_driver(version driver) == version cuda);
#include "core/judge/rules/cuda_drivers.def"
#undef CUDA_DRIVER
  CHECK(!cuda_of_driver({410, 47, 99}).known());
}

TEST_CASE("a driver without a number, as in WSL2 and on Jetson, is judged by its answer") {
  CHECK(fit_of_answer("13.0", "13.0") == driver_fit::full);
  CHECK(fit_of_answer("13.1", "13.0") == driver_fit::full);
  CHECK(fit_of_answer("13.0", "13.1") == driver_fit::code_only);
  CHECK(fit_of_answer("12.9", "13.0") == driver_fit::too_old);
}

TEST_CASE("the largest release whose driver is not newer") {
  CHECK(to_cuda_string(cuda_of_driver(parse_version("580.159.04"))) == "13.0");
  CHECK(to_cuda_string(cuda_of_driver(parse_version("535.104.05"))) == "12.2");
  CHECK(to_cuda_string(cuda_of_driver(parse_version("610.43.02"))) == "13.3");
  CHECK(!cuda_of_driver(parse_version("610.43.03")).known());
  CHECK(!cuda_of_driver(parse_version("400.10")).known());
  CHECK(to_driver_string(driver_of_cuda(parse_version("12.2"))) == "535.54.03");
  CHECK(!driver_of_cuda(parse_version("12.7")).known());
}

TEST_CASE("a driver below the floor") {
  machine m = with_driver("535.104.05");
  CHECK(m.message() ==
        "refused: the NVIDIA driver is too old for CUDA 13.0\n"
        "  needed:     580 or newer            CUDA Toolkit Release Notes, minimum driver for CUDA "
        "13.x\n"
        "  found:      535.104.05, CUDA 12.2   /usr/lib/libcuda.so.535.104.05   chosen by "
        "ld.so.cache\n"
        "  built for:  CUDA 13.0               stamp of app\n"
        "  Every CUDA call would fail with error 35, the CUDA driver version is insufficient.\n"
        "  fix: upgrade the driver to 580.65.06 or newer, for a container on its host\n"
        "   or: on a data-center GPU, install the package cuda-compat-13-0\n"
        "  [driver-too-old]\n");
  m.options.gpu_optional = true;
  CHECK(m.result() == verdict::refused);  // a GPU is there, and would be left without a word
  for (const answer none : {answer::no, answer::unknown}) {
    m.observed.devices.visible = none;
    CHECK(m.weight() == severity::note);
    CHECK(m.result() == verdict::ok);
  }
  m.observed.devices.visible = answer::yes;
  m.observed.driver.stub = true;
  CHECK(m.names() == "driver-missing");
  CHECK(m.result() == verdict::ok);
}

TEST_CASE("a driver whose version is not known refuses nobody") {
  machine m = with_driver("535.104.05");
  m.observed.driver.library = m.observed.driver.kernel_module = {};
  CHECK(m.names() == "");
  m = with_driver("535.104.05");
  m.observed.driver.present = answer::unknown;
  CHECK(m.names() == "");
  m = with_driver("535.104.05");
  m.stamped.toolkit = m.stamped.cudart = {};
  CHECK(m.names() == "");
}

TEST_CASE("the runtime inside cuDNN counts where it is of a newer major version") {
  machine m = with_driver("535.104.05", "12.2");
  CHECK(m.names() == "");
  m.stamped.cudart = parse_version("12.9");  // minor versions do not matter: machine code
  CHECK(m.names() == "");
  m.stamped.cudart = parse_version("13.1");
  REQUIRE(m.names() == "driver-too-old");
  CHECK(m.findings()[0].summary == "the NVIDIA driver is too old for CUDA 13.1");
  CHECK(m.findings()[0].more[0].where == "the runtime inside cuDNN");
  m.observed.answers.cudart = parse_version("12.9");
  CHECK(m.names() == "");
}

TEST_CASE("between the floor and the toolkit's driver machine code runs") {
  machine m = with_driver("580.65.06", "13.2");
  CHECK(m.names() == "");  // no device code
  m.compile_for({"90-real"});
  CHECK(m.names() == "");
  m.compile_for({"75-virtual", "90-real"});
  CHECK(m.names() == "");
}

TEST_CASE("between the floor and the toolkit's driver PTX cannot be compiled") {
  machine m = with_driver("580.65.06", "13.2");
  m.compile_for({"75-virtual", "86-real"});
  CHECK(
      m.message() ==
      "refused: the NVIDIA driver cannot compile the PTX that this program has for its GPU, sm_90\n"
      "  PTX of:  CUDA 13.2              stamp of app\n"
      "  found:   580.65.06, CUDA 13.0   /usr/lib/libcuda.so.580.65.06   chosen by ld.so.cache\n"
      "  GPU 0:   sm_90                  NVIDIA H200\n"
      "  Its first kernel would fail with error 222, the PTX was compiled with an unsupported "
      "toolchain: an older driver runs a newer toolkit's machine code, not its PTX.\n"
      "  fix: compile it for this GPU as well: -DCMAKE_CUDA_ARCHITECTURES=\"86;90\"\n"
      "   or: upgrade the driver to 595.45.04 or newer\n"
      "  [driver-too-old]\n");
  m.options.gpu_optional = true;
  CHECK(m.result() == verdict::refused);
  m.observed.devices.visible = answer::no;
  CHECK(m.result() == verdict::ok);
  m.observed.devices.visible = answer::yes;
  m.options.gpu_optional = false;

  m.observed.devices.visible = answer::unknown;
  m.observed.devices.gpus.clear();
  CHECK(m.names() == "");  // for which GPU is not known

  // The toolkit's own driver compiles it: slow, and no more.
  m = with_driver("595.45.04", "13.2");
  m.compile_for({"75-virtual", "86-real"});
  CHECK(m.names() == "arch-jit-only");
  // Nothing fits: that is the fault to tell.
  m = with_driver("580.65.06", "13.2");
  m.compile_for({"86-real"});
  CHECK(m.names() == "arch-not-built");
}

TEST_CASE("one GPU with machine code is enough under an older driver") {
  machine m = with_driver("580.65.06", "13.2");
  m.compile_for({"75-virtual", "90-real"});
  m.add_gpu("86", "NVIDIA A10");
  CHECK(m.names() == "driver-too-old");
  CHECK(m.result() == verdict::ok);
}

TEST_CASE("library and kernel module of two releases") {
  machine m = with_driver("580.159.04");
  CHECK(m.names() == "");
  m.observed.driver.kernel_module = parse_version("580.95.05");
  CHECK(m.message() ==
        "refused: the NVIDIA driver's library and its kernel module are of different releases\n"
        "  libcuda.so.1:   580.159.04   /usr/lib/libcuda.so.580.159.04   chosen by ld.so.cache\n"
        "  kernel module:  580.95.05    /proc/driver/nvidia/version\n"
        "  Every CUDA call would fail with error 803, driver and library do not match.\n"
        "  fix: reboot, which loads the kernel module of the driver that is installed\n"
        "   or: in a container, remove libcuda from the image, so that the host's is used\n"
        "  [driver-mismatch]\n");
  m.options.gpu_optional = true;
  CHECK(m.result() == verdict::refused);
  m.observed.devices.visible = answer::no;
  CHECK(m.result() == verdict::ok);
  m.observed.devices.visible = answer::yes;
  m.options.gpu_optional = false;
  m.observed.driver.wsl = true;
  CHECK(m.names() == "");
  m.observed.driver.wsl = false;
  m.observed.driver.kernel_module = {};
  CHECK(m.names() == "");
  m.observed.driver.kernel_module = parse_version("580.95.05");
  m.observed.driver.library = {};
  CHECK(m.names() == "");
}

TEST_CASE("cuda-compat on a GPU that it does not serve") {
  machine m = with_compat("580.65.06", "535.104.05");
  CHECK(m.names() == "");  // an H200 under a newer cuda-compat, as in NVIDIA's container images
  m.observed.devices.gpus.in_place()[0].name = "NVIDIA GeForce RTX 3090";
  CHECK(m.message() ==
        "refused: cuda-compat does not work on this GPU, NVIDIA GeForce RTX 3090\n"
        "  cuda-compat:    580.65.06    /usr/local/cuda-13.0/compat/libcuda.so.580.65.06   chosen "
        "by LD_LIBRARY_PATH[0]\n"
        "  kernel module:  535.104.05   /proc/driver/nvidia/version\n"
        "  GPU 0:          NVIDIA GeForce RTX 3090\n"
        "  Every CUDA call would fail with error 804: forward compatibility is for data-center "
        "GPUs.\n"
        "  fix: unset LD_LIBRARY_PATH\n"
        "  [compat-driver]\n");
  m.options.gpu_optional = true;
  CHECK(m.result() == verdict::refused);
  m.observed.devices.visible = answer::no;
  CHECK(m.result() == verdict::ok);
  m.observed.devices.visible = answer::yes;
  m.options.gpu_optional = false;
  m.observed.devices.gpus.in_place()[0].name = "NVIDIA TITAN V";
  CHECK(m.names() == "compat-driver");
  for (const char* name : {"", "NVIDIA RTX 6000 Ada Generation", "Tesla T4", "NVIDIA A100"}) {
    m.observed.devices.gpus.in_place()[0].name = name;
    CHECK(m.names() == "");
  }
  // Of the same release as the kernel module it is an ordinary driver.
  m = with_compat("580.65.06", "580.65.06");
  m.observed.devices.gpus.in_place()[0].name = "NVIDIA GeForce RTX 3090";
  CHECK(m.names() == "");
  m = with_compat("580.65.06", "0");
  m.observed.devices.gpus.in_place()[0].name = "NVIDIA GeForce RTX 3090";
  CHECK(m.names() == "");
}

TEST_CASE("cuda-compat older than the kernel module") {
  machine m = with_compat("580.95.05", "580.159.04");
  CHECK(m.message() ==
        "refused: cuda-compat is older than the NVIDIA driver that is installed\n"
        "  cuda-compat:    580.95.05    /usr/local/cuda-13.0/compat/libcuda.so.580.95.05   chosen "
        "by LD_LIBRARY_PATH[0]\n"
        "  kernel module:  580.159.04   /proc/driver/nvidia/version\n"
        "  Every CUDA call would fail with error 803, driver and library do not match.\n"
        "  fix: unset LD_LIBRARY_PATH\n"
        "  [compat-driver]\n");
  m.observed.driver.chosen_by = test::by_cache;
  CHECK(m.fix() == "> remove /usr/local/cuda-13.0/compat from /etc/ld.so.conf.d, then: ldconfig");
}

TEST_CASE("the number of cuda-compat counts, not the kernel module's") {
  machine m = with_compat("595.45.04", "535.104.05");
  m.stamped.toolkit = parse_version("13.2");
  m.compile_for({"75-virtual"});
  CHECK(m.names() == "arch-jit-only");
}

TEST_CASE("WSL2 keeps the driver in a directory of its own") {
  machine m;
  m.observed.driver = {};
  m.observed.driver.present = answer::no;
  m.observed.driver.wsl = true;
  CHECK(m.message() ==
        "refused: the loader does not find the NVIDIA driver of WSL2\n"
        "  needed:            libcuda.so.1   of the NVIDIA driver\n"
        "  found:             nothing        in the directories that the loader searches\n"
        "  WSL2 keeps it in:  /usr/lib/wsl/lib\n"
        "  Every CUDA call would fail: cuDNN computes on a GPU only.\n"
        "  fix: export LD_LIBRARY_PATH=/usr/lib/wsl/lib\n"
        "   or: where libcuda.so.1 is not in there, install NVIDIA's driver in Windows, none in "
        "Linux\n"
        "  [driver-missing]\n");
}

TEST_CASE("at configure time a driver that does not serve is a note until something needs it") {
  configuration c;
  c.observed.driver.library = c.observed.driver.kernel_module = parse_version("535.104.05");
  CHECK(c.names() == "driver-too-old");
  CHECK(c.result() == verdict::ok);
  CHECK(c.findings()[0].more[0].where == "the toolkit's headers");
  c.options.gpu_optional = false;  // CuDNNChecked_REQUIRE=RAN
  CHECK(c.result() == verdict::refused);
  c.options.gpu_optional = true;
  c.observed.devices.failed_call = "cudaGetDeviceCount";
  c.observed.devices.status = 35;
  c.observed.devices.status_name = "cudaErrorInsufficientDriver";
  CHECK(c.result() == verdict::refused);
  CHECK(c.findings()[0].id == finding_id::driver_too_old);
  CHECK(c.weight() == severity::error);
  CHECK(reached_level(c.observed, {c.findings()[0]}) == level::loaded);
}
