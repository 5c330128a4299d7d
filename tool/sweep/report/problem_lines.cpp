// SPDX-License-Identifier: BSD-3-Clause
#include "problem_lines.h"

#include <iterator>
#include <string_view>
#include <vector>

#include "../../core/json/json_writer.h"
#include "../model/fields.h"

namespace cudnn_checked::sweep {

static std::string quoted_json(const std::string& text) {
  cudnn_checked::string made;
  append_quoted(made, std::string_view(text));
  return std::string(made.data(), made.size());
}

/// The columns of a plan; of one without a defect the first ones only.
static std::string plan_entry(const result& r) {
  const std::size_t count = is_defect(r.what) ? std::size(result_fields) : short_result_fields;
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string value = result_fields[i].write(r, style::rounded);
    text += (i == 0 ? '[' : ',');
    text += result_fields[i].kind == json::kind::text ? quoted_json(value) : value;
  }
  return text + ']';
}

struct problem_line {
  std::string text;
  bool has_defect = false;
};

static std::vector<problem_line> all_lines(const record& of) {
  std::vector<problem_line> lines(of.problems.size());
  for (const result& r : of.results) {
    if (r.problem >= lines.size() || r.what == outcome::unsupported) continue;
    problem_line& line = lines[r.problem];
    line.text += (line.text.empty() ? "" : ",") + plan_entry(r);
    line.has_defect = line.has_defect || is_defect(r.what);
  }
  std::vector<bool> finished(of.problems.size(), true);
  for (const std::size_t number : of.unfinished) {
    if (number < finished.size()) finished[number] = false;
  }
  for (std::size_t i = 0; i < lines.size(); ++i) {
    lines[i].text = "{\"problem\":" + quoted_json(to_string(of.problems[i])) +
                    ",\"finished\":" + (finished[i] ? "true" : "false") + ",\"plans\":[" +
                    lines[i].text + "]}";
  }
  return lines;
}

/// Leaves lines out, the last ones first.
static void shorten(std::vector<problem_line>& lines, bool also_defects, std::size_t most,
                    std::size_t& size, problem_lines& made) {
  for (std::size_t i = lines.size(); i > 0 && size > most; --i) {
    problem_line& line = lines[i - 1];
    if (line.text.empty() || (line.has_defect && !also_defects)) continue;
    size -= line.text.size();
    line.text.clear();
    ++made.left_out;
  }
}

problem_lines problem_lines_of(const record& of, std::size_t most) {
  std::vector<problem_line> lines = all_lines(of);
  std::size_t size = 0;
  for (const problem_line& line : lines) size += line.text.size();
  problem_lines made;
  shorten(lines, false, most, size, made);
  shorten(lines, true, most, size, made);
  for (const problem_line& line : lines) {
    if (line.text.empty()) continue;
    made.text += (made.text.empty() ? "\n    " : ",\n    ") + line.text;
  }
  return made;
}

}  // namespace cudnn_checked::sweep
