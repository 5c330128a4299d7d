// SPDX-License-Identifier: BSD-3-Clause
#include "read.h"

#include "../../core/model/found_file.h"
#include "../../core/model/paths.h"
#include "../../core/system/own_system.h"
#include "../system/own_process.h"

namespace cudnn_checked::cli {

// A report of eight GPUs with every convolution is 50 KB.
static constexpr unsigned long long largest_report = 16U << 20;

static const char* open_error(open_result result) {
  switch (result) {
    case open_result::missing:
      return "no such file";
    case open_result::denied:
      return "no permission to read it";
    case open_result::directory:
      return describe(file_state::directory);
    case open_result::fifo:
      return describe(file_state::fifo);
    case open_result::socket:
      return describe(file_state::socket);
    case open_result::device:
      return describe(file_state::device);
    default:
      return "it cannot be read";
  }
}

static bool read_all(const arena_string& path, arena_string& text, std::string& error) {
  const system_interface& os = own_system();
  byte_source* source = nullptr;
  const open_result result = os.open(path, &source);
  if (result != open_result::opened) {
    error = path + ": " + open_error(result);
    return false;
  }
  const unsigned long long size = source->size();
  const std::size_t count = static_cast<std::size_t>(size);
  const bool is_small = size <= largest_report;
  const bool whole = is_small && (count == 0 || source->read(0, text.extend(count), count));
  delete source;
  if (!whole) error = path + (is_small ? ": it cannot be read" : ": more than 16 MiB");
  return whole;
}

// A machine that died while it wrote leaves such a file.
static bool is_cut_off(const arena_string& text, const arena_string& reason) {
  const std::string end = " at byte " + std::to_string(text.size());
  const std::string words = reason;
  return words.size() > end.size() && words.substr(words.size() - end.size()) == end;
}

// Each value but the first begins behind a comma or with what it is the first of.  A file of 16 MiB
// can have 8 million, whose tree takes more than 1 GB.
static bool has_more_values(std::string_view text, std::size_t most) {
  std::size_t values = 1;
  bool in_string = false;
  for (std::size_t at = 0; at < text.size() && values <= most; ++at) {
    const char c = text[at];
    if (in_string && c == '\\') {
      ++at;
    } else if (c == '"') {
      in_string = !in_string;
    } else if (!in_string && (c == ',' || c == '[' || c == '{')) {
      ++values;
    }
  }
  return values > most;
}

bool read_report(const arena_string& path, json& result, std::string& error, std::size_t most) {
  arena_string text;
  arena_string reason;
  if (!read_all(path, text, error)) return false;
  // RFC 8259, section 8.1.
  if (starts_with(text, "\xEF\xBB\xBF")) text = text.substr(3);
  if (text.empty()) {
    error = path + ": an empty file";
    return false;
  }
  if (has_more_values(text, most)) {
    error = path + ": more than " + std::to_string(most) + " values";
    return false;
  }
  if (!parse_json(text, result, reason)) {
    error = path + (is_cut_off(text, reason) ? ": it ends in the middle" : ": not JSON: " + reason);
    return false;
  }
  if (result.type() != json::kind::object || result["schema"].text() != "1") {
    error = path + ": not a report of schema 1";
    return false;
  }
  return true;
}

}  // namespace cudnn_checked::cli
