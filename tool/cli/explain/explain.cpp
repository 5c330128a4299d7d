// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <string>

#include "../../core/system/platform.h"
#include "../text/findings_text.h"
#include "../text/json_tree.h"
#include "../text/output.h"
#include "../text/terminal.h"
#include "../words/command_line.h"
#include "explain.h"

namespace cudnn_checked::cli {

static json sentence_json(const finding_sentence& row) {
  return object_of({{"name", to_string(row.id)},
                    {"severity", to_string(row_of(row.id).weight)},
                    {"why", row.why}});
}

static exit_status list_findings(const command_line& given) {
  std::string text;
  for (const finding_sentence& row : finding_sentences()) {
    text += std::string(to_string(row.id)) + ", " + to_string(row_of(row.id).weight) + "\n  " +
            wrapped(row.why, line_width(), 2, 2) + '\n';
  }
  if (given.json) {
    print_json(answer_of({{"findings", array_of(finding_sentences(), sentence_json)}}).print());
  } else {
    print(text);
  }
  return exit_fine;
}

/// A file, an error, or a word that is not known.
static exit_status explain_other(const command_line& given, const std::string& asked) {
  // "Could not load library libcudnn_cnn.so.9" is no file.
  command_line named = given;
  named.arguments.front() = plain_spelling(given.file());
  const bool is_file = is_file_argument(named.file());
  const bool is_sentence = asked.find(' ') != std::string::npos;
  const bool may_be_error = given.program.empty() && (!is_file || is_sentence);
  if (may_be_error && explain_words(given)) return exit_fine;
  if (is_file) return explain_file(named);
  std::vector<std::string> known = finding_names();
  for (const std::string& word : glossary_words()) known.push_back(word);
  const std::string meant = did_you_mean(asked, known);
  return error("explain: there is no finding or word " + asked +
               (meant.empty() ? "; cudnn-checked explain lists the findings" : meant));
}

exit_status explain(const command_line& given) {
  if (!given.log.empty()) return explain_text(given);
  if (given.arguments.empty()) return list_findings(given);
  std::string asked = given.arguments.front();
  // The name may be in brackets, as in a message.
  if (asked.size() > 2 && asked.front() == '[' && asked.back() == ']') {
    asked = asked.substr(1, asked.size() - 2);
  }
  const std::string name = explained_name(asked);
  const std::vector<finding_sentence> all = finding_sentences();
  auto* const row =
      find_where(all, [&name](const finding_sentence& one) { return name == to_string(one.id); });
  // No line is as long as that: its paragraphs stay whole.
  constexpr std::size_t unlimited = 100000;
  const std::string entry = finding_entry(name, given.json ? unlimited : line_width());
  if (entry.empty()) return explain_other(given, asked);
  if (!given.json) {
    print(name + ":\n\n" + entry);
  } else if (row == nullptr) {
    print_json(answer_of({{"name", name}, {"text", entry}}).print());
  } else {
    print_json(answer_of({{"name", to_string(row->id)},
                          {"severity", to_string(row_of(row->id).weight)},
                          {"why", row->why},
                          {"text", entry}})
                   .print());
  }
  return exit_fine;
}

}  // namespace cudnn_checked::cli
