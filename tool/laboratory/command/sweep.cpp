// SPDX-License-Identifier: BSD-3-Clause
#include "sweep.h"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

#include "../../cli/machine/choose_cudnn.h"
#include "../../cli/machine/install_view.h"
#include "../../cli/read/read.h"
#include "../../cli/system/own_process.h"
#include "../../cli/text/progress.h"
#include "../../cli/words/command_line.h"
#include "../../core/check/cudnn_check.h"
#include "../../core/judge/advice/advice.h"
#include "../../core/model/library_name.h"
#include "../../core/model/library_spelling.h"
#include "../../core/model/paths.h"
#include "../../core/system/own_system.h"
#include "../sweep/report/report.h"

namespace cudnn_checked::cli {

bool is_report_file(const std::string& path) {
  std::error_code absent;
  if (!std::filesystem::is_regular_file(path, absent)) return false;
  char first[4] = {};
  std::ifstream(path, std::ios::binary).read(first, sizeof first);
  return std::memcmp(first,
                     "\x7f"
                     "ELF",
                     sizeof first) != 0;
}

/// Reads a report of `sweep --json`.  On failure says why in `error`, behind the path.
static bool read_swept(const std::string& path, swept& result, std::string& error) {
  json report;
  std::string reason;
  if (!read_report(path, report, error, most_values_of_sweep)) return false;
  if (!sweep::read_record(report, result.seen, result.package, reason)) {
    error = path + ": " + reason;
    return false;
  }
  result.name = path;
  result.directory = std::string(directory_part(result.seen.asked.library));
  result.is_read = true;
  return true;
}

/// An option that asks for a computation: "--seconds"; empty where there is none.
static std::string computing_option(const command_line& given) {
  const std::pair<const char*, const std::string&> options[] = {
      {"--seconds", given.seconds},
      {"--operations", given.operations},
      {"--types", given.types},
      {"--seed", given.seed},
      {"--problem", given.problem},
      {"--list", given.list},
      {"--workers", given.workers},
      {"--device", given.device},
      {"--plan-timeout", given.plan_timeout},
      {"--errata", given.errata}};
  for (const auto& [name, value] : options) {
    if (!value.empty()) return name;
  }
  if (given.random) return "--random";
  return {};
}

/// `then`: what it is compared with; null: nothing.
static exit_status print_judged(const command_line& given, const swept* then, const swept& done,
                                const sweep::sweep_judgement& judged,
                                const sweep::errata_outcome* written) {
  std::string report;
  if (then == nullptr || !done.is_read) {
    report = given.json ? sweep::report_json(done.seen, judged,
                                             written == nullptr ? json() : sweep::json_of(*written))
                        : sweep::report_text(
                              done.seen, judged,
                              written == nullptr ? "" : sweep::text_of(*written, done.seen.on));
  }
  if (then != nullptr) return print_comparison(given, *then, done, report);
  if (given.json) {
    print_json(report);
  } else {
    print(report);
  }
  return status_of(judged.result);
}

static exit_status print_sweep(const command_line& given, const swept* then, const swept& done) {
  const std::string report = done.is_read ? done.name : std::string();
  sweep::sweep_judgement judged = sweep::judge_record(done.seen, {done.directory, {}, report});
  if (!given.reproduce.empty()) return print_reproduction(given, done.seen, judged);
  std::string unwritten;
  if (given.random && !given.list.empty() &&
      !add_to_list(given.list, done.seen, judged, unwritten)) {
    (void)print_judged(given, then, done, judged, nullptr);
    print_error("cudnn-checked: error: sweep: --list " + unwritten + "\n");
    return exit_usage;
  }
  const bool has_rules = !given.errata.empty() && done.seen.why_not.empty();
  if (!has_rules) return print_judged(given, then, done, judged, nullptr);
  const sweep::errata_outcome written = write_errata(given.errata, done.seen, judged);
  if (written.error.empty()) {
    judged = sweep::judge_record(done.seen,
                                 {done.directory, sweep::absolute_errata(given.errata), report});
  }
  const exit_status status = print_judged(given, then, done, judged, &written);
  if (written.error.empty()) return status;
  print_error("cudnn-checked: error: sweep: --errata " + written.error + "\n");
  return exit_usage;
}

/// A file of that cuDNN that is damaged, or that would make the loader wait for ever; otherwise
/// empty.
static arena_string damaged_file_of(const system_interface& os, const arena_string& library) {
  const install_view view(os, library);
  loader search(view);
  observation observed;
  look_at_install(search, major_of_name(base_name(library)), observed);
  for (const cudnn_file& file : observed.files) {
    switch (file.state) {
      case file_state::truncated:
      case file_state::overlong:
      case file_state::unwritten:
      case file_state::fifo:
      case file_state::socket:
      case file_state::device:
        return file.path + ": " + describe_state(file);
      default:
        break;
    }
  }
  return {};
}

/// Fills in `done`; exit_fine where there is something to print.
static exit_status compute(const command_line& given, swept& done) {
  sweep::request asked;
  std::string wrong;
  if (!read_sweep_options(given, asked, wrong)) return error("sweep: " + wrong);
  if (!given.errata.empty() && !sweep::begin_errata(given.errata, wrong)) {
    return error("sweep: --errata " + wrong);
  }
  const system_interface& os = own_system();
  const cudnn_choice chosen =
      choose_cudnn(os, given.arguments.empty() ? std::string() : given.file());
  if (chosen.library.empty()) {
    return error("sweep: " + chosen.error, chosen.usage ? exit_usage : exit_unknown);
  }
  const arena_string damaged = damaged_file_of(os, chosen.library);
  if (!damaged.empty()) {
    return error("sweep: a library of cuDNN is damaged: " + damaged + "; cudnn-checked doctor " +
                     cudnn_checked::quoted(directory_part(chosen.library)) + " says more",
                 exit_refused);
  }
  const std::string note = note_of_choice(chosen);
  if (!note.empty()) print_error("cudnn-checked: note: sweep: " + note + "\n");
  const std::string other = given.errata.empty() ? std::string() : note_of_errata(given.errata);
  if (!other.empty()) print_error("cudnn-checked: note: sweep: " + other + "\n");
  if (given.json) show_no_progress();
  asked.library = chosen.library;
  done.directory =
      given.arguments.empty() ? std::string(directory_part(chosen.library)) : given.file();
  done.name = done.directory;
  done.package = CUDNN_CHECKED_PACKAGE_VERSION;
  done.seen = run_sweep(asked);
  return exit_fine;
}

/// The same from a report.
static exit_status read(const command_line& given, swept& done) {
  std::string wrong;
  const std::string option = computing_option(given);
  if (!option.empty()) {
    return error("sweep: " + option + ": " + given.file() + " is a report, so nothing is computed");
  }
  return read_swept(given.file(), done, wrong) ? exit_fine : error("sweep: " + wrong);
}

exit_status sweep_command(const command_line& given) {
  std::string wrong;
  if (!can_reproduce(given, wrong)) return error("sweep: " + wrong);
  swept earlier;
  swept done;
  if (!given.against.empty() && !read_swept(given.against, earlier, wrong)) {
    return error("sweep: --against " + wrong);
  }
  const bool is_report = !given.arguments.empty() && is_report_file(given.file());
  const exit_status status = is_report ? read(given, done) : compute(given, done);
  if (status != exit_fine) return status;
  const swept* const then = given.against.empty() ? nullptr : &earlier;
  return print_sweep(given, then, done);
}

}  // namespace cudnn_checked::cli
