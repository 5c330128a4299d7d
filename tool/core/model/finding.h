// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "../namespace.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

enum class severity { note, unknown, warning, error };

/// "note", "unknown", "warning", "error".
const char* to_string(severity s);

/// A line of evidence: what it is, its value, and the file or variable that it came from.
struct fact {
  std::string label;
  std::string value;
  std::string where;
};

/// One thing that a rule found.
struct finding {
  std::string name;  ///< stable: "cudnn-older"
  severity weight = severity::error;
  std::string summary;  ///< what is wrong, without a full stop
  fact expected;        ///< an empty label means that there is none
  fact found;
  std::vector<fact> more;  ///< further evidence
  std::string because;     ///< what would happen, or the promise that is broken; a full sentence
  std::string fix;         ///< what to type
};

/// The worst of the findings decides: an error refuses, then a warning, then unknown.
enum class verdict { ok, unknown, warning, refused };

/// "ok", "unknown", "warning", "refused".
const char* to_string(verdict v);

/// Worst first; findings of equal weight stay in the order in which they were found.
void sort_by_weight(std::vector<finding>& findings);

verdict verdict_of(const std::vector<finding>& findings);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
