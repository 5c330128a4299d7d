// SPDX-License-Identifier: BSD-3-Clause
//
// The source of a guard with its stamp, as one unit.
#pragma once

#include <string>

#include "../../core/json/json.h"
#include "../../core/report/proof.h"

namespace cudnn_checked::cli {

/// What a program says of itself.
struct guard_choices {
  std::string program;
  std::string gpu = "optional";
  std::string policy = "compatible";
  bool manual = false;  ///< nothing is checked at the start
};

/// The stamp (schema 1) of a program, as cudnn_checked_guard() makes it: for the same facts the
/// same text.
json stamp_of(const proof_facts& proved, const guard_choices& choices);

/// "cudnn_checked_stamp_app": the function that returns the stamp.
std::string stamp_symbol(const std::string& program);

/// Whether a program may be called so: then its name ends no string of C++.
bool is_program_name(const std::string& name);

/// Whether an #include can name a file in that directory: its path ends no line and no string.
bool can_be_included(std::string_view path);

/// `guard` is the path of guard.cpp, which lies where the package is installed.
std::string guard_source(const std::string& guard, const json& stamp, const guard_choices& choices);

}  // namespace cudnn_checked::cli
