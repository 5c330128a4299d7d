// SPDX-License-Identifier: BSD-3-Clause
#include "build_flags.h"

#include <algorithm>

#include "../core/judge/advice/advice.h"
#include "text_patterns.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace configure {

/// The words of a command line as a shell for Unix splits it.
static std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> words;
  bool inside = false;
  char quote = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    char c = line[i];
    if (quote == 0 && (c == ' ' || c == '\t' || c == '\n')) {
      inside = false;
      continue;
    }
    if (!inside) words.emplace_back();
    inside = true;
    if (c == quote) {
      quote = 0;
    } else if (quote == 0 && (c == '"' || c == '\'')) {
      quote = c;
    } else {
      if (c == '\\' && quote != '\'' && i + 1 < line.size()) c = line[++i];
      words.back() += c;
    }
  }
  return words;
}

/// "-lasan", "libclang_rt.asan.so", "__asan_init": `start`, small letters or digits, `end`.
static bool has_name(std::string_view text, std::string_view start, std::string_view end) {
  for (std::size_t at = text.find(start); at != std::string_view::npos;
       at = text.find(start, at + 1)) {
    const std::size_t begin = at + start.size();
    std::size_t behind = begin;
    while (behind < text.size() && is_word(text[behind])) ++behind;
    const std::string_view name = text.substr(begin, behind - begin);
    // Of "__asan_init" the end is "san_".
    if (has(name, end) || (ends_with(end, "_") && behind < text.size() && text[behind] == '_' &&
                           ends_with(name, end.substr(0, end.size() - 1)))) {
      return true;
    }
  }
  return false;
}

/// Whether the message of a compiler or linker is a known result of the flag, even if it does not
/// name the flag.
static bool follows(std::string_view flag, std::string_view said) {
  const auto is_one = [flag](std::initializer_list<std::string_view> names) {
    return std::find(names.begin(), names.end(), flag) != names.end();
  };
  if (flag == "-static") return has_one(said, {"attempted static link", "cannot find -l"});
  if (flag == "-m32") return has_one(said, {"wrong format", "incompatible", "bits/c++config"});
  if (flag == "-nostdlib") {
    return has_one(said, {"undefined reference", "undefined symbol", "DSO missing"});
  }
  if (is_one({"-fno-pic", "-fno-pie", "-no-pie", "-pie", "-static-pie"})) {
    return has(said, "recompile with -f");
  }
  if (is_one({"-nostdinc", "-nostdinc++"})) return has_one(said, {"No such file", "not found"});
  return starts_with(flag, "-fsanitize=") &&
         (has_one(said, {"'-fsanitize=", "clang_rt", "__sanitizer"}) ||
          has_name(said, "-l", "san") || has_name(said, "lib", "san") ||
          has_name(said, "__", "san_"));
}

/// An option whose value is the next word.
static bool takes_value(std::string_view option) {
  const std::initializer_list<std::string_view> options = {
      "-include", "-imacros", "-isystem", "-I", "-L", "-l", "-T", "-Xlinker", "-z", "-u"};
  return std::find(options.begin(), options.end(), option) != options.end();
}

static std::string joined(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + word;
  return line;
}

/// The line that sets the variable to that value.
static std::string setting(const flag_source& source, const std::string& value) {
  const std::string quoted = "'" + source.variable + "=" + std::string(value_to_set) + "'";
  std::string line = source.set;
  std::size_t at = line.find(quoted);
  if (at != std::string::npos) {
    const std::string word = quoted_for_sh(arena_string(source.variable + "=" + value));
    return line.replace(at, quoted.size(), word);
  }
  at = line.find(value_to_set);
  return at == std::string::npos ? line : line.replace(at, value_to_set.size(), value);
}

static void add_once(std::vector<std::string>& lines, const std::string& line) {
  if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(line);
}

std::vector<std::string> fixes_of_flags(const std::vector<flag_source>& sources,
                                        const std::vector<std::string>& lines) {
  std::string said;
  for (const std::string& line : lines) said += line + "\n";
  std::vector<std::string> commands;
  std::vector<std::string> corrections;
  for (const flag_source& source : sources) {
    std::vector<std::string> kept;
    std::string before;
    bool is_one_blamed = false;
    for (std::string word : words_of(source.value)) {
      if ((word.size() > 2 && has(said, word)) || follows(word, said)) {
        if (takes_value(before)) {
          word = before + " " + word;
          kept.pop_back();
        }
        is_one_blamed = true;
        add_once(corrections, "remove " + word + " from " + source.variable + ", or correct it");
      } else {
        kept.push_back(word);
      }
      before = word;
    }
    // What is quoted in the value would not be the same any more.
    const bool is_plain = source.value.find_first_of("\"'\\") == std::string::npos;
    if (is_one_blamed && is_plain && !source.set.empty()) {
      add_once(commands, setting(source, joined(kept)));
    }
  }
  for (const std::string& line : corrections) add_once(commands, line);
  return commands;
}

}  // namespace configure
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
