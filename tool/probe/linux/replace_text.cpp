// SPDX-License-Identifier: BSD-3-Clause
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "../report_file.h"

namespace cudnn_checked::probe {

static bool write_text(const arena_string& path, const arena_string& text) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) return false;
  const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  return std::fclose(file) == 0 && written;
}

bool replace_text(const arena_string& path, const arena_string& text, arena_string& error) {
  const arena_string beside = path + ".part";
  if (write_text(beside, text) && std::rename(beside.c_str(), path.c_str()) == 0) return true;
  error = "cannot write " + path + ": " + std::strerror(errno);
  (void)std::remove(beside.c_str());
  return false;
}

}  // namespace cudnn_checked::probe
