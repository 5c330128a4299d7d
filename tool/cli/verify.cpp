// SPDX-License-Identifier: BSD-3-Clause
#include <unistd.h>

#include "../core/linux/linux_system.h"
#include "../core/model/paths.h"
#include "../core/report/report.h"
#include "check_program.h"
#include "commands.h"
#include "file_error.h"
#include "process_check.h"

namespace cudnn_checked::cli {

static constexpr const char* separator = " \xC2\xB7 ";

/// "cuDNN 9.14.0 · CUDA 13.0 · sm_86": what is known of it.
static string triple_line(const json& report) {
  string line;
  const auto add = [&line](const string& label, const string& value) {
    if (!value.empty()) line += (line.empty() ? "" : separator) + label + value;
  };
  add("cuDNN ", report["triple"]["cudnn"].text());
  add("CUDA ", report["triple"]["cuda"].text());
  string last;
  for (const json& device : report["devices"].elements()) {
    const string& architecture = device["architecture"].text();
    if (architecture != last) add("", architecture);
    last = architecture;
  }
  return line;
}

/// " on sm_86,driver=580", and what was not checked.
static string place_of(const assumed_machine& machine) {
  return machine.text.empty() ? string(" here") : " on " + one_line(machine.text);
}

static string text_of(const program_check& check, const string& file,
                      const assumed_machine& machine, const char* would = " would start") {
  if (check.result != verdict::ok) {
    return findings_message(check.findings, string("cudnn-checked: ") + to_string(check.result),
                            severity::unknown);
  }
  if (!check.stamped) {
    return findings_message({check.unstamped}, "cudnn-checked: ok", severity::note);
  }
  const string line = triple_line(check.report);
  return "cudnn-checked: ok: " + one_line(base_name(file)) + would + place_of(machine) +
         (line.empty() ? "" : ": " + line) +
         (machine.given && machine.text.empty() ? "; driver and GPUs are not checked" : "") + "\n";
}

struct verified_file {
  exit_status status = exit_fine;
  string error;  ///< why it cannot be checked
  string text;
  json report;
};

static verified_file verify_file(const string& path, const assumed_machine& machine) {
  verified_file result;
  const linux_system os(environ, execution_of(path));
  const file_error wrong = look_at_file(os, path);
  if (!wrong.text.empty()) {
    result.status = wrong.usage ? exit_usage : exit_unknown;
    result.error = "verify: " + wrong.text;
    return result;
  }
  const program_check check = check_program(os, path, machine);
  result.status = status_of(check.result);
  result.text = text_of(check, path, machine);
  result.report = check.report;
  return result;
}

// A refusal counts most, then a file that could not be checked.
static exit_status worse(exit_status a, exit_status b) {
  for (const exit_status one : {exit_refused, exit_usage, exit_unknown}) {
    if (a == one || b == one) return one;
  }
  return exit_fine;
}

static exit_status verify_process(const command_line& given, const assumed_machine& machine) {
  program_check check;
  std::string wrong;
  if (!check_process(given.pid, machine, check, wrong)) {
    const bool is_absent = wrong.find("no such process") != std::string::npos;
    return error("verify: " + wrong, is_absent ? exit_usage : exit_unknown);
  }
  if (given.json) {
    print_json(check.report.print());
  } else {
    print(text_of(check, "process " + given.pid, machine, " is right"));
  }
  return status_of(check.result);
}

static exit_status verify_files(const command_line& given, const assumed_machine& machine) {
  exit_status status = exit_fine;
  json list = json::array();
  for (const std::string& path : given.arguments) {
    verified_file one = verify_file(path, machine);
    status = worse(status, one.status);
    if (given.json) {
      json item = json::object();
      item.add_string("file", path);
      item.add_number("status", static_cast<long long>(one.status));
      item.add_string("error", one.error);
      item.add("report", std::move(one.report));
      list.add(std::move(item));
    } else {
      const string text =
          one.error.empty() ? one.text : "cudnn-checked: error: " + one_line(one.error) + "\n";
      print(one_line(path) + ":\n" + text);
    }
  }
  if (given.json) {
    json tree = json::object();
    tree.add_number("schema", 1LL);
    tree.add_string("package", CUDNN_CHECKED_PACKAGE_VERSION);
    tree.add_number("status", static_cast<long long>(status));
    tree.add("files", std::move(list));
    print_json(tree.print());
  }
  return status;
}

exit_status verify(const command_line& given) {
  assumed_machine machine;
  machine.given = given.no_gpu;
  std::string wrong;
  if (!given.as.empty() && !read_assumed_machine(given.as, machine, wrong)) return error(wrong);
  if (!given.pid.empty()) return verify_process(given, machine);
  if (given.arguments.size() > 1) return verify_files(given, machine);
  const verified_file one = verify_file(given.file(), machine);
  if (!one.error.empty()) return error(one.error, one.status);
  if (given.json) {
    print_json(one.report.print());
  } else {
    print(one.text);
  }
  return one.status;
}

}  // namespace cudnn_checked::cli
