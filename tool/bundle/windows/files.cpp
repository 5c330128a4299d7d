// SPDX-License-Identifier: BSD-3-Clause
#include "../files.h"

#include <fcntl.h>
#include <io.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <vector>

namespace cudnn_checked::bundles {

namespace fs = std::filesystem;

static fs::path path_of(const std::string& path) { return fs::u8path(path); }

/// Nothing where nothing failed.
static std::string outcome(const std::string& path, const std::error_code& why) {
  if (!why) return {};
  const std::error_condition known = why.default_error_condition();
  const bool is_errno = known.category() == std::generic_category();
  return path + ": " + (is_errno ? std::strerror(known.value()) : why.message());
}

std::string make_directories(const std::string& path, std::vector<std::string>& made) {
  // A drive or a share is no folder that can be made.
  fs::path folder = path_of(path).root_path();
  for (const fs::path& part : path_of(path).relative_path()) {
    if (part.empty()) continue;
    folder /= part;
    std::error_code wrong;
    if (fs::create_directory(folder, wrong)) made.push_back(folder.generic_u8string());
    if (wrong && !fs::is_directory(folder)) return outcome(folder.generic_u8string(), wrong);
  }
  return {};
}

std::string make_directory(const std::string& path) {
  std::error_code wrong;
  if (fs::create_directory(path_of(path), wrong) || wrong) return outcome(path, wrong);
  return path + ": " + std::strerror(EEXIST);
}

static std::string copy_opened(std::FILE* from, std::FILE* to, const std::string& source,
                               const std::string& target, unsigned long long left) {
  std::vector<char> bytes(std::size_t{1} << 20);
  while (left > 0) {
    if (stop_signals::came()) return target + ": " + std::strerror(EINTR);
    const auto most = static_cast<std::size_t>(std::min<unsigned long long>(left, bytes.size()));
    const std::size_t count = std::fread(bytes.data(), 1, most, from);
    if (count == 0) return source + ": it became shorter while it was copied";
    if (std::fwrite(bytes.data(), 1, count, to) != count) {
      return target + ": " + std::strerror(errno);
    }
    left -= count;
  }
  return {};
}

std::string copy_file(const std::string& source, const std::string& target,
                      unsigned long long bytes) {
  std::error_code wrong;
  const auto size = fs::file_size(path_of(source), wrong);
  if (wrong) return outcome(source, wrong);
  if (size != bytes) return source + ": it is no longer the file that was looked at";
  std::FILE* const from = ::_wfopen(path_of(source).c_str(), L"rbN");
  if (from == nullptr) return source + ": " + std::strerror(errno);
  // Not "x" of fopen, which the older C runtime of Windows passes over.
  constexpr int fresh = _O_CREAT | _O_EXCL | _O_WRONLY | _O_BINARY | _O_NOINHERIT;
  const int number = ::_wopen(path_of(target).c_str(), fresh, _S_IREAD | _S_IWRITE);
  std::FILE* const to = number < 0 ? nullptr : ::_fdopen(number, "wb");
  std::string failed = to == nullptr ? target + ": " + std::strerror(errno)
                                     : copy_opened(from, to, source, target, bytes);
  if (to != nullptr && std::fclose(to) != 0 && failed.empty()) {
    failed = target + ": " + std::strerror(errno);
  }
  std::fclose(from);
  return failed;
}

// A link needs a right that few accounts have; a library is copied under both names.
std::string make_link(const std::string& name, const std::string& link) {
  const fs::path target = path_of(link);
  std::error_code wrong;
  fs::copy_file(target.parent_path() / path_of(name), target, fs::copy_options::none, wrong);
  return outcome(link, wrong);
}

std::string look_for_room(const std::string& directory, const std::string& besides) {
  std::error_code wrong;
  if (!fs::exists(path_of(directory), wrong)) return {};
  if (!fs::is_directory(path_of(directory), wrong)) {
    return directory + ": " + std::strerror(ENOTDIR);
  }
  for (const fs::directory_entry& entry : fs::directory_iterator(path_of(directory), wrong)) {
    if (entry.path().filename().u8string() != besides) return directory + ": not empty";
  }
  return outcome(directory, wrong);
}

bool is_folder(const std::string& path) {
  std::error_code ignored;
  return fs::is_directory(path_of(path), ignored);
}

void remove_one(const std::string& path) {
  std::error_code ignored;
  fs::remove(path_of(path), ignored);
}

// Windows gives no folder the name of another one, so that one goes first; it goes only if it is
// empty.
std::string rename_path(const std::string& source, const std::string& target) {
  std::error_code ignored;
  fs::remove(path_of(target), ignored);
  const int done = ::_wrename(path_of(source).c_str(), path_of(target).c_str());
  if (done == 0) return {};
  const std::string why = std::strerror(errno);
  const std::string wrong = look_for_room(target);
  return wrong.empty() ? target + ": " + why : wrong;
}

std::string behind_link(const std::string& path) {
  std::error_code wrong;
  if (!fs::is_symlink(path_of(path), wrong)) return path;
  const fs::path behind = fs::canonical(path_of(path), wrong);
  return wrong ? path : behind.generic_u8string();
}

static volatile std::sig_atomic_t stop_signal = 0;

// The handler of SIGINT runs in a thread of its own, and once.
static void note_stop(int number) {
  stop_signal = number;
  std::signal(number, note_stop);
}

static constexpr int stopping[] = {SIGINT, SIGBREAK};

struct stop_signals::dispositions {
  void (*of[2])(int);
};

stop_signals::stop_signals() : before_(new dispositions()) {
  stop_signal = 0;
  for (int i = 0; i < 2; ++i) {
    before_->of[i] = std::signal(stopping[i], note_stop);
    if (before_->of[i] == SIG_IGN) std::signal(stopping[i], SIG_IGN);
  }
}

void stop_signals::restore() {
  for (int i = 0; i < 2; ++i) std::signal(stopping[i], before_->of[i]);
}

stop_signals::~stop_signals() {
  restore();
  delete before_;
}

bool stop_signals::came() { return stop_signal != 0; }

void stop_signals::end_this_process() {
  restore();
  std::raise(stop_signal);
}

}  // namespace cudnn_checked::bundles
