// SPDX-License-Identifier: BSD-3-Clause
//
// Sub-libraries that an install lacks, and the machine that configures has elsewhere.
#include "../../model/format.h"
#include "../../model/library_name.h"
#include "rules.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

static bool is_recorded_absent(const rule_input& input, library_role role) {
  return any_of(input.observed.absent_files, [&](const absent_file& file) {
    return role_of_name(base_name(file.path)) == role;
  });
}

// Whether the set's own directory has the library, which is taken where nothing else is installed.
static bool lies_beside(const rule_input& input, library_role role) {
  return contains(input.observed.beside_shim, role);
}

// It lacks what its package never ships.
static bool is_jit_install(const arena_vector<library_role>& beside_shim) {
  for (const library_role& role : beside_shim) {
    if (!is_jit_role(role)) return false;
  }
  return contains(beside_shim, library_role::graph);
}

// A library that ld.so.cache or a default directory lends on the machine that configures may be
// missing where the program runs.
void rule_sublibrary_lent(const rule_input& input, arena_vector<finding>& findings) {
  if (!input.observed.linked || input.set.members.empty() || !input.set.coherent()) return;
  const cudnn_file& shim = *input.set.members.front().file;
  finding f(finding_id::sublibrary_missing);
  arena_string lent;
  int count = 0;
  for (const library_role& role : input.needs) {
    const cudnn_set::member* const m = input.set.find(role);
    if (m == nullptr || !m->member_of_set || !m->file->chosen_by.by_default() ||
        beside(*m->file, shim) || is_recorded_absent(input, role) || lies_beside(input, role) ||
        is_spared(input, role)) {
      continue;
    }
    if (count++ == 0) tell(f, ":found|%s|%s", m->identity.releases, *m->file);
    if (!lent.empty()) lent += ", ";
    lent += m->file->name;
  }
  if (count == 0) return;
  const bool asked = input.options.install_named || !input.stamped.components.empty();
  if (!asked) f.weight = severity::warning;
  if (count == 1) {
    tell(f, "a sub-library of this cuDNN is missing, and this machine lends it: %s", lent);
  } else {
    tell(f, "%d sub-libraries of this cuDNN are missing, and this machine lends them", count);
  }
  tell(f,
       "=needed|%s|beside %s\n"
       ".A program that runs where no other cuDNN of this release is installed does not find %s.",
       lent, shim.path, count == 1 ? "it" : "them");
  if (is_jit_install(input.observed.beside_shim)) {
    f.fix = fix_of_package(input, shim.path, cudnn_kind::full);
    if (f.fix.empty()) f.fix = {advice(instead_of_jit_only)};
  } else {
    f.fix = reinstall_fix(input, shim.path);
  }
  findings.push_back(f);
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
