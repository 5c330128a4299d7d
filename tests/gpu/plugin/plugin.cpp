// SPDX-License-Identifier: BSD-3-Clause
#include <cudnn.h>
#include <cudnn_checked/guard.hpp>

#include <string>

/// The report of this moment as text for a person; empty where all is well.
extern "C" const char* check_text() {
  static std::string text;
  text = cudnn_checked::check().text();
  return text.c_str();
}

extern "C" size_t cudnn_version() { return cudnnGetVersion(); }
