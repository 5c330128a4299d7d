// SPDX-License-Identifier: BSD-3-Clause
//
// What a set of each release computes without: one answer for a program and for an install.
#include <doctest/doctest.h>

#include "core/catalogue/measured_needs.h"
#include "core/judge/cudnn_set.h"
#include "core/judge/survey/survey_rules.h"
#include "core/model/format.h"
#include "observation_builder.h"

using namespace cudnn_checked;
using test::configuration;
using test::machine;

namespace {

constexpr const char* with_tensor_ir[] = {"9.21.0", "9.21.1", "9.22.0", "9.23.0", "9.23.1",
                                          "9.23.2", "9.24.0", "9.24.1", "9.25.1", "9.26.0",
                                          "9.26.1", "9.27.0", "9.28.0", "9.28.1"};

/// A program that was built with 9.14.0 on that release, and that release at configure time.
struct both {
  machine program;
  configuration install;

  explicit both(const char* release) : program("9.14.0", release), install(release, release) {}
  void lose(const char* role) {
    program.lose(role);
    install.lose(role);
  }
};

std::string advice_of(const machine& m) { return m.findings().empty() ? "" : m.fix(); }

}  // namespace

TEST_CASE("whole sets from 9.21.0 on need engines_tensor_ir, whatever the program was built with") {
  for (const char* release : with_tensor_ir) {
    CAPTURE(release);
    both b(release);
    CHECK(b.program.names() == "");
    CHECK(b.install.names() == "");
    b.lose("engines_tensor_ir");
    for (const machine* m : {&b.program, static_cast<machine*>(&b.install)}) {
      REQUIRE(m->names() == "sublibrary-missing");
      CHECK(m->weight() == severity::error);
      CHECK(m->summary() == "a sub-library of cuDNN is missing: libcudnn_engines_tensor_ir.so.9");
      // COMPONENTS graph does not compute either.
      CHECK(advice_of(*m).find("COMPONENTS") == std::string::npos);
    }
    // A JIT-only one of the same release computes without.
    b.program.make_jit_only();
    CHECK(b.program.names() == "");
  }
}

TEST_CASE("9.20.0 and older ship no engines_tensor_ir and need none") {
  for (const char* release : {"9.13.0", "9.19.1", "9.20.0"}) {
    CAPTURE(release);
    const both b(release);
    CHECK(advice_of(b.program).find("tensor_ir") == std::string::npos);
    CHECK(b.install.names() == "");
  }
}

TEST_CASE("ext alone is missing: the set computes, for a program and for an install") {
  for (const char* release : {"9.22.0", "9.24.0", "9.28.0"}) {
    CAPTURE(release);
    both b(release);
    b.program.stamped.sublibraries.push_back("ext");
    b.lose("ext");
    for (const machine* m : {&b.program, static_cast<machine*>(&b.install)}) {
      REQUIRE(m->names() == "sublibrary-missing");
      CHECK(m->weight() == severity::note);
      CHECK(m->summary() ==
            "a sub-library that cuDNN computes without is missing: libcudnn_ext.so.9");
    }
    // A program that does not use it has nothing to know.
    b.program.stamped.sublibraries.pop_back();
    CHECK(b.program.names() == "");
    // One that names it does.
    for (machine* m : {&b.program, static_cast<machine*>(&b.install)}) {
      m->stamped.components = {"ext"};
      m->stamped.sublibraries = {"graph", "ext"};
      REQUIRE(m->names() == "sublibrary-missing");
      CHECK(m->weight() == severity::error);
    }
  }
}

TEST_CASE("whether a release that was not measured computes without one is unknown") {
  for (const char* release : {"9.23.9", "9.29.0"}) {
    CAPTURE(release);
    both b(release);
    CHECK(b.program.names() == "");
    b.lose("engines_tensor_ir");
    CHECK(b.program.result() == verdict::unknown);
    CHECK(b.program.message() ==
          "refused: a sub-library of cuDNN is missing: libcudnn_engines_tensor_ir.so.9\n"
          "  needed:  libcudnn_engines_tensor_ir.so.9\n"
          "  found:   " +
              std::string(release) +
              "   /opt/cudnn/lib/libcudnn_graph.so.9   chosen by RUNPATH of app\n"
              "  Whether this release computes without it was not measured.\n"
              "  fix: reinstall cuDNN " +
              release +
              " in /opt/cudnn/lib\n"
              "  [sublibrary-missing]\n");
    REQUIRE(b.install.names() == "sublibrary-missing");
    CHECK(b.install.weight() == severity::unknown);
    CHECK(advice_of(b.install).find("COMPONENTS") == std::string::npos);
    b.lose("ext");
    CHECK(b.program.because() == "Whether this release computes without them was not measured.");
    // A JIT-only package has never contained one.
    b.program.make_jit_only();
    CHECK(b.program.names() == "");
  }
  // One whose record has every member, and lists no such file.
  machine recorded("9.14.0", "9.29.0");
  recorded.lose_later();
  for (cudnn_file& f : recorded.observed.files.in_place()) {
    if (f.state == file_state::missing) continue;
    f.package.manager = package_manager::wheel;
    f.package.record = "/opt/RECORD";
    f.package.cudnn = {9, 29, 0};
    f.package.same_size = answer::yes;
  }
  CHECK(recorded.names() == "");
  // A release that none of its neighbours ships it with, and a set of another major.
  CHECK(machine("9.18.0", "9.18.9").names() == "");
  CHECK(machine("10.0.0", "10.0.0").names() == "");
}

TEST_CASE("the files of a JIT-only package compute nothing up to 9.12.0") {
  for (const char* release : {"9.9.0", "9.12.0"}) {
    CAPTURE(release);
    configuration c(release, release);
    c.lose_precompiled();
    REQUIRE(c.names() == "sublibrary-missing");
    CHECK(c.summary() == "5 sub-libraries of cuDNN are missing");
    CHECK(c.fix() == "> install the full cuDNN package instead of the JIT-only one");
    machine m(release, release);
    m.make_jit_only();
    REQUIRE(m.names() == "sublibrary-missing");
    CHECK(m.summary() == "2 sub-libraries of cuDNN are missing");
  }
  configuration newer("9.13.0", "9.13.0");
  newer.lose_precompiled();
  CHECK(newer.names() == "");
}

TEST_CASE("COMPONENTS are offered where the set was measured to compute with them") {
  configuration c("9.24.0", "9.24.0");
  for (const char* role : {"adv", "ext"}) c.lose(role);
  CHECK(c.fix().find("> ask for COMPONENTS graph ops cnn") != std::string::npos);
  for (const char* role : {"cnn", "ops"}) c.lose(role);
  CHECK(c.fix().find("> ask for COMPONENTS graph") != std::string::npos);
  c.lose("engines_tensor_ir");
  CHECK(c.fix().find("COMPONENTS") == std::string::npos);
  configuration unmeasured("9.29.0", "9.29.0");
  unmeasured.lose("adv");
  CHECK(unmeasured.names() == "sublibrary-missing");
  CHECK(unmeasured.fix().find("COMPONENTS") == std::string::npos);
}

TEST_CASE("a wheel without its engines is JIT-only by its folder: it never had the others") {
  machine m("9.14.0", "9.14.0");
  m.make_jit_only();
  for (cudnn_file& file : m.observed.files.in_place()) {
    if (file.state == file_state::missing) continue;
    file = test::file_of(std::string(file.role), "9.14.0", "/site/nvidia/cudnn_jit/lib");
  }
  CHECK(m.names() == "");
  m.lose("engines_runtime_compiled");
  CHECK(m.summary() ==
        "a sub-library of a JIT-only cuDNN is missing: libcudnn_engines_runtime_compiled.so.9");
  CHECK(m.names() == "sublibrary-missing");
}

TEST_CASE("what was measured, and what follows for a release between") {
  const auto of = [](const char* number, const arena_vector<library_role>& missing) {
    return finalizes_without(parse_version(number), false, missing);
  };
  CHECK(of("9.24.0", {}) == answer::yes);
  CHECK(of("9.24.0", {"engines_tensor_ir"}) == answer::no);
  CHECK(of("9.24.0", {"ext"}) == answer::yes);
  CHECK(of("9.24.0", {"ops", "adv", "ext"}) == answer::yes);
  // One by one they were measured, together they were not.
  CHECK(of("9.24.0", {"ops", "heuristic"}) == answer::unknown);
  CHECK(of("9.20.0", {"engines_tensor_ir", "ext"}) == answer::yes);
  CHECK(of("9.12.0", {"heuristic"}) == answer::no);
  CHECK(of("9.13.0", {"heuristic"}) == answer::yes);
  // Between 8.9.2 and 8.9.4.
  CHECK(of("8.9.3", {"cnn_infer"}) == of("8.9.2", {"cnn_infer"}));
  CHECK(of("8.9.3", {"adv_train"}) == answer::yes);
  // Between two minor releases, behind the last, of a major that was not measured.
  CHECK(of("9.23.9", {"engines_tensor_ir"}) == answer::unknown);
  CHECK(of("9.19.9", {"ext"}) == answer::yes);
  CHECK(of("9.20.9", {"engines_tensor_ir"}) == answer::unknown);
  CHECK(of("9.99.0", {"ext"}) == answer::unknown);
  CHECK(of("10.0.0", {"ext"}) == answer::unknown);
  CHECK(finalizes_as_jit_only({9, 12, 0}) == answer::no);
  CHECK(finalizes_as_jit_only({9, 13, 0}) == answer::yes);
  CHECK(finalizes_as_jit_only({9, 12, 9}) == answer::unknown);
}

TEST_CASE("what cuDNN computes without is no error of a record, and hides nothing of a user") {
  for (const char* lost : {"ext", "adv", "engines_tensor_ir"}) {
    CAPTURE(lost);
    environment place;
    recorded_package recorded;
    recorded.package.name = "nvidia-cudnn-cu13";
    recorded.package.cudnn = {9, 24, 0};
    recorded.package.cuda_major = 13;
    recorded.package.record = "/venv/RECORD";
    recorded.has_record = true;
    recorded.absent.push_back(format("/venv/libcudnn_%s.so.9", lost));
    place.cudnn_packages.push_back(recorded);
    cudnn_user user;
    user.package = "acme 1.0";
    user.libraries.push_back("/venv/acme.so");
    finding of_record(finding_id::library_missing);
    of_record.expected.where = recorded.package.record;
    if (std::string(lost) != "ext") user.findings.push_back(of_record);
    user.findings.push_back(finding(finding_id::cudnn_older));
    place.users.push_back(user);
    survey all;
    all.environments.push_back(place);
    const arena_vector<finding> found = judge_directories(all).machine.findings;
    REQUIRE(found.size() == 1);
    CHECK(found.front().id ==
          (std::string(lost) == "ext" ? finding_id::cudnn_older : finding_id::library_missing));
  }
}

TEST_CASE("what a package has lost explains what its own users get, and nothing of another cuDNN") {
  environment place;
  recorded_package recorded;
  recorded.package.name = "nvidia-cudnn-cu13";
  recorded.package.cudnn = {9, 13, 0};
  recorded.package.cuda_major = 13;
  recorded.package.record = "/venv/RECORD";
  recorded.has_record = true;
  recorded.absent.push_back("/venv/libcudnn_graph.so.9");
  cudnn_user user;
  const finding mixed(finding_id::mixed_sublibraries);
  const auto follows = [&] {
    place.cudnn_packages.clear();
    place.cudnn_packages.push_back(recorded);
    return follows_from_absent(place, user, mixed);
  };
  CHECK(!follows());
  user.findings.push_back(finding(finding_id::library_missing));
  CHECK(!follows());
  user.findings.in_place().back().expected.where = "/venv/RECORD";
  CHECK(follows());
  // One that lost its shim is not found: who asks for it, or says nothing, finds another cuDNN.
  user.findings.clear();
  CHECK(!follows());
  recorded.absent.push_back("/venv/libcudnn.so.9");
  CHECK(follows());
  user.requirement.wheel = recorded.package.name;
  CHECK(follows());
  user.requirement.wheel = "nvidia-cudnn-cu12";
  CHECK(!follows());
}

TEST_CASE("the sub-libraries that COMPONENTS need") {
  const struct {
    const char* component;
    const char* of_full;
    const char* of_jit_only;
    const char* of_8;
  } rows[] = {
      {"graph", "graph, engines_runtime_compiled, engines_precompiled, heuristic",
       "graph, engines_runtime_compiled", "ops_infer, cnn_infer, ops_train, cnn_train"},
      {"ops", "graph, engines_runtime_compiled, engines_precompiled, heuristic, ops",
       "graph, engines_runtime_compiled, engines_precompiled, heuristic, ops",
       "ops_infer, ops_train"},
      {"cnn", "graph, engines_runtime_compiled, engines_precompiled, heuristic, ops, cnn",
       "graph, engines_runtime_compiled, engines_precompiled, heuristic, ops, cnn",
       "ops_infer, cnn_infer, ops_train, cnn_train"},
      {"adv", "graph, engines_runtime_compiled, engines_precompiled, heuristic, ops, cnn, adv",
       "graph, engines_runtime_compiled, engines_precompiled, heuristic, ops, cnn, adv",
       "ops_infer, cnn_infer, adv_infer, ops_train, cnn_train, adv_train"},
      {"heuristic", "graph, engines_runtime_compiled, engines_precompiled, heuristic",
       "graph, engines_runtime_compiled, engines_precompiled, heuristic", "graph, heuristic"},
      {"engines_runtime_compiled",
       "graph, engines_runtime_compiled, engines_precompiled, heuristic",
       "graph, engines_runtime_compiled", "graph, engines_runtime_compiled"},
  };
  for (const auto& row : rows) {
    CAPTURE(std::string(row.component));
    stamp asked;
    asked.components = {row.component};
    cudnn_set set;
    CHECK(to_string(needed_roles(asked, set, 9)) == row.of_full);
    CHECK(to_string(needed_roles(asked, set, 8)) == row.of_8);
    set.jit_only = true;
    CHECK(to_string(needed_roles(asked, set, 9)) == row.of_jit_only);
  }
}
