// SPDX-License-Identifier: BSD-3-Clause
//
// Windows initialises the DLLs of a program before it runs any of its code: what one prints then is
// not bounded.  From main() on this process starts itself again, and watches.
#include "../supervise.h"

#include <fcntl.h>
#include <io.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "../../core/system/replace_file.h"
#include "../../spawn/kept_output.h"
#include "../../spawn/spawn.h"
#include "../../spawn/windows/wide.h"

namespace cudnn_checked::probe {

void speak() {}

static std::string own_file() {
  std::wstring path(32768, L'\0');
  const DWORD length = ::GetModuleFileNameW(nullptr, path.data(), static_cast<DWORD>(path.size()));
  return spawn::narrow_path({path.data(), length});
}

/// What is there to be read, and not more than that of a pipe that is always full.  False: nothing.
static bool take(int file, spawn::kept_output& kept) {
  constexpr int most_parts = 64;
  std::string part;
  for (int i = 0; i < most_parts && spawn::can_be_read(file, 0); ++i) {
    const std::size_t before = part.size();
    (void)spawn::read_part(file, part);
    if (part.size() == before) break;
  }
  kept.add(part.data(), part.size());
  return !part.empty();
}

static void write_out(std::FILE* file, const spawn::kept_output& kept) {
  ::_setmode(::_fileno(file), _O_BINARY);
  kept.give([file](const char* text, std::size_t size) { std::fwrite(text, 1, size, file); });
  std::fflush(file);
}

static void leave_note(const std::string& report, bool timed_out, unsigned long long dropped) {
  std::string text = timed_out ? "timeout\n" : "";
  if (dropped > 0) text += "dropped=" + std::to_string(dropped) + "\n";
  if (!text.empty()) (void)replace_file((report + ".end").c_str(), text.c_str());
}

bool is_supervised(int count, char** arguments, int& ended) {
  using clock = std::chrono::steady_clock;
  spawn::child what{{own_file()}, -1, -1, {}};
  double seconds = -1;
  std::string report;
  for (int i = 1; i < count; ++i) {
    const std::string word = arguments[i];
    if (word.compare(0, 10, "supervise=") == 0) {
      seconds = std::strtod(word.c_str() + 10, nullptr);
      continue;
    }
    if (word.compare(0, 7, "report=") == 0) report = word.substr(7);
    what.command.push_back(word);
  }
  int words[2];
  int errors[2];
  if (seconds < 0 || !spawn::make_pipe(words) || !spawn::make_pipe(errors)) return false;
  what.output = words[1];
  what.errors = errors[1];
  spawn::process_id process = -1;
  if (spawn::start(what, process) != 0) return false;
  spawn::close_file(words[1]);
  spawn::close_file(errors[1]);
  const auto kept = std::make_unique<spawn::kept_output[]>(2);
  const clock::time_point end =
      clock::now() + std::chrono::milliseconds(static_cast<long long>(seconds * 1000));
  spawn::process_end how;
  bool timed_out = false;
  while (!spawn::has_ended(process, how)) {
    const bool has_words = take(words[0], kept[0]);
    if (!take(errors[0], kept[1]) && !has_words) ::Sleep(2);
    timed_out = clock::now() >= end;
    if (!timed_out) continue;
    how = spawn::end_all(process);
    break;
  }
  take(words[0], kept[0]);
  take(errors[0], kept[1]);
  leave_note(report, timed_out, kept[0].dropped() + kept[1].dropped());
  write_out(stdout, kept[0]);
  write_out(stderr, kept[1]);
  ended = how.number;
  return true;
}

}  // namespace cudnn_checked::probe
