// SPDX-License-Identifier: BSD-3-Clause
#include "../system/help_words.h"
#include "../text/json_tree.h"
#include "asked_text.h"
#include "left_out.h"

namespace cudnn_checked::cli {

static json option_json(const option_entry& one) {
  return object_of(
      {{"name", one.name}, {"value", one.value}, {"text", in_words_of_platform(one.text)}});
}

static json options_json(const std::vector<option_entry>& own) {
  std::vector<option_entry> all = own;
  all.insert(all.end(), common_options().begin(), common_options().end());
  return array_of(all, option_json);
}

static json status_json(const status_entry& one) {
  return object_of({{"status", one.number}, {"text", one.text}});
}

static json variable_json(const status_entry& one) {
  return object_of({{"name", one.number}, {"text", one.text}});
}

static json command_json(const command_entry& entry) {
  return object_of(
      {{"name", entry.name}, {"arguments", entry.arguments}, {"summary", entry.summary}});
}

static json help_of_all() {
  return answer_of({{"commands", array_of(command_table(), command_json)},
                    {"options", options_json(program_options())},
                    {"statuses", array_of(common_statuses(), status_json)},
                    {"variables", array_of(variable_table(), variable_json)}});
}

static json help_of(const command_entry& entry) {
  std::vector<left_out_entry> left_out;
  for (const left_out_entry& one : left_out_table()) {
    if (is_left_out_by(one, entry.name)) left_out.push_back(one);
  }
  return answer_of({{"command", command_json(entry)},
                    {"description", in_words_of_platform(entry.description)},
                    {"options", options_json(entry.options)},
                    {"statuses", array_of(entry.statuses, status_json)},
                    {"not_looked_at", array_of(left_out, left_out_json)},
                    {"example", in_words_of_platform(entry.example)}});
}

json help_json(const command_entry* of) { return of == nullptr ? help_of_all() : help_of(*of); }

}  // namespace cudnn_checked::cli
