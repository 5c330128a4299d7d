// SPDX-License-Identifier: BSD-3-Clause
#include "progress.h"

#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string_view>
#include <thread>

#include "../../core/model/one_line.h"
#include "../system/console.h"
#include "lists.h"
#include "terminal.h"

namespace cudnn_checked::cli {

static constexpr std::chrono::milliseconds silence(500);
static constexpr std::chrono::milliseconds interval(100);

static bool is_forbidden = false;

static bool wants_progress() {
  const char* const terminal = std::getenv("TERM");
  const bool moves = terminal != nullptr && *terminal != '\0' && std::strcmp(terminal, "dumb") != 0;
  return moves && is_terminal(standard_error) && is_in_foreground();
}

/// The first `columns` columns of it.
static std::string cut(std::string_view text, std::size_t columns) {
  std::string line;
  std::size_t used = 0;
  for (const char c : text) {
    if (!goes_on(c) && used++ == columns) break;
    line += c;
  }
  return line;
}

namespace {

/// Its thread prints, because one step may take longer than the silence.
class progress_line {
 public:
  progress_line() = default;
  progress_line(const progress_line&) = delete;
  progress_line& operator=(const progress_line&) = delete;
  ~progress_line() { end(); }

  void show(const std::string& text) {
    const std::lock_guard<std::mutex> lock(mutex_);
    text_ = text;
    if (thread_.joinable()) return;
    ended_ = false;
    thread_ = std::thread([this] { print(); });
  }

  void end() {
    if (!thread_.joinable()) return;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      ended_ = true;
    }
    change_.notify_one();
    thread_.join();
  }

 private:
  void print() {
    std::unique_lock<std::mutex> lock(mutex_);
    const auto has_ended = [this] { return ended_; };
    if (change_.wait_until(lock, begin_ + silence, has_ended)) return;
    std::string shown;
    do {
      if (text_ != shown) {
        shown = text_;
        // "\x1b[K" erases to the end of the line.
        write_to_terminal('\r' + cut(shown, line_width() - 1) + "\x1b[K");
      }
    } while (!change_.wait_for(lock, interval, has_ended));
    write_to_terminal("\r\x1b[K");
  }

  std::mutex mutex_;
  std::condition_variable change_;
  std::thread thread_;
  std::string text_;
  bool ended_ = false;
  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

progress_line& line() {
  static progress_line one;
  return one;
}

}  // namespace

void show_line(const std::string& text) {
  static const bool wanted = wants_progress();
  // Here, and not in the thread that prints: two threads cannot take memory from one arena.
  if (wanted && !is_forbidden) line().show(std::string(one_line(arena_string(text))));
}

void show_progress(const std::string& what, std::size_t step, std::size_t count) {
  std::string text = what + " ...";
  if (count != 0) text += ' ' + std::to_string(step) + " of " + std::to_string(count);
  show_line(text);
}

void show_no_progress() { is_forbidden = true; }

void end_progress() { line().end(); }

}  // namespace cudnn_checked::cli
