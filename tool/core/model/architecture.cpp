// SPDX-License-Identifier: BSD-3-Clause
#include "architecture.h"

#include "format.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

static bool take_prefix(std::string_view& text, std::string_view prefix) {
  if (part_of(text, 0, prefix.size()) != prefix) return false;
  text.remove_prefix(prefix.size());
  return true;
}

static bool take_suffix(std::string_view& text, std::string_view suffix) {
  if (text.size() < suffix.size() || part_of(text, text.size() - suffix.size()) != suffix)
    return false;
  text.remove_suffix(suffix.size());
  return true;
}

architecture parse_architecture(std::string_view text) {
  if (!take_prefix(text, "sm_")) take_prefix(text, "compute_");
  architecture result;
  if (take_suffix(text, "a")) {
    result.suffix = 'a';
  } else if (take_suffix(text, "f")) {
    result.suffix = 'f';
  }
  arena_string digits;
  std::size_t point = std::string_view::npos;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '.' && point == std::string_view::npos && i > 0) {
      point = i;
    } else if (text[i] >= '0' && text[i] <= '9') {
      digits += text[i];
    } else {
      return {};
    }
  }
  // Without a point the last digit is the minor number: 75 is 7.5, 120 is 12.0.
  if (digits.size() < 2 || digits.size() > 3) return {};
  if (point != std::string_view::npos && point != digits.size() - 1) return {};
  result.minor = digits.back() - '0';
  result.major = digits[0] - '0';
  if (digits.size() == 3) result.major = result.major * 10 + (digits[1] - '0');
  return result.major == 0 ? architecture{} : result;
}

arena_string to_string(const architecture& a) {
  if (!a.known()) return "unknown";
  arena_string text = format("%d%d", a.major, a.minor);
  if (a.suffix != '\0') text += a.suffix;
  return text;
}

arena_string to_sm_string(const architecture& a) {
  return a.known() ? "sm_" + to_string(a) : arena_string("unknown");
}

arena_vector<device_code> parse_cuda_architectures(const arena_vector<arena_string>& items) {
  arena_vector<device_code> result;
  for (const arena_string item : items) {
    std::string_view text = item;
    const bool real_only = take_suffix(text, "-real");
    const bool virtual_only = !real_only && take_suffix(text, "-virtual");
    const architecture target = parse_architecture(text);
    if (!target.known()) continue;
    if (!virtual_only) result.push_back({device_code::kind::cubin, target});
    if (!real_only) result.push_back({device_code::kind::ptx, target});
  }
  return result;
}

arena_string to_string(const device_code& code) {
  if (code.form == device_code::kind::cubin) return to_sm_string(code.target);
  return "compute_" + to_string(code.target) + " (PTX)";
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
