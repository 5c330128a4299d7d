// SPDX-License-Identifier: BSD-3-Clause
//
// What a probe is told to do, and which GPUs that chooses.
#include "probe/order.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace cudnn_checked;
using probe::order;

static bool parse_order(const std::vector<const char*>& arguments, order& result,
                        std::string& error) {
  return probe::read_order(static_cast<int>(arguments.size()), arguments.data(), result, error);
}

static std::string order_error(const std::vector<const char*>& arguments) {
  order result;
  std::string error;
  CHECK_FALSE(parse_order(arguments, result, error));
  return error;
}

TEST_CASE("probe: it does what its arguments name, and computes nothing that none names") {
  order given;
  std::string error;
  REQUIRE(parse_order({"file=3", "convolutions=legacy,graph/fp16/nhwc",
                       "operations=attention/forward", "devices=0,GPU-12ab"},
                      given, error));
  CHECK(given.file == 3);
  CHECK(given.call);
  CHECK(given.compute);
  REQUIRE(given.asked.kinds.size() == 2);
  CHECK(given.asked.kinds[1]->name == std::string("graph/fp16/nhwc"));
  CHECK(given.asked.operations == std::vector<fused_operation>{fused_operation::attention_forward});
  CHECK(given.gpus == std::vector<std::string>{"0", "GPU-12ab"});
  order least;
  REQUIRE(parse_order({"call=no", "compute=no", "devices=all"}, least, error));
  CHECK_FALSE(least.call);
  CHECK_FALSE(least.compute);
  CHECK(least.all_gpus);
  CHECK(least.asked.kinds.empty());
  CHECK(least.file == 1);
}

TEST_CASE("probe: an argument that it does not know is an error") {
  for (const char* const wrong :
       {"", "file", "file=", "file=x", "report=r", "call=maybe", "convolutions=graph",
        "operations=attention", "operations=conv"}) {
    CHECK(order_error({"file=3", wrong}) == std::string("unknown argument '") + wrong + "'");
  }
}

static probe::gpu gpu_to_choose(int index, const char* uuid, int major) {
  probe::gpu made;
  made.index = index;
  made.uuid = uuid;
  made.major = major;
  return made;
}

TEST_CASE("probe: one GPU for each architecture, all, or those that are named by index or UUID") {
  const std::vector<probe::gpu> gpus = {
      gpu_to_choose(0, "GPU-aa", 9), gpu_to_choose(1, "GPU-ab", 9), gpu_to_choose(2, "GPU-bb", 8)};
  const auto chosen_by = [&](const order& given) {
    std::vector<probe::gpu> chosen;
    std::string missing;
    REQUIRE(probe::choose_gpus(gpus, given, chosen, missing));
    std::string indices;
    for (const probe::gpu& one : chosen) indices += std::to_string(one.index);
    return indices;
  };
  order given;
  CHECK(chosen_by(given) == "02");
  given.all_gpus = true;
  CHECK(chosen_by(given) == "012");
  given.all_gpus = false;
  given.gpus = {"1", "GPU-b", "1", "GPU-a"};
  CHECK(chosen_by(given) == "120");
  given.gpus = {"0", "GPU-c"};
  std::vector<probe::gpu> chosen;
  std::string missing;
  CHECK_FALSE(probe::choose_gpus(gpus, given, chosen, missing));
  CHECK(missing == "GPU-c");
}
