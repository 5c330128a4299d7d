// SPDX-License-Identifier: BSD-3-Clause
#include "header_version.h"

#include <cstddef>
#include <cstdlib>

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// The number behind "#define NAME "; -1 where there is none.
static int defined_number(const string& text, const string& name) {
  const string line = "#define " + name + " ";
  const std::size_t at = text.find(line);
  if (at == string::npos) return -1;
  const char* number = text.c_str() + at + line.size();
  char* end = nullptr;
  const long value = std::strtol(number, &end, 10);
  return end == number ? -1 : static_cast<int>(value);
}

version read_header_version(const string& header_text) {
  version found;
  found.major = defined_number(header_text, "CUDNN_MAJOR");
  found.minor = defined_number(header_text, "CUDNN_MINOR");
  found.patch = defined_number(header_text, "CUDNN_PATCHLEVEL");
  return found.major < 0 || found.minor < 0 || found.patch < 0 ? version() : found;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
