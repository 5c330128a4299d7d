// SPDX-License-Identifier: BSD-3-Clause
#include "../files.h"

#include <fcntl.h>
#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <vector>

namespace cudnn_checked::bundles {

static std::string failure(const std::string& path) { return path + ": " + std::strerror(errno); }

std::string make_directory(const std::string& path) {
  for (std::size_t at = 1; at <= path.size(); ++at) {
    if (at < path.size() && path[at] != '/') continue;
    const std::string part = path.substr(0, at);
    if (::mkdir(part.c_str(), 0777) != 0 && errno != EEXIST) return failure(part);
  }
  return {};
}

static std::string write_all(int target, const char* bytes, std::size_t count,
                             const std::string& path) {
  while (count > 0) {
    const ssize_t written = ::write(target, bytes, count);
    if (written < 0) return failure(path);
    bytes += written;
    count -= static_cast<std::size_t>(written);
  }
  return {};
}

static std::string copy_opened(int from, int to, const std::string& source,
                               const std::string& target) {
  std::vector<char> bytes(std::size_t{1} << 20);
  for (;;) {
    const ssize_t count = ::read(from, bytes.data(), bytes.size());
    if (count < 0) return failure(source);
    if (count == 0) return {};
    std::string wrong = write_all(to, bytes.data(), static_cast<std::size_t>(count), target);
    if (!wrong.empty()) return wrong;
  }
}

std::string copy_file(const std::string& source, const std::string& target) {
  const int from = ::open(source.c_str(), O_RDONLY | O_CLOEXEC);
  if (from < 0) return failure(source);
  const int to = ::open(target.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  std::string wrong = to < 0 ? failure(target) : copy_opened(from, to, source, target);
  // A full file system may say so only then.
  if (to >= 0 && ::close(to) != 0 && wrong.empty()) wrong = failure(target);
  ::close(from);
  return wrong;
}

std::string make_link(const std::string& name, const std::string& link) {
  return ::symlink(name.c_str(), link.c_str()) == 0 ? std::string() : failure(link);
}

std::string write_file(const std::string& path, const std::string& contents) {
  const int target = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (target < 0) return failure(path);
  std::string wrong = write_all(target, contents.data(), contents.size(), path);
  if (::close(target) != 0 && wrong.empty()) wrong = failure(path);
  return wrong;
}

std::string remove_empty(const std::string& directory) {
  if (::rmdir(directory.c_str()) == 0 || errno == ENOENT) return {};
  return errno == ENOTEMPTY || errno == EEXIST ? directory + ": not empty" : failure(directory);
}

static int remove_one(const char* path, const struct stat*, int, struct FTW*) {
  return std::remove(path);
}

void remove_all(const std::string& directory) {
  (void)::nftw(directory.c_str(), remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

std::string rename_file(const std::string& source, const std::string& target) {
  return ::rename(source.c_str(), target.c_str()) == 0 ? std::string() : failure(target);
}

long long size_of_file(const std::string& path) {
  struct stat status = {};
  return ::stat(path.c_str(), &status) == 0 ? status.st_size : 0;
}

}  // namespace cudnn_checked::bundles
