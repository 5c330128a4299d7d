// SPDX-License-Identifier: BSD-3-Clause
//
// Works there, not here: what two reports do not have in common.
#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "../../core/judge/advice/advice.h"
#include "../text/json_tree.h"
#include "../words/command_line.h"
#include "read.h"

namespace cudnn_checked::cli {

constexpr std::size_t no_part = static_cast<std::size_t>(-1);

struct report_value {
  std::string key;
  std::string text;
  bool is_whole = false;          ///< of a cuDNN, whose other keys begin with this one
  std::size_t part_of = no_part;  ///< the index of that one
};

/// The values of a report, in its order.  A report with many elements is walked once.
class report_values {
 public:
  const std::vector<report_value>& all() const { return values_; }

  const report_value* find(const std::string& key) const {
    const auto found = first_of_.find(key);
    return found == first_of_.end() ? nullptr : &values_[found->second];
  }

  /// A key that is there gets a number: "findings driver-missing (2)".
  void add(const std::string& key, const std::string& text) {
    std::string free = key;
    if (find(key) != nullptr) {
      int& number = last_number_.try_emplace(key, 1).first->second;
      do free = key + " (" + std::to_string(++number) + ")";
      while (find(free) != nullptr);
    }
    append({free, text, false, whole_});
  }

  /// Values that are added from here on are parts of this one, until it ends.
  void begin_whole(const std::string& key, const std::string& text) {
    append({key, text, true, no_part});
    whole_ = values_.size() - 1;
  }
  void end_whole() { whole_ = no_part; }

 private:
  void append(report_value value) {
    first_of_.try_emplace(value.key, values_.size());
    values_.push_back(std::move(value));
  }

  std::vector<report_value> values_;
  std::unordered_map<std::string, std::size_t> first_of_;
  std::unordered_map<std::string, int> last_number_;
  std::size_t whole_ = no_part;
};

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
  if (!has_objects) return values.add(above, text_of(value));
  for (std::size_t i = 0; i < value.elements().size(); ++i) {
    const json& element = value.elements()[i];
    const std::string key = before + label_of(element, i);
    if (above == "findings") {
      values.add(key, element["summary"].text());
      continue;
    }
    const bool is_whole = above == "cudnn" && !element["directory"].text().empty();
    const std::string release = element["release"].text();
    if (is_whole) values.begin_whole(key, release.empty() ? "not known" : release);
    flatten(element, key, values);
    if (is_whole) values.end_whole();
  }
}

struct difference {
  std::string key;
  std::string a;
  std::string b;
};

/// If the other side lacks a value as a whole, none of its parts is listed.
static bool is_part_of_absent(const report_value& one, const report_values& values,
                              const report_values& others) {
  return one.part_of != no_part && others.find(values.all()[one.part_of].key) == nullptr;
}

/// The differences in the order of `a`, then those that only `b` has.  An empty text equals no
/// text.
static std::vector<difference> differences(const report_values& a, const report_values& b) {
  std::vector<difference> all;
  for (const report_value& one : a.all()) {
    const report_value* const other = b.find(one.key);
    const std::string text = other == nullptr ? std::string() : other->text;
    if (one.is_whole && other != nullptr) continue;
    if (text == one.text || is_part_of_absent(one, a, b)) continue;
    all.push_back({one.key, one.text, text});
  }
  for (const report_value& one : b.all()) {
    if (one.text.empty() || a.find(one.key) != nullptr) continue;
    if (!is_part_of_absent(one, b, a)) all.push_back({one.key, "", one.text});
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

/// The part of a value that several libraries have in common: the directory of a path.
static std::string shared_value(const std::string& name, const std::string& value) {
  return name == "path" ? value.substr(0, value.rfind('/')) : value;
}

/// Libraries that differ in the same way have it in common; empty: it is no difference of one.
static std::string group_of(const difference& one) {
  const file_difference file = file_difference_of(one.key);
  if (file.list.empty()) return {};
  std::string group = file.list;
  for (const std::string& part :
       {file.name, shared_value(file.name, one.a), shared_value(file.name, one.b)}) {
    group += '\0' + part;
  }
  return group;
}

/// For a person: libraries that differ in the same way are one line, and a build id is none beside
/// the release that it stands for.
static std::vector<difference> shortened(const std::vector<difference>& all) {
  std::unordered_map<std::string, std::size_t> sizes;  // of the groups that have no row yet
  std::unordered_set<std::string> keys;
  for (const difference& one : all) {
    const std::string group = group_of(one);
    if (!group.empty()) ++sizes[group];
    keys.insert(one.key);
  }
  std::vector<difference> rows;
  for (const difference& one : all) {
    const std::string group = group_of(one);
    const file_difference file = file_difference_of(one.key);
    const std::size_t size = group.empty() ? 1 : std::exchange(sizes[group], 0);
    if (size == 0) continue;
    if (file.name == "build_id" && keys.count(file.list + file.role + " version") != 0) continue;
    difference row = one;
    if (size > 1) {
      row = {file.list + file.role + " and " + std::to_string(size - 1) + " more " + file.name,
             shared_value(file.name, row.a), shared_value(file.name, row.b)};
    }
    rows.push_back(row);
  }
  return rows;
}

static arena_string text_of(const command_line& given, const std::vector<difference>& all) {
  if (all.empty()) return "cudnn-checked: ok: no difference\n";
  text_rows rows;
  rows.push_back({"", given.arguments[0], given.arguments[1]});
  for (const difference& one : shortened(all)) {
    rows.push_back({one.key + ":", one.a.empty() ? "-" : one.a, one.b.empty() ? "-" : one.b});
  }
  return aligned(rows);
}

namespace {

/// What a report is of; reports of other kinds have no value in common.
struct report_kind {
  const char* key;  ///< that others have not
  const char* of;
};

constexpr report_kind report_kinds[] = {{"error", "a command that failed"},
                                        {"triple", "a program or the probe"},
                                        {"by_default", "doctor"},
                                        {"status", "verify of several files"}};

}  // namespace

static std::string kind_of(const json& report) {
  for (const report_kind& one : report_kinds) {
    for (const arena_string& key : report.keys()) {
      if (key == one.key) return one.of;
    }
  }
  return "another command";
}

exit_status diff(const command_line& given) {
  report_values values[2];
  std::string kinds[2];
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
    kinds[i] = kind_of(report);
    flatten(report, "", values[i]);
  }
  if (kinds[0] != kinds[1]) {
    return error("diff: " + given.arguments[0] + " is a report of " + kinds[0] + ", " +
                 given.arguments[1] + " of " + kinds[1] + "; diff compares two of one kind");
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
