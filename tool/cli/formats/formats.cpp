// SPDX-License-Identifier: BSD-3-Clause
#include "formats.h"

#include "../text/json_tree.h"

namespace cudnn_checked::cli {

namespace {

struct writer_entry {
  const char* name;
  std::string (*write)(const outcome& told);
};

}  // namespace

static constexpr writer_entry writers[] = {
    {"junit", junit_text}, {"github", github_text}, {"prometheus", prometheus_text}};

/// Null: the command itself writes its text, or its JSON.
static const writer_entry* writer_of(const command_line& given) {
  for (const writer_entry& one : writers) {
    if (given.format == one.name) return &one;
  }
  return nullptr;
}

bool is_written_for_others(const command_line& given) { return writer_of(given) != nullptr; }

void print_outcome(const command_line& given, outcome told) {
  told.command = given.what->name;
  if (is_strict()) told.fails_from = severity::unknown;
  print_json(writer_of(given)->write(told));
}

static std::string error_as_json(const std::string& text, exit_status status) {
  return std::string(answer_of({{"error", text}, {"status", static_cast<int>(status)}}).print());
}

void report_errors_in_format(const command_line& given) {
  if (given.json) return report_errors_by(error_as_json);
  const writer_entry* const writer = writer_of(given);
  if (writer == nullptr || given.what == nullptr) return;
  report_errors_by([writer, command = std::string(given.what->name)](const std::string& text,
                                                                     exit_status status) {
    outcome told{command, status};
    told.subjects.push_back({"", {}, {}, text});
    return writer->write(told);
  });
}

}  // namespace cudnn_checked::cli
