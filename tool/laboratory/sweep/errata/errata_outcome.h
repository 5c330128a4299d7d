// SPDX-License-Identifier: BSD-3-Clause
//
// `--errata FILE`, from before the sweep to behind it.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "../../../core/json/json.h"
#include "errata.h"

namespace cudnn_checked::sweep {

/// To be called before the sweep: is this an errata file, or no file yet, and can it be written?
bool begin_errata(const std::string& path, std::string& error);

struct errata_outcome {
  std::string path;
  std::string error;  ///< the file was not written: why.  Then nothing below is known.
  std::vector<errata_rule> added;
  std::vector<errata_effect> costs;  ///< of each of them alone
  std::size_t kept = 0;              ///< rules that the file had before
  errata_effect effect;              ///< of the written file on what the sweep saw
  std::string text;                  ///< of the written file
  // The second run, of problems that plans failed for, under the rules.
  std::size_t failing_problems = 0;  ///< of the sweep
  std::size_t problems = 0;          ///< of these: computed again to the end
  std::size_t blocked = 0;           ///< plans that were left out
  std::size_t left = 0;              ///< plans that need a rule all the same
  bool interrupted = false;
};

/// Sweeps these problems alone, with the plans that the text of an errata file blocks left out.
using sweep_under =
    std::function<record(const std::string& errata, const std::vector<std::size_t>& problems)>;

/// Adds the rules that the evidence needs to the file, and runs what failed again under them.  A
/// file that has them all is not touched.
errata_outcome finish_errata(const std::string& path, const errata_evidence& of,
                             const sweep_under& again);

/// The second run had something to compute, computed all of it, and nothing that needs a rule was
/// left.
bool is_verified(const errata_outcome& outcome);

/// The path of a file that is there, for a variable of the environment.
std::string absolute_errata(const std::string& path);

/// What people read; ends with a line break.
std::string text_of(const errata_outcome& outcome, const machine& on);

/// The same in the report of a sweep.
json json_of(const errata_outcome& outcome);

}  // namespace cudnn_checked::sweep
