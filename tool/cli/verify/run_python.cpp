// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "../../core/model/paths.h"
#include "../../core/report/report.h"
#include "../../core/system/own_system.h"
#include "../machine/python.h"
#include "../machine/python_archive.h"
#include "../process/python_import.h"
#include "../survey/environment.h"
#include "imported_packages.h"
#include "verify.h"

namespace cudnn_checked::cli {

/// The directories from which the program imports, without Python's own library.  A script's own
/// directory has packages only if somebody has installed them there.
static python_search search_of(const system_interface& os, const python_start& python,
                               const std::vector<std::string>& modules) {
  if (!python.imports_from.empty()) return {python.imports_from, {}};
  python_search search;
  if (!python.directory.empty() && has_metadata(os, python.directory)) {
    search.directories.push_back(python.directory);
  }
  python_search told = search_of_python(python.interpreter, python.options, modules);
  for (const arena_string& one : told.directories) add_once(one, search.directories);
  search.archives = std::move(told.archives);
  return search;
}

/// With --strict it refuses.
static void tell_unlooked(const arena_string& text, const guard_environment& environment,
                          const char* note, python_check& result) {
  if (!tell_not_known(text, environment, note)) return;
  result.status = exit_not_started;
  result.not_known = text;
}

/// Leaves the modules that lie in directories.
static void tell_archives(const python_search& search, const guard_environment& environment,
                          std::vector<std::string>& modules, python_check& result) {
  std::vector<std::string> left;
  for (const std::string& module : modules) {
    const auto archive = search.archives.find(module);
    if (archive == search.archives.end()) {
      left.push_back(module);
      continue;
    }
    tell_unlooked(module + " is in the archive '" + one_line(archive->second) +
                      "': what it would load was not looked at",
                  environment, "unknown", result);
  }
  modules = std::move(left);
}

/// Whether it is refused: with --strict by a warning, too.
static bool is_refused(const std::vector<package_check>& packages, bool named) {
  verdict worst = verdict::ok;
  bool is_wrong = false;
  bool is_right = false;
  for (const package_check& package : packages) {
    worst = std::max(worst, verdict_of(package.findings));
    is_wrong = is_wrong || package.is_wrong();
    is_right = is_right || package.is_right();
  }
  if (is_wrong && (named || !is_right)) return true;
  return status_of(std::min(worst, verdict::warning)) == exit_refused;
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
  const bool refuses = is_refused(packages, named);
  const bool enforced = environment.asked == guard_environment::mode::enforce;
  print_error(text_of(packages, refuses && enforced));
  if (refuses && enforced) {
    print_error(override_line);
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
  std::vector<std::string> modules;
  std::string wrong;
  const bool named = !given.python.empty();
  const bool is_named_right = !named || read_modules(given.python, modules, wrong);
  const python_search search = search_of(os, python, modules);
  result.is_python = !search.directories.empty();
  if (!result.is_python) return result;
  if (!is_named_right) {
    result.status = error("run: --python " + (wrong.empty() ? std::string("''") : wrong) +
                          ": not the name of a module");
    return result;
  }
  const auto tell_note = [&](const arena_string& text) {
    tell_unlooked(text, environment, "note", result);
  };
  tell_archives(search, environment, modules, result);
  if (named && modules.empty()) return result;
  const python_archive archive = read_python_archive(python.interpreter, python.script);
  if (const arena_string why = why_unknown(archive); !why.empty()) {
    tell_note(base_name(python.script) + ": " + why + "; nothing was checked");
    return result;
  }
  import_check check;
  const auto look_in = [&](const arena_vector<arena_string>& where, packer by) {
    check = check_imports(os, {where, modules, arena_string(python.process), {}, {}, by});
  };
  if (!archive.directories.empty()) look_in(archive.directories, archive.by);
  if (check.found.users.empty()) look_in(search.directories, packer::none);
  const python_users& found = check.found;
  if (!found.absent.empty()) {
    result.status =
        error("run: " + std::string(python.interpreter) + ": there is no module " + found.absent);
    return result;
  }
  // A Python that runs already, and is not refused, hears nothing.
  const bool starts = python.imports_from.empty() || is_strict();
  if (found.users.empty()) {
    if (starts)
      tell_note("no package of " + python.interpreter + " is known to use cuDNN (" +
                to_string(found.packages) + " looked at), so none was checked");
    return result;
  }
  if (found.limit != look_limit::none && starts) {
    tell_note("not all packages of " + python.interpreter + " were looked at: there are too many");
  }
  if (!check.not_seen.empty()) {
    tell_note(check.not_seen + "; what it has in its memory was not looked at");
  }
  if (judge_packages(check.packages, named, environment)) {
    result.status = exit_not_started;
  }
  result.report = check.report(os);
  result.not_known.clear();
  return result;
}

}  // namespace cudnn_checked::cli
