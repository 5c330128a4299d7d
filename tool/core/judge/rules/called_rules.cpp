// SPDX-License-Identifier: BSD-3-Clause
//
// Functions that are called and live in a sub-library which this cuDNN has not.
#include "../../model/cudnn_major.h"
#include "../../model/format.h"
#include "../../model/library_spelling.h"
#include "rules.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

bool may_lack_functions(const cudnn_set& set, const arena_vector<library_role>& needs) {
  const auto is_lacking = [&](const library_role& role) {
    return role != library_role::shim && major_of_role(role) == 9 && lacks(set, role);
  };
  const arena_vector<library_role> usual = called_roles(newest_cudnn);
  return set.find(library_role::graph) != nullptr &&
         (any_of(usual, is_lacking) || any_of(needs, is_lacking));
}

/// A role that the program needs in any case is reported by another rule.
static bool is_told_as_needed(const rule_input& input, library_role role) {
  return contains(input.needs, role) && !is_spared(input, role);
}

/// A library that another install lends serves if it is of the same release.
static bool is_out_of_reach(const rule_input& input, library_role role) {
  const cudnn_set::member* const lent = input.set.find(role);
  const release own = majority(input.set);
  return lacks(input.set, role) &&
         (lent == nullptr || lent->identity.releases.empty() || !can_be(lent->identity, own)) &&
         !is_told_as_needed(input, role);
}

static void tell_called(const rule_input& input, const called_functions& called,
                        const cudnn_set::member& graph, finding& f) {
  tell(f, "=called|%s|by %s\n:found|%s|%s",
       called.count == 1 ? called.name : format("%s and %d more", called.name, called.count - 1),
       called.path, input.set.common.empty() ? graph.identity.releases : input.set.common,
       *graph.file);
  const cudnn_set::member* const lent = input.set.find(called.role);
  if (lent == nullptr) {
    tell(f, ".A call of %s ends the process, or fails with CUDNN_STATUS_SUBLIBRARY_LOADING_FAILED.",
         called.count == 1 ? "it" : "one of them");
  } else {
    tell(f,
         "+takes|%s|%s\n"
         ".A call of %s brings a library of another release into this cuDNN.",
         lent->identity.releases, *lent->file, called.count == 1 ? "it" : "one of them");
  }
}

// docs/decisions.md, "Functions of a sub-library that a set lacks".
void rule_functions_missing(const rule_input& input, arena_vector<finding>& findings) {
  const cudnn_set::member* const graph = input.set.find(library_role::graph);
  if (graph == nullptr || !input.set.coherent()) return;
  arena_string lacking;
  const called_functions* first = nullptr;
  for (const called_functions& called : input.observed.called) {
    if (!is_out_of_reach(input, called.role)) continue;
    if (first == nullptr) first = &called;
    append_name(name_of_library(called.role, input.observed.cudnn_major), lacking);
  }
  if (first == nullptr) return;
  finding& f = append_finding(findings, finding_id::sublibrary_missing);
  if (input.observed.calls_graph == answer::yes) {
    f.weight = input.observed.unstamped == nullptr ? severity::note : severity::warning;
  }
  tell(f, "functions are called of what %s lacks: %s",
       input.set.jit_only ? "a JIT-only cuDNN" : "this cuDNN", lacking);
  tell_called(input, *first, *graph, f);
  f.fix = fix_of_package(input, graph->file->path, cudnn_kind::full);
  if (f.fix.empty()) f.fix = {advice(instead_of_jit_only)};
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
