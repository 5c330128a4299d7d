// SPDX-License-Identifier: BSD-3-Clause
#include "judge.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "../core/library/library_file.h"
#include "../core/model/dependency_names.h"
#include "../core/model/library_name.h"
#include "../core/model/paths.h"
#include "../core/report/proof.h"
#include "../core/report/report.h"
#include "../core/system/replace_file.h"
#include "proving.h"
#include "report_file.h"
#include "run_program.h"

namespace cudnn_checked::prove {

namespace {

/// The exit status (docs/configure.md).
enum exit_status : int {
  exit_accepted = 0,
  exit_refused = 1,
  exit_usage = 2,
  exit_not_ended = 3,
  exit_unwritten = 5
};

/// The default time limit: long, because a person who starts the program by hand can stop it.
constexpr double default_seconds = 600;

/// The arguments that name the program to run, and the other arguments, which it gets.
struct request {
  program_to_run program;
  std::string file;  ///< of the program that calls cuDNN
  std::vector<const char*> others;
};

}  // namespace

static int failed(exit_status status, const arena_string& error) {
  std::fprintf(stderr, "cudnn_checked: error: %s\n", error.c_str());
  return status;
}

/// A file, and why it cannot be written.
static int write_error(const arena_string& path, const arena_string& why) {
  return failed(exit_unwritten, "cannot write " + path + ": " + why);
}

/// Names the option with a wrong value in REPORT.end, for the find module, which knows what to type
/// without it; empty where the fault is another.
static int option_error(const arena_string& report, const char* option, const arena_string& error) {
  proof_lines lines;
  lines.add("option", option);
  if (!report.empty()) {
    const arena_string path = report + ".end";
    const arena_string why = replace_file(path, lines.whole());
    if (!why.empty()) return write_error(path, why);
  }
  return failed(exit_usage, error);
}

/// The value of key=VALUE; null if the argument has another key.
static const char* value_of(const char* argument, const char* key) {
  const std::size_t length = std::strlen(key);
  const bool has_key = std::strncmp(argument, key, length) == 0 && argument[length] == '=';
  return has_key ? argument + length + 1 : nullptr;
}

static request read_request(int count, const char* const* arguments, const std::string& program) {
  request asked;
  asked.file = program;
  asked.program.seconds = default_seconds;
  for (int i = 0; i < count; ++i) {
    if (const char* const start = value_of(arguments[i], "start")) {
      asked.program.command.emplace_back(start);
    } else if (const char* const file = value_of(arguments[i], "program")) {
      asked.file = file;
    } else if (const char* const seconds = value_of(arguments[i], "seconds")) {
      asked.program.seconds = std::strtod(seconds, nullptr);
    } else {
      asked.others.push_back(arguments[i]);
    }
  }
  asked.program.command.push_back(asked.file);
  return asked;
}

static std::string file_argument() {
  return "file=" + std::to_string(spawn::supervised_program::report_number);
}

static bool is_opened(dependency_kind kind) {
  return kind == dependency_kind::cublas || kind == dependency_kind::cublaslt ||
         kind == dependency_kind::nvrtc || kind == dependency_kind::nvrtc_builtins ||
         kind == dependency_kind::libz;
}

/// Prints the libraries that this cuDNN opens when it computes and would not find.  If nothing can
/// compute here, for example without a driver, the finding is a note, which find_package does not
/// print: the program may be built here and run elsewhere.
static void print_not_found_later(const arena_vector<finding>& findings) {
  for (const finding& f : findings) {
    const arena_string& name = f.expected.value;
    if (f.id != finding_id::dependency_missing || !is_opened(kind_of_dependency(name))) continue;
    std::printf("   not found when cuDNN computes: %s [%s]\n", name.c_str(), to_string(f.id));
    const char* lead = "fix";
    for (const fix_line& line : f.fix) {
      std::printf("   %s: %s\n", lead, one_line(line.text).c_str());
      lead = " or";
    }
  }
}

/// The least severity of the findings that are printed.
static constexpr severity least_printed = severity::unknown;

/// Whether a printed finding has a fix that was not tried.
static bool has_untried(const arena_vector<finding>& findings) {
  return any_of(findings, [](const finding& f) {
    return f.weight >= least_printed &&
           any_of(f.fix, [](const fix_line& line) { return line.tried == trial_result::unknown; });
  });
}

static arena_string file_of_lines(const options& given) { return given.report + ".told"; }

/// Writes the finished report.  Prints the findings, and a line on what was proved unless the
/// verdict is refused.  Keeps the lines of the probe where a fix was not tried: another program
/// judges them again, and tries it.
static int finish(const proving& p, const std::string& lines) {
  const report_input finished = p.report();
  const judgement& judged = p.install().judged;
  const verdict result = judged.result;
  const bool untried = has_untried(judged.findings);
  arena_string error;
  if (!write_report(p.given().report, probe_report_text(finished),
                    proof_of(facts_of(finished), untried), error)) {
    return failed(exit_unwritten, error);
  }
  if (result == verdict::refused && untried) {
    const arena_string path = file_of_lines(p.given());
    error = replace_file(path, lines);
    if (!error.empty()) return write_error(path, error);
  }
  if (result != verdict::refused) std::printf("%s\n", report_line(finished).c_str());
  if (result != verdict::ok) {
    const arena_string prefix = arena_string("cudnn_checked: ") + to_string(result);
    std::fputs(findings_message(judged.findings, prefix, least_printed).c_str(), stdout);
  } else {
    print_not_found_later(judged.findings);
  }
  return result == verdict::refused ? exit_refused : exit_accepted;
}

/// The major release of the cuDNN that the program is linked with.
static int cudnn_major_of(const system_interface& os, const arena_string& program) {
  for (const arena_string& name : read_library(os, program, 0).needed) {
    if (role_of_name(name) == library_role::shim) return major_of_name(name);
  }
  return 0;
}

/// Writes how the program ended to REPORT.end, and prints its last output.
static int say_end(const std::string& report, const program_run& run, bool begun,
                   const probe_step& step) {
  const arena_string path = (report + ".end").c_str();
  const arena_string why = replace_file(path, facts_of_end(end_of(run, begun), step));
  if (!why.empty()) return write_error(path, why);
  std::fputs(last_words(run).c_str(), stderr);
  return exit_not_ended;
}

int judge_probe(int count, const char* const* arguments, const system_interface& real) {
  const arena_string beside = join_path(directory_part(real.program_path()), name_of_probe());
  request asked = read_request(count, arguments, std::string(beside));
  options given;
  arena_string error;
  const int others = static_cast<int>(asked.others.size());
  if (!parse_options(others, asked.others.data(), given, error)) {
    return option_error(given.report, wrong_option(others, asked.others.data()), error);
  }
  end_with_starter();
  told_system os(real, real.real_path(asked.file.c_str()));
  proving p(given, os, os, cudnn_major_of(real, os.program_path()));
  asked.program.command.push_back(file_argument());
  for (const std::string& argument : p.plan()) asked.program.command.push_back(argument);
  told_facts told;
  std::string lines;
  const program_run run = run_program(asked.program, [&](const std::string& line) {
    told.add(line);
    lines += line + "\n";
  });
  if (!run.ended_well() || !told.finished()) {
    p.conclude_unfinished(told);
    const probe_step step = last_step_of(told);
    const report_input unfinished = p.report(step.words);
    if (told.begun() && !write_report(given.report, probe_report_text(unfinished),
                                      proof_of(facts_of(unfinished)), error)) {
      return failed(exit_unwritten, error);
    }
    return say_end(given.report.c_str(), run, told.begun(), step);
  }
  return p.conclude(told, error) ? finish(p, lines) : option_error(given.report, "devices", error);
}

arena_vector<finding> rejudge_saved_lines(int count, const char* const* arguments,
                                          const system_interface& real) {
  std::vector<const char*> known;
  std::string file;
  for (int i = 0; i < count; ++i) {
    if (is_option(arguments[i])) known.push_back(arguments[i]);
    if (const char* const program = value_of(arguments[i], "program")) file = program;
  }
  options given;
  arena_string error;
  arena_string lines;
  if (!parse_options(static_cast<int>(known.size()), known.data(), given, error) ||
      !real.read_text(file_of_lines(given), lines)) {
    return {};
  }
  told_system os(real, real.real_path(file.c_str()));
  proving p(given, os, os, cudnn_major_of(real, os.program_path()));
  (void)p.plan();
  told_facts told;
  for (const arena_string& line : split_path_list(lines, "\n"))
    if (!line.empty()) told.add(line.c_str());
  if (!p.conclude(told, error)) return {};
  return p.install().judged.findings;
}

int watch_program(int count, const char* const* arguments) {
  request asked = read_request(count, arguments, "");
  std::string report;
  asked.program.command.push_back(file_argument());
  for (const char* const argument : asked.others) {
    if (const char* const path = value_of(argument, "report")) report = path;
    asked.program.command.emplace_back(argument);
  }
  end_with_starter();
  const program_run run = run_program(
      asked.program, [](const std::string& line) { std::printf("%s\n", line.c_str()); });
  const bool says_all = run.end.kind == spawn::program_end::how::exited &&
                        (run.end.number == exit_refused || run.end.number == exit_usage);
  if (!run.ended_well() && !says_all) return say_end(report, run, true, {});
  std::fputs(last_words(run).c_str(), stderr);
  return run.end.number;
}

}  // namespace cudnn_checked::prove
