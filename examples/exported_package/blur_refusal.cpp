// SPDX-License-Identifier: BSD-3-Clause
#include "blur_refusal.h"

#include <cudnn_checked/guard.hpp>

std::string blur_refusal() {
  // check() never ends the program and never throws: the caller gets the text and decides.
  const cudnn_checked::report report = cudnn_checked::check();
  return report.verdict() == cudnn_checked::verdict::refused ? report.text() : std::string();
}
