// SPDX-License-Identifier: BSD-3-Clause
#include "left_out.h"

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
  return entry.what + std::string(": cudnn-checked ") + entry.asked;
}

std::string left_out_text(const char* name) {
  for (const left_out_entry& entry : left_out_table()) {
    if (entry.name == std::string(name)) return left_out_text(entry);
  }
  return {};
}

}  // namespace cudnn_checked::cli
