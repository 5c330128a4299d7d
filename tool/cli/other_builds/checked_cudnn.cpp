// SPDX-License-Identifier: BSD-3-Clause
#include "checked_cudnn.h"

#include "../../core/judge/advice/advice.h"
#include "../../core/report/report.h"
#include "../machine/choose_cudnn.h"
#include "../text/progress.h"

namespace cudnn_checked::cli {

/// Whether doctor calls it broken, and if so, what doctor prints.
static bool is_refused(const checked_cudnn& found, const std::string& command) {
  const judgement& judged = found.judgement_of_install().judged;
  if (judged.result != verdict::refused) return false;
  arena_vector<finding> errors;
  for (const finding& f : judged.findings) {
    if (f.weight == severity::error) errors.push_back(f);
  }
  print_error(messages_of(errors));
  (void)error(command + ": refused: " + std::string(found.install().directory) + ": " +
                  std::string(errors.empty() ? arena_string("broken") : errors.front().summary),
              exit_refused);
  return true;
}

exit_status check_cudnn(const system_interface& os, const command_line& given,
                        checked_cudnn& found) {
  const std::string command = given.what->name;
  const cudnn_choice chosen = choose_cudnn(os, given.from);
  if (chosen.library.empty()) {
    return error(command + ": " + chosen.error, chosen.usage ? exit_usage : exit_unknown);
  }
  const std::string note = note_of_choice(chosen);
  if (!note.empty()) {
    print_error("cudnn-checked: note: " + command + ": " + std::string(one_line(note)) + "\n");
  }
  show_progress("looking at " + chosen.library);
  survey_scope scope;
  scope.directories = {directory_part(chosen.library)};
  found.all = survey_of(os, scope);
  found.judged = judged_survey(found.all, scope);
  advise_on(os, scope, found.all, found.judged);
  const arena_string wanted = os.real_path(chosen.library);
  while (found.index < found.all.installs.size() &&
         os.real_path(found.all.installs[found.index].library) != wanted) {
    ++found.index;
  }
  const std::string directory = directory_part(chosen.library);
  if (found.index == found.all.installs.size()) {
    return error(command + ": " + directory + ": no cuDNN in it", exit_unknown);
  }
  if (is_refused(found, command)) return exit_refused;
  if (found.install().header_path.empty() || !found.install().header.known()) {
    return error(command + ": " + directory +
                     ": this cuDNN has no cudnn_version.h, and nothing is compiled without it",
                 exit_refused);
  }
  return exit_fine;
}

}  // namespace cudnn_checked::cli
