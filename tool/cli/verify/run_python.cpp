// SPDX-License-Identifier: BSD-3-Clause
#include "verify.h"

#include <algorithm>

#include "../../core/judge/rules/survey_rules.h"
#include "../../core/model/library_name.h"
#include "../../core/model/paths.h"
#include "../../core/report/report.h"
#include "../../core/system/own_system.h"
#include "../machine/python.h"
#include "../machine/python_archive.h"
#include "../process/loaded_libraries.h"
#include "../process/python_import.h"
#include "../program/check_program.h"
#include "../program/frozen.h"
#include "../survey/environment.h"
#include "../survey/python_users.h"

namespace cudnn_checked::cli {

/// What the program imports from, but for Python's own library.  A script's own directory has
/// packages only where somebody has installed them there.
static arena_vector<arena_string> directories_of(const system_interface& os,
                                                 const python_start& python) {
  if (!python.imports_from.empty()) return python.imports_from;
  arena_vector<arena_string> directories;
  if (!python.directory.empty() && has_metadata(os, python.directory)) {
    directories.push_back(python.directory);
  }
  for (const arena_string& one : directories_of_python(python.interpreter, python.options)) {
    add_once(one, directories);
  }
  return directories;
}

namespace {

/// What is wrong with the libraries of a package that use cuDNN.
struct package_check {
  arena_string name;
  arena_string library;   ///< the one to report on
  process_memory memory;  ///< when it is loaded
  arena_vector<finding> findings;
  bool takes_cudnn = false;

  bool is_wrong() const { return verdict_of(findings) == verdict::refused; }
  bool is_right() const { return takes_cudnn && !is_wrong(); }
};

}  // namespace

static void tell_note(const arena_string& text) {
  print_error("cudnn-checked: note: " + one_line(text) + "\n");
}

namespace {

/// The process that imports: what it has in its memory, and what of that uses cuDNN.
struct importing_process {
  process_memory memory;
  arena_vector<arena_string> users;
};

}  // namespace

/// That of a Python which runs already; a new one has nothing.
static importing_process process_of(const system_interface& os, const python_start& python) {
  importing_process result;
  if (python.process.empty()) return result;
  const process_facts facts = look_at_process(os, python.process);
  if (facts.state != process_state::runs) {
    tell_note("process " + python.process + ": " + describe(facts.state) +
              "; what it has in its memory was not looked at");
    return result;
  }
  if (none_of(facts.mapped, [](const mapped_object& object) {
        return role_of_name(object.soname) != library_role::none;
      })) {
    return result;
  }
  result.memory.objects = named_as_the_loader(os, facts.program, facts.mapped);
  result.users = users_among(os, facts.mapped);
  return result;
}

// The modules are imported in the order in which they are named, and a name that is in memory is
// not searched for again: each library gets the cuDNN of those before it.  Where nothing is named
// the order is not known, and each is looked at alone.
static std::vector<process_memory> check_in_order(const system_interface& os,
                                                  const importing_process& process,
                                                  python_users& found) {
  const assumed_machine here;
  loaded_libraries libraries(here, process.memory);
  std::vector<process_memory> before;
  for (cudnn_user& user : found.users.in_place()) {
    const bool alone = libraries.memory().objects.empty();
    before.push_back(libraries.memory());
    if (alone && found.users.size() == 1) break;
    const bool late = found.late.count(std::string(user.libraries.front())) != 0;
    const program_check check = libraries.load(os, user.libraries.front(), !late);
    if (alone) continue;
    user.takes = check.takes;
    user.result = check.result;
    user.findings = check.findings;
  }
  return before;
}

/// As doctor judges them: a driver that is not there is no error of a package, and a plugin that
/// needs a library of somebody else's is one that is not used.
static std::vector<package_check> check_packages(const arena_vector<cudnn_user>& users,
                                                 const std::vector<process_memory>& before) {
  std::vector<package_check> all;
  for (std::size_t i = 0; i < users.size(); ++i) {
    const cudnn_user& user = users[i];
    const arena_string name =
        user.package.empty() ? base_name(user.libraries.front()) : user.package;
    environment alone;
    alone.users.push_back(user);
    arena_vector<finding> findings;
    judge_environment(alone, {}, findings);
    auto known = std::find_if(all.begin(), all.end(),
                              [&](const package_check& one) { return one.name == name; });
    if (known == all.end()) known = all.insert(known, package_check{name, {}, {}, {}, false});
    if (known->library.empty() || (!known->is_wrong() && !findings.empty())) {
      known->library = user.libraries.front();
      if (!before.empty()) known->memory = before[i];
    }
    known->takes_cudnn = known->takes_cudnn || !user.takes.release.empty();
    add_new(findings, known->findings);
  }
  return all;
}

/// Of what is wrong the commands that help a process that is started now and imports the same.
static void advise_on(const system_interface& os, const importing_process& process,
                      const arena_vector<cudnn_user>& users, bool in_order,
                      std::vector<package_check>& packages) {
  const assumed_machine here;
  arena_vector<arena_string> paths = process.users;
  for (const cudnn_user& user : users) add_once(user.libraries.front(), paths);
  for (package_check& package : packages) {
    if (!package.is_wrong()) continue;
    const arena_vector<arena_string> own = {package.library};
    const started_again again(in_order ? paths : own, here);
    repairs::take_fixes(repairs::keep_what_works(os, again, again.look(os)), package.findings);
  }
}

static void tell(const char* weight, const package_check& package) {
  const arena_string prefix =
      arena_string("cudnn-checked: ") + weight + ": " + one_line(package.name);
  print_error(findings_message(package.findings, prefix, severity::warning));
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

/// Says what is wrong.  True where the program is refused.
static bool judge_packages(const std::vector<package_check>& packages, bool named,
                           const guard_environment& environment) {
  const package_check* right = nullptr;
  bool wrong = false;
  for (const package_check& package : packages) {
    if (right == nullptr && package.is_right()) right = &package;
    wrong = wrong || package.is_wrong();
  }
  const bool refuses = wrong && (named || right == nullptr);
  const bool enforced = environment.asked == guard_environment::mode::enforce;
  for (const package_check& package : told_together(packages)) {
    const bool refused = refuses && enforced;
    if (refused ? package.is_wrong() : !package.findings.empty()) {
      tell(refused ? "refused" : "warning", package);
    }
  }
  if (refuses && enforced) {
    print_error("  override: CUDNN_CHECKED=warn\n");
  } else if (refuses) {
    print_error("  continues: " + environment.escape + "\n");
  } else if (wrong) {
    print_error("  continues: " + one_line(right->name) +
                " has a right cuDNN, and which package the program imports is not known\n"
                "  to refuse it, name what is imported: cudnn-checked run --python MODULE\n");
  }
  return refuses && enforced;
}

python_check check_python(const command_line& given, const python_start& python,
                          const guard_environment& environment) {
  python_check result;
  const system_interface& os = own_system();
  const arena_vector<arena_string> directories = directories_of(os, python);
  result.is_python = !directories.empty();
  if (!result.is_python) return result;
  std::vector<std::string> modules;
  std::string wrong;
  if (!given.python.empty() && !read_modules(given.python, modules, wrong)) {
    result.status = error("run: --python " + (wrong.empty() ? std::string("''") : wrong) +
                          ": not the name of a module");
    return result;
  }
  python_users found;
  const python_archive archive = read_python_archive(python.interpreter, python.script);
  if (const arena_string why = why_unknown(archive); !why.empty()) {
    tell_note(base_name(python.script) + ": " + why + "; nothing was checked");
    return result;
  }
  packer by = packer::none;
  if (!archive.directories.empty()) {
    found = find_python_users(os, archive.directories, modules);
    if (!found.users.empty()) by = archive.by;
  }
  if (found.users.empty()) found = find_python_users(os, directories, modules);
  if (!found.absent.empty()) {
    result.status =
        error("run: " + std::string(python.interpreter) + ": there is no module " + found.absent);
    return result;
  }
  // A Python that runs already, and is not refused, hears nothing.
  const bool starts = python.imports_from.empty();
  if (found.users.empty()) {
    if (starts)
      tell_note("no package of " + python.interpreter + " is known to use cuDNN (" +
                to_string(found.packages) + " looked at), so none was checked");
    return result;
  }
  if (found.limit != look_limit::none && starts) {
    tell_note("not all packages of " + python.interpreter + " were looked at: there are too many");
  }
  const importing_process process = process_of(os, python);
  std::vector<process_memory> before;
  if (!modules.empty()) before = check_in_order(os, process, found);
  std::vector<package_check> packages = check_packages(found.users, before);
  if (by == packer::none) advise_on(os, process, found.users, !modules.empty(), packages);
  for (package_check& package : packages) tell_build_again(package.findings, by);
  if (judge_packages(packages, !modules.empty(), environment)) result.status = exit_not_started;
  auto* const worst = find_where(packages, [](const package_check& one) { return one.is_wrong(); });
  const package_check& told = worst == nullptr ? packages.front() : *worst;
  result.report =
      told.memory.objects.empty()
          ? check_program(os, told.library, {}, {}, advising::on, {}, nullptr, by).report
          : check_loaded(os, told.library, {}, told.memory, advising::untried).report;
  return result;
}

}  // namespace cudnn_checked::cli
