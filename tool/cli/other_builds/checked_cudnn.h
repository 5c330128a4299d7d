// SPDX-License-Identifier: BSD-3-Clause
//
// The one cuDNN that a program of another build system is compiled and linked with.
#pragma once

#include <string>

#include "../../core/model/paths.h"
#include "../survey/survey_advice.h"
#include "../words/command_line.h"

namespace cudnn_checked::cli {

struct checked_cudnn {
  survey all;
  survey_judgement judged;  ///< points into `all`
  std::size_t index = 0;    ///< of the install, in both

  const cudnn_install& install() const { return all.installs[index]; }
  const install_judgement& judgement_of_install() const { return judged.installs[index]; }
  arena_string library_directory() const { return directory_part(install().library); }
  arena_string header_directory() const { return directory_part(install().header_path); }
};

/// Looks at the cuDNN of --from as doctor does, with its headers.  Unless it returns exit_fine it
/// has said what is wrong: in the messages of doctor where doctor calls it broken.
exit_status check_cudnn(const system_interface& os, const command_line& given,
                        checked_cudnn& found);

}  // namespace cudnn_checked::cli
