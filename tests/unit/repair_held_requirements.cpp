// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include "core/installers/installers.h"
#include "core/judge/advice/wheel_commands.h"
#include "fake_system.h"
#include "repair/held_requirements.h"

using namespace cudnn_checked;

namespace {

/// An environment in which a package requires that.
struct demanding_environment {
  test::fake_system os;
  repair step;

  explicit demanding_environment(const char* required) {
    os.files["/s/torch-2.9.dist-info/METADATA"] =
        std::string("Name: torch\nVersion: 2.9\nRequires-Dist: ") + required + "\n";
    os.files["/s/torch-2.9.dist-info/RECORD"] = "";
    step.what = repair_kind::wheels;
    step.where.site = "/s";
    step.where.python = "/bin/python";
    step.where.installer = &installers::pip();
  }

  fix_line as_required(const char* ordered) {
    step.order.requirements = {ordered};
    return repairs::held_requirements(os).as_required(install_wheels(step.where, step.order));
  }
};

}  // namespace

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
      {"nvidia-cudnn-cu13", "nvidia-cudnn-cu13==9.14.0.64", "nvidia-cudnn-cu13==9.14.0.64"},
      {"nvidia-cudnn-cu13>=9.14,<10", "nvidia-cudnn-cu13==9.14.0.64",
       "nvidia-cudnn-cu13==9.14.0.64"},
      {"nvidia-cudnn-cu13", "nvidia-cudnn-cu13>=9.1,<10", "nvidia-cudnn-cu13>=9.1,<10"},
  };
  for (const auto& row : rows) {
    INFO(row.ordered << " where " << row.required << " is required");
    const fix_line line = demanding_environment(row.required).as_required(row.ordered);
    CHECK(line.text == "/bin/python -m pip install " + quoted(row.typed));
    CHECK(line.steps.front().order.requirements.front() == row.typed);
  }
}

TEST_CASE("what comes with an ordered package is what another package requires") {
  const char* const cudnn = "nvidia-cudnn-cu12==9.14.0.64";
  demanding_environment place("nvidia-cublas-cu12==12.9.1.4");
  CHECK(place.as_required(cudnn).text ==
        "/bin/python -m pip install nvidia-cudnn-cu12==9.14.0.64 nvidia-cublas-cu12==12.9.1.4");
  // What is there stays, and an order without dependencies brings nothing else.
  place.step.where.wheels.push_back({"nvidia-cublas-cu12", "12.9.1.4", {}});
  CHECK(place.as_required(cudnn).text == "/bin/python -m pip install nvidia-cudnn-cu12==9.14.0.64");
  place.step.where.wheels.clear();
  place.step.order.again = true;
  CHECK(place.as_required(cudnn).text ==
        "/bin/python -m pip install --force-reinstall --no-deps nvidia-cudnn-cu12==9.14.0.64");
}

TEST_CASE("the order itself stays as it was") {
  const demanding_environment place("nvidia-cudnn-cu13==9.14.0.64");
  repair step = place.step;
  step.order.requirements = {"nvidia-cudnn-cu13"};
  const fix_line line = install_wheels(step.where, step.order);
  (void)repairs::held_requirements(place.os).as_required(line);
  CHECK(line.steps.front().order.requirements.front() == "nvidia-cudnn-cu13");
}
