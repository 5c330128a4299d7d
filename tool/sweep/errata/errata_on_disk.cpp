// SPDX-License-Identifier: BSD-3-Clause
#include "errata_on_disk.h"

#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace cudnn_checked::sweep {

// A rule is 200 bytes.
static constexpr off_t largest_errata = off_t{4} << 20;

static std::string errata_failure(const std::string& path, const char* what) {
  return path + ": " + what + ": " + std::strerror(errno);
}

static bool read_errata_bytes(int descriptor, std::string& text) {
  char buffer[1 << 16];
  for (;;) {
    const ssize_t count = read(descriptor, buffer, sizeof buffer);
    if (count == 0) return true;
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    text.append(buffer, static_cast<std::size_t>(count));
    if (text.size() > static_cast<std::size_t>(largest_errata)) return true;  // it grows
  }
}

// O_NONBLOCK: a FIFO without a writer is not waited for.
static bool read_errata_text(const std::string& path, std::string& text, std::string& error) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (descriptor < 0) {
    error = errata_failure(path, "cannot be read");
    return false;
  }
  struct stat status;
  const bool is_file = fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
  const bool is_small = is_file && status.st_size <= largest_errata;
  const bool whole = is_small && read_errata_bytes(descriptor, text);
  if (!is_file) {
    error = path + ": not a file";
  } else if (!is_small) {
    error = path + ": no errata file: more than 4 MiB";
  } else if (!whole) {
    error = errata_failure(path, "cannot be read");
  }
  close(descriptor);
  return whole;
}

bool load_errata(const std::string& path, errata_file& result, std::string& error) {
  result = {};
  struct stat status;
  if (lstat(path.c_str(), &status) != 0 && errno == ENOENT) return true;
  std::string text;
  if (!read_errata_text(path, text, error)) return false;
  std::string reason;
  if (read_errata(text, result, reason)) return true;
  error = path + ": no errata file: " + reason;
  return false;
}

// The file behind a link, or the path itself where there is none yet.
static std::string real_errata_path(const std::string& path) {
  char resolved[PATH_MAX];
  return realpath(path.c_str(), resolved) == nullptr ? path : std::string(resolved);
}

static std::string errata_part(const std::string& place) {
  return place + "." + std::to_string(getpid()) + ".part";
}

static int open_errata_part(const std::string& part, mode_t mode) {
  return open(part.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
}

bool can_store_errata(const std::string& path, std::string& error) {
  const std::string part = errata_part(real_errata_path(path));
  const int descriptor = open_errata_part(part, 0600);
  if (descriptor < 0) {
    error = errata_failure(path, "cannot be written");
    return false;
  }
  close(descriptor);
  unlink(part.c_str());
  return true;
}

static bool write_errata_bytes(int descriptor, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t count = write(descriptor, text.data() + done, text.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    done += static_cast<std::size_t>(count);
  }
  return fsync(descriptor) == 0 || errno == EINVAL;  // EINVAL: a file system that has no fsync()
}

// Owner and mode as before: who could read the file can read the new one.
static void keep_errata_access(int descriptor, const struct stat& before) {
  (void)!fchown(descriptor, before.st_uid, before.st_gid);
  (void)fchmod(descriptor, before.st_mode & 07777U);
}

bool store_errata(const std::string& path, const std::string& text, std::string& error) {
  const std::string place = real_errata_path(path);
  const std::string part = errata_part(place);
  struct stat before;
  const bool exists = stat(place.c_str(), &before) == 0;
  const int descriptor = open_errata_part(part, exists ? 0600 : 0666);
  if (descriptor < 0) {
    error = errata_failure(path, "cannot be written");
    return false;
  }
  if (exists) keep_errata_access(descriptor, before);
  bool stored = write_errata_bytes(descriptor, text);
  stored = close(descriptor) == 0 && stored;
  stored = stored && std::rename(part.c_str(), place.c_str()) == 0;
  if (stored) return true;
  error = errata_failure(path, "cannot be written");
  unlink(part.c_str());
  return false;
}

}  // namespace cudnn_checked::sweep
