// SPDX-License-Identifier: BSD-3-Clause
#include "build_words.h"

#include <algorithm>

#include "text_patterns.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace configure {

static constexpr std::size_t most_lines = 12;

/// "[3/7] "
static bool is_progress(std::string_view line) {
  const std::size_t slash = line.find_first_not_of("0123456789", 1);
  if (line.empty() || line[0] != '[' || slash == 1 || slash == std::string_view::npos ||
      line[slash] != '/') {
    return false;
  }
  const std::size_t end = line.find_first_not_of("0123456789", slash + 1);
  return end != slash + 1 && end != std::string_view::npos && starts_with(line.substr(end), "] ");
}

/// Whether CMake, Ninja or Make wrote the line, and not a program that they call.
static bool is_of_build_tool(std::string_view line) {
  const std::string_view program = line.substr(0, line.find(' '));
  const std::string_view rest = line.substr(program.size());
  const std::size_t option = rest.find_first_not_of(' ');
  const bool is_make = ends_with(program, "/make") || ends_with(program, "/gmake");
  const bool names_makefile = is_make && option != std::string_view::npos && option > 0 &&
                              starts_with(rest.substr(option), "-f ");
  return names_makefile || (ends_with(program, "cmake") && starts_with(rest, " -E ")) ||
         is_progress(line) ||
         starts_with_one(line,
                         "Change Dir: |FAILED: |Run Build Command|ninja: |Building CXX |Linking "
                         "CXX |make[|make: |gmake[|gmake: ");
}

/// Ninja and Make repeat the command that failed.
static bool is_command(std::string_view line, const std::vector<std::string>& compilers) {
  const std::string spaced = " " + std::string(line);
  for (const std::string& compiler : compilers) {
    if (!compiler.empty() && has(spaced, " " + compiler + " ")) return true;
  }
  return false;
}

/// "error:", "Error #20-D :", "fatal error:": what a compiler calls one.
static bool is_error(std::string_view line) {
  for (const std::string_view word : {"error", "Error", "fatal"}) {
    for (std::size_t at = line.find(word); at != std::string_view::npos;
         at = line.find(word, at + 1)) {
      std::string_view rest = line.substr(at + word.size());
      if (starts_with(rest, " #")) {
        const std::size_t end = rest.find_first_not_of("0123456789D-", 2);
        if (end == 2 || end == std::string_view::npos) continue;
        rest = rest.substr(end);
      }
      const std::size_t colon = rest.find_first_not_of(' ');
      if (colon != std::string_view::npos && rest[colon] == ':') return true;
    }
  }
  return has(line, "Permission denied") || ends_with(line, ": not found");
}

/// "ld: error", "ld.lld: error", "ld.bfd: fatal"
static bool is_error_of_ld(std::string_view line) {
  for (const std::string_view words : {": error", ": fatal"}) {
    for (std::size_t at = line.find(words); at != std::string_view::npos;
         at = line.find(words, at + 1)) {
      std::string_view program = line.substr(0, at);
      if (ends_with(program, "ld")) return true;
      while (!program.empty() && is_word(program.back())) program.remove_suffix(1);
      if (ends_with(program, "ld.")) return true;
    }
  }
  return false;
}

static bool is_of_linker(std::string_view line) {
  const std::size_t needed = line.find("needed by ");
  return has_one(line, {"undefined reference",
                        "undefined symbol",
                        "undefined hidden",
                        "multiple definition of",
                        "duplicate symbol",
                        "cannot find ",
                        "attempted static link",
                        "recompile with -f",
                        "error adding symbols",
                        "file format not",
                        "file in wrong ",
                        "file not recognized",
                        "skipping incompatible",
                        "is incompatible with",
                        "unable to find library",
                        "DSO missing",
                        "invalid linker name",
                        "ld returned",
                        "linker command failed",
                        "collect2: ",
                        "mold: error",
                        "mold: fatal",
                        "nvlink error",
                        "nvlink fatal",
                        "ld: unrecognised ",
                        "ld: unrecognized "}) ||
         (needed != std::string_view::npos && has(line.substr(needed), "not found")) ||
         is_error_of_ld(line);
}

/// Whether the line neither reports nor explains an error.
static bool is_aside(std::string_view line) {
  return has_one(line, {"warning: relocation", "warning: creating", "warning: cannot find entry",
                        ": in function ", ": note: "});
}

/// "2 errors generated."
static bool counts_errors(std::string_view line) {
  const std::size_t end = line.find_first_not_of("0123456789");
  return end != 0 && end != std::string_view::npos &&
         starts_with_one(line.substr(end),
                         " error generated| errors generated| error detected| errors detected");
}

/// Whether the line only says that there was an error.
static bool is_end(std::string_view line) {
  const std::size_t returned = line.find("ld returned ");
  return (returned != std::string_view::npos && has(line.substr(returned), " exit status")) ||
         has_one(line, {"linker command failed with exit code", "compilation terminated",
                        "too many errors"}) ||
         counts_errors(line);
}

/// "In file included from a.h:1," or a line that goes on from one.
static bool is_of_chain(std::string_view line) {
  if (line.empty() || (line.back() != ':' && line.back() != ',')) return false;
  const std::size_t word = line.find_first_not_of(' ');
  return starts_with(line, "In file included") ||
         (word > 0 && word != std::string_view::npos && starts_with(line.substr(word), "from "));
}

/// The three files that are nearest to the error: g++ names them first, clang last.
static std::vector<std::string> nearest(const std::vector<std::string>& chain) {
  if (chain.size() <= 3) return chain;
  const auto begin = chain.front().back() == ',' ? chain.begin() : chain.end() - 3;
  return {begin, begin + 3};
}

namespace {

/// Takes the lines of a log one by one, and keeps those that say what is wrong.
class error_lines {
 public:
  void take(const std::string& line);
  build_words result() const;

 private:
  void keep(const std::string& line);

  build_words kept_;
  std::vector<std::string> ends_, chain_, symbols_;
  std::size_t more_ = 0;
  bool follows_ = false;  // the line above was kept
};

void error_lines::keep(const std::string& line) {
  // The same symbol is missing in many places.
  std::size_t at = std::min(line.find("undefined reference"), line.find("undefined symbol"));
  const std::string symbol = at == std::string::npos ? line : line.substr(at);
  if (std::find(symbols_.begin(), symbols_.end(), symbol) != symbols_.end()) return;
  symbols_.push_back(symbol);
  if (kept_.lines.empty()) kept_.lines = nearest(chain_);
  follows_ = kept_.lines.size() < most_lines;
  if (follows_) {
    kept_.lines.push_back(line);
  } else {
    ++more_;
  }
}

void error_lines::take(const std::string& line) {
  if (is_of_chain(line)) {
    // g++ begins a chain with such a line.
    if (starts_with(line, "In file included from ") && line.back() == ',') chain_.clear();
    chain_.push_back(line);
    return;
  }
  const bool of_linker = is_of_linker(line);
  kept_.linked = kept_.linked || of_linker;
  if (is_end(line)) {
    ends_.push_back(line);
    return;
  }
  // lld says on the next line who needs a symbol.
  if (follows_ && starts_with(line, ">>> ")) kept_.lines.push_back(line);
  follows_ = false;
  if ((of_linker || is_error(line)) && !is_aside(line)) keep(line);
}

build_words error_lines::result() const {
  build_words words = kept_;
  if (words.lines.empty()) {
    words.lines = ends_;
  } else if (more_ > 0) {
    words.lines.push_back("... and " + std::to_string(more_) + " more");
  }
  return words;
}

}  // namespace

static std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines(1);
  for (const char c : text) {
    if (c == '\n') {
      lines.emplace_back();
    } else if (c != '\r') {
      lines.back() += c;
    }
  }
  return lines;
}

build_words words_of_build(std::string_view log, const std::vector<std::string>& compilers) {
  std::vector<std::string> said = lines_of(log);
  const auto is_noise = [&compilers](const std::string& line) {
    return line.empty() || is_command(line, compilers) || is_of_build_tool(line);
  };
  said.erase(std::remove_if(said.begin(), said.end(), is_noise), said.end());
  error_lines errors;
  for (const std::string& line : said) errors.take(line);
  build_words words = errors.result();
  if (words.lines.empty()) {
    const std::size_t count = std::min(said.size(), most_lines);
    words.lines.assign(said.end() - static_cast<std::ptrdiff_t>(count), said.end());
  }
  return words;
}

}  // namespace configure
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
