// SPDX-License-Identifier: BSD-3-Clause
#include "../../bundle/bundle.h"
#include "../../core/judge/advice/advice.h"
#include "../../core/model/paths.h"
#include "../../core/report/report.h"
#include "../../core/system/own_system.h"
#include "../machine/choose_cudnn.h"
#include "../program/check_program.h"
#include "../system/own_process.h"
#include "../text/json_tree.h"
#include "../text/lists.h"
#include "../text/progress.h"
#include "../words/command_line.h"
#include "finished_program.h"

namespace cudnn_checked::cli {

static json json_of(const bundles::bundle& chosen, const std::string& directory,
                    const std::string& command) {
  const auto file_json = [](const bundles::bundled_file& file) {
    return object_of({{"name", file.name}, {"source", file.source}, {"link", file.link}});
  };
  const auto left_json = [](const bundles::left_file& file) {
    return object_of({{"name", file.name}, {"path", file.path}});
  };
  const auto license_json = [](const bundles::license_file& file) {
    return object_of({{"source", file.source}, {"folder", file.folder}});
  };
  return answer_of({{"directory", directory},
                    {"cudnn", to_string(chosen.number)},
                    {"cuda_major", chosen.cuda_major},
                    {"copied", array_of(chosen.files, file_json)},
                    {"not_copied", array_of(chosen.left, left_json)},
                    {"not_in_it", list_of(chosen.open_names)},
                    {"licenses", array_of(chosen.licenses, license_json)},
                    {"without_license", list_of(chosen.unlicensed)},
                    {"command", command}});
}

static exit_status tell(const bundles::bundle& chosen, const std::string& directory,
                        const std::string& command, bool as_json) {
  if (as_json) {
    print_json(json_of(chosen, directory, command).print());
  } else {
    print(bundles::text_of(chosen, directory) +
          (command.empty() ? "" : "  then type:    " + one_line(command) + "\n"));
  }
  return exit_fine;
}

exit_status bundle_cudnn(const command_line& given) {
  const system_interface& os = own_system();
  if (!given.program.empty()) {
    const file_error wrong = look_at_file(os, given.program);
    if (!wrong.text.empty()) return error("bundle: --for " + wrong.text, wrong.status);
  }
  const cudnn_choice chosen = choose_cudnn(os, given.from);
  if (chosen.library.empty()) {
    return error("bundle: " + chosen.error, chosen.usage ? exit_usage : exit_unknown);
  }
  const std::string note = note_of_choice(chosen);
  if (!note.empty()) print_error("cudnn-checked: note: bundle: " + one_line(note) + "\n");
  show_progress("copying " + chosen.library);
  const bundles::bundle what = bundles::choose_bundle(
      os, chosen.library, {},
      given.cuda ? bundles::cuda_libraries::copied : bundles::cuda_libraries::left);
  if (!what.findings.empty()) {
    return error("bundle: " + directory_part(chosen.library) + ": " +
                     what.findings.front().summary + "; cudnn-checked doctor " +
                     cudnn_checked::quoted(directory_part(chosen.library)) + " says more",
                 exit_refused);
  }
  const std::string wrong = bundles::write_bundle(os, what, given.file());
  if (!wrong.empty()) return error("bundle: " + wrong);
  const std::string directory = os.real_path(given.file());
  const std::string command =
      given.program.empty() ? "" : command_for(os, what, directory, given.program);
  return tell(what, directory, command, given.json);
}

}  // namespace cudnn_checked::cli
