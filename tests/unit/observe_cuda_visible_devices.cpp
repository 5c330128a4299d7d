// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include "core/observe/cuda_visible_devices.h"
#include "fake_system.h"

using namespace cudnn_checked;

namespace {

gpu gpu_of(const char* uuid, const char* capability) {
  gpu g;
  g.uuid = uuid;
  g.capability = parse_architecture(capability);
  return g;
}

std::vector<gpu> four_alike() {
  std::vector<gpu> machine;
  for (const char* uuid : {"GPU-8932f937-d72c", "GPU-8932f938-aaaa", "GPU-1111", "GPU-2222"}) {
    machine.push_back(gpu_of(uuid, "90"));
  }
  return machine;
}

// The positions that are visible, as text: "2 1", "none", "unknown".
std::string visible(const char* value, const std::vector<gpu>& machine, bool pci_order = false) {
  visible_devices wanted;
  if (value != nullptr) wanted = parse_visible_devices(value);
  wanted.pci_order = pci_order;
  std::vector<gpu> numbered = machine;
  for (std::size_t i = 0; i < numbered.size(); ++i) {
    numbered[i].index = static_cast<int>(i);
    numbered[i].name = std::to_string(i);
  }
  gpu_facts observed;
  keep_visible(wanted, numbered, observed);
  if (observed.visible == answer::unknown) return "unknown";
  std::string text;
  for (std::size_t i = 0; i < observed.gpus.size(); ++i) {
    CHECK(observed.gpus[i].index == static_cast<int>(i));
    text += (text.empty() ? "" : " ") + observed.gpus[i].name;
  }
  CHECK((observed.visible == answer::yes) == !text.empty());
  const bool hidden = text.empty() && !machine.empty();
  CHECK(observed.hidden_by == (hidden ? std::string("CUDA_VISIBLE_DEVICES=") + value : ""));
  return text.empty() ? "none" : text;
}

}  // namespace

TEST_CASE("CUDA_VISIBLE_DEVICES on a machine with four GPUs") {
  const struct {
    const char* value;
    const char* expected;
  } table[] = {
      {nullptr, "0 1 2 3"},
      {"0", "0"},
      {"2,1", "2 1"},
      {"0,1,2,3", "0 1 2 3"},
      {" 1 , 2", "1 2"},
      {"+1", "1"},
      {"03", "3"},
      {"1gpu,2", "1 2"},
      {"", "none"},
      {" ", "none"},
      {"-1", "none"},
      {"NoDevFiles", "none"},
      {"0,2,-1,1", "0 2"},
      {"0,4,1", "0"},
      {"4", "none"},
      {"4294967296,0", "none"},
      {"99999999999999999999", "none"},
      {"0,,1", "0"},
      {"0,x,1", "0"},
      {"0,0", "none"},
      {"1,2,1", "none"},
      {"GPU-1111", "2"},
      {"GPU-1", "2"},
      {"GPU-2222,GPU-1111", "3 2"},
      {"GPU-8932f937", "0"},
      {"GPU-8932f938,GPU-8932f937", "1 0"},
      {"GPU-8932f93", "none"},
      {"GPU-", "none"},
      {"GPU-9", "none"},
      {"GPU-1,GPU-9,GPU-2", "2"},
      {"GPU-1,2", "2"},
      {"GPU-1,GPU-1", "none"},
      {"GPU-1,GPU-11", "none"},
      {"0,GPU-1", "0"},
      {"gpu-1111", "none"},
  };
  for (const auto& row : table) {
    CAPTURE(row.value);
    CHECK(visible(row.value, four_alike()) == row.expected);
  }
}

TEST_CASE("an index is worth something only where CUDA's order is known") {
  std::vector<gpu> machine = four_alike();
  machine[3].capability = parse_architecture("75");
  CHECK(visible("0", machine) == "unknown");
  CHECK(visible("0,1", machine) == "unknown");
  CHECK(visible("0", machine, true) == "0");
  CHECK(visible("3", machine, true) == "3");
  CHECK(visible("GPU-2", machine) == "3");
  CHECK(visible("0,1,2,3", machine) == "0 1 2 3");
  CHECK(visible("-1", machine) == "none");
  CHECK(visible("7", machine) == "none");
  CHECK(visible(nullptr, machine) == "0 1 2 3");
}

TEST_CASE("a MIG instance has the architecture of its GPU") {
  const std::vector<gpu> alike = four_alike();
  gpu_facts observed;
  keep_visible(parse_visible_devices("MIG-aaaa,MIG-GPU-8932f937/1/0"), alike, observed);
  CHECK(observed.visible == answer::yes);
  REQUIRE(observed.gpus.size() == 2);
  CHECK(observed.gpus[0].uuid == "MIG-aaaa");
  CHECK(to_string(observed.gpus[1].capability) == "90");
  CHECK(observed.gpus[1].index == 1);

  std::vector<gpu> mixed = alike;
  mixed[0].capability = parse_architecture("80");
  CHECK(visible("MIG-aaaa", mixed) == "unknown");
  CHECK(visible("MIG-aaaa,MIG-aaaa", alike) == "none");
}

TEST_CASE("no GPU in the machine") {
  CHECK(visible(nullptr, {}) == "none");
  CHECK(visible("0", {}) == "none");
  CHECK(visible("MIG-1", {}) == "none");
}

TEST_CASE("the variables of this process") {
  test::fake_system os;
  CHECK(read_visible_devices(os).mode == visible_devices::form::all);
  CHECK(!read_visible_devices(os).pci_order);
  os.variables["CUDA_VISIBLE_DEVICES"] = "1";
  os.variables["CUDA_DEVICE_ORDER"] = "PCI_BUS_ID";
  CHECK(read_visible_devices(os).mode == visible_devices::form::indices);
  CHECK(read_visible_devices(os).pci_order);
  os.variables["CUDA_DEVICE_ORDER"] = "FASTEST_FIRST";
  CHECK(!read_visible_devices(os).pci_order);
}
