// SPDX-License-Identifier: BSD-3-Clause
#include "fields.h"

#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>

namespace cudnn_checked::sweep {

static constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
static constexpr std::size_t most_knobs = 1000;

std::string text_of(double value, style how) {
  char text[32];
  if (how == style::exact) {
    std::uint64_t bits = 0;
    static_assert(sizeof bits == sizeof value, "double has 64 bits");
    std::memcpy(&bits, &value, sizeof bits);
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(bits));
    return text;
  }
  if (!std::isfinite(value)) return "null";
  // Whole seconds are "60", which the shortest text is not: "6e+01".
  if (how == style::shortest && value == std::floor(value) && std::fabs(value) < 1e15) {
    return std::to_string(static_cast<std::int64_t>(value));
  }
  int digits = how == style::rounded ? 4 : 1;
  do {
    std::snprintf(text, sizeof text, "%.*g", digits, value);
  } while (how == style::shortest && std::strtod(text, nullptr) != value && ++digits <= 17);
  return text;
}

std::string text_of(const version& value, style) {
  return value.known() ? cudnn_checked::to_string(value).c_str() : "";
}

std::string text_of(const std::vector<offer>& offers, style) {
  std::string text;
  for (const offer& made : offers) {
    text +=
        (text.empty() ? "" : " ") + std::string(to_string(made.mode)) + std::to_string(made.rank);
  }
  return text;
}

std::string text_of_capability(const machine& of, style) {
  return std::to_string(of.capability / 10) + "." + std::to_string(of.capability % 10);
}

bool read_capability(const std::string& text, machine& of, style) {
  const version read = parse_version(text);
  of.capability = read.major * 10 + read.minor;
  return true;
}

std::string text_of(const std::vector<problem>& problems, style) {
  std::string text;
  for (const problem& one : problems) text += (text.empty() ? "" : "; ") + to_string(one);
  return text;
}

bool read_text(const std::string& text, std::vector<problem>& problems, style) {
  problems.clear();
  if (text.empty()) return true;
  for (const std::string& one : split_text(text, "; ")) {
    problems.emplace_back();
    if (!read_problem(one, problems.back())) return false;
  }
  return true;
}

bool read_text(const std::string& text, bool& value, style) {
  value = text == "true";
  return value || text == "false";
}

bool read_text(const std::string& text, int& value, style) {
  std::int64_t read = 0;
  if (!read_whole(text, 0, std::numeric_limits<int>::max(), read)) return false;
  value = static_cast<int>(read);
  return true;
}

bool read_text(const std::string& text, std::uint64_t& value, style) {
  return read_natural(text, value);
}

bool read_text(const std::string& text, double& value, style how) {
  char* end = nullptr;
  if (how == style::exact) {
    const std::uint64_t bits = std::strtoull(text.c_str(), &end, 16);
    std::memcpy(&value, &bits, sizeof value);
    return end == text.c_str() + text.size();
  }
  value = text.empty() ? std::numeric_limits<double>::infinity() : std::strtod(text.c_str(), &end);
  return text.empty() || (std::isfinite(value) && value >= 0);
}

bool read_text(const std::string& text, version& value, style) {
  value = parse_version(text);
  return true;
}

bool read_text(const std::string& text, plan& value, style) {
  value.knobs.clear();
  const std::vector<std::string> parts = split_text(text, "_");
  if (parts[0].compare(0, 3, "eng") != 0 || parts.size() > most_knobs ||
      !read_whole(parts[0].substr(3), -1, largest, value.engine)) {
    return false;
  }
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const std::size_t equals = parts[i].find('=');
    knob setting;
    if (parts[i].compare(0, 1, "k") != 0 || equals == std::string::npos ||
        !read_whole(parts[i].substr(1, equals - 1), 0, largest, setting.type) ||
        !read_whole(parts[i].substr(equals + 1), -largest, largest, setting.value)) {
      return false;
    }
    value.knobs.push_back(setting);
  }
  return true;
}

bool read_text(const std::string& text, std::vector<offer>& offers, style) {
  offers.clear();
  if (text.empty()) return true;
  for (const std::string& word : split_text(text, " ")) {
    const std::size_t digits = word.find_first_of("0123456789");
    offer made;
    std::int64_t rank = 0;
    if (digits == std::string::npos || !read_name(word.substr(0, digits), made.mode) ||
        !read_whole(word.substr(digits), 1, 1 << 20, rank)) {
      return false;
    }
    made.rank = static_cast<int>(rank);
    offers.push_back(made);
  }
  return true;
}

/// Only as std::to_string() writes it.
template <class number>
static bool read_number(const std::string& text, number& value) {
  number read = 0;
  (void)std::from_chars(text.data(), text.data() + text.size(), read);
  if (std::to_string(read) != text) return false;
  value = read;
  return true;
}

bool read_natural(const std::string& text, std::uint64_t& value) {
  return read_number(text, value);
}

bool read_whole(const std::string& text, std::int64_t least, std::int64_t most,
                std::int64_t& value) {
  std::int64_t read = 0;
  if (!read_number(text, read) || read < least || read > most) return false;
  value = read;
  return true;
}

std::vector<std::string> split_text(const std::string& text, const std::string& separator) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (;;) {
    const std::size_t end = text.find(separator, begin);
    parts.push_back(text.substr(begin, end == std::string::npos ? end : end - begin));
    if (end == std::string::npos) return parts;
    begin = end + separator.size();
  }
}

}  // namespace cudnn_checked::sweep
