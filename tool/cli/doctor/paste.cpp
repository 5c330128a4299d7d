// SPDX-License-Identifier: BSD-3-Clause
#include "doctor.h"

#include <algorithm>

#include "../../core/report/report.h"
#include "../text/lists.h"
#include "../text/output.h"
#include "../text/progress.h"
#include "../text/redaction.h"

namespace cudnn_checked::cli {

static constexpr std::size_t longest_line = 1000;
static constexpr std::size_t longest_block = 29000;

/// CommonMark, "Fenced code blocks": a block ends at a line of at least as many backticks as it
/// began with.
static std::string fence_around(const std::string& text) {
  std::size_t longest = 2;
  std::size_t run = 0;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return std::string(longest + 1, '`');
}

/// At most so many bytes, not in the middle of a character.
static std::string beginning_of(const std::string& text, std::size_t bytes) {
  std::size_t end = std::min(bytes, text.size());
  while (end > 0 && end < text.size() && goes_on(text[end])) --end;
  return text.substr(0, end);
}

/// A line of a report: redacted, and cut if it is long.  Of a very long one the end is left out
/// before, at the end of a word, because a part of a name is not known for one.
static std::string shown_line(const std::string& line, const private_words& own) {
  constexpr std::size_t looked_at = 4 * longest_line;
  std::string part = line;
  if (line.size() > looked_at) {
    const std::size_t end = line.find_last_of(" :", looked_at);
    part = line.substr(0, end == std::string::npos ? 0 : end);
  }
  const std::string text = redacted(part, own);
  if (text.size() <= longest_line && part.size() == line.size()) return text;
  return beginning_of(text, longest_line) + "... (cut: " + std::to_string(line.size()) + " bytes)";
}

static std::string limited(const std::string& text, const private_words& own) {
  std::string out;
  std::size_t left_out = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    if (left_out == 0) {
      const std::string line = shown_line(text.substr(begin, end - begin), own);
      if (out.size() + line.size() > longest_block) {
        ++left_out;
      } else {
        out += line + '\n';
      }
    } else {
      ++left_out;
    }
    begin = end + 1;
  }
  if (left_out != 0) out += "(" + std::string(counted(left_out, "line")) + " more)\n";
  return out;
}

static std::string code_block(const std::string& text, const private_words& own) {
  const std::string shown = limited(text, own);
  const std::string fence = fence_around(shown);
  return fence + "text\n" + shown + fence + "\n";
}

static std::string section(const char* title, const text_rows& rows) {
  return rows.empty() ? std::string() : std::string(title) + '\n' + std::string(aligned(rows));
}

arena_string paste_text(const system_interface& os, const survey& all, const doctor_text& doctor,
                        const std::vector<std::string>& directories) {
  const private_words own = own_private_words();
  const paste_place place = place_of_packages(os, directories);
  const std::string brief =
      std::string(doctor.summary) + "\n" + section("system", system_rows(os, place)) +
      section("loaded by", loaded_rows(os, place)) + std::string(doctor.messages);
  const std::string rest =
      std::string(doctor.overview) +
      section("libraries of CUDA", cuda_library_rows(os, place, all.toolkits)) +
      section("packages", package_rows(os, place)) + section("variables", variable_rows(own)) +
      std::string(topology_text(os));
  // GitHub reads Markdown between these two only behind an empty line.
  return "### cudnn-checked doctor " CUDNN_CHECKED_PACKAGE_VERSION "\n\n" + code_block(brief, own) +
         "\n<details>\n<summary>cuDNN, libraries, packages and variables of this "
         "machine</summary>\n\n" +
         code_block(rest, own) + "\n</details>\n";
}

}  // namespace cudnn_checked::cli
