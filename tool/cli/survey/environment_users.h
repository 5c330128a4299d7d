// SPDX-License-Identifier: BSD-3-Clause
//
// The shared libraries of an environment that use cuDNN, and what each of them takes.
#pragma once

#include <string>
#include <vector>

#include "../../core/library/library_file.h"
#include "../../core/model/survey.h"
#include "../program/check_program.h"
#include "environment_records.h"

namespace cudnn_checked::cli {

/// Why a library is taken for a user of cuDNN: because of its dynamic section, except for the first
/// two.
enum class sign_of_cudnn {
  none,
  data,      ///< names in its read-only data, by which it can open cuDNN itself
  package,   ///< its package is known to open cuDNN for it
  cublas,    ///< it NEEDs cuBLAS: where its package asks for cuDNN, it may open that by name
  run_path,  ///< its run path leads to cuDNN's wheel: it may open it by name
  needed     ///< a NEEDED entry
};

sign_of_cudnn sign_of(const library_file& contents);

/// Is that a name of cuBLAS?
bool is_cublas(const arena_string& name);

/// Takes the result of check_program() for the user's library.
void take_answer(const program_check& check, cudnn_user& user);

/// How much of an environment is looked at: libraries that are read, names that are listed where no
/// record lists them, libraries that are checked.
struct look_limits {
  int libraries = 20000;
  int names = 50000;
  int checks_of_package = 8;
  int milliseconds = 5000;
};

/// For a conda prefix: the libraries in its lib, and the packages of conda that have recorded them.
void find_users_of_conda(const system_interface& os, const look_limits& limits, environment& place);

/// The same of those that were found there before: the system is another one since, and what of it
/// uses cuDNN is not.
void find_users_again(const system_interface& os, const environment& before, environment& place);

/// Fills users, libraries and limit of `place` from the libraries that its packages have recorded,
/// and from what lies in the folders that no record lists.
void find_users(const system_interface& os, const recorded_packages& recorded,
                const look_limits& limits, environment& place);

}  // namespace cudnn_checked::cli
