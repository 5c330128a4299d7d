// SPDX-License-Identifier: BSD-3-Clause
#include "../text/lists.h"
#include "doctor.h"

namespace cudnn_checked::cli {

outcome outcome_of(const survey& all, const survey_judgement& judged,
                   const std::vector<std::string>& directories) {
  using about = subject_of_finding;
  outcome told;
  for (std::size_t i = 0; i < all.installs.size(); ++i) {
    const cudnn_install& install = all.installs[i];
    const arena_string& name = install.library.empty() ? install.directory : install.library;
    told.subjects.push_back(subject_of(std::string(name), {about::files, about::dependency},
                                       judged.installs[i].judged.findings));
  }
  std::vector<about> aspects;
  // Where there is no cuDNN, nothing of one was looked at.
  if (!all.installs.empty()) aspects.push_back(about::place);
  if (!all.environments.empty() || directories.empty()) {
    aspects.insert(aspects.end(), {about::files, about::dependency, about::program});
  }
  if (directories.empty()) aspects.push_back(about::driver);
  if (!all.by_default.devices.gpus.empty()) aspects.push_back(about::gpu);
  const std::string name = directories.empty() ? "this machine" : listed(directories);
  told.subjects.push_back(subject_of(name, aspects, judged.machine.findings));
  return told;
}

}  // namespace cudnn_checked::cli
