// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include "catalogue_ids.h"
#include "core/loader/loader.h"
#include "core/observe/observe.h"
#include "elf_builder.h"
#include "fake_system.h"

using namespace cudnn_checked;
using test::fake_system;

namespace {

constexpr const char* h200 = "0x2335\n";
constexpr const char* t4 = "0x1eb8\n";

void add_pci(fake_system& os, const std::string& root, const std::string& address,
             const std::string& device, const std::string& kind = "0x030200\n",
             const std::string& vendor = "0x10de\n") {
  const std::string directory = root + "/" + address;
  os.files[directory + "/vendor"] = vendor;
  os.files[directory + "/device"] = device;
  os.files[directory + "/class"] = kind;
}

const std::string by_driver = "/sys/bus/pci/drivers/nvidia";

// Two H200, as the kernel shows them where NVIDIA's driver holds them.
fake_system two_gpus() {
  fake_system os;
  add_pci(os, by_driver, "0000:1b:00.0", h200);
  add_pci(os, by_driver, "0000:0a:00.0", h200);
  os.files[by_driver + "/bind"] = "";
  os.pipes = {"/dev/nvidia0", "/dev/nvidia1", "/dev/nvidiactl", "/dev/nvidia-uvm"};
  return os;
}

gpu_facts on_pci(const fake_system& os) {
  observation observed;
  observe_gpus_on_pci(os, observed);
  CHECK(observed.devices.source == gpu_source::pci);
  return observed.devices;
}

}  // namespace

TEST_CASE("GPUs on PCI") {
  fake_system os = two_gpus();
  gpu_facts observed = on_pci(os);
  CHECK(observed.visible == answer::yes);
  REQUIRE(observed.gpus.size() == 2);
  CHECK(to_string(observed.gpus[0].capability) == "90");
  CHECK(observed.gpus[1].index == 1);
  CHECK(os.times_nvml_asked == 0);

  // Sound functions, NVLink switches and other makers' devices are no GPUs.
  add_pci(os, by_driver, "0000:0a:00.1", "0x0fbc\n", "0x040300\n");
  add_pci(os, by_driver, "0000:0b:00.0", "0x22a3\n", "0x068000\n");
  add_pci(os, by_driver, "0000:0c:00.0", "0x1234\n", "0x030000\n", "0x8086\n");
  CHECK(on_pci(os).gpus.size() == 2);
}

TEST_CASE("the order is that of the addresses") {
  fake_system os = two_gpus();
  add_pci(os, by_driver, "0000:1b:00.0", t4, "0x030000\n");
  const gpu_facts observed = on_pci(os);
  REQUIRE(observed.gpus.size() == 2);
  CHECK(to_string(observed.gpus[0].capability) == "90");
  CHECK(to_string(observed.gpus[1].capability) == "75");
}

TEST_CASE("where the list of the driver is absent, the list of all devices") {
  fake_system os;
  add_pci(os, "/sys/bus/pci/devices", "0000:0a:00.0", h200);
  os.pipes = {"/dev/nvidia0"};
  CHECK(on_pci(os).visible == answer::yes);
  add_pci(os, "/sys/bus/pci/devices", "0000:00:02.0", "0x1234\n", "0x030000\n", "0x8086\n");
  CHECK(on_pci(os).gpus.size() == 1);
}

TEST_CASE("what is not plain is left to NVML") {
  fake_system os = two_gpus();
  SUBCASE("an id that the table does not have") {
    os.files[by_driver + "/0000:1b:00.0/device"] = "0xffff\n";
  }
  SUBCASE("a file that cannot be read") { os.files.erase(by_driver + "/0000:1b:00.0/class"); }
  SUBCASE("a file without a number") { os.files[by_driver + "/0000:1b:00.0/vendor"] = "10de"; }
  SUBCASE("a container with one of the two nodes") { os.pipes.erase("/dev/nvidia1"); }
  SUBCASE("a container without any") { os.pipes.clear(); }
  SUBCASE("a node that a control group forbids") { os.denied.insert("/dev/nvidia1"); }
  SUBCASE("more nodes than GPUs") { os.pipes.insert("/dev/nvidia2"); }
  SUBCASE("MIG instances") {
    os.files["/proc/driver/nvidia/capabilities/gpu0/mig/gi1/access"] = "";
  }
  SUBCASE("a MIG instance is asked for") { os.variables["CUDA_VISIBLE_DEVICES"] = "MIG-1"; }
  SUBCASE("an index that no GPU has") { os.variables["CUDA_VISIBLE_DEVICES"] = "7"; }
  SUBCASE("UUIDs that cannot be read") { os.variables["CUDA_VISIBLE_DEVICES"] = "GPU-1"; }
  SUBCASE("no PCI device at all: WSL2, Jetson, no GPU") { os.files.clear(); }
  const gpu_facts observed = on_pci(os);
  CHECK(observed.visible == answer::unknown);
  CHECK(observed.gpus.empty());
}

TEST_CASE("MIG mode without an instance says nothing here") {
  fake_system os = two_gpus();
  os.files["/proc/driver/nvidia/capabilities/mig/config"] = "";
  CHECK(on_pci(os).visible == answer::yes);
}

TEST_CASE("CUDA_VISIBLE_DEVICES on PCI") {
  fake_system os = two_gpus();
  os.variables["CUDA_VISIBLE_DEVICES"] = "";
  gpu_facts observed = on_pci(os);
  CHECK(observed.visible == answer::no);
  CHECK(observed.hidden_by == "CUDA_VISIBLE_DEVICES=");

  os.variables["CUDA_VISIBLE_DEVICES"] = "1";
  CHECK(on_pci(os).gpus.size() == 1);

  const std::string information = "Model: \t\t NVIDIA H200\nGPU UUID: \t ";
  const std::string gpus = "/proc/driver/nvidia/gpus/";
  os.files[gpus + "0000:0a:00.0/information"] = information + "GPU-aaaa-1\nVideo BIOS: 1\n";
  os.files[gpus + "0000:1b:00.0/information"] = information + "GPU-bbbb-1\nVideo BIOS: 1\n";
  os.variables["CUDA_VISIBLE_DEVICES"] = "GPU-b";
  observed = on_pci(os);
  REQUIRE(observed.gpus.size() == 1);
  CHECK(observed.gpus[0].uuid == "GPU-bbbb-1");
  // A GPU that the driver has not asked yet.
  os.files[gpus + "0000:1b:00.0/information"] = information + "GPU-" + std::string(8, '?') + "\n";
  CHECK(on_pci(os).visible == answer::unknown);
}

TEST_CASE("every id of the table is told") {
  const auto table = test::read_csv("tool/data/gpus/pci_devices.csv", 2);
  for (const auto& line : table) {
    fake_system os = two_gpus();
    os.files[by_driver + "/0000:0a:00.0/device"] = "0x" + line[0] + "\n";
    const gpu_facts observed = on_pci(os);
    CAPTURE(line[0]);
    REQUIRE(observed.gpus.size() == 2);
    CHECK(observed.gpus[0].capability == parse_architecture(line[1]));
  }
  CHECK(table.size() > 600);
}

TEST_CASE("GPUs from NVML") {
  fake_system os;
  observation observed;
  observe_gpus_with_nvml(os, observed);
  CHECK(observed.devices.source == gpu_source::nvml);
  CHECK(observed.devices.visible == answer::unknown);

  // It fails where library and kernel module are of two releases; the nodes are there.
  os.pipes = {"/dev/nvidiactl"};
  observe_gpus_with_nvml(os, observed);
  CHECK(observed.devices.visible == answer::unknown);
  os.pipes.insert("/dev/nvidia3");
  observe_gpus_with_nvml(os, observed);
  CHECK(observed.devices.visible == answer::yes);
  CHECK(observed.devices.gpus.empty());
  os.denied.insert("/dev/nvidia3");
  observe_gpus_with_nvml(os, observed);
  CHECK(observed.devices.visible == answer::unknown);

  os.has_nvml = true;
  observe_gpus_with_nvml(os, observed);
  CHECK(observed.devices.visible == answer::no);
  CHECK(observed.devices.hidden_by.empty());

  gpu device;
  device.uuid = "GPU-1";
  device.name = "NVIDIA H200";
  device.capability = parse_architecture("90");
  os.gpus = {device};
  observe_gpus_with_nvml(os, observed);
  CHECK(observed.devices.visible == answer::yes);
  REQUIRE(observed.devices.gpus.size() == 1);
  CHECK(observed.devices.gpus[0].name == "NVIDIA H200");

  const int asked = os.times_nvml_asked;
  os.variables["CUDA_VISIBLE_DEVICES"] = "-1";
  observe_gpus_with_nvml(os, observed);
  CHECK(observed.devices.visible == answer::no);
  CHECK(observed.devices.hidden_by == "CUDA_VISIBLE_DEVICES=-1");
  CHECK(os.times_nvml_asked == asked);
}

namespace {

std::string libcuda() {
  test::elf_builder b;
  b.soname = "libcuda.so.1";
  return b.build();
}

driver_facts driver_of(const fake_system& os) {
  observation observed;
  loader search(os);
  observe_driver(search, observed);
  return observed.driver;
}

}  // namespace

TEST_CASE("the driver tells its version by its name") {
  fake_system os;
  CHECK(driver_of(os).present == answer::no);
  os.files["/usr/lib/libcuda.so.580.159.04"] = libcuda();
  os.links["/usr/lib/libcuda.so.1"] = "libcuda.so.580.159.04";
  os.driver_version = 13000;
  driver_facts driver = driver_of(os);
  CHECK(driver.present == answer::yes);
  CHECK(driver.path == "/usr/lib/libcuda.so.580.159.04");
  CHECK(to_string(driver.chosen_by) == "default path");
  CHECK(!driver.stub);
  CHECK(to_string(driver.library) == "580.159.4");
  CHECK(!driver.cuda.known());
  CHECK(os.times_driver_asked == 0);
  CHECK(!driver.kernel_module.known());

  // WSL2 and Jetson: no version in the name, so the library is asked.
  os.links.clear();
  os.files["/usr/lib/libcuda.so.1"] = libcuda();
  driver = driver_of(os);
  CHECK(!driver.library.known());
  CHECK(to_cuda_string(driver.cuda) == "13.0");
  os.driver_version = 0;
  CHECK(!driver_of(os).cuda.known());
}

TEST_CASE("a stub is no driver, and is never asked") {
  fake_system os;
  os.files["/usr/local/cuda/lib64/stubs/libcuda.so.1"] = libcuda();
  os.variables["LD_LIBRARY_PATH"] = "/usr/local/cuda/lib64/stubs";
  CHECK(driver_of(os).stub);
  CHECK(to_string(driver_of(os).chosen_by) == "LD_LIBRARY_PATH[0]");
  CHECK(os.times_driver_asked == 0);
  // The program NEEDs it, so it is mapped already.
  os.mapped = {{"/usr/local/cuda/lib64/stubs/libcuda.so.1", "libcuda.so.1", ""}};
  CHECK(driver_of(os).stub);
  CHECK(to_string(driver_of(os).chosen_by) == "LD_LIBRARY_PATH[0]");
  os.mapped.clear();
  os.files["/opt/stubs-of-mine/libcuda.so.1"] = libcuda();
  os.variables["LD_LIBRARY_PATH"] = "/opt/stubs-of-mine";
  CHECK(!driver_of(os).stub);
}

TEST_CASE("the number of libcuda.so.1.1 is not the driver's") {
  fake_system os;
  os.files["/usr/lib/libcuda.so.1.1"] = libcuda();
  os.links["/usr/lib/libcuda.so.1"] = "libcuda.so.1.1";
  os.driver_version = 12060;
  const driver_facts driver = driver_of(os);
  CHECK(!driver.library.known());
  CHECK(to_cuda_string(driver.cuda) == "12.6");
}

TEST_CASE("a driver that only the runtime or cuDNN finds") {
  test::elf_builder b;
  b.runpath = "/driver/lib";
  for (const char* soname : {"libcudart.so.13", "libcudnn.so.9"}) {
    fake_system os;
    b.soname = soname;
    const std::string path = std::string("/store/") + soname;
    os.files[path] = b.build();
    os.files["/driver/lib/libcuda.so.580.65.06"] = libcuda();
    os.links["/driver/lib/libcuda.so.1"] = "libcuda.so.580.65.06";
    CHECK(driver_of(os).present == answer::no);
    os.mapped = {{path, "libother.so.1", ""}};
    CHECK(driver_of(os).present == answer::no);
    os.mapped = {{path, soname, ""}};
    const driver_facts driver = driver_of(os);
    CHECK(driver.present == answer::yes);
    CHECK(to_string(driver.chosen_by) == "RUNPATH of " + path);
    CHECK(to_string(driver.library) == "580.65.6");
    os.files.erase("/driver/lib/libcuda.so.580.65.06");
    CHECK(driver_of(os).present == answer::no);
  }
}

TEST_CASE("a kernel module without its library, as in a container that was given no GPU") {
  fake_system os;
  CHECK(driver_of(os).present == answer::no);
  os.files["/proc/driver/nvidia/version"] =
      "NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.104.05  Sat Aug 19 2023\n";
  CHECK(driver_of(os).present == answer::no);
  CHECK(driver_of(os).kernel_module.known());
}

TEST_CASE("a driver that may not be read is not known to be absent") {
  fake_system os;
  os.files["/usr/lib/libcuda.so.1"] = libcuda();
  os.denied.insert("/usr/lib/libcuda.so.1");
  CHECK(driver_of(os).present == answer::unknown);
}

TEST_CASE("the kernel module's version, of either kind") {
  const struct {
    const char* text;
    const char* expected;
  } table[] = {
      {"NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.104.05  Sat Aug 19 2023\nGCC version: "
       "gcc version 12.2.0\n",
       "535.104.5"},
      {"NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.159.04  Release Build\n",
       "580.159.4"},
      {"NVRM version: NVIDIA UNIX Open Kernel Module for aarch64  580.65.06  Release Build",
       "580.65.6"},
      {"GCC version:  gcc version 12.2.0\n", "unknown"},
      {"NVRM version: unknown\nGCC version: gcc version 12.2.0\n", "unknown"},
      {"", "unknown"},
  };
  for (const auto& row : table) {
    fake_system os;
    os.files["/proc/driver/nvidia/version"] = row.text;
    CHECK(to_string(driver_of(os).kernel_module) == row.expected);
  }
}

TEST_CASE("a libcuda of cuda-compat, wherever its package keeps it") {
  for (const char* directory : {"/usr/local/cuda-13.0/compat", "/usr/local/cuda/compat/lib.real",
                                "/usr/lib/x86_64-linux-gnu/compat", "/opt/conda/cuda-compat"}) {
    CAPTURE(directory);
    fake_system os;
    os.files[std::string(directory) + "/libcuda.so.580.65.06"] = libcuda();
    os.links[std::string(directory) + "/libcuda.so.1"] = "libcuda.so.580.65.06";
    os.variables["LD_LIBRARY_PATH"] = directory;
    const driver_facts driver = driver_of(os);
    CHECK(driver.compat);
    CHECK(to_driver_string(driver.library) == "580.65.06");
    CHECK(os.times_driver_asked == 0);
  }
  // The loader's path, or the file behind its links.
  fake_system os;
  os.files["/usr/local/cuda-13.0/compat/libcuda.so.580.65.06"] = libcuda();
  os.links["/usr/lib/libcuda.so.1"] = "/usr/local/cuda-13.0/compat/libcuda.so.580.65.06";
  CHECK(driver_of(os).compat);
  os.files["/opt/compatible/libcuda.so.580.65.06"] = libcuda();
  os.links["/usr/lib/libcuda.so.1"] = "/opt/compatible/libcuda.so.580.65.06";
  CHECK(driver_of(os).present == answer::yes);
  CHECK(!driver_of(os).compat);
}

TEST_CASE("WSL2 is told where there is no kernel module") {
  fake_system os;
  CHECK(!driver_of(os).wsl);
  SUBCASE("by its device") { os.pipes.insert("/dev/dxg"); }
  SUBCASE("by its libraries") { os.files["/usr/lib/wsl/lib/libdxcore.so"] = ""; }
  CHECK(driver_of(os).wsl);
  CHECK(driver_of(os).present == answer::no);
  os.files["/proc/driver/nvidia/version"] =
      "NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.104.05  Sat Aug 19 2023\n";
  CHECK(!driver_of(os).wsl);
}
