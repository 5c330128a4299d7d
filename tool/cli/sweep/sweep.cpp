// SPDX-License-Identifier: BSD-3-Clause
#include "../../core/linux/linux_system.h"
#include "../../core/model/paths.h"
#include "../../sweep/judge/judge.h"
#include "../../sweep/pool/pool.h"
#include "../../sweep/report/report.h"
#include "../machine/choose_cudnn.h"
#include "../text/progress.h"
#include "../words/commands.h"
#include "errata.h"
#include "sweep_progress.h"
#include "sweep_request.h"

extern char** environ;

namespace cudnn_checked::cli {

/// What was swept, by this command or by an earlier one.
struct swept {
  sweep::record seen;
  std::string directory;  ///< of the cuDNN
};

static sweep::record run_sweep(const sweep::request& asked) {
  sweep_watcher watcher("sweep", asked.seconds);
  show_line("sweep: starting");
  sweep::record seen = sweep::run_pool(asked, watcher);
  end_progress();
  return seen;
}

static exit_status print_judged(const command_line& given, const swept& done,
                                const sweep::sweep_judgement& judged,
                                const sweep::errata_outcome* written) {
  if (given.json) {
    print_json(sweep::report_json(done.seen, judged, written));
  } else {
    print(sweep::report_text(done.seen, judged, written));
  }
  return status_of(judged.result);
}

static exit_status print_sweep(const command_line& given, const swept& done) {
  sweep::sweep_judgement judged = sweep::judge_record(done.seen, {done.directory, {}, {}});
  const bool has_rules = !given.errata.empty() && done.seen.why_not.empty();
  if (!has_rules) return print_judged(given, done, judged, nullptr);
  const sweep::errata_outcome written = write_errata(given.errata, done.seen, judged);
  if (written.error.empty()) {
    judged =
        sweep::judge_record(done.seen, {done.directory, sweep::absolute_errata(given.errata), {}});
  }
  const exit_status status = print_judged(given, done, judged, &written);
  if (written.error.empty()) return status;
  print_error("cudnn-checked: error: sweep: --errata " + written.error + "\n");
  return exit_usage;
}

exit_status sweep_command(const command_line& given) {
  sweep::request asked;
  std::string wrong;
  if (!read_sweep_options(given, asked, wrong)) return error("sweep: " + wrong);
  if (!given.errata.empty() && !sweep::begin_errata(given.errata, wrong)) {
    return error("sweep: --errata " + wrong);
  }
  const linux_system os(environ, execution_mode::ordinary);
  const cudnn_choice chosen =
      choose_cudnn(os, given.arguments.empty() ? std::string() : given.file());
  if (chosen.library.empty()) {
    return error("sweep: " + chosen.error, chosen.usage ? exit_usage : exit_unknown);
  }
  const std::string note = note_of_choice(chosen);
  if (!note.empty()) print_error("cudnn-checked: note: sweep: " + note + "\n");
  if (given.json) show_no_progress();
  asked.library = chosen.library;
  swept done;
  done.directory =
      given.arguments.empty() ? std::string(directory_part(chosen.library)) : given.file();
  done.seen = run_sweep(asked);
  return print_sweep(given, done);
}

}  // namespace cudnn_checked::cli
