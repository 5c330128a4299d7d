// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "../../sweep/pool/pool.h"

namespace cudnn_checked::cli {

/// How far a sweep is, in the line of progress.
class sweep_watcher final : public sweep::listener {
 public:
  /// `what` stands in front: "sweep".
  sweep_watcher(const char* what, double seconds) : what_(what), seconds_(seconds) {}
  void shows(const sweep::sweep_progress& now) override;

 private:
  const char* what_;
  double seconds_;
};

/// "12 problems, 3456 plans (580 a second), 2 failed; 43 s left".
std::string text_of(const sweep::sweep_progress& now, double seconds);

}  // namespace cudnn_checked::cli
