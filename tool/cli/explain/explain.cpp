// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <string>

#include "../text/findings_text.h"
#include "../text/near_word.h"
#include "../text/terminal.h"
#include "../words/commands.h"
#include "explain.h"

namespace cudnn_checked::cli {

static json result_object() {
  json tree = json::object();
  tree.add_number("schema", 1LL);
  tree.add_string("package", CUDNN_CHECKED_PACKAGE_VERSION);
  return tree;
}

static json add_sentence(json tree, const finding_sentence& row) {
  tree.add_string("name", to_string(row.id));
  tree.add_string("severity", to_string(row_of(row.id).weight));
  tree.add_string("why", row.why);
  return tree;
}

static exit_status list_findings(const command_line& given) {
  json list = json::array();
  std::string text;
  for (const finding_sentence& row : finding_sentences()) {
    list.add(add_sentence(json::object(), row));
    text += std::string(to_string(row.id)) + ", " + to_string(row_of(row.id).weight) + "\n  " +
            wrapped(row.why, line_width(), 2, 2) + '\n';
  }
  if (given.json) {
    json tree = result_object();
    tree.add("findings", std::move(list));
    print_json(tree.print());
  } else {
    print(text);
  }
  return exit_fine;
}

exit_status explain(const command_line& given) {
  if (!given.log.empty()) return explain_text(given);
  if (given.arguments.empty()) return list_findings(given);
  std::string name = given.arguments.front();
  // As it stands in a message.
  if (name.size() > 2 && name.front() == '[' && name.back() == ']') {
    name = name.substr(1, name.size() - 2);
  }
  const std::vector<finding_sentence> all = finding_sentences();
  const auto row = std::find_if(all.begin(), all.end(), [&name](const finding_sentence& one) {
    return name == to_string(one.id);
  });
  if (row == all.end() && is_file_argument(given.file())) return explain_file(given);
  if (row == all.end()) {
    return error("explain: there is no finding " + name + did_you_mean(name, finding_names()));
  }
  if (given.json) {
    json tree = add_sentence(result_object(), *row);
    // No line is as long as that: its paragraphs stay whole.
    constexpr std::size_t unlimited = 100000;
    tree.add_string("text", finding_entry(name, unlimited));
    print_json(tree.print());
  } else {
    print(name + ":\n\n" + finding_entry(name, line_width()));
  }
  return exit_fine;
}

}  // namespace cudnn_checked::cli
