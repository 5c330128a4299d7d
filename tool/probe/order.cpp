// SPDX-License-Identifier: BSD-3-Clause
#include "order.h"

#include <algorithm>
#include <cstdlib>

namespace cudnn_checked::probe {

/// "a,b" -> {"a", "b"}; empty items are dropped.
static std::vector<std::string> split_at_commas(const std::string& text) {
  std::vector<std::string> items;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    if (end > begin) items.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return items;
}

static bool add_kind(const std::string& name, work& asked) {
  for (const convolution_kind& kind : convolution_kinds) {
    if (name != kind.name) continue;
    asked.kinds.push_back(&kind);
    return true;
  }
  return false;
}

static bool add_operation(const std::string& name, work& asked) {
  fused_operation what = fused_operation::none;
  if (!parse_word(name, what) || what == fused_operation::none) return false;
  asked.operations.push_back(what);
  return true;
}

static bool read_devices(const std::string& value, order& result) {
  result.all_gpus = value == "all";
  if (!result.all_gpus) result.gpus = split_at_commas(value);
  return true;
}

static bool read_answer(const std::string& value, bool& result) {
  result = value == "yes";
  return result || value == "no";
}

static bool read_value(const std::string& key, const std::string& value, order& result) {
  const auto all = [&](bool (*add)(const std::string&, work&)) {
    const std::vector<std::string> names = split_at_commas(value);
    return std::all_of(names.begin(), names.end(),
                       [&](const std::string& name) { return add(name, result.asked); });
  };
  if (key == "convolutions") return all(add_kind);
  if (key == "operations") return all(add_operation);
  if (key == "devices") return read_devices(value, result);
  if (key == "call") return read_answer(value, result.call);
  if (key == "compute") return read_answer(value, result.compute);
  if (key != "file") return false;
  result.file = std::atoi(value.c_str());
  return result.file > 0;
}

bool read_order(int count, const char* const* arguments, order& result, std::string& error) {
  for (int i = 0; i < count; ++i) {
    const std::string argument = arguments[i];
    const std::size_t equals = std::min(argument.find('='), argument.size());
    const std::string value = argument.substr(std::min(equals + 1, argument.size()));
    if (equals < argument.size() && read_value(argument.substr(0, equals), value, result)) continue;
    error = "unknown argument '" + argument + "'";
    return false;
  }
  return true;
}

static bool is_named(const gpu& candidate, const std::string& name) {
  const bool by_uuid = name.find_first_not_of("0123456789") != std::string::npos;
  if (by_uuid) return candidate.uuid.compare(0, name.size(), name) == 0;
  return std::to_string(candidate.index) == name;
}

static bool is_among(const std::vector<gpu>& some, const gpu& candidate, bool each) {
  return std::any_of(some.begin(), some.end(), [&](const gpu& one) {
    if (each) return one.index == candidate.index;
    return one.major == candidate.major && one.minor == candidate.minor;
  });
}

bool choose_gpus(const std::vector<gpu>& gpus, const order& given, std::vector<gpu>& chosen,
                 std::string& missing) {
  std::vector<gpu> candidates = given.gpus.empty() ? gpus : std::vector<gpu>();
  for (const std::string& name : given.gpus) {
    const auto found =
        std::find_if(gpus.begin(), gpus.end(), [&](const gpu& one) { return is_named(one, name); });
    if (found == gpus.end()) {
      missing = name;
      return false;
    }
    candidates.push_back(*found);
  }
  const bool each = given.all_gpus || !given.gpus.empty();
  for (const gpu& candidate : candidates) {
    if (!is_among(chosen, candidate, each)) chosen.push_back(candidate);
  }
  return true;
}

}  // namespace cudnn_checked::probe
