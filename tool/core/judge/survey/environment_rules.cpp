// SPDX-License-Identifier: BSD-3-Clause
//
// Faults of the packages of a Python environment, as far as cuDNN is concerned, and of the
// libraries that they take.
#include "../../model/format.h"
#include "../../model/paths.h"
#include "../advice/wheel_commands.h"
#include "../rules/rules.h"
#include "survey_rules.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

static arena_string name_and_number(const package_record& package) {
  return package.name + " " + package.number;
}

// A prefix of conda without a Python has no site-packages.
static bool can_be_installed_into(const environment& place) { return !place.python.site.empty(); }

static fix_line reinstall_in(const environment& place, const package_record& package,
                             bool unrecorded = false) {
  return reinstall(package, can_be_installed_into(place) ? &place.python : nullptr, unrecorded);
}

static fix_line keep_one(const environment& place, const package_record& kept,
                         const package_record& other) {
  if (!can_be_installed_into(place)) return keep_one_package(kept, other);
  wheel_order order;
  order.conflicting.push_back(other.name);
  order.conflicting.push_back(kept.name);
  order.again = true;
  order.requirements.push_back(kept.name + "==" + kept.number);
  return install_wheels(place.python, order);
}

static fix_line install_required(const environment& place, const cudnn_requirement& asked) {
  if (!can_be_installed_into(place)) return install_requirement(asked);
  wheel_order order;
  order.requirements.push_back(asked.text);
  for (const installed_wheel& other : place.python.wheels) {
    if (share_a_folder(other.name, asked.wheel) && other.name != asked.wheel) {
      order.conflicting.push_back(other.name);
    }
  }
  return install_wheels(place.python, order);
}

static bool is_told(const arena_vector<finding>& findings, finding_id id, arena_string record) {
  return any_of(findings,
                [&](const finding& f) { return f.id == id && f.expected.where == record; });
}

static arena_string names_of(const arena_vector<arena_string>& paths) {
  arena_string names;
  for (const arena_string path : paths) names += (names.empty() ? "" : ", ") + base_name(path);
  return names;
}

/// "a library", "3 libraries", "all 9 libraries".
static arena_string counted_files(std::size_t count, bool all, const char* one,
                                  const char* several) {
  if (count == 1) return one;
  return format("%s%d %s", all ? "all " : "", static_cast<int>(count), several);
}

static void tell_absent(const environment& place, const package_record& package,
                        const arena_vector<arena_string>& absent, arena_string which, bool all,
                        finding& f) {
  tell_listed({absent.front(), package}, which, all ? which.substr(4) : names_of(absent), f);
  f.fix.push_back(reinstall_in(place, package));
}

// An install that has one file left is judged for itself; one that has none is no install.
static void rule_recorded_files(const environment& place, const arena_vector<finding>& told,
                                arena_vector<finding>& findings) {
  for (const recorded_package& recorded : place.cudnn_packages) {
    const std::size_t gone = recorded.absent.size();
    const bool all = gone > 1 && static_cast<int>(gone) == recorded.listed;
    if (lacks_what_computes(recorded) &&
        !is_told(told, finding_id::library_missing, recorded.package.record)) {
      tell_absent(place, recorded.package, recorded.absent,
                  counted_files(gone, all, "a library", "libraries"), all,
                  add_finding<finding_id::library_missing>(findings));
    }
    if (!recorded.absent_headers.empty() && gone == 0) {
      finding& f = add_finding<finding_id::headers_missing>(findings);
      f.weight = severity::warning;
      tell_absent(place, recorded.package, recorded.absent_headers,
                  counted_files(recorded.absent_headers.size(), false, "a header", "headers"),
                  false, f);
    }
    if (recorded.has_record) continue;
    finding& f = add_finding<finding_id::library_missing>(findings);
    f.weight = severity::warning;
    tell(f,
         "%s is installed without a record of its files\n"
         "=expected|RECORD|%s\n"
         ":found|no such file\n"
         ".An installation that was interrupted leaves this behind: what of it is there is not "
         "known.",
         name_and_number(recorded.package), recorded.package.record);
    f.fix.push_back(reinstall_in(place, recorded.package, true));
  }
}

// "~vidia_cudnn_cu12-9.5.1.17.dist-info": pip renames what it replaces, with "~" as the first
// letter, and deletes it at the end (pip, "Ignoring invalid distribution").
static package_record package_of_leftover(arena_string path) {
  package_record package;
  const arena_string folder = base_name(path);
  const std::size_t dash = folder.find('-');
  const std::size_t end = folder.find(".dist-info");
  if (end == arena_string::npos || dash >= end) return package;
  package.manager = package_manager::wheel;
  package.name = "n";
  for (std::size_t i = 1; i < dash; ++i) package.name += folder[i] == '_' ? '-' : folder[i];
  package.number = folder.substr(dash + 1, end - dash - 1);
  return package;
}

static bool is_installed(const environment& place, const package_record& package) {
  return any_of(place.cudnn_packages,
                [&](const recorded_package& other) { return other.package.name == package.name; });
}

// Leftover folders that do no harm are reported together, and one command removes them.
static void rule_leftovers(const environment& place, arena_vector<finding>& findings) {
  finding harmless(finding_id::library_missing);
  harmless.weight = severity::note;
  for (const arena_string path : place.leftovers) {
    const package_record package = package_of_leftover(path);
    const bool lost = !package.name.empty() && !is_installed(place, package);
    finding of_lost(finding_id::library_missing);
    of_lost.weight = severity::warning;
    finding& f = lost ? of_lost : harmless;
    tell(f,
         f.found.label.empty() ? "an installation of cuDNN by pip was interrupted\n"
                                 ":left|%s|%s\n"
                                 ".pip renames what it replaces, and deletes it at the end."
                               : "+left|%s|%s",
         base_name(path), directory_part(path));
    if (lost) {
      f.fix.push_back(reinstall_in(place, package));
      findings.push_back(std::move(of_lost));
    } else {
      const fix_line one = remove_folder(path);
      f.fix = {f.fix.empty() ? one : then(f.fix.front(), one)};
    }
  }
  if (!harmless.fix.empty()) findings.push_back(std::move(harmless));
}

static const package_requirement* requirement_on(const environment& place,
                                                 const package_record& package) {
  return find_where(place.requirements, [&](const package_requirement& required) {
    return required.asked.wheel == package.name;
  });
}

static void rule_shared_files(const environment& place, arena_vector<finding>& findings) {
  for (const shared_files& shared : place.shared) {
    const bool second = requirement_on(place, shared.first) == nullptr &&
                        requirement_on(place, shared.second) != nullptr;
    const package_record& kept = second ? shared.second : shared.first;
    const package_record& other = second ? shared.first : shared.second;
    finding& f = add_finding<finding_id::record_shared>(findings);
    tell(f,
         "%s and %s have recorded the same files\n"
         "=recorded by|%s|%s\n"
         ":and by|%s|%s\n"
         "+files|%s|%s",
         shared.first.name, shared.second.name, name_and_number(shared.first), shared.first.record,
         name_and_number(shared.second), shared.second.record, to_string(shared.paths.size()),
         directory_part(shared.paths.front()));
    f.fix.push_back(keep_one(place, kept, other));
    const package_requirement* const required = requirement_on(place, kept);
    if (required != nullptr) {
      tell(f, "+required by|%s|%s", required->asked.package, required->asked.text);
    }
  }
}

static const cudnn_user* user_of(const environment& place, arena_string package) {
  return find_where(place.users, [&](const cudnn_user& user) { return user.package == package; });
}

/// Whether a finding about the release already explains the others of that library.
static bool is_told_of(const cudnn_user& user) {
  return any_of(user.findings, [](const finding& f) {
    const bool of_release = f.id == finding_id::cudnn_older || f.id == finding_id::cudnn_major ||
                            f.id == finding_id::cuda_major || f.id == finding_id::requirement_unmet;
    return of_release && f.weight >= severity::warning;
  });
}

// NVIDIA promises that a newer minor release of the same major works (cuDNN documentation, "cuDNN
// API Compatibility"), and people upgrade cuDNN under a framework on purpose.
static bool is_newer(const package_requirement& required) {
  const version installed = parse_version(required.installed);
  version least = required.asked.least;
  return least.known() && installed.known() && installed.major == least.major && least < installed;
}

static void rule_requirements(const environment& place, arena_vector<finding>& findings) {
  for (const package_requirement& required : place.requirements) {
    if (required.met != answer::no) continue;
    const cudnn_user* const user = user_of(place, required.asked.package);
    if (user != nullptr && is_told_of(*user)) continue;
    const bool absent = required.installed.empty();
    const bool serves = user != nullptr && user->result == verdict::ok;
    finding& f = add_finding<finding_id::requirement_unmet>(findings);
    if (absent ? serves : is_newer(required)) f.weight = severity::note;
    tell(f,
         "%s requires %s, and %s\n"
         "=requires|%s|%s\n"
         ":found|%s|%s",
         required.asked.package, required.asked.text,
         absent ? "it is not installed" : required.installed + " is installed", required.asked.text,
         required.asked.record, absent ? "none" : required.installed, place.directory);
    f.fix.push_back(install_required(place, required.asked));
  }
}

// Doctor speaks of it once: what of the machine has nothing to do with the code of a library.
static bool is_told_once(finding_id id) {
  const bool driver = row_of(id).about == subject_of_finding::driver;
  return driver || id == finding_id::no_device || id == finding_id::not_stamped;
}

arena_string names_of_worst(const cudnn_user& user) {
  arena_string names;
  for (const finding& f : user.findings) {
    if (f.weight == severity::note || (!names.empty() && is_told_once(f.id))) continue;
    names += format("%s[%s]", names.empty() ? "" : " ", to_string(f.id));
    if (!is_told_once(f.id)) break;
  }
  return names;
}

/// Not a version of symbols, which cuDNN itself lacks (rule_version_missing).
static bool lacks_library(const finding& f) {
  const arena_string& name = f.expected.value;
  return f.id == finding_id::dependency_missing &&
         (name.find(".so") != arena_string::npos || name.find(".dll") != arena_string::npos);
}

// A missing library that is not part of CUDA (TensorRT, NCCL) belongs to a plugin, which is not
// used if that library is not installed.
static bool is_of_others(const finding& f) {
  if (!lacks_library(f)) return false;
  for (const char* stem : {"libcu", "libnvrtc", "libnvJitLink", "libnvToolsExt", "libz.so", "cu",
                           "nvrtc", "nvJitLink", "nvToolsExt", "zlibwapi"}) {
    if (starts_with(f.expected.value, stem)) return false;
  }
  return true;
}

/// A library that NEEDs cuBLAS mostly NEEDs cuFFT as well: one message about CUDA's libraries is
/// enough.
static bool repeats_dependency(const arena_vector<finding>& findings, std::size_t at) {
  if (!lacks_library(findings[at])) return false;
  for (std::size_t i = 0; i < at; ++i) {
    const finding& other = findings[i];
    if (lacks_library(other) && other.weight == findings[at].weight && !is_of_others(other)) {
      return true;
    }
  }
  return false;
}

static bool is_same(const finding& a, const finding& b) {
  return a.id == b.id && a.expected.value == b.expected.value && a.found.value == b.found.value;
}

bool is_unused_plugin(const environment& place, const cudnn_user& user) {
  bool others = false;
  for (const finding& f : user.findings) others = others || is_of_others(f);
  int users = 0;
  for (const cudnn_user& other : place.users) users += other.package == user.package ? 1 : 0;
  return others && users > 1;
}

/// Whether only the machine refuses the library: a missing driver says nothing about the library
/// itself.
static bool is_refused_alone_by_machine(const cudnn_user& user) {
  for (const finding& f : user.findings) {
    if (f.weight == severity::error && !is_told_once(f.id)) return false;
  }
  return user.result == verdict::refused;
}

/// Whether the finding only says that the library cannot be opened before the process has loaded
/// what it needs.  Whether the import of its package does that is not known.
static bool is_of_import(const cudnn_user& user, const finding& f) {
  const bool missing =
      f.id == finding_id::cudnn_not_found || f.id == finding_id::dependency_missing;
  const bool counts = user.result == verdict::unknown || is_refused_alone_by_machine(user);
  return user.preloaded && counts && f.weight == severity::unknown && missing;
}

arena_vector<finding> told_of_user(const environment& place, const cudnn_user& user) {
  arena_vector<finding> told;
  if (is_unused_plugin(place, user)) return told;
  for (std::size_t i = 0; i < user.findings.size(); ++i) {
    const finding& f = user.findings[i];
    const bool of_import = is_of_import(user, f);
    if ((f.weight < severity::warning && !of_import) || is_told_once(f.id) || is_of_others(f) ||
        follows_from_absent(place, user, f) || repeats_dependency(user.findings, i)) {
      continue;
    }
    finding of_user = f;
    of_user.more = f.more;
    if (of_import) of_user.weight = severity::note;
    tell(of_user, "+used by|%s|%s",
         user.package.empty() ? arena_string("no package") : user.package, user.libraries.front());
    told.push_back(std::move(of_user));
  }
  return told;
}

bool is_graver_for_user(const survey& all, const finding& f) {
  return any_of(all.environments, [&](const environment& place) {
    return any_of(place.users, [&](const cudnn_user& user) {
      return any_of(told_of_user(place, user), [&](const finding& other) {
        return is_same(other, f) && other.weight > f.weight;
      });
    });
  });
}

static void rule_users(const environment& place, const arena_vector<finding>& told,
                       arena_vector<finding>& findings) {
  for (const cudnn_user& user : place.users) {
    for (const finding& f : told_of_user(place, user)) {
      const auto covers = [&](const finding& other) {
        return is_same(f, other) && other.weight >= f.weight;
      };
      if (none_of(told, covers) && none_of(findings, covers)) findings.push_back(f);
    }
  }
}

void judge_environment(const environment& place, const arena_vector<finding>& told,
                       arena_vector<finding>& findings) {
  rule_recorded_files(place, told, findings);
  rule_leftovers(place, findings);
  rule_shared_files(place, findings);
  rule_users(place, told, findings);
  rule_requirements(place, findings);
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
