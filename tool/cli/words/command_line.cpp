// SPDX-License-Identifier: BSD-3-Clause
#include "command_line.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstring>
#include <utility>

#include "../text/near_word.h"
#include "../text/terminal.h"
#include "help.h"

namespace cudnn_checked::cli {

static bool is_option(const std::string& word) { return word.size() > 1 && word[0] == '-'; }

static std::vector<std::string> options_of(const command_entry* entry) {
  std::vector<std::string> names = {"--version"};
  for (const option_entry& one : common_options()) names.push_back(one.name);
  if (entry == nullptr) return names;
  for (const option_entry& one : entry->options) names.push_back(one.name);
  return names;
}

static std::string unknown_command(const std::string& word) {
  std::vector<std::string> names;
  for (const command_entry& entry : command_table()) names.push_back(entry.name);
  return "unknown command " + word + did_you_mean(word, names);
}

static std::string unexpected(const std::string& word, const command_entry* entry) {
  const bool of_verify = word == "--no-gpu" || word.compare(0, 4, "--as") == 0;
  if (entry != nullptr && entry->id == command::run && of_verify) {
    return "run: " + word.substr(0, word.find('=')) +
           " is for verify: run starts the program with the driver and GPUs of this machine";
  }
  if (is_option(word)) return "unknown option " + word + did_you_mean(word, options_of(entry));
  if (entry == nullptr) return unknown_command(word);
  return std::string(entry->name) + ": one argument too many: " + word;
}

// What follows "run" and its own options belongs to the program that is started, whatever it looks
// like.  Returns how many arguments are ours.
static int own_arguments(int count, char** arguments, std::vector<std::string>& start) {
  int at = 1;
  while (at < count && arguments[at][0] == '-') ++at;
  if (at == count || std::strcmp(arguments[at], "run") != 0) return count;
  ++at;
  while (at < count && arguments[at][0] == '-' && std::strcmp(arguments[at], "--") != 0) {
    at += std::strcmp(arguments[at], "--python") == 0 && at + 1 < count ? 2 : 1;
  }
  int begin = at;
  if (at < count && std::strcmp(arguments[at], "--") == 0) ++begin;
  start.assign(arguments + begin, arguments + count);
  return at;
}

struct parser {
  CLI::App app;
  bool help = false;
  bool version = false;
  CLI::Option* expect = nullptr;
  CLI::Option* require = nullptr;
  std::string generate;  ///< for who builds a package: man, bash, zsh, fish

  /// An empty value is none; of several, the last one counts.
  static void add_sweep_options(CLI::App& sub, command_line& result) {
    const std::pair<const char*, std::string&> options[] = {
        {"--seconds", result.seconds},    {"--operations", result.operations},
        {"--types", result.types},        {"--seed", result.seed},
        {"--workers", result.workers},    {"--device", result.device},
        {"--errata", result.errata},      {"--plan-timeout", result.plan_timeout},
        {"--against", result.against},    {"--plot", result.plot},
        {"--reproduce", result.reproduce}};
    for (const auto& [name, value] : options) {
      sub.add_option(name, value)
          ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast)
          ->check([](const std::string& text) { return text.empty() ? "empty" : ""; });
    }
  }

  explicit parser(command_line& result) {
    app.set_help_flag();
    app.add_flag("--version", version);
    app.add_flag("--json", result.json);
    app.add_option("--generate", generate);
    app.add_flag("-h,--help", help);
    app.allow_extras();
    for (const command_entry& entry : command_table()) {
      CLI::App* const sub = app.add_subcommand(entry.name);
      sub->set_help_flag();
      sub->fallthrough();
      sub->allow_extras();
      if (entry.id == command::doctor) {
        sub->add_flag("--hash", result.hash);
        sub->add_flag("--paste", result.paste);
      }
      if (entry.id == command::probe) {
        sub->add_option("--timeout", result.timeout);
        require = sub->add_option("--require", result.require);
      }
      if (entry.id == command::verify) {
        sub->add_flag("--no-gpu", result.no_gpu);
        sub->add_option("--as", result.as);
        sub->add_option("--pid", result.pid);
        sub->add_option("--root", result.root);
        sub->add_option("--env", result.variables)->allow_extra_args(false);
        sub->add_option("--timeout", result.timeout);
      }
      if (entry.id == command::verify || entry.id == command::run) {
        sub->add_option("--python", result.python)
            ->expected(1)
            ->allow_extra_args(false)
            ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
      }
      if (entry.id == command::fleet) expect = sub->add_option("--expect", result.expect);
      if (entry.id == command::sweep) add_sweep_options(*sub, result);
      if (entry.id == command::explain) {
        sub->add_option("--text", result.log);
        sub->add_option("--for", result.program);
      }
      if (entry.takes != argument_kind::none && entry.id != command::run) {
        sub->add_option("arguments", result.arguments)->expected(0, -1);
      }
    }
  }

  const command_entry* chosen() const {
    const std::vector<CLI::App*> given = app.get_subcommands();
    return given.empty() ? nullptr : find_command(given.front()->get_name());
  }
};

static std::string missing(const command_entry& entry) {
  const std::string name = entry.name;
  const std::string usage = "cudnn-checked " + name + " " + entry.arguments;
  if (entry.id == command::run) return name + ": which program? " + usage;
  if (entry.id == command::diff) return name + ": which two reports? " + usage;
  if (entry.id == command::fleet) return name + ": which reports? " + usage;
  return name + ": which file? " + usage;
}

// An empty variable of the scheduler must not count as "nothing is expected".
static constexpr const char* needs_machines =
    "fleet: --expect needs a number or names, for example --expect node[000-511]";

static bool is_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

/// Options of verify that do not go together.
static std::string error_of_options(const command_entry& entry, const command_line& given) {
  const std::string machine = given.no_gpu ? "--no-gpu" : given.as.empty() ? "" : "--as";
  if (given.no_gpu && !given.as.empty()) return "verify: --no-gpu or --as, not both";
  if (!given.pid.empty() && !given.python.empty()) return "verify: --pid or --python, not both";
  if (!given.pid.empty() && !machine.empty()) {
    return "verify: --pid and " + machine + ": a process uses the driver and GPUs of this machine";
  }
  if (!given.root.empty() && !given.pid.empty()) return "verify: --root or --pid, not both";
  if (!given.root.empty() && !given.python.empty()) return "verify: --root or --python, not both";
  if (!given.timeout.empty() && entry.id == command::verify && given.python.empty()) {
    return "verify: --timeout is for --python";
  }
  const bool fits = is_number(given.timeout) && given.timeout.size() < 7 && given.timeout != "0";
  if (!given.timeout.empty() && !fits) {
    return std::string(entry.name) + ": --timeout " + given.timeout + ": not a number of seconds";
  }
  return {};
}

static std::string error_of(const parser& p, const command_line& given) {
  const std::vector<CLI::App*> all = p.app.get_subcommands();
  const command_entry* const entry = p.chosen();
  const std::vector<std::string> rest = p.app.remaining(true);
  if (!rest.empty()) return unexpected(rest.front(), entry);
  if (all.size() > 1 && entry->id != command::help) return unexpected(all[1]->get_name(), entry);
  if (given.paste && given.json) return "doctor: --paste or --json, not both";
  if (p.expect->count() != 0 && given.expect.empty()) return needs_machines;
  if (p.require->count() != 0 && given.require != "ran" && given.require != "loaded") {
    return "probe: --require " + given.require + ": neither ran nor loaded";
  }
  if (p.help || p.version || !p.generate.empty()) return {};
  if (entry == nullptr) return "no command; cudnn-checked --help lists them";
  const std::size_t most = entry->most_arguments;
  if (given.arguments.size() > most) return unexpected(given.arguments[most], entry);
  if (!given.log.empty() && !given.arguments.empty()) return "explain: a name or --text, not both";
  if (!given.program.empty() && given.arguments.empty()) {
    return "explain: --for needs a library: cudnn-checked explain --for APP libcudnn.so.9";
  }
  const std::string wrong = error_of_options(*entry, given);
  if (!wrong.empty()) return wrong;
  if (!given.pid.empty()) {
    if (!is_number(given.pid)) {
      return "verify: --pid " + given.pid + ": not the number of a process";
    }
    return given.arguments.empty() ? std::string() : "verify: --pid or files, not both";
  }
  if (!given.python.empty() && entry->id == command::verify) {
    const bool one = given.arguments.size() < 2;
    return one ? std::string() : "verify: --python takes one environment: " + given.arguments[1];
  }
  const std::size_t count = entry->id == command::run ? given.start.size() : given.arguments.size();
  return count < entry->least_arguments ? missing(*entry) : std::string();
}

/// What --help, --version and `help COMMAND` print.
static std::string text_of(const parser& p, const command_line& given, std::string& error) {
  const command_entry* entry = p.chosen();
  if (p.version) return "cudnn-checked " CUDNN_CHECKED_PACKAGE_VERSION "\n";
  if (!p.generate.empty()) {
    const std::string text = generated(p.generate);
    if (text.empty()) error = "--generate: man, bash, zsh, fish or findings, not " + p.generate;
    return text;
  }
  if (!p.help && (entry == nullptr || entry->id != command::help)) return {};
  if (entry != nullptr && entry->id == command::help && !p.help) {
    const std::vector<CLI::App*> all = p.app.get_subcommands();
    const std::string name = all.size() > 1            ? all[1]->get_name()
                             : given.arguments.empty() ? std::string()
                                                       : given.arguments.front();
    entry = find_command(name);
    if (entry == nullptr && !name.empty()) error = unknown_command(name);
  }
  return help_text(entry == nullptr ? command::none : entry->id, line_width());
}

/// What an option without its value needs, in the place of what CLI11 says of it.
static std::string without_value(const std::string& text, int count, char** arguments) {
  static constexpr const char* needs[][3] = {
      {"verify", "--pid", "the number of a process"},
      {"verify", "--as", "a machine, for example --as sm_86,driver=580.65.06"},
      {"verify", "--python", "a module, for example --python torch"},
      {"run", "--python", "a module, for example --python torch"},
      {"verify", "--timeout", "a number of seconds"},
      {"verify", "--root", "the directory of a container's tree"},
      {"verify", "--env", "a variable, for example --env LD_LIBRARY_PATH=/opt/lib"},
      {"probe", "--timeout", "a number of seconds"},
      {"probe", "--require", "a level: ran or loaded"},
      {"sweep", "--seconds", "a number of seconds"},
      {"sweep", "--plan-timeout", "a number of seconds"},
      {"sweep", "--operations", "a list, for example --operations fwd,dgrad"},
      {"sweep", "--types", "a list, for example --types fp32,fp16"},
      {"sweep", "--seed", "a number"},
      {"sweep", "--workers", "a number of processes"},
      {"sweep", "--device", "the number of a GPU, several, or all"},
      {"sweep", "--errata", "a file, for example --errata errata.json"},
      {"sweep", "--against", "a report, for example --against sweep.json"},
      {"sweep", "--plot", "a file, for example --plot sweep.svg"},
      {"sweep", "--reproduce", "the number of a row"},
      {"explain", "--for", "a program"},
      {"explain", "--text", "a file, or - for standard input"}};
  for (const auto& [command, option, value] : needs) {
    if (text.compare(0, std::strlen(option), option) != 0) continue;
    // Two commands can have an option of one name.
    if (std::find(arguments, arguments + count, std::string(command)) == arguments + count)
      continue;
    return std::string(command) + ": " + option + " needs " + value;
  }
  return text.compare(0, 8, "--expect") == 0 ? needs_machines : text;
}

bool read_command_line(int count, char** arguments, command_line& result, std::string& error) {
  const int own = own_arguments(count, arguments, result.start);
  result.json = std::any_of(arguments, arguments + own,
                            [](const char* word) { return std::strcmp(word, "--json") == 0; });
  parser p(result);
  try {
    p.app.parse(own, arguments);
  } catch (const CLI::ParseError& wrong) {
    error = without_value(wrong.what(), own, arguments);
    return false;
  }
  error = error_of(p, result);
  if (!error.empty()) return false;
  result.text = text_of(p, result, error);
  const command_entry* const entry = p.chosen();
  if (entry != nullptr) result.what = entry->id;
  return error.empty();
}

}  // namespace cudnn_checked::cli
