// SPDX-License-Identifier: BSD-3-Clause
//
// Commands of cmd.exe, and of PowerShell.
#include <string_view>

#include "../judge/advice/advice.h"
#include "../model/paths.h"
#include "../model/platform_words.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

// A path without a drive is one of the machine that builds for Windows, whose shell is sh.
static bool is_of_builder(const arena_string& path) {
  return starts_with(path, "/") && !starts_with(path, "//");
}

// Arguments of a command of cmd stand between double quotes, which no path contains.  cmd takes a
// slash for the beginning of an option.
arena_string quoted(const arena_string& word) {
  constexpr const char* plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@+=:.\\_-";
  if (is_of_builder(word)) return quoted_for_sh(word);
  const arena_string typed = shell_path(word);
  const bool is_plain = !typed.empty() && typed.find_first_not_of(plain) == arena_string::npos;
  return is_plain ? typed : "\"" + typed + "\"";
}

// Between single quotes every character of PowerShell is itself but the quote, of which there are
// five kinds (about_Quoting_Rules; U+2018 to U+201B).
static arena_string quoted_for_powershell(const arena_string& word) {
  string_builder made;
  made += '\'';
  for (std::size_t i = 0; i < word.size(); ++i) {
    const std::string_view three = std::string_view(word).substr(i, 3);
    const bool typographic = three >= "\xE2\x80\x98" && three <= "\xE2\x80\x9B";
    if (word[i] == '\'') made += '\'';
    if (typographic) made += three;
    made += word[i];
  }
  made += '\'';
  return made.take();
}

static constexpr std::string_view set_begin = "set \"PATH=";
static constexpr std::string_view least_path = "%SystemRoot%\\System32";

const char* command_that_removes_files() { return "del"; }
const char* command_that_removes_folders() { return "rmdir /s /q"; }

static constexpr std::string_view powershell_begin = "in PowerShell: ";

// $env:PATH = 'C:\x;' + $env:PATH
static arena_string powershell_variable(const arena_string& name, const arena_string& word,
                                        bool before) {
  const arena_string variable = "$env:" + name;
  return variable + " = " +
         (before ? quoted_for_powershell(word + ";") + " + " + variable
                 : quoted_for_powershell(word));
}

static arena_string powershell_command(const arena_string& word, bool before) {
  return powershell_begin + powershell_variable("PATH", word, before);
}

// `set` takes all that follows; quotes around the whole keep "&" and a blank at its end.  A percent
// sign has no form that cmd takes both at its prompt and in a file.
static arena_string set_path(const arena_string& word, bool before) {
  if (word.find('%') != arena_string::npos) return powershell_command(word, before);
  return set_begin + word + (before ? ";%PATH%\"" : "\"");
}

arena_string set_search_variable(const arena_string& word) { return set_path(word, false); }

arena_string unset_search_variable() { return arena_string(set_begin) + least_path + "\""; }

arena_string unset_command(const arena_string& name) { return "set \"" + name + "=\""; }

arena_string prepend_word(const char* word, const arena_string& value) {
  return set_path(word, !value.empty());
}

// The parts between separators that are outside of quotes.
static arena_vector<arena_string> split_unquoted(const arena_string& text,
                                                 std::string_view separator) {
  arena_vector<arena_string> parts;
  bool in_quotes = false;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '"') in_quotes = !in_quotes;
    if (in_quotes || !starts_with(std::string_view(text).substr(at), separator)) continue;
    parts.push_back(text.substr(begin, at - begin));
    at += separator.size() - 1;
    begin = at + 1;
  }
  parts.push_back(text.substr(begin));
  return parts;
}

// set "NAME=VALUE"
static arena_string set_in_powershell(const arena_string& assignment) {
  const std::size_t equal = assignment.find('=');
  const arena_string name = assignment.substr(0, equal);
  const arena_string value = assignment.substr(equal + 1);
  if (value == least_path) return "$env:" + name + " = \"$env:SystemRoot\\System32\"";
  const std::size_t rest = value.find('%');
  return rest == arena_string::npos ? powershell_variable(name, value, false)
                                    : powershell_variable(name, value.substr(0, rest - 1), true);
}

// A program in quotes is a text without the operator "&" (about_Operators).
static arena_string command_in_powershell(const arena_string& text) {
  constexpr std::string_view set = "set \"";
  if (starts_with(text, set)) return set_in_powershell(text.substr(set.size(), text.size() - 6));
  const arena_string folders = command_that_removes_folders();
  const bool removes = starts_with(text, folders);
  string_builder made;
  if (removes) made += "Remove-Item -Recurse -Force";
  bool first = !removes;
  bool listed = false;
  for (const arena_string& word :
       split_unquoted(removes ? text.substr(folders.size() + 1) : text, " ")) {
    const bool is_quoted = !word.empty() && word[0] == '"';
    const arena_string inner = is_quoted ? word.substr(1, word.size() - 2) : word;
    if (!first) made += listed ? ", " : " ";
    if (first && is_quoted) made += "& ";
    made += is_quoted ? quoted_for_powershell(inner) : word;
    first = false;
    listed = removes;
  }
  return made.take();
}

// Windows PowerShell 5.1 has no "&&" (about_Pipeline_Chain_Operators).
arena_string in_other_shell(const arena_string& text) {
  if (starts_with(text, powershell_begin)) return {};
  arena_string whole;
  arena_string ends;
  for (const arena_string& one : split_unquoted(text, " && ")) {
    if (!whole.empty()) ends += " }";
    whole += (whole.empty() ? "" : "; if ($?) { ") + command_in_powershell(one);
  }
  whole += ends;
  return whole == text ? arena_string() : powershell_begin + whole;
}

const char* python_command() { return "py"; }

arena_string shell_path(const arena_string& directory) {
  if (is_of_builder(directory)) return quoted_for_sh(directory);
  string_builder made;
  for (const char c : directory) made += c == '/' ? '\\' : c;
  return made.take();
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
