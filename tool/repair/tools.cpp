// SPDX-License-Identifier: BSD-3-Clause
#include "tools.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>

#include "../core/judge/advice/advice.h"
#include "../core/judge/advice/wheel_commands.h"
#include "../core/model/cudnn_major.h"
#include "../core/model/format.h"
#include "../core/model/library_name.h"
#include "../core/model/paths.h"
#include "../core/observe/package_records.h"
#include "../core/observe/site_packages.h"
#include "../core/system/platform.h"
#include "../core/system/python_layout.h"
#include "apt_lists.h"
#include "pip_places.h"
#include "place.h"
#include "python_metadata.h"
#include "settings.h"
#include "wheel_contents.h"

namespace cudnn_checked::repairs {

/// A link that leads to nothing, or in a circle.
static bool is_broken_link(const system_interface& os, const arena_string& path) {
  const arena_string name = base_name(path);
  return !exists(os, path) && contains(names_in(os, directory_part(path), name.c_str()), name);
}

// pip finds nothing to remove where a link leads to nothing, and writes to where it leads.
static fix_line without_broken_links(const system_interface& os, const repair& step,
                                     const fix_line& line) {
  fix_line typed = line;
  const std::set<std::string> paths = written_by(step);
  for (auto path = paths.rbegin(); path != paths.rend(); ++path) {
    const arena_string link = join_path(step.where.site, *path);
    if (is_broken_link(os, link)) typed = then(remove_file(link), typed);
  }
  return typed;
}

fix_line as_typed_here(const system_interface& os, const fix_line& line) {
  fix_line typed = line;
  for (const repair& step : line.steps) {
    if (step.what != repair_kind::wheels || step.where.site.empty()) continue;
    typed = without_broken_links(os, step, typed);
    for (const arena_string& name : redirections_of(os, step.where).variables) {
      typed = then(unset_variable(name), typed);
    }
  }
  return typed;
}

/// What has to be done about it first; empty: nothing that is known.
static arena_string condition_of(obstacle known, const arena_string& place) {
  switch (known) {
    case obstacle::fixed:
      return "after chattr -ia " + quoted(place);
    case obstacle::no_right:
      return "by a user who may write to " + place;
    case obstacle::full:
      return "after making room on the file system of " + place;
    case obstacle::mounted:
      return "after umount " + quoted(place);
    case obstacle::owned:
      return "by the user who owns " + place;
    case obstacle::none:
      break;
  }
  return {};
}

// What is recorded of the one that is there, else what cuDNN's largest wheels have.
static std::uint64_t size_of(const system_interface& os, const python_environment& e,
                             const arena_string& requirement) {
  const arena_string name = name_of_order(requirement);
  const installed_wheel* const wheel = find_wheel(e, name);
  arena_string record;
  std::uint64_t size = 0;
  if (wheel != nullptr) record = text_of(os, metadata_of(e, *wheel) + "/RECORD");
  recorded_file file;
  for (std::size_t at = 0; next_file(record, at, file);) {
    size += static_cast<std::uint64_t>(std::max(file.size, 0LL));
  }
  if (size != 0 || !is_cudnn_wheel(name)) return size;
  constexpr std::uint64_t full = 1000'000'000;
  return share_a_folder(name, wheel_of_cudnn(newest_cudnn, 0, cudnn_kind::jit_only)) ? full / 10
                                                                                     : full;
}

// pip fetches into TMPDIR, and keeps what it replaces until all is written.  So does uv without a
// cache.
static arena_string condition_of_room(const system_interface& os, const repair& step) {
  if (step.what != repair_kind::wheels || step.where.site.empty()) return {};
  std::uint64_t needed = 0;
  for (const arena_string& requirement : brought_by(step.order)) {
    needed += size_of(os, step.where, requirement);
  }
  const bool into_cache = !effect_of_installer(step.where).runs_in_python && !step.order.again;
  for (const arena_string& place : {step.where.site, temporary_folder(os)}) {
    if (place != step.where.site && into_cache) continue;
    std::uint64_t free = 0;
    if (read_free_space(place, free) && free < needed) return condition_of(obstacle::full, place);
  }
  return {};
}

// "python -m" looks into the working directory first (Python documentation, "Command line").
static arena_string condition_of_working_directory(const system_interface& os, const repair& step) {
  const arena_string here = os.working_directory();
  const bool in_python = effect_of_installer(step.where).runs_in_python;
  if (!in_python || here.empty() || os.real_path(step.where.site) == here) return {};
  for (const char* const name : {"/pip.py", "/pip/__init__.py"}) {
    if (exists(os, here + name)) {
      return format("in another directory than %s, where Python takes %s for pip", here, name + 1);
    }
  }
  return {};
}

/// Another release than what is recorded, or one for another CUDA?
static bool changes_release(const repair& step) {
  const auto differs = [&step](const arena_string& requirement) {
    const installed_wheel* const wheel = find_wheel(step.where, name_of_order(requirement));
    return wheel != nullptr &&
           allows(specifiers_of_order(requirement), wheel->number) != answer::yes;
  };
  const arena_vector<arena_string> ordered = brought_by(step.order);
  return !step.order.conflicting.empty() || any_of(ordered, differs);
}

// Another project's environment is that project's, where the active one has a cuDNN.
static arena_string condition_of_active(const system_interface& os, const repair& step) {
  const arena_string active = path_in_variable(os, "VIRTUAL_ENV");
  if (!changes_release(step) || active.empty()) return {};
  const arena_string own = os.real_path(active);
  if (own.empty() || own == os.real_path(step.where.prefix)) return {};
  for (const arena_string& site : sites_below(os, own, "site-packages")) {
    for (const cudnn_kind kind : {cudnn_kind::full, cudnn_kind::jit_only}) {
      if (exists(os, site + folder_of_cudnn(wheel_of_cudnn(newest_cudnn, 0, kind)))) {
        return format("where all who use %s, which is not the active environment, want it",
                      step.where.prefix);
      }
    }
  }
  return {};
}

static arena_string condition_of_places(const repair& step) {
  arena_vector<arena_string> places;
  arena_vector<arena_string> replaced;
  if (step.what == repair_kind::wheels && !step.where.site.empty()) {
    places.push_back(step.where.site);
    for (const std::string& path : written_by(step)) {
      replaced.push_back(join_path(step.where.site, path));
    }
  }
  if (step.what == repair_kind::removal || step.what == repair_kind::link) {
    places.push_back(directory_part(step.name));
    replaced.push_back(step.name);
  }
  if (step.what == repair_kind::cache) {
    places.push_back("/etc");
    replaced.push_back("/etc/ld.so.cache");
  }
  for (const arena_string& place : replaced) places.push_back(place);
  for (const arena_string& place : places) {
    const arena_string condition = condition_of(obstacle_to_writing(place), place);
    if (!condition.empty()) return condition;
  }
  for (const arena_string& place : replaced) {
    const arena_string condition = condition_of(obstacle_to_replacing(place), place);
    if (!condition.empty()) return condition;
  }
  return {};
}

// What lies in another's folder is that one's.  pip --target removes a link in the folder "nvidia"
// and keeps that of the folder itself.
static arena_string condition_of_links(const system_interface& os, const repair& step) {
  const python_environment& e = step.where;
  const bool target = effect_of_installer(e).replaces_folder;
  const arena_string own = os.real_path(e.python.empty() || target ? e.site : e.prefix);
  for (const std::string& path : written_by(step)) {
    const arena_string folder = join_path(e.site, path);
    arena_vector<arena_string> names;
    const bool looked_at =
        target ? path == "nvidia" : !is_cudnn_path(path) && path.find(".so") == std::string::npos;
    if (!looked_at || os.list(folder, "", names) != open_result::opened) continue;
    const arena_string real = os.real_path(folder);
    if (starts_with(real, own + "/")) continue;
    return format("where all who use %s, to which %s leads, want it", real, folder);
  }
  return {};
}

static arena_string condition_of_tool(const system_interface& os, const repair& step) {
  if (step.what == repair_kind::wheels && !step.where.site.empty()) {
    const arena_string setting = redirections_of(os, step.where).in_file;
    if (!setting.empty()) return "without the setting " + setting;
    const arena_string forbidding = forbidding_setting(os, step);
    return forbidding.empty() ? forbidding : "without " + forbidding + ", which forbids it";
  }
  return step.by == nullptr ? arena_string() : step.by->condition(os);
}

arena_string condition_of(const system_interface& os, const fix_line& line, const checked& now) {
  for (const repair& step : line.steps) {
    arena_string condition = condition_of_tool(os, step);
    if (condition.empty() && step.what == repair_kind::wheels && !step.where.site.empty()) {
      condition = condition_of_links(os, step);
      if (condition.empty()) condition = condition_of_target(os, step);
      if (condition.empty()) condition = condition_of_other_sites(os, step);
      if (condition.empty()) condition = condition_of_working_directory(os, step);
      if (condition.empty() && !now.is_named) condition = condition_of_active(os, step);
    }
    if (condition.empty() && !now.in_container) condition = condition_of_places(step);
    if (condition.empty() && !now.in_container) condition = condition_of_room(os, step);
    if (!condition.empty()) return condition;
  }
  return {};
}

// PEP 440, "Local version identifiers": a number with "+" is of no public index.  What was
// installed from a file or an address, as PEP 610 has it recorded, may be of none either; cuDNN's
// own releases are known.
static bool may_be_of_no_index(const system_interface& os, const python_environment& e,
                               const installed_wheel& wheel) {
  const bool of_file = exists(os, metadata_of(e, wheel) + "/direct_url.json");
  return wheel.number.find('+') != arena_string::npos || (of_file && !is_cudnn_wheel(wheel.name));
}

bool can_be_fetched(const system_interface& os, const fix_line& line) {
  for (const repair& step : line.steps) {
    const bool all_again = effect_of_installer(step.where).replaces_folder;
    for (const installed_wheel& wheel : step.where.wheels) {
      if (all_again && may_be_of_no_index(os, step.where, wheel)) return false;
    }
    if (step.what == repair_kind::package) return false;
    if (step.what == repair_kind::wheels && may_lack_packages(os, step)) return false;
  }
  return true;
}

void type_in_container(arena_vector<finding>& findings) {
  for (finding& f : findings.in_place()) {
    for (fix_line& line : f.fix.in_place()) {
      if (line.what != fix_line::kind::command) continue;
      const int megabytes = line.megabytes;
      line = advice("in the container: " + line.text);
      line.megabytes = megabytes;
    }
  }
}

arena_string words_without_apt(const system_interface& os, const fix_line& line) {
  for (const repair& step : line.steps) {
    const bool again = step.by != nullptr && step.by->effect().fetches_by_apt;
    if (!again && step.what != repair_kind::debian) continue;
    const arena_string name = again ? name_of_dpkg_list(step.name) : step.name;
    if (is_in_apt_lists(os, name) == answer::yes) continue;
    return again ? format("install the Debian package %s=%s", name, step.value) : step.value;
  }
  return {};
}

}  // namespace cudnn_checked::repairs
