// SPDX-License-Identifier: BSD-3-Clause
#include "imported_packages.h"

#include <algorithm>
#include <set>

#include "../../core/judge/survey/survey_rules.h"
#include "../../core/loader/loader.h"
#include "../../core/model/format.h"
#include "../../core/model/library_spelling.h"
#include "../../core/model/paths.h"
#include "../../core/observe/observe.h"
#include "../../core/report/report.h"
#include "../process/loaded_libraries.h"
#include "../program/asked_again.h"
#include "../program/frozen.h"
#include "../survey/environment_neighbours.h"
#include "../system/process_facts.h"

namespace cudnn_checked::cli {

namespace {

/// The process that imports: what it has in its memory, and what of that uses cuDNN.
struct importing_process {
  process_memory memory;
  arena_vector<arena_string> users;
};

}  // namespace

/// The process of a Python that runs already; a new one has nothing in its memory.
static importing_process process_of(const system_interface& os, const arena_string& number,
                                    std::string& not_seen) {
  importing_process result;
  if (number.empty()) return result;
  const process_facts facts = look_at_process(os, number);
  if (facts.state != process_state::runs) {
    not_seen = "process " + number + ": " + describe(facts.state);
    return result;
  }
  result.memory.objects = named_as_the_loader(os, facts);
  result.users = users_among(os, result.memory.objects);
  return result;
}

// The modules are imported in the order in which they are named, and a name that is in memory is
// not searched for again: each library gets the cuDNN of those before it.  Where nothing is named
// the order is not known, and each is looked at alone.
static std::vector<process_memory> check_in_order(const system_interface& os,
                                                  const cudnn_case& asked, python_users& found) {
  loaded_libraries libraries(asked);
  const bool is_known = asked.import_lacks.empty() && !asked.machine.given;
  std::vector<process_memory> before;
  for (cudnn_user& user : found.users.in_place()) {
    const bool alone = is_known && libraries.memory().objects.empty();
    before.push_back(libraries.memory());
    if (alone && found.users.size() == 1) break;
    const bool late = found.late.count(std::string(user.libraries.front())) != 0;
    const program_check check = libraries.load(os, user.libraries.front(), !late);
    if (alone) continue;
    take_answer(check, user);
  }
  return before;
}

/// The users of cuDNN in the memory of the process that belong to none of the named modules.
static arena_vector<cudnn_user> users_before(const system_interface& os, const import_case& asked,
                                             const importing_process& process,
                                             const arena_vector<cudnn_user>& named) {
  constexpr std::size_t most_users = 64;
  std::set<std::string> known;
  for (const cudnn_user& user : named) {
    for (const arena_string& path : user.libraries) known.emplace(os.real_path(path));
  }
  arena_vector<cudnn_user> before;
  const process_memory memory{process.memory.objects, "process " + asked.process};
  for (const arena_string& path : process.users) {
    if (before.size() == most_users || !known.emplace(os.real_path(path)).second) continue;
    const program_check check = check_program(os, {path, asked.machine, {}, memory}, advising::off);
    if (!check.uses_cudnn() || check.asks_by_another(path) ||
        check.may_open_one_of(memory.objects)) {
      continue;
    }
    cudnn_user user;
    user.package = check.program.owner.text;
    user.libraries = {path};
    take_answer(check, user);
    before.push_back(std::move(user));
  }
  return before;
}

/// If the toolkit's stub hides the driver of this machine, CUDA's runtime fails in each package.
static bool is_driver_hidden(const system_interface& os) {
  loader search(os);
  observation seen;
  observe_driver(search, seen);
  return seen.driver.stub && seen.driver.kernel_module.known();
}

/// As doctor judges them, but for a driver without which the import has failed.
static arena_vector<finding> findings_of(const environment& all, const cudnn_user& user,
                                         bool needs_driver) {
  arena_vector<finding> findings = filtered(user.findings, [&](const finding& f) {
    return needs_driver && row_of(f.id).about == subject_of_finding::driver;
  });
  findings.append(told_of_user(all, user));
  return findings;
}

static void check_packages(const environment& found, const std::vector<process_memory>& before,
                           bool needs_driver, bool are_named, std::vector<package_check>& all) {
  for (std::size_t i = 0; i < found.users.size(); ++i) {
    const cudnn_user& user = found.users[i];
    const arena_string name =
        user.package.empty() ? base_name(user.libraries.front()) : user.package;
    const arena_vector<finding> findings = findings_of(found, user, needs_driver);
    auto known = std::find_if(all.begin(), all.end(),
                              [&](const package_check& one) { return one.name == name; });
    if (known == all.end())
      known = all.insert(known, package_check{name, {}, {}, {}, false, are_named});
    if (known->library.empty() || (!known->is_wrong() && !findings.empty())) {
      known->library = user.libraries.front();
      if (!before.empty()) known->memory = before[i];
    }
    known->takes_cudnn = known->takes_cudnn || !user.takes.release.empty();
    add_new(findings, known->findings);
  }
}

/// Advises commands that help a process which is started now and imports the same modules.
static void advise_on(const system_interface& os, const cudnn_case& asked,
                      const arena_vector<arena_string>& in_order,
                      std::vector<package_check>& packages) {
  for (package_check& package : packages) {
    const arena_vector<arena_string> own = {package.library};
    const asked_again again(in_order.empty() ? own : in_order, asked);
    repairs::advise_on(os, again, package.findings);
  }
}

import_check check_imports(const system_interface& os, const import_case& asked) {
  import_check result;
  result.by = asked.by;
  result.machine = asked.machine;
  result.in_container = asked.in_container;
  result.found = find_python_users(os, asked.directories, asked.modules);
  python_users& found = result.found;
  if (found.users.empty()) return result;
  const environment_neighbours others;
  const importing_process process = process_of(os, asked.process, result.not_seen);
  cudnn_case each{{}, asked.machine, {}, process.memory, asked.import_lacks, &others, asked.by};
  each.in_container = asked.in_container;
  std::vector<process_memory> before;
  arena_vector<arena_string> in_order;
  if (!asked.modules.empty()) before = check_in_order(os, each, found);
  environment all;
  all.users = found.users;
  if (!asked.modules.empty()) {
    in_order = process.users;
    for (const cudnn_user& user : found.users) {
      if (!is_unused_plugin(all, user)) add_once(user.libraries.front(), in_order);
    }
  }
  const bool needs_driver =
      asked.import_lacks == driver_library_name() || (!asked.machine.given && is_driver_hidden(os));
  check_packages(all, before, needs_driver, true, result.packages);
  all.users = users_before(os, asked, process, found.users);
  check_packages(all, {}, needs_driver, false, result.packages);
  if (asked.by == packer::none) advise_on(os, each, in_order, result.packages);
  for (package_check& package : result.packages) tell_build_again(package.findings, asked.by);
  return result;
}

const package_check& import_check::decisive() const {
  const auto* const worst =
      find_where(packages, [](const package_check& one) { return one.is_wrong(); });
  return worst == nullptr ? packages.front() : *worst;
}

cudnn_case import_check::case_of(const package_check& package) const {
  cudnn_case one{package.library, machine, {}, package.memory, {}, {}, by};
  one.in_container = in_container;
  return one;
}

json import_check::report(const system_interface& os) const {
  const cudnn_case told = case_of(decisive());
  const bool alone = told.memory.objects.empty();
  return check_program(os, told, alone ? advising::on : advising::untried).report;
}

static bool is_same(const arena_vector<finding>& some, const arena_vector<finding>& others) {
  return std::equal(some.begin(), some.end(), others.begin(), others.end(),
                    [](const finding& a, const finding& b) {
                      return a.id == b.id && a.expected.value == b.expected.value &&
                             a.found.value == b.found.value;
                    });
}

/// All of PyTorch, JAX and their plugins may share one wrong cuDNN: that is one message.
static std::vector<package_check> told_together(const std::vector<package_check>& packages) {
  std::vector<package_check> all;
  for (const package_check& package : packages) {
    auto* const same = find_where(
        all, [&](const package_check& one) { return is_same(one.findings, package.findings); });
    if (same == nullptr) {
      all.push_back(package);
    } else {
      same->name += ", " + package.name;
    }
  }
  return all;
}

arena_string text_of(const std::vector<package_check>& packages, bool refused) {
  arena_string text;
  for (const package_check& package : told_together(packages)) {
    const bool is_refused = refused && (package.is_wrong() || is_strict());
    const verdict told = is_refused ? verdict::refused : verdict::warning;
    text += findings_message(
        package.findings, format("cudnn-checked: %s: %s", to_string(told), one_line(package.name)),
        severity::warning);
  }
  return text;
}

}  // namespace cudnn_checked::cli
