// SPDX-License-Identifier: BSD-3-Clause
//
// A program, or what a tool has packed behind it.
#pragma once

#include "../program/check_program.h"

namespace cudnn_checked::cli {

/// As check_program().  For an application of PyInstaller or Nuitka, the libraries in it that use
/// cuDNN are checked as the application starts them, and the worst result counts.
program_check check_application(const system_interface& os, const arena_string& path,
                                const assumed_machine& machine = {});

/// The same of a Python program in an archive: of its packages, or of those of its Python.
struct archive_check {
  bool is_archive = false;
  bool is_damaged = false;
  arena_string unknown;  ///< why nothing was checked; empty: something was
  program_check check;
};
archive_check check_archive(const system_interface& os, const arena_string& path,
                            const assumed_machine& machine = {});

}  // namespace cudnn_checked::cli
