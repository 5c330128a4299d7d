// SPDX-License-Identifier: BSD-3-Clause
#include "../files.h"

#include <cerrno>
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

std::string make_directory(const std::string& path) {
  std::error_code wrong;
  fs::create_directories(path_of(path), wrong);
  return outcome(path, wrong);
}

std::string copy_file(const std::string& source, const std::string& target) {
  std::error_code wrong;
  if (!fs::exists(path_of(source), wrong)) {
    return source + ": " + std::strerror(ENOENT);
  }
  fs::copy_file(path_of(source), path_of(target), fs::copy_options::none, wrong);
  return outcome(target, wrong);
}

// A link needs a right that few accounts have; a library is copied under both names.
std::string make_link(const std::string& name, const std::string& link) {
  const fs::path target = path_of(link);
  std::error_code wrong;
  fs::copy_file(target.parent_path() / path_of(name), target, fs::copy_options::none, wrong);
  return outcome(link, wrong);
}

std::string write_file(const std::string& path, const std::string& contents) {
  std::FILE* const file = ::_wfopen(path_of(path).c_str(), L"wb");
  if (file == nullptr) return path + ": " + std::strerror(errno);
  std::string wrong;
  if (std::fwrite(contents.data(), 1, contents.size(), file) != contents.size()) {
    wrong = path + ": " + std::strerror(errno);
  }
  if (std::fclose(file) != 0 && wrong.empty()) wrong = path + ": " + std::strerror(errno);
  return wrong;
}

std::string remove_empty(const std::string& directory) {
  std::error_code wrong;
  if (!fs::exists(path_of(directory), wrong)) return {};
  if (!fs::is_directory(path_of(directory), wrong)) {
    return directory + ": " + std::strerror(ENOTDIR);
  }
  if (!fs::is_empty(path_of(directory), wrong) && !wrong) return directory + ": not empty";
  if (!wrong) fs::remove(path_of(directory), wrong);
  return outcome(directory, wrong);
}

// Once, from the innermost file: libstdc++'s remove_all tries for ever where a file is in use.
void remove_all(const std::string& directory) {
  std::vector<fs::path> paths = {path_of(directory)};
  std::error_code ignored;
  fs::recursive_directory_iterator entry(paths.front(), ignored);
  for (; !ignored && entry != end(entry); entry.increment(ignored)) paths.push_back(entry->path());
  entry = {};
  for (auto path = paths.rbegin(); path != paths.rend(); ++path) fs::remove(*path, ignored);
}

std::string rename_file(const std::string& source, const std::string& target) {
  const int done = ::_wrename(path_of(source).c_str(), path_of(target).c_str());
  return done == 0 ? std::string() : target + ": " + std::strerror(errno);
}

long long size_of_file(const std::string& path) {
  std::error_code absent;
  const auto size = fs::file_size(path_of(path), absent);
  return absent ? 0 : static_cast<long long>(size);
}

}  // namespace cudnn_checked::bundles
