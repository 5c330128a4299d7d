// SPDX-License-Identifier: BSD-3-Clause
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "../../core/model/paths.h"
#include "../../core/report/report.h"
#include "../../core/system/platform.h"
#include "../../core/system/python_layout.h"
#include "../../spawn/spawn.h"
#include "../formats/formats.h"
#include "../machine/python.h"
#include "../process/process_check.h"
#include "../process/python_import.h"
#include "../system/own_process.h"
#include "../text/lists.h"
#include "imported_packages.h"
#include "verify.h"

namespace cudnn_checked::cli {

static constexpr int default_seconds = 120;

/// Findings that are unknown or worse, and what is known about libraries that are not loaded yet.
static arena_vector<finding> findings_to_show(const process_check& process) {
  arena_vector<finding> shown;
  if (process.check.result == verdict::ok) {
    shown.push_back(process.check.unstamped);
  } else {
    for (const finding& f : process.check.findings) {
      if (f.weight != severity::note) shown.push_back(f);
    }
  }
  for (const finding& f : process.later) {
    if (f.weight == severity::note || process.check.result == verdict::ok) shown.push_back(f);
  }
  return shown;
}

static exit_status tell_process(const command_line& given, const process_check& process,
                                const arena_string& name, const assumed_machine& machine) {
  const program_check& check = process.check;
  if (is_written_for_others(given)) {
    print_outcome(given, {"",
                          status_of(check.result),
                          {subject_of(check, std::string(name), machine, process.later)}});
  } else if (given.json) {
    print_json(check.report.print());
  } else if (check.stamped) {
    print(text_of(check, name, machine, ": what it has loaded is right"));
  } else {
    print(findings_message(findings_to_show(process),
                           arena_string("cudnn-checked: ") + to_string(check.result),
                           severity::note));
    if (check.result == verdict::ok) print(notes_of(check));
  }
  return status_of(check.result);
}

exit_status verify_process(const command_line& given, const assumed_machine& machine) {
  const system_interface& os = own_system();
  process_question question;
  question.facts = look_at_process(os, given.pid);
  question.name = "process " + given.pid;
  const process_state state = question.facts.state;
  if (state != process_state::runs) {
    return error("verify: " + question.name + ": " + describe(state),
                 state == process_state::absent ? exit_usage : exit_unknown);
  }
  return tell_process(given, check_process(question, machine), question.name, machine);
}

/// The interpreter of an environment, or the one that is named; empty where there is none.
static arena_string interpreter_of(const arena_string& place) {
  std::error_code ignored;
  const auto status = std::filesystem::status(std::string(place), ignored);
  return exists(status) && !is_directory(status) ? place : python_below(place);
}

/// "exit status 1", "SIGSEGV", "not finished after 120 s".
static std::string how_it_ended(const spawn::program_end& end) {
  switch (end.kind) {
    case spawn::program_end::how::exited:
      return "it ended the process with status " + std::to_string(end.number);
    case spawn::program_end::how::signalled:
      return std::string("it ended the process by signal ") + std::to_string(end.number) + " (" +
             spawn::signal_text(end.number) + ")";
    case spawn::program_end::how::timed_out:
      return "not finished after " + std::to_string(end.number) + " s (--timeout)";
    case spawn::program_end::how::not_started:
      return std::strerror(end.number);
    case spawn::program_end::how::runs:
      break;
  }
  return {};
}

/// "ImportError: libcudnn.so.9: ...": the last line of a traceback.
static std::string last_line_of(const std::string& text) {
  const std::size_t at = text.rfind('\n');
  return at == std::string::npos ? text : text.substr(at + 1);
}

static arena_string indented(const std::string& text) {
  arena_string lines;
  if (text.empty()) return lines;
  for (const arena_string& line : split_path_list(text, "\n"))
    lines += "  " + one_line(line) + "\n";
  return lines;
}

/// The case to check for the packages that the process has imported, or was to import.
static import_case case_of(const python_import& python, const std::vector<std::string>& modules,
                           const std::string& interpreter, const assumed_machine& machine) {
  import_case asked{{}, modules, {}, python.missing_library(), machine};
  for (const std::string& place : python.directories()) {
    add_once(directory_part(place), asked.directories);
  }
  for (const arena_string& one : directories_of_python(interpreter, {})) {
    add_once(one, asked.directories);
  }
  if (python.result() == import_result::waits) asked.process = python.process();
  return asked;
}

static exit_status tell_failed_import(const command_line& given, const python_import& python,
                                      const std::vector<std::string>& modules,
                                      const std::string& interpreter,
                                      const assumed_machine& machine) {
  const std::string name = "import " + python.module();
  const std::string output = python.last_lines();
  const spawn::program_end& end = python.end();
  const bool raised =
      end.kind == spawn::program_end::how::exited && end.number == 1 && !output.empty();
  const std::string why = raised ? last_line_of(output) : how_it_ended(end);
  error(
      "verify: " + name + " fails in " + interpreter + " (Python " + python.version() + "): " + why,
      exit_refused);
  print_error(indented(output));
  // It can fail for want of a cuDNN: what is wrong with its libraries as they lie.
  if (!given.json && !is_written_for_others(given)) {
    const import_case asked = case_of(python, modules, interpreter, machine);
    print(text_of(check_imports(own_system(), asked).packages, true));
  }
  return exit_refused;
}

static exit_status tell_no_python(const python_import& python, const std::string& interpreter) {
  const std::string file = "verify: " + interpreter + ": ";
  switch (python.result()) {
    case import_result::no_program:
      return error(file + how_it_ended(python.end()));
    case import_result::python_2:
      return error(file + "Python 2; --python needs Python 3");
    case import_result::no_module:
      return error(file + "there is no module " + python.module());
    default:
      break;
  }
  error(file + "it does not run as a Python: " + how_it_ended(python.end()));
  print_error(indented(python.last_lines()));
  return exit_usage;
}

static exit_status import_and_check(const command_line& given,
                                    const std::vector<std::string>& modules,
                                    const std::string& interpreter,
                                    const assumed_machine& machine) {
  const int seconds = given.timeout.empty() ? default_seconds : std::atoi(given.timeout.c_str());
  const python_import python(interpreter, modules, seconds);
  if (python.result() == import_result::failed) {
    return tell_failed_import(given, python, modules, interpreter, machine);
  }
  if (python.result() != import_result::waits) return tell_no_python(python, interpreter);
  const system_interface& os = own_system();
  process_question question;
  question.facts = look_at_process(os, python.process());
  if (question.facts.state != process_state::runs) {
    return error("verify: " + interpreter + ": " + describe(question.facts.state), exit_unknown);
  }
  question.name = "after import " + listed(modules);
  const import_check imports = check_imports(os, case_of(python, modules, interpreter, machine));
  question.users = imports.found.users;
  for (const package_check& package : imports.packages) {
    add_new(package.findings, question.of_users);
  }
  return tell_process(given, check_process(question, machine), base_name(interpreter), machine);
}

bool read_named_modules(const command_line& given, std::vector<std::string>& modules) {
  std::string wrong;
  const bool are_names = read_modules(given.python, modules, wrong);
  if (!are_names) {
    error("verify: --python " + (wrong.empty() ? std::string("''") : wrong) +
          ": not the name of a module");
  }
  return are_names;
}

exit_status verify_python(const command_line& given, const assumed_machine& machine) {
  std::vector<std::string> modules;
  std::string wrong;
  if (!read_named_modules(given, modules)) return exit_usage;
  const system_interface& os = own_system();
  const bool named = !given.arguments.empty();
  const std::string interpreter = named ? interpreter_of(given.file()) : active_python(os, wrong);
  if (!wrong.empty()) return error("verify: --python: " + wrong);
  if (interpreter.empty()) {
    return error(named ? "verify: --python: " + given.file() + ": no Python in it"
                       : "verify: --python: there is no " + std::string(command_of_python()) +
                             " on PATH");
  }
  if (!is_named_python(interpreter)) {
    return error("verify: --python: " + interpreter + ": not called python");
  }
  return import_and_check(given, modules, interpreter, machine);
}

}  // namespace cudnn_checked::cli
