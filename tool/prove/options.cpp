// SPDX-License-Identifier: BSD-3-Clause
#include "options.h"

#include <cstddef>
#include <string_view>

#include "../core/model/cmake_text.h"

namespace cudnn_checked::prove {

static constexpr const char* option_keys[] = {
    "report", "require", "components", "convolutions", "operations", "devices", "header",
    "cmake",  "build",   "sweep",      "named",        "found",      "flags",   "linked"};

static constexpr const char* known_components[] = {
#define COMPONENT(name) #name,
#include "../core/model/components.def"
#undef COMPONENT
};

template <std::size_t count>
static arena_string list_of(const char* const (&names)[count]) {
  arena_string list;
  for (const char* name : names) list += (list.empty() ? "" : ", ") + arena_string(name);
  return list;
}

template <std::size_t count>
static bool is_one_of(std::string_view name, const char* const (&names)[count]) {
  return any_of(names, [&](const char* known) { return name == known; });
}

/// "a,b" -> {"a", "b"}; empty items are dropped.
static arena_vector<arena_string> split_at_commas(std::string_view text) {
  arena_vector<arena_string> items;
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    const std::string_view item = text.substr(0, comma);
    if (!item.empty()) items.emplace_back(item);
    text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 1);
  }
  return items;
}

static bool read_require(std::string_view value, options& result, arena_string& error) {
  result.level_required = value != "auto" && value != "AUTO";
  if (!result.level_required) return true;
  if (parse_level(value, result.required) && result.required != level::none) return true;
  error = "unknown level '" + arena_string(value) +
          "' in require=; known are: auto, located, linked, loaded, ran";
  return false;
}

static bool read_components(std::string_view value, options& result, arena_string& error) {
  result.components = split_at_commas(value);
  for (const arena_string& component : result.components) {
    if (is_one_of(component, known_components)) continue;
    error = "unknown component '" + component +
            "' in components=; known are: " + list_of(known_components);
    return false;
  }
  return true;
}

/// "all", the name, or a front part of it: "graph" names all kinds below it.
static bool stands_for(const arena_string& item, std::string_view name) {
  return item == "all" || name == item ||
         (name.substr(0, item.size()) == item && name[item.size()] == '/');
}

/// Keeps the order of the table, so that the same request always gives the same report.
static bool read_convolutions(std::string_view value, options& result, arena_string& error) {
  const arena_vector<arena_string> items = split_at_commas(lower_case(value));
  for (const arena_string& item : items) {
    bool known = false;
    arena_string names = "all";
    for (const convolution_kind& kind : convolution_kinds) {
      known = known || stands_for(item, kind.name);
      names += arena_string(", ") + kind.name;
    }
    if (known) continue;
    error = "unknown convolution '" + item + "' in convolutions=; known are: " + names;
    return false;
  }
  for (const convolution_kind& kind : convolution_kinds) {
    bool wanted = items.empty();
    for (const arena_string& item : items) wanted = wanted || stands_for(item, kind.name);
    if (wanted) result.convolutions.push_back(&kind);
  }
  return true;
}

static bool is_known_operation(const arena_string& item) {
  bool known = item == "conv";
  for (const fused_operation one : fused_operations) {
    known = known || stands_for(item, to_string(one));
  }
  return known;
}

bool read_operations(std::string_view list, const char* where,
                     arena_vector<fused_operation>& result, arena_string& error) {
  const arena_vector<arena_string> items = split_at_commas(lower_case(list));
  for (const arena_string& item : items) {
    if (is_known_operation(item)) continue;
    error = "unknown operation '" + item + "' in " + where + "; known are: all, conv";
    for (const fused_operation one : fused_operations) error += arena_string(", ") + to_string(one);
    return false;
  }
  for (const fused_operation one : fused_operations) {
    bool wanted = false;
    for (const arena_string& item : items) wanted = wanted || stands_for(item, to_string(one));
    if (wanted) result.push_back(one);
  }
  return true;
}

/// Checks only the form of the names, because the GPUs are not known yet.
static bool read_devices(std::string_view value, options& result, arena_string& error) {
  result.each_device = lower_case(value) == "all";
  if (result.each_device) return true;
  result.devices = split_at_commas(value);
  for (const arena_string& device : result.devices) {
    const bool index = device.find_first_not_of("0123456789") == arena_string::npos;
    if (index || device.compare(0, 4, "GPU-") == 0 || device.compare(0, 4, "MIG-") == 0) continue;
    error = "unknown device '" + device +
            "' in devices=; known are: all, an index (0), "
            "a UUID or the beginning of one (GPU-8932f937)";
    return false;
  }
  return true;
}

/// Keeps the text, because the report has it unchanged.
static bool read_sweep(std::string_view value, options& result, arena_string& error) {
  result.sweep = arena_string(value);
  const bool is_number = value.find_first_not_of("0123456789") == std::string_view::npos;
  if (is_number && !value.empty() && value.size() < 10 && value[0] != '0') return true;
  error = "sweep=" + result.sweep + " is no number of seconds";
  return false;
}

static bool read_option(std::string_view key, std::string_view value, options& result,
                        arena_string& error) {
  if (key == "require") return read_require(value, result, error);
  if (key == "components") return read_components(value, result, error);
  if (key == "convolutions") return read_convolutions(value, result, error);
  if (key == "operations") return read_operations(value, "operations=", result.operations, error);
  if (key == "devices") return read_devices(value, result, error);
  if (key == "sweep") return read_sweep(value, result, error);
  if (key == "report") result.report = arena_string(value);
  if (key == "named") result.named = !value.empty();
  if (key == "header") result.header = arena_string(value);
  if (key == "found") result.found = parse_version(arena_string(value));
  if (key == "linked") result.linked = as_before_cmake(value);
  if (key == "flags") result.flags = as_before_cmake(value);
  if (key == "cmake") result.cmake = arena_string(value);
  if (key == "build") result.build = arena_string(value);
  return true;
}

const char* wrong_option(int count, const char* const* arguments) {
  for (int i = 0; i < count; ++i) {
    const std::string_view argument = arguments[i];
    for (const char* const key : option_keys) {
      const std::string_view name = key;
      options ignored;
      arena_string error;
      if (argument.substr(0, argument.find('=')) == name && argument.size() > name.size() &&
          !read_option(name, argument.substr(name.size() + 1), ignored, error)) {
        return key;
      }
    }
  }
  return "";
}

bool is_option(std::string_view argument) {
  return argument.find('=') != std::string_view::npos &&
         is_one_of(argument.substr(0, argument.find('=')), option_keys);
}

bool parse_options(int count, const char* const* arguments, options& result, arena_string& error) {
  arena_vector<std::string_view> given;
  for (int i = 0; i < count; ++i) {
    const std::string_view argument = arguments[i];
    const std::size_t equals = argument.find('=');
    const std::string_view key = argument.substr(0, equals);
    if (equals == std::string_view::npos || !is_one_of(key, option_keys)) {
      error = "unknown argument '" + arena_string(argument) +
              "'; known are, each followed by =VALUE: " + list_of(option_keys);
      return false;
    }
    for (const std::string_view before : given) {
      if (before != key) continue;
      error = arena_string(key) + "= is given twice";
      return false;
    }
    given.push_back(key);
    if (!read_option(key, argument.substr(equals + 1), result, error)) return false;
  }
  if (result.report.empty()) {
    error = "report=FILE is missing";
    return false;
  }
  return result.convolutions.empty() ? read_convolutions("", result, error) : true;
}

}  // namespace cudnn_checked::prove
