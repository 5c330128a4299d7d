// SPDX-License-Identifier: BSD-3-Clause
#include "command_line.h"

#include <algorithm>
#include <string_view>

#include "../../core/model/paths.h"
#include "../../core/system/platform.h"
#include "../system/help_words.h"
#include "../text/lists.h"
#include "../text/output.h"
#include "asked_text.h"
#include "command_table.h"

namespace cudnn_checked::cli {

static bool is_option(const std::string& word) { return word.size() > 1 && word[0] == '-'; }

/// The options that may stand there; `entry` may be null.
static std::vector<option_entry> options_of(const command_entry* entry) {
  std::vector<option_entry> all = program_options();
  const auto add = [&all](const std::vector<option_entry>& more) {
    all.insert(all.end(), more.begin(), more.end());
  };
  add(common_options());
  if (entry != nullptr) add(entry->options);
  return all;
}

std::string unknown_command(const std::string& word) {
  std::vector<std::string> names = {"--version"};  // others have a command for it
  for (const command_entry& entry : command_table()) names.push_back(entry.name);
  return "unknown command " + word + did_you_mean(word, names);
}

static std::string unexpected(const std::string& word, const command_entry* entry) {
  const bool of_verify = word == "--no-gpu" || word.compare(0, 4, "--as") == 0;
  if (entry != nullptr && entry->run == run && of_verify) {
    return "run: " + word.substr(0, word.find('=')) +
           " is for verify: run starts the program with the driver and GPUs of this machine";
  }
  if (is_option(word)) {
    std::vector<std::string> names;
    for (const option_entry& one : options_of(entry)) names.push_back(one.name);
    return "unknown option " + word + did_you_mean(word, names);
  }
  if (entry == nullptr) return unknown_command(word);
  return std::string(entry->name) + ": one argument too many: " + word;
}

namespace {

/// Takes the words of a command line one by one.
class reader {
 public:
  reader(const std::vector<std::string>& words, command_line& result)
      : words_(words), result_(result) {}

  /// Returns what is wrong with the words themselves; empty: nothing.
  std::string read();

 private:
  bool take_option(const std::string& word);
  void take_argument(const std::string& word);
  option_entry option_named(const std::string& name) const;

  const std::vector<std::string>& words_;
  command_line& result_;
  std::size_t next_ = 0;
  std::string unknown_;  ///< the first word that is nothing here
  std::string missing_;  ///< an option without its value
};

}  // namespace

/// Without a name: there is none.
option_entry reader::option_named(const std::string& name) const {
  std::vector<option_entry> all = options_of(result_.what);
  all.push_back({"--generate", "KIND", "", &command_line::generate, "man, bash, zsh or fish",
                 "man bash zsh fish findings words"});
  for (const option_entry& one : all) {
    if (one.name == (name == "-h" ? "--help" : name)) return one;
  }
  return {};
}

/// Words that the option has are in its spelling, whatever their case was.
static std::string in_its_spelling(const std::string& value, const option_entry& option) {
  const std::vector<std::string> known = split_words(option.values);
  std::string text;
  for (std::size_t at = 0; at <= value.size();) {
    const std::size_t end = std::min(value.find(',', at), value.size());
    const std::string word = value.substr(at, end - at);
    const std::string low = lower_case(word);
    const bool is_known = std::find(known.begin(), known.end(), low) != known.end();
    text += (at == 0 ? "" : ",") + (is_known ? low : word);
    at = end + 1;
  }
  return text;
}

/// An empty value is none.
bool reader::take_option(const std::string& word) {
  const std::size_t equals = word.find('=');
  const option_entry option = option_named(word.substr(0, equals));
  if (*option.name == '\0') return false;
  if (bool command_line::*const* const flag = std::get_if<0>(&option.target)) {
    if (equals == std::string::npos) result_.** flag = true;
    return equals == std::string::npos;
  }
  std::string value;
  if (equals != std::string::npos) {
    value = word.substr(equals + 1);
  } else if (next_ < words_.size()) {
    value = words_[next_++];
  }
  value = in_its_spelling(value, option);
  if (takes_path(option)) value = plain_spelling(value);
  if (value.empty() && missing_.empty()) {
    const std::string of = result_.what == nullptr ? "" : result_.what->name + std::string(": ");
    missing_ = of + option.name + " needs " + in_words_of_platform(option.needs);
  }
  if (std::string command_line::*const* const one = std::get_if<1>(&option.target)) {
    result_.** one = value;
  } else {
    (result_.*std::get<2>(option.target)).push_back(value);
  }
  return true;
}

void reader::take_argument(const std::string& word) {
  const command_entry* const named = find_command(word);
  if (result_.what == nullptr && named != nullptr) {
    result_.what = named;
    return;
  }
  // help explains a command; explain may explain a word that is one as well: probe.
  const bool takes_names =
      result_.what != nullptr && (result_.what->run == nullptr || result_.what->run == explain);
  const bool is_extra = result_.what == nullptr || (named != nullptr && !takes_names);
  if (is_extra && unknown_.empty()) unknown_ = word;
  const argument_kind kind = result_.what == nullptr ? argument_kind::none : result_.what->takes;
  const bool names_path = kind == argument_kind::file || kind == argument_kind::directory;
  result_.arguments.push_back(names_path ? std::string(plain_spelling(word)) : word);
}

std::string reader::read() {
  bool has_options = true;
  while (next_ < words_.size()) {
    const std::string& word = words_[next_++];
    const bool is_end = word == "--";
    if (result_.what != nullptr && result_.what->run == run && (is_end || !is_option(word))) {
      // All that follows belongs to the program that is started, whatever it looks like.
      const auto at = words_.begin() + static_cast<std::ptrdiff_t>(next_);
      result_.start.assign(is_end ? at : at - 1, words_.end());
      break;
    }
    if (has_options && is_end) {
      has_options = false;
    } else if (!has_options || !is_option(word)) {
      take_argument(word);
    } else if (!take_option(word) && unknown_.empty()) {
      unknown_ = word;
    }
  }
  if (!missing_.empty() || unknown_.empty()) return missing_;
  return unexpected(unknown_, result_.what);
}

static std::string missing(const command_entry& entry) {
  const std::string name = entry.name;
  const char* const asked = entry.run == run                             ? "which program?"
                            : entry.run == diff                          ? "which two reports?"
                            : entry.run == fleet                         ? "which reports?"
                            : std::string_view(entry.arguments) == "DIR" ? "which directory?"
                                                                         : "which file?";
  return name + ": " + asked + " cudnn-checked " + name + " " + entry.arguments;
}

static bool is_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

/// Options of verify that do not go together.
static std::string error_of_verify(const command_line& given) {
  const std::string machine = given.no_gpu ? "--no-gpu" : given.as.empty() ? "" : "--as";
  const bool has_pid = !given.pid.empty();
  const bool has_python = !given.python.empty();
  const auto both = [](const char* options) {
    return std::string("verify: ") + options + ", not both";
  };
  if (given.no_gpu && !given.as.empty()) return both("--no-gpu or --as");
  if (has_pid && has_python) return both("--pid or --python");
  if (has_pid && !machine.empty()) {
    return "verify: --pid and " + machine + ": a process uses the driver and GPUs of this machine";
  }
  if (!given.root.empty() && has_pid) return both("--root or --pid");
  if (!given.root.empty() && !given.timeout.empty()) return both("--root or --timeout");
  if (!given.timeout.empty() && !has_python) return "verify: --timeout is for --python";
  if (has_pid && !is_number(given.pid)) {
    return "verify: --pid " + given.pid + ": not the number of a process";
  }
  if (has_pid && !given.arguments.empty()) return both("--pid or files");
  if (has_python && given.arguments.size() > 1) {
    return "verify: --python takes one environment: " + given.arguments[1];
  }
  return {};
}

static std::string error_of_run(const command_line& given) {
  if (!given.pid.empty() && given.imports_from.empty()) return "run: --pid is for --from";
  if (!given.pid.empty() && !is_number(given.pid)) {
    return "run: --pid " + given.pid + ": not the number of a process";
  }
  if (given.imports_from.empty()) return {};
  if (given.python.empty()) return "run: --from needs --python, for example --python torch";
  return given.start.empty() ? "" : "run: --from or a program, not both";
}

/// Of one result there is one form.
static std::string error_of_form(const command_line& given) {
  const std::vector<std::string> known = split_words(format_names);
  const std::string name = given.what == nullptr ? "" : given.what->name + std::string(": ");
  const bool is_known = std::find(known.begin(), known.end(), given.format) != known.end();
  if (!given.format.empty() && !is_known) {
    return name + "--format " + given.format + ": not text, json, junit, github or prometheus" +
           did_you_mean(given.format, known);
  }
  const std::string format = given.format.empty() ? "" : "--format " + given.format;
  if (given.json && !format.empty()) return name + "--json or " + format + ", not both";
  if (given.paste && given.json) return "doctor: --paste or --json, not both";
  if (given.paste && !format.empty()) return "doctor: --paste or " + format + ", not both";
  return {};
}

static std::string error_of(const command_line& given) {
  if (const std::string wrong = error_of_form(given); !wrong.empty()) return wrong;
  if (!given.require.empty() && given.require != "ran" && given.require != "loaded") {
    return "probe: --require " + given.require + ": neither ran nor loaded" +
           did_you_mean(given.require, {"ran", "loaded"});
  }
  if (given.help || given.version || given.cmakedir || given.provider || !given.generate.empty())
    return {};
  if (given.what == nullptr) return "no command; cudnn-checked --help lists them";
  const command_entry& entry = *given.what;
  const std::size_t most = entry.most_arguments;
  if (given.arguments.size() > most) return unexpected(given.arguments[most], &entry);
  if (!given.log.empty() && !given.arguments.empty()) return "explain: a name or --text, not both";
  if (entry.run == explain && !given.program.empty() && given.arguments.empty()) {
    return "explain: --for needs a library: cudnn-checked explain --for APP libcudnn.so.9";
  }
  if (entry.run == verify) {
    const std::string wrong = error_of_verify(given);
    if (!wrong.empty()) return wrong;
  }
  const bool is_seconds =
      is_number(given.timeout) && given.timeout.size() < 7 && given.timeout != "0";
  if (!given.timeout.empty() && !is_seconds) {
    return std::string(entry.name) + ": --timeout " + given.timeout + ": not a number of seconds";
  }
  if (entry.run == run) {
    const std::string wrong = error_of_run(given);
    if (!wrong.empty() || !given.imports_from.empty()) return wrong;
  }
  if (!given.pid.empty() || (entry.run == verify && !given.python.empty())) return {};
  const std::size_t count = entry.run == run ? given.start.size() : given.arguments.size();
  return count < entry.least_arguments ? missing(entry) : std::string();
}

bool read_command_line(int count, char** arguments, command_line& result, std::string& error) {
  const std::vector<std::string> words(arguments + 1, arguments + std::max(count, 1));
  error = reader(words, result).read();
  if (error.empty()) error = error_of(result);
  if (result.format == "json") result.json = true;
  if (error.empty()) result.text = asked_text(result, error);
  return error.empty();
}

}  // namespace cudnn_checked::cli
