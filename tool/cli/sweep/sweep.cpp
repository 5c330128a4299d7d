// SPDX-License-Identifier: BSD-3-Clause
#include "../../core/linux/linux_system.h"
#include "../../core/model/paths.h"
#include "../../sweep/judge/judge.h"
#include "../../sweep/pool/pool.h"
#include "../../sweep/report/report.h"
#include "../machine/choose_cudnn.h"
#include "../text/progress.h"
#include "../words/commands.h"
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

static exit_status print_sweep(const command_line& given, const swept& done) {
  const sweep::sweep_judgement judged = sweep::judge_record(done.seen, {done.directory, {}, {}});
  if (given.json) {
    print_json(sweep::report_json(done.seen, judged));
  } else {
    print(sweep::report_text(done.seen, judged));
  }
  return status_of(judged.result);
}

exit_status sweep_command(const command_line& given) {
  sweep::request asked;
  std::string wrong;
  if (!read_sweep_options(given, asked, wrong)) return error("sweep: " + wrong);
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
