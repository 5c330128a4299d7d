// SPDX-License-Identifier: BSD-3-Clause
#include "terminal.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "../../core/model/paths.h"
#include "../system/console.h"
#include "lists.h"

namespace cudnn_checked::cli {

static constexpr std::size_t narrowest = 40;
static constexpr std::size_t widest = 100;

std::size_t line_width() {
  std::size_t width = 80;
  const char* const columns = std::getenv("COLUMNS");
  const long number = columns == nullptr ? 0 : std::strtol(columns, nullptr, 10);
  if (number > 0) {
    width = static_cast<std::size_t>(number);
  } else if (const std::size_t shown = terminal_columns(); shown > 0) {
    width = shown;
  }
  return std::clamp(width, narrowest, widest);
}

bool shows_colour(int descriptor) {
  const auto is_set = [](const char* name) {
    const char* const value = std::getenv(name);
    return value != nullptr && *value != '\0';
  };
  if (is_set("NO_COLOR")) return false;
  if (is_set("CLICOLOR_FORCE") && std::strcmp(std::getenv("CLICOLOR_FORCE"), "0") != 0) return true;
  if (!is_set("TERM") || std::strcmp(std::getenv("TERM"), "dumb") == 0) return false;
  return is_terminal(descriptor);
}

struct painted_word {
  std::string_view word;
  const char* colour;
};

static constexpr painted_word painted_words[] = {
    {"ok:", "\x1b[1;32m"},   {"refused:", "\x1b[1;31m"}, {"error:", "\x1b[1;31m"},
    {"and:", "\x1b[1;31m"},  {"warning:", "\x1b[1;33m"}, {"unknown:", "\x1b[1;33m"},
    {"note:", "\x1b[1;36m"}, {"  fix:", "\x1b[1m"},      {"   or:", "\x1b[1m"}};

static constexpr const char* unpainted = "\x1b[0m";
static constexpr std::string_view program = "cudnn-checked: ";

static std::string painted(std::string_view line) {
  const std::size_t at = starts_with(line, program) ? program.size() : 0;
  for (const painted_word& one : painted_words) {
    if (!starts_with(line.substr(at), one.word)) continue;
    return std::string(line.substr(0, at)) + one.colour + std::string(one.word) + unpainted +
           std::string(line.substr(at + one.word.size()));
  }
  const bool is_heading = !line.empty() && line[0] != ' ' && line.back() == ':';
  return is_heading ? "\x1b[1m" + std::string(line) + unpainted : std::string(line);
}

/// Calls `change` for each line, without its line break.
template <class function>
static std::string for_each_line(std::string_view text, const function& change) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    out += change(text.substr(0, end));
    if (end == std::string_view::npos) break;
    out += '\n';
    text.remove_prefix(end + 1);
  }
  return out;
}

std::string coloured(std::string_view text) { return for_each_line(text, painted); }

std::size_t columns_of(std::string_view text) {
  return text.size() - static_cast<std::size_t>(std::count_if(text.begin(), text.end(), goes_on));
}

std::string wrapped(std::string_view text, std::size_t width, std::size_t indent,
                    std::size_t used) {
  std::string out;
  std::size_t at = used;
  bool first = true;
  while (!text.empty()) {
    const std::size_t end = text.find(' ');
    const std::string_view word = text.substr(0, end);
    const std::size_t columns = columns_of(word);
    if (!first && at + 1 + columns > width) {
      out += '\n' + std::string(indent, ' ');
      at = indent;
    } else if (!first) {
      out += ' ';
      ++at;
    }
    out += word;
    at += columns;
    first = false;
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return out;
}

std::string fitted(std::string_view message, std::size_t width) {
  return for_each_line(message, [width](std::string_view line) {
    const bool is_sentence = line.size() > 2 && starts_with(line, "  ") && line[2] >= 'A' &&
                             line[2] <= 'Z' && line.find("  ", 2) == std::string_view::npos;
    if (!is_sentence || columns_of(line) <= width) return std::string(line);
    return "  " + wrapped(line.substr(2), width, 2, 2);
  });
}

}  // namespace cudnn_checked::cli
