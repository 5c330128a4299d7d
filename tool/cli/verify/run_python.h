// SPDX-License-Identifier: BSD-3-Clause
//
// run: a Python program, whose cuDNN is that of its packages.
#pragma once

#include "../../core/json/json.h"
#include "../../guard/environment.h"
#include "../machine/program_file.h"
#include "../words/commands.h"

namespace cudnn_checked::cli {

struct python_check {
  bool is_python = false;          ///< it tells where its packages lie
  exit_status status = exit_fine;  ///< exit_not_started: refused; exit_usage: a module is absent
  json report;                     ///< of the library that decides; null: nothing uses cuDNN
};

/// Checks what the packages would load, and says what is wrong on standard error.
python_check check_python(const command_line& given, const python_start& python,
                          const guard_environment& environment);

}  // namespace cudnn_checked::cli
