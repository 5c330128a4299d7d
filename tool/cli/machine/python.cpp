// SPDX-License-Identifier: BSD-3-Clause
#include "python.h"

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <map>
#include <system_error>

#include "../../core/model/paths.h"
#include "../../core/system/platform.h"
#include "../../core/system/python_layout.h"
#include "../system/executable.h"
#include "child_output.h"
#include "install_layout.h"

namespace cudnn_checked::cli {

bool may_be_executed(const arena_string& path) {
  std::error_code absent;
  return std::filesystem::is_regular_file(std::filesystem::u8path(std::string(path)), absent) &&
         has_execute_right(path);
}

arena_string python_below(const arena_string& prefix) {
  for (const arena_string& file : interpreters_in(prefix, command_of_python())) {
    if (may_be_executed(file)) return file;
  }
  return {};
}

static std::string wrong_environment(const arena_string& prefix, const std::string& why) {
  return "VIRTUAL_ENV names " + std::string(prefix) + ", " + why +
         "; activate another environment, or unset VIRTUAL_ENV";
}

arena_string active_python(const system_interface& os, std::string& wrong) {
  const arena_string prefix = path_in_variable(os, "VIRTUAL_ENV");
  if (prefix.empty()) return program_on_path(os, command_of_python());
  const arena_string own = python_below(prefix);
  if (!own.empty()) return own;
  const arena_string python = interpreters_in(prefix, command_of_python()).front();
  std::error_code denied;
  const auto file =
      std::filesystem::symlink_status(std::filesystem::u8path(std::string(python)), denied);
  const bool absent = file.type() == std::filesystem::file_type::not_found;
  wrong = wrong_environment(prefix, absent ? "and there is no " + std::string(python)
                                           : "and " + std::string(python) + " cannot be started");
  return {};
}

bool is_named_python(const arena_string& file) {
  const arena_string name = base_name(file);
  return starts_with(name, "python") || starts_with(name, "pypy");
}

// Reports an archive as "in gamma /packages.zip".
static constexpr const char* directories_code =
    "import sys\n"
    "sys.path[:] = [path for path in sys.path if path]\n"  // the working directory
    "import os\n"
    "own = os.path.dirname(os.__file__)\n"
    "if os.name == 'nt':\n"
    "    sys.stdout.reconfigure(encoding='utf-8', newline='')\n"
    "for path in sys.path:\n"
    "    if path not in (own, os.path.join(own, 'lib-dynload')) and os.path.isdir(path):\n"
    "        print(os.path.abspath(path))\n"
    "for name in sys.argv[1:]:\n"
    "    from importlib.machinery import PathFinder\n"
    "    spec = PathFinder.find_spec(name.partition('.')[0])\n"
    "    if spec is None:\n"
    "        continue\n"
    "    path = list(spec.submodule_search_locations or [spec.origin or ''])[0]\n"
    "    while path and not os.path.exists(path):\n"
    "        path = os.path.dirname(path)\n"
    "    if os.path.isfile(path) and path != spec.origin:\n"
    "        print('in ' + name + ' ' + os.path.abspath(path))\n";

static python_search search_told(const arena_string& interpreter,
                                 const std::vector<std::string>& options,
                                 const std::vector<std::string>& modules, bool& told) {
  std::vector<std::string> words{interpreter};
  words.insert(words.end(), options.begin(), options.end());
  words.insert(words.end(), {"-c", directories_code});
  words.insert(words.end(), modules.begin(), modules.end());
  const child_output output = output_of_program(words, 10);
  told = output.ended && output.status == 0;
  python_search found;
  for (const arena_string& line : split_path_list(output.text, "\n")) {
    const std::string plain = plain_spelling(line);
    const std::size_t name_end = plain.find(' ', 3);
    if (starts_with(plain, "in ") && name_end != std::string::npos) {
      found.archives[plain.substr(3, name_end - 3)] = plain.substr(name_end + 1);
    } else if (!plain.empty() && is_absolute(plain)) {
      found.directories.push_back(arena_string(plain));
    }
  }
  return found;
}

python_search search_of_python(const arena_string& interpreter,
                               const std::vector<std::string>& options,
                               const std::vector<std::string>& modules) {
  bool told = false;
  return search_told(interpreter, options, modules, told);
}

arena_vector<arena_string> directories_of_python(const arena_string& interpreter,
                                                 const std::vector<std::string>& options) {
  return search_of_python(interpreter, options, {}).directories;
}

/// "PYTHONPATH[0]" of each directory that the variable names: of the first entry that leads to it.
static std::map<std::string, arena_string> entries_of_python_path(const system_interface& os) {
  std::map<std::string, arena_string> entries;
  int index = 0;
  for (const arena_string& entry : directories_of_path(value_of(os, "PYTHONPATH"))) {
    if (!entry.empty()) {
      entries.try_emplace(os.real_path(entry), "PYTHONPATH[" + to_string(index) + "]");
    }
    ++index;
  }
  return entries;
}

python_packages find_python_packages(const system_interface& os) {
  python_packages found;
  found.interpreter = active_python(os, found.wrong);
  if (found.interpreter.empty()) return found;
  const std::map<std::string, arena_string> entries = entries_of_python_path(os);
  bool told = false;
  const arena_vector<arena_string> all = search_told(found.interpreter, {}, {}, told).directories;
  const arena_string prefix = path_in_variable(os, "VIRTUAL_ENV");
  if (!told && !prefix.empty()) {
    found.wrong =
        wrong_environment(prefix, "and " + std::string(found.interpreter) + " does not run");
  }
  for (const arena_string& directory : all) {
    const std::size_t end = directory.rfind("-packages");
    const auto entry = entries.find(os.real_path(directory));
    if (entry != entries.end()) {
      found.directories.push_back({directory, entry->second});
    } else if (end != arena_string::npos && end + 9 == directory.size()) {
      found.directories.push_back({directory, "packages of " + found.interpreter});
    }
  }
  // A Python that prints nothing has its packages all the same.
  if (told && !prefix.empty() && found.directories.empty()) {
    for (const arena_string& site : package_directories(os, prefix)) {
      found.directories.push_back({site, "VIRTUAL_ENV"});
    }
  }
  return found;
}

arena_string program_on_path(const system_interface& os, const arena_string& name,
                             const char* without_path) {
  arena_string path;
  if (!os.variable("PATH", path)) {
    if (without_path == nullptr) return {};
    path = without_path;
  }
  for (const arena_string& directory : directories_of_path(path)) {
    const arena_string file =
        join_path(directory.empty() ? "." : directory, files_of_command(name).front());
    if (may_be_executed(file)) return file;
  }
  return {};
}

arena_string program_file(const system_interface& os, const arena_string& word) {
  const arena_string file = file_of_word(word);
  return file.empty() ? program_on_path(os, word, "/bin:/usr/bin") : file;
}

/// Its first two lines; empty where it is no script.
static std::string first_lines(const arena_string& file) {
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

/// The interpreter that a script names, and its options.  If a path has a space or is long, pip and
/// uv write a script for sh that is one for Python, too: '''exec' "/a b/bin/python" "$0" "$@".
static std::vector<std::string> words_of_script(const arena_string& file) {
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
  if (words.empty() || base_name(arena_string(words[0])) != "env") return words;
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
      const arena_string script = os.real_path(word);
      if (!isolated && !script.empty()) start.directory = directory_part(script);
      start.script = script;
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

python_start find_python_start(const system_interface& os, const arena_string& file,
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
