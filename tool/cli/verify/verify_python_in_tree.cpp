// SPDX-License-Identifier: BSD-3-Clause
#include <set>

#include "../../core/report/report.h"
#include "../formats/formats.h"
#include "../machine/tree.h"
#include "../machine/tree_pythons.h"
#include "../text/lists.h"
#include "../text/progress.h"
#include "imported_packages.h"
#include "verify.h"

namespace cudnn_checked::cli {

namespace {

/// What is known of a Python's packages.
class packages_in_tree {
 public:
  packages_in_tree(const system_interface& os, const import_check& check,
                   const assumed_machine& machine)
      : os_(os), check_(check), machine_(machine) {
    for (const package_check& one : check.packages) look_at(one);
  }

  exit_status status() const {
    return is_refused_ ? exit_refused : is_unknown_ ? strictly(exit_unknown) : exit_fine;
  }
  arena_string text() const { return text_of(wrong_, true) + of_others_; }
  const std::vector<checked_subject>& subjects() const { return subjects_; }

 private:
  void look_at(const package_check& package);
  void take(exit_status status);

  const system_interface& os_;
  const import_check& check_;
  const assumed_machine& machine_;
  std::vector<package_check> wrong_;
  arena_string of_others_;
  std::vector<checked_subject> subjects_;
  bool is_refused_ = false;
  bool is_unknown_ = false;
};

}  // namespace

void packages_in_tree::take(exit_status status) {
  is_refused_ = is_refused_ || status == exit_refused;
  is_unknown_ = is_unknown_ || status == exit_unknown;
}

void packages_in_tree::look_at(const package_check& package) {
  const program_check one = check_program(os_, check_.case_of(package));
  const verdict told = verdict_of(package.findings);
  const bool is_wrong = told > verdict::unknown;
  // What is wrong with a plugin that another package replaces is not told.
  if (!is_wrong && one.result > verdict::unknown) return;
  subjects_.push_back(subject_of(one, std::string(package.name), machine_, package.findings));
  take(status_of(is_wrong ? told : one.result));
  if (is_wrong) {
    wrong_.push_back(package);
  } else {
    of_others_ += text_of(one, package.library, machine_);
  }
}

static exit_status tell(const command_line& given, const system_interface& os,
                        const import_check& check, const named_tree& tree) {
  const packages_in_tree packages(os, check, check.machine);
  if (is_written_for_others(given)) {
    print_outcome(given, {"", packages.status(), packages.subjects()});
  } else if (given.json) {
    json report = check.report(os);
    report.add_string("root", tree.root);
    print_json(report.print());
  } else {
    print(packages.text());
  }
  return packages.status();
}

namespace {

struct checked_python {
  arena_string directory;  ///< that of its packages which comes first
  import_check check;
};

}  // namespace

/// The Pythons that have the modules.  Where there is none, `wrong` says so.
static std::vector<checked_python> those_with_modules(
    const system_interface& os, const std::vector<arena_vector<arena_string>>& pythons,
    import_case asked, std::string& wrong) {
  const arena_vector<candidate> path = python_path_of_tree(os);
  std::vector<checked_python> all;
  std::set<std::string> absent;
  for (const arena_vector<arena_string>& directories : pythons) {
    asked.directories.clear();
    for (const candidate& one : path) asked.directories.push_back(one.directory);
    asked.directories.append(directories);
    import_check check = check_imports(os, asked);
    if (check.found.absent.empty()) {
      all.push_back({directories.front(), std::move(check)});
    } else {
      absent.insert(check.found.absent);
    }
  }
  if (all.empty()) {
    wrong = "no Python has " + (absent.size() == 1 ? "the module " + *absent.begin()
                                                   : "all of " + listed(asked.modules));
  }
  return all;
}

exit_status verify_python_in_tree(const command_line& given, const named_tree& tree,
                                  const assumed_machine& machine) {
  std::vector<std::string> modules;
  if (!read_named_modules(given, modules)) return exit_usage;
  const system_interface& os = system_of_tree(tree);
  const std::string in = "verify: --python: in " + tree.root + ": ";
  const arena_string place = given.arguments.empty() ? environment_of_tree(given.variables)
                                                     : path_in_tree(tree.root, given.file());
  const python_places places =
      place.empty() ? python_places{python_prefixes_of_images(), {}} : places_of_python(os, place);
  if (places.prefixes.empty()) return error(in + place + ": no such file or directory");
  const std::vector<arena_vector<arena_string>> pythons = pythons_of_tree(os, places);
  if (pythons.empty()) {
    return error(in + (place.empty() ? "no packages of a Python in /usr and /opt/conda; name its "
                                       "environment behind the modules"
                                     : place + ": no packages of a Python in it"));
  }
  show_progress("looking at " + given.root);
  std::string wrong;
  import_case asked;
  asked.modules = modules;
  asked.machine = machine;
  asked.in_container = true;
  const std::vector<checked_python> found = those_with_modules(os, pythons, asked, wrong);
  if (found.empty()) return error(in + wrong);
  if (found.size() > 1) {
    return error(in + "several Pythons have " + listed(modules) + ", in " + found[0].directory +
                 " and in " + found[1].directory +
                 "; name the interpreter or the environment of one behind the modules");
  }
  const import_check& check = found.front().check;
  if (check.found.users.empty()) {
    return error(in + "no package that " + listed(modules) + " needs is known to use cuDNN (" +
                     to_string(check.found.packages) + " looked at), so none was checked",
                 exit_unknown);
  }
  const exit_status status = tell(given, os, check, tree);
  if (check.found.limit == look_limit::none) return status;
  print_error("cudnn-checked: unknown: " + in +
              "not all packages were looked at: there are too many\n");
  return status == exit_fine ? strictly(exit_unknown) : status;
}

}  // namespace cudnn_checked::cli
