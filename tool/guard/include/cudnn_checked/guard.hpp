// SPDX-License-Identifier: BSD-3-Clause
//
// The guard for C++ (11 and later): a thin wrapper of guard.h, so that no C++ type crosses from the
// guard's objects into the program's.
#pragma once

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "guard.h"

namespace cudnn_checked {

/// The worst finding decides.
enum class verdict { ok, unknown, warning, refused };

/// One finding: a stable name, what is wrong, what would happen, what to type.
struct finding {
  std::string name;
  std::string severity;
  std::string summary;
  std::string expected;
  std::string found;
  std::string where;
  std::string because;
  std::string fix;
};

/// What a check found.  Cheap to copy: copies share it.
class report {
 public:
  /// Takes `owned`, which came from cudnn_checked_check().
  explicit report(cudnn_checked_report* owned) : report_(owned, &cudnn_checked_free) {}

  cudnn_checked::verdict verdict() const {
    return static_cast<cudnn_checked::verdict>(cudnn_checked_verdict_of(report_.get()));
  }
  std::vector<finding> findings() const {
    std::vector<finding> result;
    for (std::size_t i = 0; i < cudnn_checked_finding_count(report_.get()); ++i) {
      const cudnn_checked_finding f = cudnn_checked_finding_at(report_.get(), i);
      result.push_back(
          finding{f.name, f.severity, f.summary, f.expected, f.found, f.where, f.because, f.fix});
    }
    return result;
  }
  /// For a person; empty where there is nothing to say.
  std::string text() const { return cudnn_checked_text(report_.get()); }
  /// Schema 1 (docs/report.md).
  std::string json() const { return cudnn_checked_json(report_.get()); }

 private:
  std::shared_ptr<cudnn_checked_report> report_;
};

/// Thrown by require_or_throw(); what() is the whole text.
class refused : public std::runtime_error {
 public:
  explicit refused(report r) : std::runtime_error(r.text()), report_(std::move(r)) {}
  const report& why() const { return report_; }

 private:
  report report_;
};

// `static`: each target has a stamp of its own, so these must not be shared between targets.

/// Judges this machine against the stamp.  Never throws for what it finds, never ends the program.
static inline report check() { return report(cudnn_checked_check()); }

/// Where the verdict is refused: the text on stderr and std::exit(78).
static inline void require() { cudnn_checked_require(); }

/// Where the verdict is refused: throws `refused`, whatever CUDNN_CHECKED says.
static inline void require_or_throw() {
  report r = check();
  if (r.verdict() == verdict::refused) throw refused(std::move(r));
}

}  // namespace cudnn_checked
