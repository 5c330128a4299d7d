// SPDX-License-Identifier: BSD-3-Clause
#include "../process_system.h"

#include <cstring>
#include <utility>

#include "../../../core/model/paths.h"
#include "../../../core/windows/windows_system.h"

namespace cudnn_checked::cli {

namespace {

/// With the variables of another process, whose names are found without case.
class system_of_process final : public windows_system {
 public:
  explicit system_of_process(arena_string entries) : entries_(std::move(entries)) {}
  bool variable(const char* name, arena_string& value) const override {
    const arena_string wanted = lower_case(std::string_view(name)) + "=";
    for (std::size_t at = 0; at < entries_.size();) {
      const arena_string entry = entries_.c_str() + at;
      if (starts_with(lower_case(entry), std::string_view(wanted))) {
        value = entry.substr(wanted.size());
        return !value.empty();
      }
      at += entry.size() + 1;
    }
    return false;
  }

 private:
  arena_string entries_;
};

}  // namespace

process_systems systems_of(const process_facts& facts) {
  const system_interface& here = *make_in_arena<system_of_process>(facts.environment);
  return {here, here};
}

// The search is the program's, whichever DLL asks.
bool libraries_search_alone() { return false; }

}  // namespace cudnn_checked::cli
