// SPDX-License-Identifier: BSD-3-Clause
#include "problem_list.h"

#include <algorithm>
#include <fstream>
#include <sstream>

#include "replace_file.h"

namespace cudnn_checked::sweep {

/// The text of the file, which need not be there.
static bool read_text_of(const std::string& path, bool must_exist, std::string& text,
                         std::string& error) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    if (must_exist) error = path + ": cannot be read";
    return !must_exist;
  }
  std::ostringstream all;
  all << file.rdbuf();
  text = all.str();
  return true;
}

static bool read_problems(const std::string& path, const std::string& text,
                          std::vector<problem>& problems, std::string& error) {
  std::istringstream lines(text);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    if (line.empty() || line[0] == '#') continue;
    problem one;
    if (!read_problem(line, one)) {
      error = path + ": line " + std::to_string(number) + " is no problem";
      return false;
    }
    problems.push_back(one);
  }
  return true;
}

bool read_problem_list(const std::string& path, bool must_exist, std::vector<problem>& problems,
                       std::string& error) {
  std::string text;
  return read_text_of(path, must_exist, text, error) && read_problems(path, text, problems, error);
}

bool add_to_problem_list(const std::string& path, const std::vector<problem>& found,
                         std::size_t& added, std::string& error) {
  const file_lock others_wait(path);
  std::string text;
  std::vector<problem> known;
  if (!read_text_of(path, false, text, error) || !read_problems(path, text, known, error)) {
    return false;
  }
  if (!text.empty() && text.back() != '\n') text += '\n';
  added = 0;
  for (const problem& one : found) {
    const std::string line = to_string(one);
    if (any_of(known, [&](const problem& other) { return to_string(other) == line; })) continue;
    known.push_back(one);
    text += line + '\n';
    ++added;
  }
  return added == 0 || replace_file(path, text, error);
}

}  // namespace cudnn_checked::sweep
