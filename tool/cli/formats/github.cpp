// SPDX-License-Identifier: BSD-3-Clause
//
// docs.github.com, "Workflow commands for GitHub Actions".  Text is escaped as the runner undoes it
// (actions/toolkit, core/src/command.ts).
#include <string_view>

#include "../../core/model/one_line.h"
#include "formats.h"

namespace cudnn_checked::cli {

static std::string escaped(std::string_view text, std::string_view special) {
  constexpr const char* digits = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    if (special.find(c) == std::string_view::npos) {
      out += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      out += {'%', digits[byte >> 4U], digits[byte & 15U]};
    }
  }
  return out;
}

static std::string command(const char* level, const std::string& title, std::string_view message) {
  const std::string text = printable(message);
  const std::size_t end = text.find_last_not_of('\n') + 1;
  return std::string("::") + level + " title=" + escaped(printable(title), "%\r\n:,") +
         "::" + escaped(std::string_view(text).substr(0, end), "%\r\n") + "\n";
}

/// A line of the log.  The runner also takes a command that begins with "##[", wherever it stands.
static std::string plain_line(std::string line) {
  for (std::size_t at = line.find("##["); at != std::string::npos; at = line.find("##[")) {
    line.replace(at, 3, "##\\x5b");
  }
  return line + "\n";
}

static const char* level_of(severity weight, severity fails_from) {
  if (weight >= fails_from) return "error";
  return weight == severity::note ? "notice" : "warning";
}

std::string github_text(const outcome& told) {
  const std::string who = "cudnn-checked";
  std::string commands;
  std::string lines;
  for (const checked_subject& subject : told.subjects) {
    const std::string name = std::string(one_line(arena_string(std::string_view(subject.name))));
    if (!subject.error.empty()) {
      commands += command("error", who,
                          std::string(one_line(arena_string(std::string_view(subject.error)))));
    }
    for (const told_finding& f : subject.findings) {
      commands +=
          command(level_of(f.weight, told.fails_from), who + ": " + f.name, name + "\n" + f.text);
    }
    if (!name.empty()) lines += plain_line(who + ": " + verdict_word(subject) + ": " + name);
  }
  return commands + lines;
}

}  // namespace cudnn_checked::cli
