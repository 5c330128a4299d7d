// SPDX-License-Identifier: BSD-3-Clause
#include <unistd.h>

#include "../core/linux/linux_system.h"
#include "../core/model/paths.h"
#include "../core/report/report.h"
#include "check_program.h"
#include "commands.h"
#include "file_error.h"

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

static string text_of(const program_check& check, const string& file) {
  if (check.result != verdict::ok) {
    return findings_message(check.findings, string("cudnn-checked: ") + to_string(check.result),
                            severity::unknown);
  }
  if (!check.stamped) {
    return findings_message({check.unstamped}, "cudnn-checked: ok", severity::note);
  }
  const string line = triple_line(check.report);
  return "cudnn-checked: ok: " + one_line(base_name(file)) + " would start here" +
         (line.empty() ? "" : ": " + line) + "\n";
}

exit_status verify(const command_line& given) {
  const linux_system os(environ, execution_of(given.file()));
  const file_error wrong = look_at_file(os, given.file());
  if (!wrong.text.empty()) {
    return error("verify: " + wrong.text, wrong.usage ? exit_usage : exit_unknown);
  }
  const program_check check = check_program(os, given.file());
  if (given.json) {
    print_json(check.report.print());
  } else {
    print(text_of(check, given.file()));
  }
  return status_of(check.result);
}

}  // namespace cudnn_checked::cli
