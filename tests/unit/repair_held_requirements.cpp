// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include "core/judge/advice/advice.h"
#include "fake_system.h"
#include "repair/held_requirements.h"

using namespace cudnn_checked;

TEST_CASE("of the releases that an order allows, the one that another package requires") {
  const struct {
    const char* ordered;
    const char* required;
    const char* typed;
  } rows[] = {
      {"a-cudnn==9.14.0.*", "nvidia-cudnn-cu13==9.14.0.64", "a-cudnn==9.14.0.*"},
      {"nvidia-cudnn-cu13==9.14.0.*", "nvidia-cudnn-cu13==9.14.0.64",
       "nvidia-cudnn-cu13==9.14.0.64"},
      {"nvidia-cudnn-cu13==9.14.0.*", "nvidia-cudnn-cu13==9.19.0.56",
       "nvidia-cudnn-cu13==9.14.0.*"},
      {"nvidia-cudnn-cu13==9.14.0.*", "nvidia-cudnn-cu13>=9", "nvidia-cudnn-cu13==9.14.0.*"},
      {"nvidia-cudnn-cu13", "nvidia-cudnn-cu13==9.14.0.64", "nvidia-cudnn-cu13"},
  };
  for (const auto& row : rows) {
    INFO(row.ordered << " where " << row.required << " is required");
    test::fake_system os;
    os.files["/s/torch-2.9.dist-info/METADATA"] =
        std::string("Name: torch\nVersion: 2.9\nRequires-Dist: ") + row.required + "\n";
    os.files["/s/torch-2.9.dist-info/RECORD"] = "";
    repair step;
    step.what = repair_kind::wheels;
    step.where.site = "/s";
    step.order.requirements = {row.ordered};
    const fix_line line =
        repairs::held_requirements(os).as_required(command("pip " + quoted(row.ordered), step));
    CHECK(line.text == "pip " + quoted(row.typed));
    CHECK(line.steps.front().order.requirements.front() == row.typed);
  }
}
