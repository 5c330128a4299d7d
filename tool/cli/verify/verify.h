// SPDX-License-Identifier: BSD-3-Clause
//
// verify --pid and verify --python.
#pragma once

#include "../../core/json/json.h"
#include "../../guard/environment.h"
#include "../formats/outcome.h"
#include "../machine/named_tree.h"
#include "../machine/python.h"
#include "../program/check_program.h"
#include "../text/output.h"
#include "../words/command_line.h"

namespace cudnn_checked::cli {

exit_status verify_process(const command_line& given, const assumed_machine& machine);

/// The modules of --python.  If one is no name, it has said so and returns false.
bool read_named_modules(const command_line& given, std::vector<std::string>& modules);

/// Imports the modules in a process of its own, and checks that.
exit_status verify_python(const command_line& given, const assumed_machine& machine);

/// Looks at what the packages of a Python in the tree would load.  Nothing there is started.
exit_status verify_python_in_tree(const command_line& given, const named_tree& tree,
                                  const assumed_machine& machine);

/// The text about the check of a program or of a process: verify.cpp.
arena_string text_of(const program_check& check, const arena_string& file,
                     const assumed_machine& machine, const char* would = " would start");

/// The same for formats that others read; `more` are further findings.
checked_subject subject_of(const program_check& check, const std::string& name,
                           const assumed_machine& machine, const arena_vector<finding>& more = {});

/// Further lines for a result that is right.
arena_string notes_of(const program_check& check);

struct python_check {
  bool is_python = false;          ///< it tells where its packages lie
  exit_status status = exit_fine;  ///< exit_not_started: refused; exit_usage: a module is absent
  json report;                     ///< of the library that decides; null: nothing uses cuDNN
  arena_string not_known;          ///< why it is refused without one
};

/// The last line of a refusal of `run`.
inline constexpr const char* override_line = "  override: CUDNN_CHECKED=warn\n";

/// A note of `run`; with --strict a refusal.  Returns whether it refuses.
bool tell_not_known(const arena_string& text, const guard_environment& environment,
                    const char* note = "note");

/// Checks what the packages would load, and says what is wrong on standard error.
python_check check_python(const command_line& given, const python_start& python,
                          const guard_environment& environment);

}  // namespace cudnn_checked::cli
