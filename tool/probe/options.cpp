// SPDX-License-Identifier: BSD-3-Clause
#include "options.h"

#include <cstddef>
#include <string_view>

namespace cudnn_checked::probe {

static constexpr const char* option_keys[] = {"report",  "require", "components", "convolutions",
                                              "devices", "header",  "cmake",      "build",
                                              "sweep",   "named"};

static constexpr const char* known_components[] = {
#define COMPONENT(name) #name,
#include "../core/model/components.def"
#undef COMPONENT
};

template <std::size_t count>
static string list_of(const char* const (&names)[count]) {
  string list;
  for (const char* name : names) list += (list.empty() ? "" : ", ") + string(name);
  return list;
}

template <std::size_t count>
static bool is_one_of(std::string_view name, const char* const (&names)[count]) {
  for (const char* known : names) {
    if (name == known) return true;
  }
  return false;
}

/// "a,b" -> {"a", "b"}; empty items are dropped.
static vector<string> split_at_commas(std::string_view text) {
  vector<string> items;
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    const std::string_view item = text.substr(0, comma);
    if (!item.empty()) items.emplace_back(item);
    text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 1);
  }
  return items;
}

static bool read_require(std::string_view value, options& result, string& error) {
  result.level_required = value != "auto" && value != "AUTO";
  if (!result.level_required) return true;
  if (parse_level(value, result.required) && result.required != level::none) return true;
  error = "unknown level '" + string(value) +
          "' in require=; known are: auto, located, linked, loaded, ran";
  return false;
}

static bool read_components(std::string_view value, options& result, string& error) {
  result.components = split_at_commas(value);
  for (const string& component : result.components) {
    if (is_one_of(component, known_components)) continue;
    error = "unknown component '" + component +
            "' in components=; known are: " + list_of(known_components);
    return false;
  }
  return true;
}

/// "graph" names all kinds below it.
static bool names_kind(const string& item, const convolution_kind& kind) {
  const std::string_view name = kind.name;
  return item == "all" || name == item ||
         (name.substr(0, item.size()) == item && name[item.size()] == '/');
}

/// Keeps the order of the table, so that the same request always gives the same report.
static bool read_convolutions(std::string_view value, options& result, string& error) {
  const vector<string> items = split_at_commas(value);
  for (const string& item : items) {
    bool known = false;
    string names = "all";
    for (const convolution_kind& kind : convolution_kinds) {
      known = known || names_kind(item, kind);
      names += string(", ") + kind.name;
    }
    if (known) continue;
    error = "unknown convolution '" + item + "' in convolutions=; known are: " + names;
    return false;
  }
  for (const convolution_kind& kind : convolution_kinds) {
    bool wanted = items.empty();
    for (const string& item : items) wanted = wanted || names_kind(item, kind);
    if (wanted) result.convolutions.push_back(&kind);
  }
  return true;
}

/// Which GPUs there are is only known later, so that only the form is looked at here.
static bool read_devices(std::string_view value, options& result, string& error) {
  result.each_device = value == "all";
  if (result.each_device) return true;
  result.devices = split_at_commas(value);
  for (const string& device : result.devices) {
    const bool index = device.find_first_not_of("0123456789") == string::npos;
    if (index || device.compare(0, 4, "GPU-") == 0 || device.compare(0, 4, "MIG-") == 0) continue;
    error = "unknown device '" + device +
            "' in devices=; known are: all, an index (0), "
            "a UUID or the beginning of one (GPU-8932f937)";
    return false;
  }
  return true;
}

/// It is written into the report as it stands.
static bool read_sweep(std::string_view value, options& result, string& error) {
  result.sweep = string(value);
  const bool is_number = value.find_first_not_of("0123456789") == std::string_view::npos;
  if (is_number && !value.empty() && value.size() < 10 && value[0] != '0') return true;
  error = "sweep=" + result.sweep + " is no number of seconds";
  return false;
}

static bool read_option(std::string_view key, std::string_view value, options& result,
                        string& error) {
  if (key == "require") return read_require(value, result, error);
  if (key == "components") return read_components(value, result, error);
  if (key == "convolutions") return read_convolutions(value, result, error);
  if (key == "devices") return read_devices(value, result, error);
  if (key == "sweep") return read_sweep(value, result, error);
  if (key == "report") result.report = string(value);
  if (key == "named") result.named = !value.empty();
  if (key == "header") result.header = string(value);
  if (key == "cmake") result.cmake = string(value);
  if (key == "build") result.build = string(value);
  return true;
}

bool parse_options(int count, const char* const* arguments, options& result, string& error) {
  vector<std::string_view> given;
  for (int i = 0; i < count; ++i) {
    const std::string_view argument = arguments[i];
    const std::size_t equals = argument.find('=');
    const std::string_view key = argument.substr(0, equals);
    if (equals == std::string_view::npos || !is_one_of(key, option_keys)) {
      error = "unknown argument '" + string(argument) +
              "'; known are, each followed by =VALUE: " + list_of(option_keys);
      return false;
    }
    for (const std::string_view before : given) {
      if (before != key) continue;
      error = string(key) + "= is given twice";
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

static bool is_named(const gpu& candidate, const string& name) {
  const bool by_uuid = name.find_first_not_of("0123456789") != string::npos;
  if (by_uuid) return candidate.uuid.compare(0, name.size(), name) == 0;
  return cudnn_checked::to_string(candidate.index) == name;
}

static bool find_named(const vector<gpu>& gpus, const string& name, vector<gpu>& found) {
  for (const gpu& candidate : gpus) {
    if (!is_named(candidate, name)) continue;
    found.push_back(candidate);
    return true;
  }
  return false;
}

static bool is_among(const vector<gpu>& some, const gpu& candidate, bool each) {
  for (const gpu& one : some) {
    if (each ? one.index == candidate.index : one.capability == candidate.capability) return true;
  }
  return false;
}

bool choose_devices(const vector<gpu>& gpus, const options& given, vector<gpu>& chosen,
                    string& error) {
  vector<gpu> candidates = given.devices.empty() ? gpus : vector<gpu>();
  for (const string& name : given.devices) {
    if (find_named(gpus, name, candidates)) continue;
    error = "devices= names '" + name + "', which this machine does not have; it has:";
    for (const gpu& here : gpus) {
      error += "\n  " + cudnn_checked::to_string(here.index) + "  " + here.uuid + "  " + here.name;
    }
    return false;
  }
  const bool each = given.each_device || !given.devices.empty();
  for (const gpu& candidate : candidates) {
    if (!is_among(chosen, candidate, each)) chosen.push_back(candidate);
  }
  return true;
}

}  // namespace cudnn_checked::probe
