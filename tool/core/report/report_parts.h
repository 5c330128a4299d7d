// SPDX-License-Identifier: BSD-3-Clause
//
// A report in parts: what only the probe has is no part of a guard.
#pragma once

#include "../json/json_writer.h"
#include "report.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

struct probe_part {
  using writer = void (*)(json_writer&, const report_input&);
  writer checks;
  writer convolutions;  ///< the elements of its array
  writer operations;    ///< its whole member
  writer skipped;
  writer kernel;
  writer sweep;  ///< its whole member
};

/// The report, with the part of the probe where there is one.
arena_string report_with(const report_input& input, const probe_part* probe);

/// What the program has code for: "75-real", "90".
arena_vector<arena_string> compiled_architectures(const observation& observed);

void write_strings(json_writer& out, const char* key, const arena_vector<arena_string>& texts);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
