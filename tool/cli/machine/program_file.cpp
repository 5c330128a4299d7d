// SPDX-License-Identifier: BSD-3-Clause
#include "program_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

#include "../../core/model/paths.h"
#include "python.h"

namespace cudnn_checked::cli {

bool may_be_executed(const string& path) {
  struct stat status;
  return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
         ::access(path.c_str(), X_OK) == 0;
}

string program_file(const system_interface& os, const string& word) {
  if (word.find('/') != string::npos) return word;
  string path;
  if (!os.variable("PATH", path)) path = "/bin:/usr/bin";
  for (const string& directory : split_path_list(path, ":")) {
    const string file = join_path(directory.empty() ? "." : directory, word);
    if (may_be_executed(file)) return file;
  }
  return {};
}

/// Its first two lines; empty where it is no script.
static std::string first_lines(const string& file) {
  std::FILE* const opened = may_be_executed(file) ? std::fopen(file.c_str(), "re") : nullptr;
  if (opened == nullptr) return {};
  char text[4096];
  const std::size_t size = std::fread(text, 1, sizeof text, opened);
  std::fclose(opened);
  const std::string lines(text, size);
  return lines.compare(0, 2, "#!") == 0 ? lines : std::string();
}

/// "a "b c" d": a, b c, d.
static std::vector<std::string> words_of_line(const std::string& line) {
  std::vector<std::string> words;
  bool in_word = false;
  char quote = 0;
  for (const char c : line) {
    if (quote == 0 && (c == ' ' || c == '\t' || c == '\r')) {
      in_word = false;
    } else if (quote == 0 && !in_word && c == '"') {
      quote = c;
      words.emplace_back();
      in_word = true;
    } else if (quote != 0 && c == quote) {
      quote = 0;
    } else {
      if (!in_word) words.emplace_back();
      in_word = true;
      words.back() += c;
    }
  }
  return words;
}

/// What a script is started with: the interpreter as it is named there, and words for it.  Where a
/// path has a space or is long, pip and uv write a script for sh that is one for Python, too:
/// '''exec' "/a b/bin/python" "$0" "$@".
static std::vector<std::string> words_of_script(const string& file) {
  const std::string lines = first_lines(file);
  const std::size_t end = lines.find('\n');
  if (lines.empty() || end == std::string::npos) return {};
  std::vector<std::string> words = words_of_line(lines.substr(2, end - 2));
  const std::string second = lines.substr(end + 1, lines.find('\n', end + 1) - end - 1);
  constexpr const char* trick = "'''exec' ";
  if (second.compare(0, std::strlen(trick), trick) == 0) {
    words = words_of_line(second.substr(std::strlen(trick)));
    words.resize(words.empty() ? 0 : 1);
  }
  if (words.empty() || base_name(string(words[0])) != "env") return words;
  // env(1): options and variables come before the program.
  std::size_t at = 1;
  while (at < words.size() && (words[at][0] == '-' || words[at].find('=') != std::string::npos)) {
    ++at;
  }
  return {words.begin() + static_cast<std::ptrdiff_t>(at), words.end()};
}

/// Python Setup and Usage, "Command line": what stands before the script.
static void read_options(const system_interface& os, const std::vector<std::string>& words,
                         python_start& start) {
  bool isolated = false;
  for (std::size_t at = 0; at < words.size(); ++at) {
    const std::string& word = words[at];
    if (word == "-") return;
    if (word.compare(0, 2, "--") == 0) {
      at += word == "--check-hash-based-pycs" ? 1 : 0;
    } else if (word[0] != '-') {
      const string script = os.real_path(word);
      if (!isolated && !script.empty()) start.directory = directory_part(script);
      return;
    }
    for (std::size_t i = 1; i < word.size() && word[1] != '-'; ++i) {
      const char letter = word[i];
      if (letter == 'c' || letter == 'm') {
        if (!isolated) start.directory = os.working_directory();
        return;
      }
      if (letter == 'W' || letter == 'X') {
        at += i + 1 == word.size() ? 1 : 0;
        break;
      }
      isolated = isolated || letter == 'I' || letter == 'P';
      if (std::string("IEsSP").find(letter) != std::string::npos) {
        start.options.push_back(std::string("-") + letter);
      }
    }
  }
}

python_start find_python_start(const system_interface& os, const string& file,
                               const std::vector<std::string>& words) {
  python_start start;
  std::vector<std::string> rest(words.begin() + 1, words.end());
  if (is_named_python(file)) {
    start.interpreter = file;
  } else {
    std::vector<std::string> script = words_of_script(file);
    if (script.empty() || !is_named_python(script[0])) return start;
    start.interpreter = program_file(os, script[0]);
    rest.insert(rest.begin(), file);
    rest.insert(rest.begin(), script.begin() + 1, script.end());
  }
  if (!may_be_executed(start.interpreter)) start.interpreter = "";
  read_options(os, rest, start);
  return start;
}

}  // namespace cudnn_checked::cli
