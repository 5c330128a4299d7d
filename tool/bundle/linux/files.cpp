// SPDX-License-Identifier: BSD-3-Clause
#include "../files.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace cudnn_checked::bundles {

static std::string failure(const std::string& path) { return path + ": " + std::strerror(errno); }

std::string make_directories(const std::string& path, std::vector<std::string>& made) {
  for (std::size_t at = 1; at <= path.size(); ++at) {
    if (at < path.size() && path[at] != '/') continue;
    const std::string part = path.substr(0, at);
    if (::mkdir(part.c_str(), 0777) == 0) {
      made.push_back(part);
    } else if (errno != EEXIST) {
      return failure(part);
    }
  }
  return {};
}

std::string make_directory(const std::string& path) {
  return ::mkdir(path.c_str(), 0777) == 0 ? std::string() : failure(path);
}

static bool is_interrupted() { return errno == EINTR && !stop_signals::came(); }

static std::string write_all(int target, const char* bytes, std::size_t count,
                             const std::string& path) {
  while (count > 0) {
    const ssize_t written = ::write(target, bytes, count);
    if (written < 0 && is_interrupted()) continue;
    if (written < 0) return failure(path);
    bytes += written;
    count -= static_cast<std::size_t>(written);
  }
  return {};
}

static std::string copy_opened(int from, int to, const std::string& source,
                               const std::string& target, unsigned long long left) {
  std::vector<char> bytes(std::size_t{1} << 20);
  while (left > 0) {
    if (stop_signals::came()) return target + ": " + std::strerror(EINTR);
    const auto most = static_cast<std::size_t>(std::min<unsigned long long>(left, bytes.size()));
    const ssize_t count = ::read(from, bytes.data(), most);
    if (count < 0 && is_interrupted()) continue;
    if (count < 0) return failure(source);
    if (count == 0) return source + ": it became shorter while it was copied";
    std::string wrong = write_all(to, bytes.data(), static_cast<std::size_t>(count), target);
    if (!wrong.empty()) return wrong;
    left -= static_cast<unsigned long long>(count);
  }
  return {};
}

std::string copy_file(const std::string& source, const std::string& target,
                      unsigned long long bytes) {
  // A FIFO waits for no writer.
  const int from = ::open(source.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (from < 0) return failure(source);
  struct stat status = {};
  std::string wrong;
  if (::fstat(from, &status) != 0) {
    wrong = failure(source);
  } else if (!S_ISREG(status.st_mode) || static_cast<unsigned long long>(status.st_size) != bytes) {
    wrong = source + ": it is no longer the file that was looked at";
  } else {
    const int to = ::open(target.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    wrong = to < 0 ? failure(target) : copy_opened(from, to, source, target, bytes);
    // A full file system may say so only then.
    if (to >= 0 && ::close(to) != 0 && wrong.empty()) wrong = failure(target);
  }
  ::close(from);
  return wrong;
}

std::string make_link(const std::string& name, const std::string& link) {
  return ::symlink(name.c_str(), link.c_str()) == 0 ? std::string() : failure(link);
}

std::string look_for_room(const std::string& directory, const std::string& besides) {
  DIR* const opened = ::opendir(directory.c_str());
  if (opened == nullptr) return errno == ENOENT ? std::string() : failure(directory);
  bool has_room = true;
  while (const dirent* const entry = ::readdir(opened)) {
    const std::string name = entry->d_name;
    has_room = has_room && (name == "." || name == ".." || name == besides);
  }
  ::closedir(opened);
  return has_room ? std::string() : directory + ": not empty";
}

bool is_folder(const std::string& path) {
  struct stat status = {};
  return ::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

void remove_one(const std::string& path) { (void)std::remove(path.c_str()); }

std::string rename_path(const std::string& source, const std::string& target) {
  if (::rename(source.c_str(), target.c_str()) == 0) return {};
  return errno == ENOTEMPTY || errno == EEXIST ? target + ": not empty" : failure(target);
}

std::string behind_link(const std::string& path) {
  struct stat status = {};
  char resolved[PATH_MAX];
  const bool is_link = ::lstat(path.c_str(), &status) == 0 && S_ISLNK(status.st_mode);
  return is_link && ::realpath(path.c_str(), resolved) != nullptr ? std::string(resolved) : path;
}

static volatile sig_atomic_t stop_signal = 0;

static void note_stop(int number) { stop_signal = number; }

static constexpr int stopping[] = {SIGINT, SIGTERM, SIGHUP, SIGXFSZ};

struct stop_signals::dispositions {
  struct sigaction of[4];
};

stop_signals::stop_signals() : before_(new dispositions()) {
  stop_signal = 0;
  for (int i = 0; i < 4; ++i) {
    struct sigaction action = {};
    sigemptyset(&action.sa_mask);
    action.sa_handler = stopping[i] == SIGXFSZ ? SIG_IGN : note_stop;
    ::sigaction(stopping[i], nullptr, &before_->of[i]);
    if (before_->of[i].sa_handler != SIG_IGN) ::sigaction(stopping[i], &action, nullptr);
  }
}

void stop_signals::restore() {
  for (int i = 0; i < 4; ++i) ::sigaction(stopping[i], &before_->of[i], nullptr);
}

stop_signals::~stop_signals() {
  restore();
  delete before_;
}

bool stop_signals::came() { return stop_signal != 0; }

void stop_signals::end_this_process() {
  restore();
  ::raise(stop_signal);
}

}  // namespace cudnn_checked::bundles
