// SPDX-License-Identifier: BSD-3-Clause
#include "left_out.h"

#include <algorithm>

#include "../system/help_words.h"
#include "../text/json_tree.h"

namespace cudnn_checked::cli {

const std::vector<left_out_entry>& left_out_table() {
  static const std::vector<left_out_entry> table = {
#define LEFT_OUT(name, who, what, asked) {#name, who, what, asked},
#include "left_out.def"
#undef LEFT_OUT
  };
  return table;
}

std::string left_out_text(const left_out_entry& entry) {
  return in_words_of_platform(entry.what) + ": cudnn-checked " + entry.asked;
}

json left_out_json(const left_out_entry& entry) {
  return object_of(
      {{"name", entry.name}, {"what", in_words_of_platform(entry.what)}, {"asked", entry.asked}});
}

bool is_left_out_by(const left_out_entry& entry, const std::string& command) {
  return (std::string(" ") + entry.who + " ").find(" " + command + " ") != std::string::npos;
}

const left_out_entry& left_out(std::string_view name) {
  const std::vector<left_out_entry>& table = left_out_table();
  return *std::find_if(table.begin(), table.end(),
                       [name](const left_out_entry& entry) { return entry.name == name; });
}

}  // namespace cudnn_checked::cli
