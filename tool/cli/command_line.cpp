// SPDX-License-Identifier: BSD-3-Clause
#include "command_line.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstring>
#include <numeric>

namespace cudnn_checked::cli {

static constexpr const char* usage = R"(usage: cudnn-checked COMMAND [--json] ...

  doctor               every cuDNN, CUDA toolkit, driver and GPU here; what is wrong; what to type
  verify APP           would this program start here? checked without running it
  run -- APP ARGS...   verify, then start it
  inspect FILE         the stamp of a program, or which cuDNN a library is

  --json               the answer as JSON on standard output
  --version            the release of this program
  -h, --help           this text

exit status: 0 fine, 1 refused, 2 usage error, 3 not known; 78 where run does not start APP
run obeys CUDNN_CHECKED=enforce|warn|off, as a guarded program does
)";

static constexpr const char* commands[] = {"doctor", "verify", "run", "inspect"};
static constexpr const char* options[] = {"--json", "--version", "--help"};

// How many letters must be changed, added or left out (Levenshtein).
static std::size_t distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t k = 0; k < b.size(); ++k) {
      const std::size_t changed = diagonal + (a[i] == b[k] ? 0 : 1);
      diagonal = row[k + 1];
      row[k + 1] = std::min({changed, row[k] + 1, diagonal + 1});
    }
  }
  return row[b.size()];
}

template <std::size_t count>
static std::string did_you_mean(const std::string& word, const char* const (&known)[count]) {
  const char* nearest = nullptr;
  std::size_t least = word.size() < 5 ? 2 : 3;
  for (const char* one : known) {
    const std::size_t d = distance(word, one);
    if (d >= least) continue;
    least = d;
    nearest = one;
  }
  return nearest == nullptr ? std::string() : std::string("; did you mean ") + nearest + "?";
}

static bool is_option(const std::string& word) { return word.size() > 1 && word[0] == '-'; }

static std::string unexpected(const std::string& word, const CLI::App* command) {
  if (is_option(word)) return "unknown option " + word + did_you_mean(word, options);
  if (command == nullptr) return "unknown command " + word + did_you_mean(word, commands);
  return command->get_name() + ": one argument too many: " + word;
}

// What follows "run" and its own options belongs to the program that is started, whatever it looks
// like.  Returns how many arguments are ours.
static int own_arguments(int count, char** arguments, std::vector<std::string>& start) {
  int at = 1;
  while (at < count && arguments[at][0] == '-') ++at;
  if (at == count || std::strcmp(arguments[at], "run") != 0) return count;
  ++at;
  while (at < count && arguments[at][0] == '-' && std::strcmp(arguments[at], "--") != 0) ++at;
  int begin = at;
  if (at < count && std::strcmp(arguments[at], "--") == 0) ++begin;
  start.assign(arguments + begin, arguments + count);
  return at;
}

struct parser {
  CLI::App app;
  CLI::App* doctor = app.add_subcommand("doctor");
  CLI::App* verify = app.add_subcommand("verify");
  CLI::App* run = app.add_subcommand("run");
  CLI::App* inspect = app.add_subcommand("inspect");

  explicit parser(command_line& result) {
    app.set_version_flag("--version", "cudnn-checked " CUDNN_CHECKED_PACKAGE_VERSION "\n");
    app.add_flag("--json", result.json);
    for (CLI::App* command : app.get_subcommands({})) command->fallthrough();
    verify->add_option("APP", result.file);
    inspect->add_option("FILE", result.file);
    app.allow_extras();
    for (CLI::App* command : app.get_subcommands({})) command->allow_extras();
  }
};

static bool take_command(const parser& p, command_line& result, std::string& error) {
  using command = command_line::command;
  const std::vector<CLI::App*> given = p.app.get_subcommands();
  const CLI::App* const chosen = given.empty() ? nullptr : given.front();
  const std::vector<std::string> rest = p.app.remaining(true);
  if (!rest.empty()) {
    error = unexpected(rest.front(), chosen);
  } else if (given.size() > 1) {
    error = chosen->get_name() + ": one argument too many: " + given[1]->get_name();
  } else if (chosen == nullptr) {
    error = "no command; cudnn-checked --help lists them";
  } else if (chosen == p.run && result.start.empty()) {
    error = "run: which program? cudnn-checked run -- APP ARGS...";
  } else if ((chosen == p.verify || chosen == p.inspect) && result.file.empty()) {
    error = chosen->get_name() + ": which file? cudnn-checked " + chosen->get_name() +
            (chosen == p.verify ? " APP" : " FILE");
  }
  if (chosen == p.doctor) result.what = command::doctor;
  if (chosen == p.verify) result.what = command::verify;
  if (chosen == p.run) result.what = command::run;
  if (chosen == p.inspect) result.what = command::inspect;
  return error.empty();
}

bool read_command_line(int count, char** arguments, command_line& result, std::string& error) {
  parser p(result);
  const int own = own_arguments(count, arguments, result.start);
  try {
    p.app.parse(own, arguments);
  } catch (const CLI::CallForHelp&) {
    result.text = usage;
    return true;
  } catch (const CLI::CallForVersion& version) {
    result.text = version.what();
    return true;
  } catch (const CLI::ParseError& wrong) {
    error = wrong.what();
    return false;
  }
  return take_command(p, result, error);
}

}  // namespace cudnn_checked::cli
