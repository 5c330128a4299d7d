// SPDX-License-Identifier: BSD-3-Clause
//
// Works there, not here: what two reports do not have in common.
#include <algorithm>
#include <string_view>

#include "../../core/judge/advice/advice.h"
#include "../text/json_tree.h"
#include "../words/command_line.h"
#include "read.h"

namespace cudnn_checked::cli {

struct report_value {
  std::string key;
  std::string text;
  bool is_whole = false;  ///< of a cuDNN, whose other keys begin with this one
};
using report_values = std::vector<report_value>;

// They differ from run to run, and from GPU to GPU.
static bool is_measured(std::string_view key) {
  return key == "milliseconds" || key == "relative_error" || key == "element_error" ||
         key == "cudnn_difference" || key == "uuid" || key == "schema";
}

static std::string text_of(const json& value) {
  if (value.type() != json::kind::array) return value.text();
  std::string text;
  for (const json& one : value.elements()) text += (text.empty() ? "" : " ") + text_of(one);
  return text;
}

/// What identifies an element among the others of its array: "graph", "legacy fp32 nchw".
static std::string label_of(const json& element, std::size_t position) {
  for (const char* key : {"directory", "role", "index", "name"}) {
    if (!element[key].text().empty()) return element[key].text();
  }
  std::string label;
  for (const char* key : {"api", "type", "layout", "shape", "code", "device"}) {
    const std::string text = element[key].text();
    if (!text.empty()) label += (label.empty() ? "" : " ") + text;
  }
  return label.empty() ? std::string(to_string(position)) : label;
}

static void add_value(const std::string& key, const std::string& text, report_values& values) {
  std::string free = key;
  const auto is_taken = [&free](const report_value& one) { return one.key == free; };
  for (int number = 2; any_of(values, is_taken); ++number) {
    free = key + " (" + std::to_string(number) + ")";
  }
  values.push_back({free, text, false});
}

static void flatten(const json& value, const std::string& above, report_values& values) {
  const std::string before = above.empty() ? above : above + " ";
  if (value.type() == json::kind::object) {
    for (std::size_t i = 0; i < value.keys().size(); ++i) {
      const std::string key = value.keys()[i];
      if (!is_measured(key)) flatten(value.elements()[i], before + key, values);
    }
    return;
  }
  const bool has_objects = value.type() == json::kind::array && !value.elements().empty() &&
                           value.elements().front().type() == json::kind::object;
  if (!has_objects) return add_value(above, text_of(value), values);
  for (std::size_t i = 0; i < value.elements().size(); ++i) {
    const json& element = value.elements()[i];
    const std::string key = before + label_of(element, i);
    if (above == "findings") {
      add_value(key, element["summary"].text(), values);
      continue;
    }
    if (above == "cudnn" && !element["directory"].text().empty()) {
      const std::string release = element["release"].text();
      values.push_back({key, release.empty() ? "not known" : release, true});
    }
    flatten(element, key, values);
  }
}

struct difference {
  std::string key;
  std::string a;
  std::string b;
};

static const report_value* find(const report_values& values, const std::string& key) {
  return find_where(values, [&](const report_value& one) { return one.key == key; });
}

/// Of what the other side lacks as a whole, nothing else is listed.
static bool is_part_of_absent(const std::string& key, const report_values& values,
                              const report_values& others) {
  return any_of(values, [&](const report_value& one) {
    return one.is_whole && key.compare(0, one.key.size() + 1, one.key + ' ') == 0 &&
           find(others, one.key) == nullptr;
  });
}

/// In the order of `a`, then what only `b` has.  An empty text and none are the same.
static std::vector<difference> differences(const report_values& a, const report_values& b) {
  std::vector<difference> all;
  for (const report_value& one : a) {
    const report_value* const other = find(b, one.key);
    const std::string text = other == nullptr ? std::string() : other->text;
    if (one.is_whole && other != nullptr) continue;
    if (text == one.text || is_part_of_absent(one.key, a, b)) continue;
    all.push_back({one.key, one.text, text});
  }
  for (const report_value& one : b) {
    if (one.text.empty() || find(a, one.key) != nullptr) continue;
    if (!is_part_of_absent(one.key, b, a)) all.push_back({one.key, "", one.text});
  }
  return all;
}

/// A difference of one library: "by_default files graph path".
struct file_difference {
  std::string list;  ///< "by_default files "; empty: it is none
  std::string role;
  std::string name;
};

static file_difference file_difference_of(const std::string& key) {
  const std::size_t list = key.rfind("files ");
  if (list == std::string::npos) return {};
  const std::size_t role = list + 6;
  const std::size_t name = key.find(' ', role);
  if (name == std::string::npos) return {};
  return {key.substr(0, role), key.substr(role, name - role), key.substr(name + 1)};
}

/// What several libraries have in common: of a path its directory.
static std::string shared_value(const std::string& name, const std::string& value) {
  return name == "path" ? value.substr(0, value.rfind('/')) : value;
}

/// For a person: libraries that differ in the same way are one line, and a build id is none beside
/// the release that it stands for.
static std::vector<difference> shortened(const std::vector<difference>& all) {
  std::vector<difference> rows;
  std::vector<bool> done(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const file_difference file = file_difference_of(all[i].key);
    if (done[i]) continue;
    difference row = all[i];
    std::size_t more = 0;
    for (std::size_t k = i + 1; k < all.size() && !file.list.empty(); ++k) {
      const file_difference other = file_difference_of(all[k].key);
      if (other.list != file.list || other.name != file.name ||
          shared_value(file.name, all[k].a) != shared_value(file.name, all[i].a) ||
          shared_value(file.name, all[k].b) != shared_value(file.name, all[i].b)) {
        continue;
      }
      done[k] = true;
      ++more;
    }
    if (file.name == "build_id") {
      const std::string release = file.list + file.role + " version";
      const auto has_key = [&release](const difference& one) { return one.key == release; };
      if (any_of(all, has_key)) continue;
    }
    if (more != 0) {
      row = {file.list + file.role + " and " + std::to_string(more) + " more " + file.name,
             shared_value(file.name, row.a), shared_value(file.name, row.b)};
    }
    rows.push_back(row);
  }
  return rows;
}

static arena_string text_of(const command_line& given, const std::vector<difference>& all) {
  if (all.empty()) return "cudnn-checked: ok: no difference\n";
  arena_vector<arena_vector<arena_string>> rows;
  rows.push_back({"", given.arguments[0], given.arguments[1]});
  for (const difference& one : shortened(all)) {
    rows.push_back({one.key + ":", one.a.empty() ? "-" : one.a, one.b.empty() ? "-" : one.b});
  }
  return aligned(rows);
}

exit_status diff(const command_line& given) {
  report_values values[2];
  for (std::size_t i = 0; i < 2; ++i) {
    json report;
    std::string wrong;
    if (!read_report(given.arguments[i], report, wrong)) return error("diff: " + wrong);
    if (report["program"].text() == "sweep") {
      return error("diff: " + std::string(given.arguments[i]) +
                   " is the report of a sweep; type: cudnn-checked sweep " +
                   std::string(quoted(given.arguments[1])) + " --against " +
                   std::string(quoted(given.arguments[0])));
    }
    flatten(report, "", values[i]);
  }
  const std::vector<difference> all = differences(values[0], values[1]);
  if (given.json) {
    const auto difference_json = [](const difference& one) {
      return object_of({{"key", one.key}, {"a", one.a}, {"b", one.b}});
    };
    print_json(answer_of({{"a", given.arguments[0]},
                          {"b", given.arguments[1]},
                          {"differences", array_of(all, difference_json)}})
                   .print());
  } else {
    print(text_of(given, all));
  }
  return all.empty() ? exit_fine : exit_refused;
}

}  // namespace cudnn_checked::cli
