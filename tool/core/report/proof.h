// SPDX-License-Identifier: BSD-3-Clause
//
// What CMake needs of a report: lines "proof_name=value" and a hash of them, data and nothing else
// (cmake/CuDNNChecked/every_configure/facts.cmake, _cudnn_checked_read_facts).
#pragma once

#include <string_view>

#include "../json/json.h"
#include "../model/arena_string.h"
#include "../model/arena_vector.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// A text of facts.
class proof_lines {
 public:
  void add(const char* name, std::string_view value);
  /// A list of CMake.
  void add(const char* name, const arena_vector<arena_string>& values);
  /// The lines, and the line with their hash.
  arena_string whole() const;

 private:
  arena_string text_;
};

/// The facts of a report that the probe has written, finished or not.  `untried`: its message has a
/// fix that the probe did not try.
arena_string proof_of(const json& report, bool untried = false);

/// All of them but the stage, and whether fixes were tried.
void add_facts(const json& report, proof_lines& lines);

/// The MD5 of a text (RFC 1321) in hexadecimal, which CMake computes as well.
arena_string md5_of(std::string_view text);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
