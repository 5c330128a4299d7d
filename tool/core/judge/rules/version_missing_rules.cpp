// SPDX-License-Identifier: BSD-3-Clause
//
// What cuDNN needs of the system's libraries when it is loaded later than the program's start
// (CUDA.jl#2517): glibc, elf/dl-version.c.
#include "../../model/format.h"
#include "../../model/paths.h"
#include "../advice/advice.h"
#include "rules.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

static constexpr std::size_t most_versions_told = 8;

/// The weight for the file itself, or for the one that NEEDs it.
static severity weight_of_asker(const rule_input& input, const arena_string& path) {
  arena_string asker = path;
  for (const dependency& d : input.observed.dependencies) {
    if (d.path == path) asker = d.asked_by;
  }
  const bool needed = any_of(input.observed.files, [&](const cudnn_file& file) {
    return file.path == asker && role_is_needed(input, file.role);
  });
  return needed ? severity::error : severity::note;
}

static void tell_fix_of_version(const rule_input& input, const missing_version& v, finding& f) {
  if (v.chosen_by.reason == choice_reason::ld_library_path) {
    f.fix.push_back(remove_from_library_path(v.chosen_by.index, input.observed.ld_library_path));
  }
  tell(f, ">give the program a %s that has %s", base_name(v.library), v.name);
}

void rule_version_missing(const rule_input& input, arena_vector<finding>& findings) {
  const arena_vector<missing_version>& all = input.observed.missing_versions;
  if (!input.observed.linked || all.empty()) return;
  const missing_version* worst = find_where(all, [&](const missing_version& v) {
    return weight_of_asker(input, v.asked_by) == severity::error;
  });
  const missing_version& first = worst == nullptr ? all.front() : *worst;
  found_file taken;
  taken.path = first.library;
  taken.chosen_by = first.chosen_by;
  finding f(finding_id::dependency_missing);
  f.weight = weight_of_asker(input, first.asked_by);
  tell(f,
       "cuDNN needs %s of %s, which the one that it gets lacks\n"
       "=needed|%s|by %s\n"
       ":found|%s|%s\n"
       ".The loader refuses a file that needs what is not there: \"version `%s' not found\".",
       first.name, base_name(first.library), first.name, first.asked_by,
       first.newest.empty() ? arena_string("none") : first.newest, where_of(taken), first.name);
  std::size_t told = 1;
  for (const missing_version& v : all) {
    if (&v == &first || ++told > most_versions_told) continue;
    tell(f, "+needed|%s|by %s", v.name, v.asked_by);
  }
  tell_fix_of_version(input, first, f);
  findings.push_back(f);
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
