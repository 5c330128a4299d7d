// SPDX-License-Identifier: BSD-3-Clause
//
// verify --pid and verify --python.
#pragma once

#include "../program/check_program.h"
#include "../text/output.h"
#include "../words/command_line.h"

namespace cudnn_checked::cli {

exit_status verify_process(const command_line& given, const assumed_machine& machine);

/// Imports the modules in a process of its own, and checks that.
exit_status verify_python(const command_line& given, const assumed_machine& machine);

/// What is printed of the check of a program or of a process: verify.cpp.
string text_of(const program_check& check, const string& file, const assumed_machine& machine,
               const char* would = " would start");

}  // namespace cudnn_checked::cli
