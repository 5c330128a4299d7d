// SPDX-License-Identifier: BSD-3-Clause
#include "finding.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

const char* to_string(severity s) {
  switch (s) {
    case severity::note:
      return "note";
    case severity::unknown:
      return "unknown";
    case severity::warning:
      return "warning";
    case severity::error:
      return "error";
  }
  return "error";
}

const char* to_string(verdict v) {
  switch (v) {
    case verdict::ok:
      return "ok";
    case verdict::unknown:
      return "unknown";
    case verdict::warning:
      return "warning";
    case verdict::refused:
      return "refused";
  }
  return "refused";
}

verdict verdict_of(const std::vector<finding>& findings) {
  verdict worst = verdict::ok;
  for (const finding& f : findings) {
    // severity and verdict are ordered alike: note-ok, unknown, warning, error-refused.
    const verdict v = static_cast<verdict>(static_cast<int>(f.weight));
    if (static_cast<int>(v) > static_cast<int>(worst)) worst = v;
  }
  return worst;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
