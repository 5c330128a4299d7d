// SPDX-License-Identifier: BSD-3-Clause
//
// Which commands a program at its start keeps, on a machine in memory.
#include "core/check/tried_fixes.h"
#include "core/installers/installers.h"

#include <doctest/doctest.h>

#include "core/judge/advice/wheel_commands.h"
#include "cudnn_installs.h"
#include "observation_builder.h"

using namespace cudnn_checked;

namespace {

const std::string packages = "/venv/lib/python3.12/site-packages";

/// A program whose RUNPATH leads to the wheel of an environment, and a finding with that fix.
struct refused_start {
  test::fake_system os;
  python_environment e;
  wheel_order order;

  refused_start() {
    test::set_program(os, packages + "/nvidia/cudnn/lib");
    os.files[packages + "/nvidia/cudnn/lib/libcudnn.so.9"] = "";
    e.site = packages;
    e.prefix = "/venv";
    e.python = "/venv/bin/python";
    e.installer = &installers::pip();
    order.requirements = {"nvidia-cudnn-cu13==9.14.0.64"};
    order.again = true;
  }

  std::string kept() const {
    loader search(os);
    cudnn_check c(search);
    c.judged.findings.emplace_back(finding_id::library_missing);
    c.judged.findings.in_place().back().fix.push_back(install_wheels(e, order));
    keep_tried_fixes(c);
    return test::fix_of(c.judged.findings.back());
  }
};

}  // namespace

TEST_CASE("the environment's recorded package again, where this user may write") {
  refused_start start;
  const std::string ask = "> for a command: cudnn-checked verify " + start.os.program;
  CHECK(
      start.kept() ==
      "$ /venv/bin/python -m pip install --force-reinstall --no-deps nvidia-cudnn-cu13==9.14.0.64");
  start.os.denied.insert(packages);
  CHECK(start.kept() == ask);
  start.os.denied.clear();
  start.order.conflicting = {"nvidia-cudnn-cu12"};
  CHECK(start.kept() == ask);
  start.order.conflicting.clear();
  start.e.site = "/other/lib/python3.12/site-packages";
  CHECK(start.kept() == ask);
}
