// SPDX-License-Identifier: BSD-3-Clause
#include "format.h"

#include <cstdarg>
#include <cstring>

#include "architecture.h"
#include "observation.h"
#include "version.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

static arena_string numbers_of(version v, int count) {
  if (!v.known()) return "unknown";
  const int parts[] = {v.major, v.minor, v.patch};
  arena_string text;
  for (int i = 0; i < count; ++i) {
    if (i != 0) text += '.';
    text += to_string(parts[i]);
  }
  return text;
}

arena_string slot_text(slot_kind kind, const void* value) {
  const std::uintptr_t number = reinterpret_cast<std::uintptr_t>(value);
  switch (kind) {
    case slot_kind::text:
      return static_cast<const char*>(value);
    case slot_kind::string:
      return arena_string::at(static_cast<const char*>(value));
    case slot_kind::number:
      return to_string(static_cast<int>(number));
    case slot_kind::count:
      return to_string(number);
    case slot_kind::version:
      return numbers_of(version::from_number(number), 3);
    case slot_kind::cuda:
      return numbers_of(version::from_number(number), 2);
    case slot_kind::driver:
      return to_driver_string(version::from_number(number));
    case slot_kind::architecture:
      return to_sm_string(*static_cast<const architecture*>(value));
    case slot_kind::releases:
      return describe(*static_cast<const arena_vector<release>*>(value));
    case slot_kind::file:
      return where_of(*static_cast<const found_file*>(value));
    case slot_kind::library:
      if (value != nullptr) return where_of(*static_cast<const cudnn_file*>(value));
  }
  return {};
}

/// The values of a call that are not used yet.
struct slot_values {
  slot_kinds kinds;
  std::va_list rest;
};

// Appends the pattern up to one of the characters in `ends`, or its end: where that is.
static const char* append_pattern(arena_string& out, const char* pattern, const char* ends,
                                  slot_values& values) {
  for (;;) {
    const std::size_t length = std::strcspn(pattern, ends);
    out.append(pattern, length);
    pattern += length;
    if (*pattern != '%' || values.kinds == 0) return pattern;
    pattern += 2;
    out += slot_text(first_kind(values.kinds), va_arg(values.rest, const void*));
    values.kinds >>= 4;
  }
}

arena_string format_slots(const char* pattern, slot_kinds kinds, ...) {
  slot_values values;
  values.kinds = kinds;
  va_start(values.rest, kinds);
  arena_string out;
  append_pattern(out, pattern, "%", values);
  va_end(values.rest);
  return out;
}

static const char* tell_line(finding& f, const char* pattern, slot_values& values) {
  const char part = *pattern;
  const bool is_fact = part == '=' || part == ':' || part == '+';
  const bool is_fix = part == '$' || part == '>';
  if (is_fact || is_fix || part == '.') ++pattern;
  arena_string texts[3];
  for (arena_string& text : texts) {
    pattern = append_pattern(text, pattern, is_fact ? "%|\n" : "%\n", values);
    if (*pattern != '|') break;
    ++pattern;
  }
  const fact line = {texts[0], texts[1], texts[2]};
  if (part == '+') f.more.push_back(line);
  if (is_fact) {
    if (part != '+') (part == '=' ? f.expected : f.found) = line;
  } else if (is_fix) {
    f.fix.push_back({part == '$' ? fix_line::kind::command : fix_line::kind::advice, line.label});
  } else {
    (part == '.' ? f.because : f.summary) = line.label;
  }
  return *pattern == '\n' ? pattern + 1 : pattern;
}

void tell_slots(finding& f, const char* pattern, slot_kinds kinds, ...) {
  slot_values values;
  values.kinds = kinds;
  va_start(values.rest, kinds);
  while (*pattern != '\0') pattern = tell_line(f, pattern, values);
  va_end(values.rest);
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
