// SPDX-License-Identifier: BSD-3-Clause
#include "sweep_progress.h"

#include <cmath>

#include "../text/output.h"
#include "../text/progress.h"

namespace cudnn_checked::cli {

std::string text_of(const sweep::sweep_progress& now, double seconds) {
  std::string text;
  if (now.plans == 0) {
    text = now.workers == 0 ? std::string("starting")
                            : std::string(counted(now.workers, "process")) + " started";
  } else {
    const auto speed = static_cast<long>(static_cast<double>(now.plans) / now.seconds);
    text = std::string(counted(now.problems, "problem")) + ", " +
           std::string(counted(now.plans, "plan")) + " (" + std::to_string(speed) + " a second), " +
           std::to_string(now.defects) + " failed";
  }
  const double left = std::ceil(seconds - now.seconds);
  if (left <= 0) return text + "; waiting for the last ones";
  return text + "; " + std::to_string(static_cast<long>(left)) + " s left";
}

void sweep_watcher::shows(const sweep::sweep_progress& now) {
  show_line(std::string(what_) + ": " + text_of(now, seconds_));
}

}  // namespace cudnn_checked::cli
