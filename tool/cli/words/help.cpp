// SPDX-License-Identifier: BSD-3-Clause
#include "command_table.h"

#include <algorithm>

#include "../system/help_words.h"
#include "../text/terminal.h"
#include "left_out.h"

namespace cudnn_checked::cli {

struct help_row {
  std::string left;
  std::string right;
};

/// Two columns; the right one is wrapped.
static std::string columns(const std::vector<help_row>& rows, std::size_t width) {
  constexpr std::size_t widest_left = 24;
  std::size_t left = 0;
  for (const help_row& row : rows) {
    if (row.left.size() <= widest_left) left = std::max(left, row.left.size());
  }
  const std::size_t indent = left + 4;
  std::string text;
  for (const help_row& row : rows) {
    text += "  " + row.left;
    if (row.left.size() > left) {
      text += '\n' + std::string(indent, ' ');
    } else {
      text += std::string(left - row.left.size() + 2, ' ');
    }
    text += wrapped(in_words_of_platform(row.right), width, indent, indent) + '\n';
  }
  return text;
}

static std::string paragraphs(const std::string& text, std::size_t width) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find("\n\n", at), text.size());
    std::string one = text.substr(at, end - at);
    std::replace(one.begin(), one.end(), '\n', ' ');
    out += (out.empty() ? "" : "\n") + wrapped(one, width, 0, 0) + '\n';
    at = end + 2;
  }
  return out;
}

static std::string statuses(const std::vector<status_entry>& all, std::size_t width) {
  std::vector<help_row> rows;
  for (const status_entry& one : all) rows.push_back({one.number, one.text});
  return "\nexit status:\n" + columns(rows, width);
}

static std::string options(const std::vector<option_entry>& own, std::size_t width) {
  std::vector<help_row> rows;
  for (const std::vector<option_entry>* list : {&own, &common_options()}) {
    for (const option_entry& one : *list) {
      const std::string value = one.value;
      const std::string name = one.name;
      rows.push_back(
          {(name == "--help" ? "-h, " : "") + name + (value.empty() ? "" : " ") + value, one.text});
    }
  }
  return "\noptions:\n" + columns(rows, width);
}

static std::string indented(const std::string& text) {
  std::string out = "  ";
  for (const char c : text) {
    out += c;
    if (c == '\n') out += "  ";
  }
  return out + '\n';
}

static std::string left_out_by(const std::string& command, std::size_t width) {
  std::string text;
  for (const left_out_entry& entry : left_out_table()) {
    if (!is_left_out_by(entry, command)) continue;
    text += "  " + wrapped(left_out_text(entry), width, 2, 4) + '\n';
  }
  return text.empty() ? text : "\nnot looked at:\n" + text;
}

static std::string help_of(const command_entry& entry, std::size_t width) {
  const std::string name = entry.name;
  const std::string arguments = entry.arguments;
  const std::string usage =
      "usage: cudnn-checked " + name + " [OPTION...]" + (arguments.empty() ? "" : " ") + arguments;
  return usage + "\n\n" + paragraphs(in_words_of_platform(entry.description), width) +
         options(entry.options, width) + statuses(entry.statuses, width) +
         left_out_by(name, width) + "\nexample:\n" + indented(in_words_of_platform(entry.example));
}

static std::string help_of_all(std::size_t width) {
  std::vector<help_row> rows;
  for (const command_entry& entry : command_table()) {
    const std::string arguments = entry.arguments;
    rows.push_back(
        {entry.name + std::string(arguments.empty() ? "" : " ") + arguments, entry.summary});
  }
  std::vector<help_row> variables;
  for (const status_entry& one : variable_table()) variables.push_back({one.number, one.text});
  return "usage: cudnn-checked COMMAND [OPTION...] ...\n\ncommands:\n" + columns(rows, width) +
         options(program_options(), width) + statuses(common_statuses(), width) +
         "\nenvironment:\n" + columns(variables, width) + "\nCOMMAND --help describes a command.\n";
}

std::string help_text(const command_entry* of, std::size_t width) {
  return of == nullptr ? help_of_all(width) : help_of(*of, width);
}

}  // namespace cudnn_checked::cli
