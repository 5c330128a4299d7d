// SPDX-License-Identifier: BSD-3-Clause
#include <fcntl.h>
#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <vector>

#include "../core/model/paths.h"
#include "../repair/library_image.h"
#include "bundle.h"

namespace cudnn_checked::bundles {

static std::string failure(const std::string& path) { return path + ": " + std::strerror(errno); }

// With the folders above it.
static std::string make_directory(const std::string& path) {
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

static std::string copy_file(const std::string& source, const std::string& target) {
  const int from = ::open(source.c_str(), O_RDONLY | O_CLOEXEC);
  if (from < 0) return failure(source);
  const int to = ::open(target.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  std::string wrong = to < 0 ? failure(target) : copy_opened(from, to, source, target);
  // A full file system may say so only then.
  if (to >= 0 && ::close(to) != 0 && wrong.empty()) wrong = failure(target);
  ::close(from);
  return wrong;
}

static std::string fill(const bundle& chosen, const std::string& directory) {
  std::string wrong = make_directory(directory);
  for (const bundled_file& file : chosen.files) {
    const std::string target = directory + "/" + std::string(file.name);
    if (wrong.empty()) wrong = copy_file(file.source, target);
    const std::string link = directory + "/" + std::string(file.link);
    if (wrong.empty() && !file.link.empty() && ::symlink(file.name.c_str(), link.c_str()) != 0) {
      wrong = failure(link);
    }
  }
  for (const license_file& file : chosen.licenses) {
    const std::string folder = directory + "/licenses/" + std::string(file.folder);
    if (wrong.empty()) wrong = make_directory(folder);
    if (wrong.empty()) {
      wrong = copy_file(file.source, folder + "/" + std::string(base_name(file.source)));
    }
  }
  return wrong;
}

static int remove_one(const char* path, const struct stat*, int, struct FTW*) {
  return std::remove(path);
}

static void remove_all(const std::string& directory) {
  (void)::nftw(directory.c_str(), remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

// A copy that is cut short has another name.
std::string write_bundle(const bundle& chosen, const std::string& directory) {
  std::string target = directory;
  while (target.size() > 1 && target.back() == '/') target.pop_back();
  if (::rmdir(target.c_str()) != 0 && errno != ENOENT) {
    return errno == ENOTEMPTY || errno == EEXIST ? target + ": not empty" : failure(target);
  }
  const std::string partial = target + ".partial";
  remove_all(partial);
  std::string wrong = fill(chosen, partial);
  if (wrong.empty() && ::rename(partial.c_str(), target.c_str()) != 0) wrong = failure(target);
  if (!wrong.empty()) remove_all(partial);
  return wrong;
}

// In a response file blanks separate, and a backslash takes its meaning from the next character.
static std::string in_response_file(const std::string& path) {
  std::string text;
  for (const char c : path) {
    if (std::strchr("\\ \t\"'", c) != nullptr) text += '\\';
    text += c;
  }
  return text;
}

static std::string write_file(const std::string& path, const std::string& contents) {
  const int target = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (target < 0) return failure(path);
  std::string wrong = write_all(target, contents.data(), contents.size(), path);
  if (::close(target) != 0 && wrong.empty()) wrong = failure(path);
  return wrong;
}

std::string write_link_files(const bundle& chosen, const std::string& bundle_directory,
                             const std::string& directory) {
  std::string wrong = make_directory(directory);
  std::string options = "-Wl,--disable-new-dtags\n-Wl,--push-state,--no-as-needed\n";
  for (const bundled_file& file : chosen.files) {
    if (!file.is_needed) continue;
    // Of two libraries with one SONAME a linker reads the first, so it must have the symbols.
    std::string path = bundle_directory + "/" + std::string(file.name);
    if (!file.link.empty()) {
      path = directory + "/" + std::string(file.name);
      repairs::assumed_library library;
      library.soname = file.name;
      library.linkable = true;
      if (wrong.empty()) wrong = write_file(path, library_image(library));
    }
    options += in_response_file(path) + "\n";
  }
  options += "-Wl,--pop-state\n";
  return wrong.empty() ? write_file(directory + "/link.rsp", options) : wrong;
}

}  // namespace cudnn_checked::bundles
