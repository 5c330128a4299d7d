// SPDX-License-Identifier: BSD-3-Clause
#include "output.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "../../core/report/report.h"
#include "../../guard/refusal.h"
#include "json_tree.h"
#include "progress.h"
#include "terminal.h"

namespace cudnn_checked::cli {

exit_status status_of(verdict v) {
  if (v == verdict::refused) return exit_refused;
  return v == verdict::unknown ? exit_unknown : exit_fine;
}

static bool output_is_closed = false;
static bool json_errors = false;
static int write_error = 0;

static bool is_closed(int descriptor) { return ::fcntl(descriptor, F_GETFD) < 0; }

void open_streams() {
  output_is_closed = is_closed(STDOUT_FILENO);
  for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; ++descriptor) {
    // open(2) takes the lowest number that is free.
    if (is_closed(descriptor)) (void)::open("/dev/null", O_RDWR | O_CLOEXEC);
  }
}

static void write_output(const string& text) {
  end_progress();
  if (output_is_closed) {
    write_error = EBADF;
  } else if (!write_all(STDOUT_FILENO, text)) {
    write_error = errno;
  }
}

void print(const string& text) {
  const string lines = ::isatty(STDOUT_FILENO) == 1 ? string(fitted(text, line_width())) : text;
  write_output(shows_colour(STDOUT_FILENO) ? string(coloured(lines)) : lines);
}

void print_json(const string& text) { write_output(text); }

void print_error(const string& text) {
  end_progress();
  write_to_stderr(shows_colour(STDERR_FILENO) ? string(coloured(text)) : text);
}

void report_errors_as_json() {
  json_errors = true;
  show_no_progress();
}

exit_status error(const string& text, exit_status status) {
  print_error("cudnn-checked: error: " + one_line(text) + "\n");
  if (!json_errors) return status;
  print_json(answer_of({{"error", text}, {"status", static_cast<int>(status)}}).print());
  return status;
}

int status_after_printing(int status) {
  if (write_error == 0) return status;
  print_error("cudnn-checked: error: standard output: " + string(std::strerror(write_error)) +
              "\n");
  return status == exit_not_started ? status : exit_usage;
}

string counted(std::size_t count, const string& word) {
  return to_string(count) + " " + word + (count == 1 ? "" : "s");
}

json list_of(const vector<string>& words) {
  return array_of(words, [](const string& word) { return json::from_text(word); });
}

string aligned(const vector<vector<string>>& rows) {
  std::vector<std::vector<std::string>> cells;
  std::vector<std::size_t> widths;
  for (const vector<string>& row : rows) {
    cells.emplace_back();
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) {
      cells.back().push_back(one_line(row[i]));
      widths[i] = std::max(widths[i], columns_of(cells.back().back()));
    }
  }
  string text;
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

}  // namespace cudnn_checked::cli
