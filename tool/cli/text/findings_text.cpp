// SPDX-License-Identifier: BSD-3-Clause
#include "findings_text.h"

#include <algorithm>
#include <string_view>

#include "lists.h"
#include "terminal.h"

extern const char* const cudnn_checked_findings_document[];
extern const char* const cudnn_checked_glossary_document[];

namespace cudnn_checked::cli {

namespace {

struct document_entry {
  std::vector<std::string> names;  ///< those in its heading
  std::string_view body;
};

}  // namespace

/// "## `run-path` `RUNPATH`": the words between backquotes.
static std::vector<std::string> quoted_in(std::string_view line) {
  std::vector<std::string> names;
  for (std::size_t at = line.find('`'); at != std::string_view::npos; at = line.find('`', at)) {
    const std::size_t end = line.find('`', at + 1);
    if (end == std::string_view::npos) break;
    names.emplace_back(line.substr(at + 1, end - at - 1));
    at = end + 1;
  }
  return names;
}

/// Of the sections of a document, up to nullptr.  What stands before its first heading is no entry.
static std::vector<document_entry> entries_of(const char* const* sections) {
  static constexpr std::string_view heading = "\n## ";
  std::vector<document_entry> entries;
  for (; *sections != nullptr; ++sections) {
    std::string_view entry = *sections;
    if (entry.substr(0, heading.size()) != heading) continue;
    entry.remove_prefix(heading.size());
    const std::size_t line = entry.find('\n');
    entries.push_back({quoted_in(entry.substr(0, line)), entry.substr(line + 1)});
  }
  return entries;
}

/// Of the entry whose heading has the name.
static std::string_view body_of(const std::string& name, const char* const* document) {
  for (const document_entry& entry : entries_of(document)) {
    if (std::find(entry.names.begin(), entry.names.end(), name) != entry.names.end()) {
      return entry.body;
    }
  }
  return {};
}

/// How a word is compared: "Run path" is run-path.
static std::string folded(const std::string& word) {
  std::string text;
  for (const char c : word) text += c == ' ' || c == '_' ? '-' : lower(c);
  return text;
}

/// Without the marks of Markdown: `code` and [text](target).
static std::string plain(std::string_view marked) {
  std::string text;
  for (std::size_t at = 0; at < marked.size(); ++at) {
    const std::size_t end = marked[at] == '[' ? marked.find("](", at) : std::string_view::npos;
    const std::size_t close = end == std::string_view::npos ? end : marked.find(')', end);
    if (close != std::string_view::npos) {
      text += plain(marked.substr(at + 1, end - at - 1));
      at = close;
    } else if (marked[at] != '`') {
      text += marked[at];
    }
  }
  return text;
}

/// "| cuBLAS | a note |" as "- cuBLAS: a note".
static std::string row_as_item(std::string_view line) {
  const std::size_t middle = line.find(" | ");
  const std::size_t end = line.rfind(" |");
  if (middle == std::string_view::npos || end <= middle) return {};
  return "- " + std::string(line.substr(2, middle - 2)) + ": " +
         std::string(line.substr(middle + 3, end - middle - 3));
}

/// Paragraphs and items, each in one line; an empty line ends a paragraph.
static std::vector<std::string> blocks_of(std::string_view body) {
  std::vector<std::string> blocks;
  bool open = false;
  bool in_table = false;
  while (!body.empty()) {
    const std::size_t end = body.find('\n');
    std::string line(body.substr(0, end));
    body.remove_prefix(end == std::string_view::npos ? body.size() : end + 1);
    const bool is_row = !line.empty() && line[0] == '|';
    // The first two lines of a table are its heading and a rule.
    if (is_row && !in_table) {
      in_table = true;
      body.remove_prefix(std::min(body.find('\n'), body.size() - 1) + 1);
      continue;
    }
    in_table = is_row;
    if (is_row) line = row_as_item(line);
    line.erase(0, std::min(line.find_first_not_of(' '), line.size()));
    const bool is_item = line.compare(0, 2, "- ") == 0;
    if (line.empty()) {
      if (!blocks.empty() && !blocks.back().empty()) blocks.emplace_back();
      open = false;
    } else if (is_item || !open) {
      blocks.push_back(line);
      open = true;
    } else {
      blocks.back() += ' ' + line;
    }
  }
  while (!blocks.empty() && blocks.back().empty()) blocks.pop_back();
  return blocks;
}

std::string finding_entry(const std::string& name, std::size_t width) {
  std::string text;
  std::string_view body = body_of(name, cudnn_checked_findings_document);
  if (body.empty()) body = body_of(name, cudnn_checked_glossary_document);
  for (const std::string& block : blocks_of(body)) {
    const bool is_item = block.compare(0, 2, "- ") == 0;
    text += (is_item ? "  " : "") +
            wrapped(plain(block), is_item ? width - 2 : width, is_item ? 4 : 0, 0);
    text += '\n';
  }
  return text;
}

std::vector<finding_sentence> finding_sentences() {
  static constexpr const char* sentences[] = {
#define FINDING(identifier, name, weight, about, leaves, rests_on, evidence, sentence, ...) \
  sentence,
#include "../../core/model/findings.def"
#undef FINDING
  };
  std::vector<finding_sentence> all;
  for (const char* const one : sentences) {
    all.push_back({static_cast<finding_id>(all.size()), one});
  }
  return all;
}

std::vector<std::string> finding_names() {
  std::vector<std::string> names;
  for (const finding_sentence& one : finding_sentences()) names.emplace_back(to_string(one.id));
  return names;
}

std::vector<std::string> glossary_words() {
  std::vector<std::string> words;
  for (const document_entry& entry : entries_of(cudnn_checked_glossary_document)) {
    words.insert(words.end(), entry.names.begin(), entry.names.end());
  }
  return words;
}

std::string explained_name(const std::string& asked) {
  const std::string wanted = folded(asked);
  for (const std::string& name : finding_names()) {
    if (folded(name) == wanted) return name;
  }
  for (const document_entry& entry : entries_of(cudnn_checked_glossary_document)) {
    for (const std::string& name : entry.names) {
      if (folded(name) == wanted || folded(name) + 's' == wanted) return entry.names.front();
    }
  }
  return {};
}

}  // namespace cudnn_checked::cli
