// SPDX-License-Identifier: BSD-3-Clause
#include "sharpen.h"

#include <cudnn_checked/guard.hpp>

#include <cstddef>
#include <string>

const char* sharpen_start() {
  static std::string why;
  try {
    // Its own stamp: the plugin may have been built with another cuDNN than its host.
    cudnn_checked::require_or_throw();
    return nullptr;
  } catch (const cudnn_checked::refused& refusal) {
    // No exception leaves a plugin.
    why = refusal.what();
    return why.c_str();
  }
}

void sharpen(picture* x) {
  const picture smooth = blur(*x);
  for (std::size_t i = 0; i < x->values.size(); ++i) {
    x->values[i] += x->values[i] - smooth.values[i];
  }
}
