// SPDX-License-Identifier: BSD-3-Clause
//
// A cuDNN that is preloaded, and the installs of directories that somebody names; and what was left
// out of them.
#include "../../model/format.h"
#include "../../model/paths.h"
#include "../advice/advice.h"
#include "survey_rules.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

static const cudnn_file* preloaded_file(const observation& observed) {
  return find_where(observed.files,
                    [&](const cudnn_file& file) { return file.chosen_by.preloaded(); });
}

/// Does a finding name a file of the cuDNN that is preloaded?
static bool is_shown(const arena_vector<finding>& findings, const cudnn_file& preloaded) {
  const arena_string directory = directory_part(preloaded.path) + "/";
  for (const finding& f : findings) {
    if (starts_with(f.expected.where, directory) || starts_with(f.found.where, directory)) {
      return true;
    }
    for (const fact& line : f.more) {
      if (starts_with(line.where, directory)) return true;
    }
  }
  return false;
}

/// Whether one release fits both sets.  Nothing is reported of files that are not identified.
static bool is_same_release(const cudnn_set& set, const cudnn_set& other) {
  file_identity identity;
  identity.releases = set.common;
  for (const release& r : other.common) {
    if (can_be(identity, r)) return true;
  }
  return other.common.empty();
}

static arena_string description_of(const cudnn_set& set) {
  return describe(set.common) + (set.jit_only ? ", JIT-only" : "");
}

static void judge_preload(const cudnn_install& install, const cudnn_set& own,
                          arena_vector<finding>& findings) {
  const cudnn_file* const preloaded = preloaded_file(install.preloaded);
  if (preloaded == nullptr || is_shown(findings, *preloaded)) return;
  const judgement with = judge_installed({}, install.preloaded, {});
  for (const finding& f : with.findings) {
    const bool mixed = f.id == finding_id::mixed_sublibraries || f.id == finding_id::two_cudnns;
    if (!mixed || f.weight == severity::note) continue;
    // One that is mixed by itself is reported as such.
    if (own.coherent()) findings.push_back(f);
    return;
  }
  if (is_same_release(own, with.set) && own.jit_only == with.set.jit_only) return;
  tell(append_finding(findings, finding_id::loader_override),
       "a preloaded library brings another cuDNN than that of %s\n"
       "=there|%s|%s\n"
       ":would load|%s|%s\n"
       ".A program that is linked with the cuDNN there gets the preloaded one.",
       install.directory, description_of(own), install.library, description_of(with.set),
       *preloaded);
  findings.in_place().back().fix.push_back(
      remove_from_preload(preloaded->chosen_by, install.preloaded.ld_preload));
}

void judge_preloads(const survey& all, const arena_vector<install_judgement>& installs,
                    arena_vector<finding>& findings) {
  for (std::size_t i = 0; i < all.installs.size(); ++i) {
    judge_preload(all.installs[i], installs[i].judged.set, findings);
  }
}

/// Whether a record or a dangling link already reports that the file is missing.
static bool is_told(const survey& all, arena_string path) {
  bool told = false;
  for (const broken_link& link : all.broken_links) told = told || link.path == path;
  for (const environment& place : all.environments) {
    for (const recorded_package& package : place.cudnn_packages) {
      for (const arena_string absent : package.absent) told = told || absent == path;
    }
  }
  return told;
}

void rule_without_shim(const survey& all, arena_vector<finding>& findings) {
  for (const set_without_shim& set : all.without_shim) {
    if (is_told(all, join_path(set.directory, set.shim))) continue;
    const std::size_t others = set.files.size() - 1;
    tell(append_finding(findings, finding_id::library_missing),
         "libraries of cuDNN lie without %s in one directory\n"
         "=expected|%s|%s\n"
         ":found|%s%s|%s\n"
         ".A program that NEEDs it does not start, or takes that of another cuDNN.\n"
         ">reinstall the cuDNN of %s",
         set.shim, set.shim, set.directory, set.files.front(),
         others == 0 ? arena_string() : format(" and %s more", to_string(others)), set.found_by,
         set.directory);
  }
}

void rule_installs_left_out(const survey& all, arena_vector<finding>& findings) {
  if (all.left_out.empty()) return;
  const candidate& first = all.left_out.front();
  const std::size_t count = all.installs.size();
  tell(append_finding(findings, finding_id::version_unknown),
       "not all was looked at: there are too many directories\n"
       "=looked at|%s%s|%s\n"
       ":left out|%s%s|from %s on   %s\n"
       ".What lies there, and whether it is whole, is not known.\n"
       ">name some of them, in a run of their own: cudnn-checked doctor DIRECTORY",
       to_string(count), count == 1 ? " cuDNN" : " cuDNNs",
       count == 0 ? arena_string() : "to " + all.installs.back().directory,
       to_string(all.left_out.size()), all.left_out.size() == 1 ? " directory" : " directories",
       first.directory, first.found_by);
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
