// SPDX-License-Identifier: BSD-3-Clause
#include "survey_rules.h"

#include "../../model/cudnn_major.h"
#include "../../model/format.h"
#include "../../model/library_spelling.h"
#include "../../model/paths.h"
#include "../../model/platform_words.h"
#include "../advice/wheel_commands.h"
#include "../rules/mixed_headers.h"
#include "../rules/rules.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

constexpr std::size_t shown_lost_entries = 5;
static const cudnn_file* default_shim(const survey& all) {
  return find_where(all.by_default.files, [&](const cudnn_file& file) {
    return file.role == library_role::shim && !file.path.empty();
  });
}

/// A survey while it is judged.
struct survey_input {
  const survey& all;
  const arena_vector<install_judgement>& installs;
};

/// The cuDNN that an environment without one is to have: what its records list, else what a package
/// of it requires or offers, else the newest.
static wheel_order cudnn_of(const environment& place) {
  wheel_order order;
  for (const installed_wheel& wheel : place.python.wheels) {
    if (!is_cudnn_wheel(wheel.name)) continue;
    order.again = true;
    order.requirements = {format("%s==%s", wheel.name, wheel.number)};
    return order;
  }
  for (const package_requirement& required : place.requirements) {
    if (required.met == answer::no) order.requirements = {required.asked.text};
  }
  if (!order.requirements.empty()) return order;
  if (!place.optional.by_extra.requirements.empty()) return place.optional.by_extra;
  const arena_string& optional = place.optional.text;
  order.requirements = {of_newest_cudnn(
      optional.empty() ? wheel_of_cudnn(newest_cudnn, 0, cudnn_kind::full) : optional)};
  return order;
}

// Nothing is installed into an environment that a distribution manages: advice, no command.
static fix_line install_elsewhere(const environment& place) {
  const wheel_order order = cudnn_of(place);
  return advice(
      format("the packages of %s are the distribution's: install %s in a virtual environment, and "
             "name its directory in %s",
             place.python.python, order.requirements[0], search_variable()));
}

/// `value` is the value of LD_LIBRARY_PATH that is worth keeping.
static fix_lines fix_for_path(const survey_input& input, arena_string value) {
  for (std::size_t i = 0; i < input.installs.size(); ++i) {
    if (input.installs[i].judged.result == verdict::refused) continue;
    const cudnn_install& install = input.all.installs[i];
    const python_environment* const e = environment_of(install.observed, install.directory + "/");
    return {e == nullptr ? prepend_library_path(install.directory, value)
                         : prepend_environment(*e, install.directory, value)};
  }
  const environment* managed = nullptr;
  for (const environment& place : input.all.environments) {
    if (place.python.python.empty()) continue;
    const wheel_order order = cudnn_of(place);
    if (is_of_distribution(place.python) && !order.again) {
      if (managed == nullptr) managed = &place;
      continue;
    }
    return {then(install_wheels(place.python, order),
                 prepend_environment(place.python,
                                     place.python.site + folder_of_cudnn(cudnn_in(order)), value))};
  }
  if (managed != nullptr) return {install_elsewhere(*managed)};
  return install_cudnn(newest_cudnn, 0, cudnn_kind::full, install_where::on_library_path, value);
}

static void rule_broken_links(const survey& all, arena_vector<finding>& findings) {
  for (const broken_link& link : all.broken_links) {
    finding f(finding_id::library_missing);
    f.summary = "a symbolic link of cuDNN is broken: " + base_name(link.path);
    // Programs are never started with the name that has no number; linkers use it.
    const arena_string path = link.path;
    if (path.compare(path.size() - 3, 3, ".so") == 0) f.weight = severity::warning;
    f.expected = {"link", link.path, link.found_by};
    f.found = {"leads to", link.target, "which does not exist"};
    f.because = "The loader skips it, and finds another install's file or none.";
    f.fix = {advice("reinstall the cuDNN of " + directory_part(link.path)), remove_file(link.path)};
    findings.push_back(f);
  }
}

static void rule_stale_cache(const survey& all, arena_vector<finding>& findings) {
  if (all.stale_entries.empty()) return;
  finding f(finding_id::library_missing);
  f.weight = default_shim(all) == nullptr ? severity::error : severity::warning;
  f.summary = "the loader's cache lists files of cuDNN that do not exist";
  for (const stale_entry& entry : all.stale_entries) {
    const fact line{"listed", entry.path, "ld.so.cache"};
    if (f.found.label.empty()) {
      f.found = line;
    } else {
      f.more.push_back(line);
    }
  }
  f.because = "A program that NEEDs one of them finds another copy, or does not start.";
  f.fix = {refresh_cache()};
  findings.push_back(f);
}

static const char* shown_reason(lost_reason why) {
  if (why == lost_reason::quoted) return ", in quotes";
  return why == lost_reason::file ? ", a file" : "";
}

// One message for all: a fix for each would leave the others in.
static void rule_lost_entries(const survey_input& input, arena_vector<finding>& findings) {
  const survey& all = input.all;
  const arena_vector<lost_entry>& lost = all.lost_entries;
  if (lost.empty()) return;
  finding f(finding_id::library_missing);
  const cudnn_file* shim = default_shim(all);
  f.weight = shim == nullptr ? severity::warning : severity::note;
  const bool all_missing =
      all_of(lost, [](const lost_entry& entry) { return entry.why == lost_reason::missing; });
  const char* const one = all_missing ? "%s names a directory that does not exist"
                                      : "%s has an entry that is no directory";
  const char* const several = all_missing ? "%s names %s directories that do not exist"
                                          : "%s has %s entries that are no directories";
  f.summary = format(lost.size() == 1 ? one : several, search_variable(), lost.size());
  for (std::size_t i = 0; i < lost.size() && i < shown_lost_entries; ++i) {
    f.more.push_back({"named", lost[i].directory,
                      format("%s[%s]%s", search_variable(), to_string(lost[i].index),
                             shown_reason(lost[i].why))});
  }
  if (lost.size() > shown_lost_entries) {
    f.more.push_back({"and", to_string(lost.size() - shown_lost_entries) + " more", ""});
  }
  f.more.push_back({cudnn_name_prefix(), shim == nullptr ? "not found by the loader" : shim->path,
                    shim == nullptr ? "" : "chosen by " + to_string(shim->chosen_by)});
  f.because = "The loader skips it: a library comes from another directory, or is not found.";
  if (lost.size() > 1) {
    f.because = "The loader skips them: a library comes from another directory, or is not found.";
  }
  const arena_string value = all.by_default.ld_library_path;
  f.fix = shim == nullptr ? fix_for_path(input, library_path_without(lost, value))
                          : fix_lines{remove_from_library_path(lost, value)};
  findings.push_back(f);
}

/// The fixes of users that find no cuDNN: only they show which major and which CUDA is needed.
static fix_lines fix_of_users(const survey& all) {
  for (const environment& place : all.environments) {
    for (const cudnn_user& user : place.users) {
      for (const finding& f : user.findings) {
        const bool lacks = f.id == finding_id::cudnn_not_found && f.weight == severity::error;
        if (lacks) return f.fix;
      }
    }
  }
  return {};
}

/// Whether a user takes a cuDNN from a place that only its package searches, such as ~/.cupy.
static bool is_taken_by_user(const survey& all) {
  return any_of(all.environments, [](const environment& place) {
    return any_of(place.users, [](const cudnn_user& user) {
      return !user.takes.directory.empty() && user.result != verdict::refused;
    });
  });
}

static void rule_no_cudnn(const survey_input& input, arena_vector<finding>& findings) {
  const survey& all = input.all;
  if (!all.installs.empty() || is_taken_by_user(all)) return;
  finding f(finding_id::cudnn_not_found);
  f.summary = "no cuDNN was found on this machine";
  f.expected = {"looked in", "the loader's directories, toolkits, CUDNN_ROOT and similar", ""};
  f.found = {
      "and in",
      all.python.empty() ? "no Python packages: no Python was found" : "packages of " + all.python,
      ""};
  f.because = why<finding_id::cudnn_not_found>();
  f.fix = fix_of_users(all);
  if (f.fix.empty()) f.fix = fix_for_path(input, all.by_default.ld_library_path);
  findings.push_back(f);
}

// Wheels are found by programs that bring a run path, as PyTorch does: no fault by itself.
static void rule_not_on_path(const survey_input& input, arena_vector<finding>& findings) {
  const survey& all = input.all;
  if (all.installs.empty() || default_shim(all) != nullptr) return;
  finding f(finding_id::cudnn_not_found);
  f.weight = severity::note;
  f.summary = any_program() + arena_string(" finds no cuDNN");
  f.expected = {"installed", all.installs.front().directory, all.installs.front().found_by.front()};
  f.found = {"looked in", places_of_search(), ""};
  f.because = where_any_program_starts();
  f.fix = fix_for_path(input, all.by_default.ld_library_path);
  findings.push_back(f);
}

static bool same_finding(const finding& a, const finding& b) {
  return a.id == b.id && a.summary == b.summary && a.found.value == b.found.value;
}

// Findings of the files that the loader takes from the installs, each of which is right by itself.
static void rule_chosen_set(const survey_input& input, arena_vector<finding>& findings) {
  if (default_shim(input.all) == nullptr) return;
  for (const finding& f : judge_installed({}, input.all.by_default, {}).findings) {
    bool known = false;
    for (const install_judgement& install : input.installs) {
      for (const finding& other : install.judged.findings) known = known || same_finding(f, other);
    }
    if (!known) findings.push_back(f);
  }
}

static arena_string kind_of_install(const cudnn_set& set, const arena_vector<library_role>& needs) {
  if (set.jit_only) return "JIT-only";
  for (const library_role& role : needs) {
    if (lacks(set, role) && computes_without({}, set, role) != answer::yes) return "partial";
  }
  return "full";
}

taken_cudnn taken_by(const judgement& judged, int cudnn_major) {
  taken_cudnn taken;
  const cudnn_set& set = judged.set;
  const cudnn_set::member* told = set.find(computing_role(cudnn_major));
  for (const cudnn_set::member& m : set.members) {
    if (told == nullptr && m.member_of_set) told = &m;
  }
  if (told == nullptr || !told->member_of_set || told->file->path.empty()) return taken;
  taken.directory = directory_of_file(*told->file);
  taken.number = set.effective;
  taken.release = set.effective.known() ? to_string(set.effective) : "unknown";
  if (set.known && !set.common.empty()) taken.release = describe(set.common);
  if (!set.common.empty()) taken.cuda_major = set.common.front().cuda_major;
  const arena_string kind = kind_of_install(set, judged.needs);
  taken.kind = !set.coherent() ? "mixed" : kind == "full" ? "whole" : kind;
  return taken;
}

// The install's own files, without those of others with which the loader would complete it.
static arena_vector<cudnn_file> files_of_install(const observation& observed) {
  arena_vector<cudnn_file> files = observed.files;
  if (files.empty()) return files;
  const arena_string directory = directory_part(files.front().path);
  const arena_string real = directory_part(files.front().real_path);
  for (cudnn_file& file : files.in_place()) {
    if (file.path.empty() || directory_part(file.path) == directory ||
        directory_part(file.real_path) == real) {
      continue;
    }
    file.path.clear();
    file.real_path.clear();
    file.state = file_state::missing;
  }
  return files;
}

static fix_line reinstall_install(const cudnn_install& install) {
  for (const cudnn_file& file : install.observed.files) {
    const package_record& package = file.package;
    if (package.manager == package_manager::none) continue;
    return reinstall(package, environment_of(install.observed, package.record));
  }
  return advice("reinstall the cuDNN of " + install.directory + " with its headers");
}

static bool rule_mixed_headers(const cudnn_install& install, arena_vector<finding>& findings) {
  finding f(finding_id::header_mixed);
  if (!tell_mixed_headers(install.headers, install.library, f)) return false;
  f.fix.push_back(reinstall_install(install));
  findings.push_back(f);
  return true;
}

install_judgement judge_install_of_survey(const cudnn_install& install, bool is_named) {
  arena_vector<finding> mixed;
  stamp header;
  // Which of them is the install's cannot be said.
  if (!rule_mixed_headers(install, mixed)) header.cudnn_header = install.header;
  judge_options options;
  options.install_named = is_named;
  options.unreached = !is_named && !install.searched;
  install_judgement result;
  result.judged = judge_installed(header, install.observed, options);
  for (const finding& f : mixed) {
    arena_vector<finding> all = result.judged.findings;
    all.push_back(f);
    result.judged.conclude(std::move(all));
  }
  const arena_vector<cudnn_file> files = files_of_install(install.observed);
  const cudnn_set set = make_set(files, install.observed.cudnn_major);
  result.kind = kind_of_install(set, result.judged.needs);
  result.number = set.effective;
  result.release = set.effective.known() ? to_string(set.effective) : "unknown";
  if (set.common.empty()) return result;
  if (set.known) result.release = describe(set.common);
  result.cuda_major = set.common.front().cuda_major;
  return result;
}

// The packages that use an install can bring what it needs: PyTorch loads NVRTC itself.
static bool all_users_have_all(const survey& all, const cudnn_install& install) {
  bool used = false;
  const arena_string directory = directory_of_file(install.observed.files.front());
  for (const environment& place : all.environments) {
    for (const cudnn_user& user : place.users) {
      // For a refused user it was not looked at what its cuDNN lacks.
      if (user.takes.directory != directory || user.result == verdict::refused) continue;
      used = true;
      for (const finding& of_user : user.findings) {
        if (of_user.id == finding_id::dependency_missing) return false;
      }
    }
  }
  return used;
}

static arena_vector<finding> judge_installs(const survey& all, bool are_named,
                                            survey_judgement& result) {
  arena_vector<finding> told;
  for (const cudnn_install& install : all.installs) {
    result.installs.push_back(judge_install_of_survey(install, are_named));
    judgement& judged = result.installs.in_place().back().judged;
    const bool served = all_users_have_all(all, install);
    arena_vector<finding> kept = filtered(judged.findings, [&](const finding& f) {
      return f.id != finding_id::dependency_missing || (!served && !is_graver_for_user(all, f));
    });
    judged.conclude(std::move(kept));
    for (const finding& f : result.installs.back().judged.findings) told.push_back(f);
  }
  return told;
}

survey_judgement judge_directories(const survey& all) {
  survey_judgement result;
  const arena_vector<finding> told = judge_installs(all, true, result);
  arena_vector<finding> found;
  rule_installs_left_out(all, found);
  rule_broken_links(all, found);
  rule_without_shim(all, found);
  for (const environment& place : all.environments) judge_environment(place, told, found);
  judge_preloads(all, result.installs, found);
  result.machine.conclude(std::move(found));
  return result;
}

survey_judgement judge_survey(const survey& all) {
  survey_judgement result;
  const arena_vector<finding> told = judge_installs(all, false, result);
  const survey_input input{all, result.installs};
  arena_vector<finding> found;
  rule_installs_left_out(all, found);
  rule_broken_links(all, found);
  rule_stale_cache(all, found);
  rule_no_cudnn(input, found);
  for (const environment& place : all.environments) judge_environment(place, told, found);
  rule_chosen_set(input, found);
  judge_options options;
  // Whoever has loaded NVIDIA's kernel module has such a GPU, whatever a container shows of it.
  options.gpu_optional = !all.gpu_hardware && !all.by_default.driver.kernel_module.known();
  result.machine = judge_machine(all.by_default, options);
  for (const finding& f : result.machine.findings) found.push_back(f);
  rule_lost_entries(input, found);
  rule_lost_hints(all, found);
  rule_not_on_path(input, found);
  result.machine.conclude(std::move(found));
  return result;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
