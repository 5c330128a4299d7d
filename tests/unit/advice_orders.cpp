// SPDX-License-Identifier: BSD-3-Clause
//
// A command is text for a person and steps for the trial: what is tried must be what is typed.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/installers/installers.h"
#include "core/judge/advice/wheel_commands.h"
#include "core/model/observation.h"

using namespace cudnn_checked;

namespace {

using words_of_command = std::vector<std::string>;

/// "a 'b c' && d": {a, b c}, {d}.
std::vector<words_of_command> commands_in(const arena_string& text) {
  std::vector<words_of_command> commands(1);
  bool in_word = false;
  bool quoted_part = false;
  for (const char c : std::string(text)) {
    if (c == '\'') {
      quoted_part = !quoted_part;
    } else if (c == ' ' && !quoted_part) {
      in_word = false;
    } else {
      if (!in_word) commands.back().emplace_back();
      in_word = true;
      commands.back().back() += c;
    }
    if (in_word || commands.back().empty() || commands.back().back() != "&&") continue;
    commands.back().pop_back();
    commands.emplace_back();
  }
  return commands;
}

bool has(const words_of_command& command, const std::string& word) {
  return std::find(command.begin(), command.end(), word) != command.end();
}

/// What stands behind "install" or "uninstall" and is no option.
words_of_command operands(const words_of_command& command, const std::string& verb) {
  words_of_command found;
  auto at = std::find(command.begin(), command.end(), verb);
  for (at += at == command.end() ? 0 : 1; at != command.end(); ++at) {
    if (*at == "--target" || *at == "--python" || *at == "-p") {
      ++at;
    } else if (at->front() != '-') {
      found.push_back(*at);
    }
  }
  return found;
}

words_of_command sorted(words_of_command words) {
  std::sort(words.begin(), words.end());
  return words;
}

words_of_command as_words(const arena_vector<arena_string>& words) {
  words_of_command all;
  for (const arena_string& word : words) all.emplace_back(word);
  return all;
}

/// What an order asks for; a folder of pip keeps by name what it has.
words_of_command wanted_by(const repair& step) {
  words_of_command all = as_words(step.order.requirements);
  if (step.where.installer != &installers::pip_target()) return all;
  for (const installed_wheel& wheel : step.where.wheels) {
    const std::string line = std::string(wheel.name) + "==" + std::string(wheel.number);
    if (!is_ordered(step.order, wheel.name)) all.push_back(line);
  }
  return all;
}

void check_wheels(const fix_line& line) {
  const std::string text(line.text);
  INFO(text);
  REQUIRE(line.steps.size() == 1);
  const repair& step = line.steps[0];
  REQUIRE(step.what == repair_kind::wheels);
  words_of_command removed;
  words_of_command last;
  for (const words_of_command& command : commands_in(line.text)) {
    for (const std::string& name : operands(command, "uninstall")) removed.push_back(name);
    const bool updates_pip = has(command, "pip") && has(command, "-U");
    if (!has(command, "install") || updates_pip) continue;
    last = command;
    CHECK(sorted(operands(command, "install")) == sorted(wanted_by(step)));
  }
  REQUIRE(!last.empty());
  const bool to_folder = step.where.installer == &installers::pip_target();
  if (!to_folder) CHECK(removed == as_words(step.order.conflicting));
  if (step.order.again) CHECK(has(last, "--no-deps"));
  const bool is_uv_there = effect_of_installer(step.where).reads_settings_of_uv;
  CHECK(has(last, "uv") == is_uv_there);
  if (!is_uv_there && !step.where.python.empty()) CHECK(last[0] == std::string(step.where.python));
  if (to_folder || step.where.installer == &installers::uv_target()) {
    CHECK(has(last, std::string(step.where.site)));
  }
  if (step.where.installer == &installers::uv()) {
    CHECK(has(last, std::string(step.where.prefix)));
  }
}

package_record recorded(package_manager manager, const char* name, const char* number,
                        const char* record) {
  package_record package;
  package.manager = manager;
  package.installer = installer_of(package);
  package.name = name;
  package.number = number;
  package.record = record;
  return package;
}

}  // namespace

TEST_CASE("what is typed for each installer is what is tried") {
  for (const package_installer* const installer :
       {&installers::pip(), &installers::uv(), &installers::pip_user(), &installers::pip_target(),
        &installers::uv_target()}) {
    for (int bits = 0; bits < 32; ++bits) {
      python_environment e;
      e.site = "/a venv/lib/python3.12/site-packages";
      e.prefix = "/a venv";
      e.python = "/a venv/bin/python";
      e.installer = installer;
      e.managed = (bits & 1) != 0;
      e.old_pip = (bits & 2) != 0;
      for (const char* name : {"nvidia-cudnn-cu13", "nvidia-cublas"}) {
        const arena_string number = "9.14.0.64";
        e.wheels.push_back({name, number, arena_string(name) + "-9.14.0.64.dist-info"});
      }
      wheel_order order;
      order.again = (bits & 4) != 0;
      order.requirements.push_back("nvidia-cudnn-cu13==9.19.*");
      if ((bits & 8) != 0) order.requirements.push_back("nvidia-cuda-nvrtc==13.0.88");
      if ((bits & 16) != 0) order.conflicting.push_back("nvidia-cudnn-cu12");
      check_wheels(install_wheels(e, order));
    }
  }
}

TEST_CASE("what is typed to install a release again is what is tried") {
  const fix_line wheel = reinstall(
      recorded(package_manager::wheel, "nvidia-cudnn-cu13", "9.14.0.64", "/site/a.dist-info"));
  check_wheels(wheel);
  CHECK(wheel.steps[0].order.requirements[0] == "nvidia-cudnn-cu13==9.14.0.64");
  for (const package_manager manager : {package_manager::dpkg, package_manager::conda}) {
    const fix_line line =
        reinstall(recorded(manager, "cudnn", "9.14.0.64-1", "/env/conda-meta/cudnn.json"));
    REQUIRE(line.steps.size() == 1);
    CHECK(line.steps[0].what == repair_kind::package);
    CHECK(line.steps[0].name == "/env/conda-meta/cudnn.json");
    const words_of_command named = operands(commands_in(line.text)[0], "install");
    CHECK(named == words_of_command{"cudnn=" + std::string(line.steps[0].value)});
  }
}

TEST_CASE("what is typed where no environment is known is what is tried") {
  for (const int cuda : {12, 13}) {
    for (const install_where where :
         {install_where::with_headers, install_where::on_library_path}) {
      for (const cudnn_kind kind : {cudnn_kind::full, cudnn_kind::jit_only}) {
        for (const fix_line& line : install_cudnn(9, cuda, kind, where, {})) {
          const std::string text(line.text);
          INFO(text);
          for (const repair& step : line.steps) {
            if (step.what == repair_kind::debian) {
              CHECK(operands(commands_in(line.text)[0], "install") ==
                    words_of_command{std::string(step.name)});
            } else if (step.what == repair_kind::wheels) {
              CHECK(operands(commands_in(line.text)[0], "install") ==
                    as_words(step.order.requirements));
            }
          }
        }
      }
    }
  }
  const fix_line debian = install_debian_release(version{9, 14, 0}, 13);
  const words_of_command named = operands(commands_in(debian.text)[0], "install");
  CHECK(named == words_of_command{std::string(debian.steps[0].name) + "=9.14.0.*"});
  const fix_line link = link_file("/a b", "/c d");
  CHECK(commands_in(link.text)[0] == words_of_command{"ln", "-s", "/a b", "/c d"});
  CHECK(link.steps[0].name == "/c d");
  CHECK(link.steps[0].value == "/a b");
  for (const fix_line& line : {remove_file("/a b"), remove_folder("/a b")}) {
    CHECK(commands_in(line.text)[0].back() == std::string(line.steps[0].name));
  }
}
