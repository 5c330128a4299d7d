// SPDX-License-Identifier: BSD-3-Clause
#include "../process_system.h"

#include <cstring>

#include "../../../core/linux/linux_system.h"
#include "../../machine/tree.h"

namespace cudnn_checked::cli {

static char** entries_of(const arena_string& environment) {
  arena_vector<char*> entries;
  for (std::size_t at = 0; at < environment.size();) {
    entries.push_back(const_cast<char*>(environment.c_str()) + at);
    at += std::strlen(entries.back()) + 1;
  }
  entries.push_back(nullptr);
  return const_cast<char**>(entries.data());
}

process_systems systems_of(const process_facts& facts) {
  const arena_string initial = "/proc/" + facts.pid + "/environ";
  char** const variables = entries_of(facts.environment);
  const execution_mode mode = facts.secure ? execution_mode::secure : execution_mode::ordinary;
  const system_interface& here = *make_in_arena<linux_system>(variables, mode, initial.c_str());
  if (facts.root.empty()) return {here, here};
  return {here, system_of_tree(facts.root, facts.program, variables, mode)};
}

bool libraries_search_alone() { return true; }

}  // namespace cudnn_checked::cli
