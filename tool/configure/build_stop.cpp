// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <initializer_list>
#include <string>

#include "build_words.h"
#include "text_patterns.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace configure {

namespace {

/// Of g++, clang, the linkers and strsignal(3).  `words` stand in the log as they are; a number of
/// `signals` behind "terminated with signal ".
struct stop_row {
  const char* what;
  const char* fix;
  std::initializer_list<std::string_view> words;
  std::initializer_list<int> signals;
};

const stop_row stops[] = {
    {"a limit on the size of files stopped the compiler",
     "raise the limit (ulimit -f), then configure again",
     {"File size limit exceeded", "SIGXFSZ", "File too large"},
     {}},
    {"a limit on processor time stopped the compiler",
     "raise the limit (ulimit -t), then configure again",
     {"CPU time limit exceeded", "SIGXCPU"},
     {}},
    {"the compiler had no memory left",
     "raise the limit (ulimit -v), or configure where more memory is free",
     {"virtual memory exhausted", "out of memory allocating", "Cannot allocate memory",
      "std::bad_alloc", "LLVM ERROR: out of memory", "failed to map segment"},
     {}},
    {"a limit on files or processes stopped the compiler",
     "raise the limit (ulimit -n, ulimit -u), then configure again",
     {"Too many open files", "Resource temporarily unavailable"},
     {}},
    {"the compiler was killed",
     "configure again where more memory is free: the kernel kills a process where none is left",
     {"Killed signal terminated program ", "unable to execute command: Killed"},
     {9}},
    {"the compiler was told to end",
     "configure again",
     {"Terminated signal terminated program ", "unable to execute command: Terminated",
      "unable to execute command: Hangup", "unable to execute command: Interrupt"},
     {1, 2, 15}},
    {"the compiler ended by a bus error",
     "check that the disk has space left, then configure again",
     {"Bus error signal terminated program ", "unable to execute command: Bus error"},
     {7}},
};

}  // namespace

/// Where the log reports this signal, or npos.  The place is that of the program's name: "ld" in
/// "collect2: fatal error: ld terminated with signal 9".
static std::size_t find_signal(std::string_view log, int number) {
  const std::string words = " terminated with signal " + std::to_string(number);
  for (std::size_t at = log.find(words); at != std::string_view::npos;
       at = log.find(words, at + 1)) {
    const std::size_t behind = at + words.size();
    std::size_t begin = at;
    while (begin > 0 && log[begin - 1] != ' ' && log[begin - 1] != '\n') --begin;
    if (begin < at && (behind == log.size() || !is_digit(log[behind]))) return begin;
  }
  return std::string_view::npos;
}

/// "Killed" alone, as a shell reports it, and not a part of another word.
static std::size_t find_killed(std::string_view log) {
  for (std::size_t at = log.find("Killed"); at != std::string_view::npos;
       at = log.find("Killed", at + 1)) {
    if (at > 0 && !(log[at - 1] >= 'a' && log[at - 1] <= 'z')) return at;
  }
  return std::string_view::npos;
}

static std::size_t find_stop(std::string_view log, const stop_row& row) {
  std::size_t first = std::string_view::npos;
  for (const std::string_view words : row.words) first = std::min(first, log.find(words));
  for (const int number : row.signals) {
    first = std::min(first, find_signal(log, number));
    if (number == 9) first = std::min(first, find_killed(log));
  }
  return first;
}

build_stop stop_of_build(std::string_view log) {
  for (const stop_row& row : stops) {
    const std::size_t at = find_stop(log, row);
    if (at == std::string_view::npos) continue;
    std::string by(log.substr(at, log.find('\n', at) - at));
    while (!by.empty() && (by.back() == ' ' || by.back() == '\r')) by.pop_back();
    return {row.what, by, row.fix};
  }
  return {};
}

}  // namespace configure
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
