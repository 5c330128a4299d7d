// SPDX-License-Identifier: BSD-3-Clause
#include "effort.h"

#include <algorithm>
#include <set>

#include "../core/judge/advice/wheel_commands.h"
#include "../core/model/library_name.h"
#include "../core/model/paths.h"
#include "../core/model/platform_words.h"

namespace cudnn_checked::repairs {

std::vector<std::string_view> entries_of(std::string_view value) {
  std::vector<std::string_view> entries;
  for (;;) {
    const std::size_t end = value.find_first_of(search_separators());
    entries.push_back(value.substr(0, end));
    if (end == std::string_view::npos) return entries;
    value.remove_prefix(end + 1);
  }
}

bool is_library(const arena_string& name) {
  return starts_with(name, "lib") || ends_with(lower_case(name), ".dll");
}

/// Does it take an entry from the loader's variable that leads to more than cuDNN?
static bool takes_shared_entry(const system_interface& os, const repair& step) {
  arena_string value;
  if (step.what != repair_kind::variable || step.name != search_variable()) return false;
  (void)os.variable(search_variable(), value);
  const std::vector<std::string_view> left = entries_of(step.value);
  std::set<std::string_view> known(left.begin(), left.end());
  for (const std::string_view entry : entries_of(value)) {
    if (!known.insert(entry).second) continue;
    arena_vector<arena_string> names;
    (void)os.list(arena_string(entry), "", names);
    for (const arena_string& name : names) {
      const bool is_file = name.find(".so") != arena_string::npos || !starts_with(name, "lib");
      if (!is_cudnn_name(name) && is_library(name) && is_file) return true;
    }
  }
  return false;
}

/// Is all that it orders what the environment has a record of, to the last number?
static bool is_recorded(const repair& step) {
  const auto known = [&step](const arena_string& requirement) {
    const installed_wheel* const wheel =
        find_wheel(step.where, arena_string(name_of_order(requirement)));
    return wheel != nullptr && requirement == wheel->name + "==" + wheel->number;
  };
  return all_of(step.order.requirements, known);
}

effort effort_of(const system_interface& os, const fix_line& line) {
  effort most = effort::preload;
  for (const repair& step : line.steps) {
    effort own = effort::file;
    if (step.what == repair_kind::variable) {
      own = step.name == "LD_PRELOAD" ? effort::preload : effort::variable;
      if (takes_shared_entry(os, step)) own = effort::shared_entry;
    }
    if (step.what == repair_kind::package) own = effort::package_again;
    if (step.what == repair_kind::wheels) {
      const bool same = is_recorded(step) && step.order.conflicting.empty();
      own = same ? effort::package_again : effort::other_package;
    }
    most = std::max(most, own);
  }
  return most;
}

}  // namespace cudnn_checked::repairs
