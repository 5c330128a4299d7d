// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../namespace.h"
#include "string.h"
#include "vector.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

enum class severity { note, unknown, warning, error };

/// "note", "unknown", "warning", "error".
const char* to_string(severity s);

/// A line of evidence: what it is, its value, and the file or variable that it came from.
struct fact {
  string label;
  string value;
  string where;
};

/// One thing that a rule found.
struct finding {
  string name;  ///< stable: "cudnn-older"
  severity weight = severity::error;
  string summary;  ///< what is wrong, without a full stop
  fact expected;   ///< an empty label means that there is none
  fact found;
  vector<fact> more;  ///< further evidence
  string because;     ///< what would happen, or the promise that is broken; a full sentence
  string fix;         ///< what to type
};

/// The worst of the findings decides: an error refuses, then a warning, then unknown.
enum class verdict { ok, unknown, warning, refused };

/// "ok", "unknown", "warning", "refused".
const char* to_string(verdict v);

/// Worst first; findings of equal weight stay in the order in which they were found.
void sort_by_weight(vector<finding>& findings);

verdict verdict_of(const vector<finding>& findings);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
