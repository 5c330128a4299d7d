// SPDX-License-Identifier: BSD-3-Clause
#include <cstring>

#include "../../core/model/paths.h"
#include "../../core/report/report.h"
#include "../../core/system/own_system.h"
#include "../../core/system/replace_file.h"
#include "../../guard/environment.h"
#include "../survey/frozen_check.h"
#include "../system/own_process.h"
#include "../text/json_tree.h"
#include "../words/command_line.h"
#include "verify.h"

namespace cudnn_checked::cli {

using mode = guard_environment::mode;

static exit_status start(const command_line& given, const arena_string& file) {
  const int wrong = replace_by(std::string(file), given.start);
  return error("run: " + given.start.front() + ": " + std::strerror(wrong));
}

static void write_report(const guard_environment& environment, const json& report) {
  const arena_string& path = environment.report_path;
  if (path.empty()) return;
  const arena_string wrong = replace_file(path, report.print());
  if (!wrong.empty()) {
    print_error("cudnn-checked: error: " + report_not_written(path, wrong) + "\n");
  }
}

/// Findings that the guard inside the program will print are left to it.
static arena_vector<finding> findings_to_say(const program_check& check) {
  if (!check.guard_speaks) return check.findings;
  return filtered(check.findings, [&](const finding& f) {
    return f.weight >= severity::warning && is_among(f, check.of_records);
  });
}

bool tell_not_known(const arena_string& text, const guard_environment& environment,
                    const char* note) {
  const bool refuses =
      status_of(verdict::unknown) == exit_refused && environment.asked == mode::enforce;
  print_error(arena_string("cudnn-checked: ") + (refuses ? "refused" : note) + ": " +
              one_line(text) + "\n" + (refuses ? override_line : ""));
  return refuses;
}

static void tell(const program_check& check, const guard_environment& environment) {
  const bool refused = status_of(check.result) == exit_refused;
  const arena_vector<finding> said = findings_to_say(check);
  const severity least = check.result == verdict::unknown ? severity::unknown : severity::warning;
  if (refused && environment.asked == mode::enforce) {
    print_error(findings_message(check.findings, "cudnn-checked: refused", least) + override_line);
  } else if (!said.empty() && (refused || check.result == verdict::warning)) {
    print_error(findings_message(said, "cudnn-checked: warning", least) +
                (refused ? "  continues: " + environment.escape + "\n" : ""));
  } else if (check.unknown) {
    print_error("cudnn-checked: note: " + one_line(check.unstamped.summary) + "\n");
  }
}

/// In the place of a report, of what --strict refuses unseen.
static json not_known_json(const arena_string& text) {
  return answer_of({{"error", text}, {"status", static_cast<int>(exit_not_started)}});
}

static exit_status finish_python(const command_line& given, const arena_string& file,
                                 const python_check& check, const guard_environment& environment) {
  if (check.status == exit_usage) return check.status;
  if (check.report.type() == json::kind::object) write_report(environment, check.report);
  if (check.status == exit_fine) return given.imports_from.empty() ? start(given, file) : exit_fine;
  if (!given.json) return check.status;
  print_json(check.not_known.empty() ? check.report.print()
                                     : not_known_json(check.not_known).print());
  return check.status;
}

/// For a Python that runs already and asks before it imports: nothing is started.
static exit_status check_import(const command_line& given, const guard_environment& environment) {
  python_start running;
  running.interpreter = "--from";
  for (const std::string& directory : given.imports_from)
    running.imports_from.push_back(arena_string(directory));
  running.process = given.pid;
  return finish_python(given, {}, check_python(given, running, environment), environment);
}

exit_status run(const command_line& given) {
  const system_interface& search = own_system();
  const bool starts = given.imports_from.empty();
  const arena_string file = starts ? program_file(search, given.start.front()) : arena_string();
  if (starts && file.empty()) return error("run: " + given.start.front() + ": not found on PATH");
  guard_environment environment = read_guard_environment(search, {});
  if (environment.asked == mode::invalid) {
    print_error(invalid_mode_message(environment));
    return exit_not_started;
  }
  if (environment.asked == mode::off) return starts ? start(given, file) : exit_fine;
  if (!starts) return check_import(given, environment);
  const python_start python = find_python_start(search, file, given.start);
  if (!python.interpreter.empty()) {
    const python_check check = check_python(given, python, environment);
    if (check.is_python) return finish_python(given, file, check, environment);
  }
  if (!given.python.empty()) {
    return error("run: --python: " + given.start.front() + " starts no Python");
  }
  const system_interface& os = own_system(execution_of(file));
  const file_error problem = look_at_file(os, file);
  if (!problem.text.empty()) {
    // A file that cannot be judged is not refused: a script, a program for an emulator.
    const arena_string text = problem.text + "; nothing was checked";
    if (!may_be_executed(file) || !tell_not_known(text, environment)) return start(given, file);
    if (given.json) print_json(not_known_json(text).print());
    return exit_not_started;
  }
  const program_check check = check_application(os, file);
  // What the build says of its guard is no answer to --strict.
  environment = read_guard_environment(search, is_strict() ? arena_string() : check.guard);
  tell(check, environment);
  const bool refused =
      status_of(check.result) == exit_refused && environment.asked == mode::enforce;
  if (refused || !check.guard_speaks) write_report(environment, check.report);
  if (refused) {
    // Once it is started, standard output is the program's.
    if (given.json) print_json(check.report.print());
    return exit_not_started;
  }
  return start(given, file);
}

}  // namespace cudnn_checked::cli
