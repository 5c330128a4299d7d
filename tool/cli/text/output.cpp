// SPDX-License-Identifier: BSD-3-Clause
#include "output.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "../../core/model/nearest_word.h"
#include "../../core/report/report.h"
#include "../../core/system/write_all.h"
#include "../system/console.h"
#include "json_tree.h"
#include "progress.h"
#include "terminal.h"

namespace cudnn_checked::cli {

static bool output_is_closed = false;
static error_writer errors_by;
static int write_error = 0;

void open_streams() { output_is_closed = open_closed_streams(); }

static void write_output(std::string_view text) {
  end_progress();
  if (output_is_closed) {
    write_error = EBADF;
  } else if (!write_all(standard_output, arena_string(text))) {
    write_error = errno;
  }
}

/// Text from outside must not move a terminal's cursor or change the direction of a line.  Line
/// feeds come from the caller, which puts each text from outside on one line.
std::string printable(std::string_view text) {
  const auto is_plain = [](char c) { return c == '\n' || c == '\t' || (c >= ' ' && c <= '~'); };
  if (std::all_of(text.begin(), text.end(), is_plain)) return std::string(text);
  std::string result;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find_first_of("\n\t", begin), text.size());
    result += one_line(arena_string(text.substr(begin, end - begin)));
    if (end < text.size()) result += text[end];
    begin = end + 1;
  }
  return result;
}

void print(std::string_view given) {
  const std::string text = printable(given);
  const std::string lines = is_terminal(standard_output) ? fitted(text, line_width()) : text;
  write_output(shows_colour(standard_output) ? coloured(lines) : lines);
}

void print_json(std::string_view text) { write_output(text); }

void print_error(std::string_view given) {
  end_progress();
  const std::string text = printable(given);
  write_to_stderr(shows_colour(standard_error) ? coloured(text) : text);
}

void report_errors_by(error_writer writer) {
  errors_by = std::move(writer);
  show_no_progress();
}

exit_status error(std::string_view given, exit_status of) {
  const exit_status status = strictly(of);
  const arena_string text(given);
  print_error("cudnn-checked: error: " + one_line(text) + "\n");
  if (errors_by != nullptr) print_json(errors_by(std::string(given), status));
  return status;
}

int status_after_printing(int status) {
  if (write_error == 0) return status;
  print_error("cudnn-checked: error: standard output: " + std::string(std::strerror(write_error)) +
              "\n");
  return status == exit_not_started ? status : exit_usage;
}

std::string counted(std::size_t count, const std::string& word) {
  return std::to_string(count) + " " + word + (count == 1 ? "" : "s");
}

json list_of(const arena_vector<arena_string>& words) {
  return array_of(words, [](const arena_string& word) { return json::from_text(word); });
}

std::string aligned(const text_rows& rows) {
  text_rows cells;
  std::vector<std::size_t> widths;
  for (const std::vector<std::string>& row : rows) {
    cells.emplace_back();
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) {
      cells.back().push_back(one_line(arena_string(row[i])));
      widths[i] = std::max(widths[i], columns_of(cells.back().back()));
    }
  }
  std::string text;
  for (const std::vector<std::string>& row : cells) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += (i == 0 ? "  " : "   ") + row[i] + std::string(widths[i] - columns_of(row[i]), ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}

std::string messages_of(const arena_vector<finding>& findings) {
  std::string text;
  for (const finding& f : findings) {
    text += '\n';
    text += findings_message({f}, to_string(f.weight), severity::note);
  }
  return text;
}

std::string gpus_text(const gpu_facts& devices) {
  text_rows rows;
  for (const gpu& device : devices.gpus) {
    rows.push_back(
        {to_string(device.index), to_sm_string(device.capability), device.name, device.uuid});
  }
  if (!rows.empty()) return aligned(rows);
  return "  none" + (devices.hidden_by.empty() ? "" : ": " + one_line(devices.hidden_by)) + "\n";
}

std::string did_you_mean(const std::string& word, const std::vector<std::string>& known) {
  arena_vector<arena_string> words;
  for (const std::string& one : known) words.push_back(arena_string(std::string_view(one)));
  const std::string nearest = nearest_word(word, words);
  return nearest.empty() ? std::string() : "; did you mean " + nearest + "?";
}

}  // namespace cudnn_checked::cli
