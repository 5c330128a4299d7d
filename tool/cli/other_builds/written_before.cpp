// SPDX-License-Identifier: BSD-3-Clause
#include "written_before.h"

#include <string_view>

#include "../../core/system/platform.h"

namespace cudnn_checked::cli {

static bool is_there(const system_interface& os, const std::string& file) {
  return !os.real_path(absolute_path(os, file)).empty();
}

static bool has_mark(const system_interface& os, const std::string& file, const char* mark) {
  constexpr std::size_t head = 512;
  arena_string text;
  if (!os.read_text(absolute_path(os, file), text)) return false;
  return std::string_view(text).substr(0, head).find(mark) != std::string_view::npos;
}

static std::string stays(const std::string& file) {
  return file + ": cudnn-checked did not write this file, and it stays; remove it, or name another";
}

std::string why_it_stays(const system_interface& os, const std::string& file, const char* mark) {
  return !is_there(os, file) || has_mark(os, file, mark) ? std::string() : stays(file);
}

std::string why_object_stays(const system_interface& os, const std::string& object,
                             const std::string& source) {
  const std::string wrong = why_it_stays(os, source, mark_of_guard_source);
  if (!wrong.empty()) return wrong;
  return is_there(os, object) && !is_there(os, source) ? stays(object) : std::string();
}

}  // namespace cudnn_checked::cli
