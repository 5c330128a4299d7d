// SPDX-License-Identifier: BSD-3-Clause
#include "python_import.h"

#include <cctype>
#include <cstdlib>

#include "../../core/model/paths.h"
#include "../text/lists.h"
#include "../text/progress.h"

namespace cudnn_checked::cli {

// The modules are arguments, never part of the code, whose middle is `work`.  It is read by Python
// 2 as well, which says so and ends.  Every word but the first is in hexadecimal, because a path
// can hold any byte.  Each package is named before the first import, which may not come back.
// Nothing is imported from the working directory, which "-c" puts first: sys alone is built in.
static constexpr const char* code_before = R"(
import sys
sys.path[:] = [path for path in sys.path if path]
import os
REPORT, HOLD = int(sys.argv[1]), int(sys.argv[2])
def tell(word, *texts):
    texts = [os.fsencode(text).hex() for text in texts]
    os.write(REPORT, (" ".join([word] + texts) + "\n").encode())
if sys.version_info[0] < 3:
    os.write(REPORT, "old\n")
    os._exit(0)
import importlib, importlib.util
def tell_places(name):
    try:
        spec = importlib.util.find_spec(name)
    except Exception:
        return True
    if spec is not None:
        for place in list(spec.submodule_search_locations or [])[:8] or [spec.origin or ""]:
            tell("place", os.path.abspath(place))
    return spec is not None
MODULES, sys.argv = sys.argv[3:], ["-c"]
tell("python", "%d.%d.%d" % sys.version_info[:3], str(os.getpid()))
)";

static constexpr const char* code_behind = R"(
tell("ready")
os.read(HOLD, 1)
)";

const char* const import_modules = R"(
tops = dict.fromkeys(module.partition(".")[0] for module in MODULES)
there = {name: tell_places(name) for name in tops}
for module in MODULES:
    tell("import", module)
    if not (there[module.partition(".")[0]] or tell_places(module.partition(".")[0])):
        tell("absent")
        os._exit(0)
    importlib.import_module(module)
known = set(name.partition(".")[0] for name in MODULES)
for name in sorted(set(name.partition(".")[0] for name in list(sys.modules)) - known):
    module = sys.modules.get(name)
    for place in list(getattr(module, "__path__", None) or [])[:8]:
        if "-packages" in str(place):
            tell("place", os.path.abspath(str(place)))
)";

static constexpr std::size_t most_lines = 20;
static constexpr std::size_t most_modules = 64;

static bool is_module_name(const std::string& name) {
  bool begins = true;  // a part of the name
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    const bool letter = std::isalpha(byte) != 0 || c == '_' || byte >= 0x80;
    const bool digit = std::isdigit(byte) != 0;
    if (c == '.' ? begins : !letter && (!digit || begins)) return false;
    begins = c == '.';
  }
  return !begins;
}

bool read_modules(const std::vector<std::string>& given, std::vector<std::string>& modules,
                  std::string& wrong) {
  for (const std::string& list : given) {
    for (const arena_string& module : split_path_list(list, ",")) {
      wrong = module;
      if (!is_module_name(wrong) || modules.size() == most_modules) return false;
      add_once(wrong, modules);
    }
  }
  wrong.clear();
  return true;
}

static std::string from_hexadecimal(const std::string& digits) {
  std::string text;
  for (std::size_t at = 0; at + 1 < digits.size(); at += 2) {
    text += static_cast<char>(std::strtol(digits.substr(at, 2).c_str(), nullptr, 16));
  }
  return text;
}

void python_import::read_line(const std::string& line) {
  std::vector<std::string> words;
  for (const arena_string& digits : split_path_list(line, " "))
    words.push_back(from_hexadecimal(digits));
  words.resize(3);
  const std::string word = line.substr(0, line.find(' '));
  if (word == "old") result_ = import_result::python_2;
  if (word == "absent") result_ = import_result::no_module;
  if (word == "ready") result_ = import_result::waits;
  if (word == "fact") facts_.emplace_back(words[1], words[2]);
  if (word == "place" && !words[1].empty()) directories_.push_back(words[1]);
  if (word == "import") {
    module_ = words[1];
    show_progress("import " + module_);
  }
  if (word != "python") return;
  result_ = import_result::failed;
  version_ = words[1];
  process_ = words[2];
}

python_import::python_import(const std::string& interpreter,
                             const std::vector<std::string>& modules, int seconds,
                             const char* work) {
  // -B: no .pyc is left behind.  -u: the reason of a failure is the last that is written.
  std::vector<std::string> arguments = {"-B",
                                        "-u",
                                        "-c",
                                        std::string(code_before) + work + code_behind,
                                        std::to_string(spawn::supervised_program::report_number),
                                        std::to_string(spawn::supervised_program::hold_number)};
  arguments.insert(arguments.end(), modules.begin(), modules.end());
  program_ = std::make_unique<spawn::supervised_program>(interpreter, arguments, seconds);
  std::string line;
  while (result_ != import_result::waits && program_->next_line(line)) read_line(line);
  const bool started = end().kind != spawn::program_end::how::not_started;
  if (!started) result_ = import_result::no_program;
}

std::string python_import::last_lines() const {
  const std::string& all = program_->output();
  std::size_t end = all.size();
  while (end > 0 && std::isspace(static_cast<unsigned char>(all[end - 1])) != 0) --end;
  std::size_t begin = end;
  for (std::size_t lines = 0; begin > 0; --begin) {
    if (all[begin - 1] == '\n' && ++lines == most_lines) break;
  }
  return all.substr(begin, end - begin);
}

// "OSError: NAME: cannot open shared object file" (glibc, elf/dl-load.c).
std::string python_import::missing_library() const {
  const std::string lines = last_lines();
  const std::size_t end = lines.find(": cannot open shared object file");
  if (end == std::string::npos) return {};
  const std::size_t before = lines.find_last_of(" \n", end);
  return lines.substr(before + 1, end - before - 1);
}

}  // namespace cudnn_checked::cli
