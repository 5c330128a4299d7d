// SPDX-License-Identifier: BSD-3-Clause
#include "recorded_contents.h"

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "../../core/observe/package_records.h"
#include "../text/progress.h"
#include "sha256.h"

namespace cudnn_checked::cli {

/// The hash that the package has recorded for the file; empty if there is none.
static std::string recorded_hash(const system_interface& os, const cudnn_file& file) {
  package_listing listing;
  if (!read_listing(os, file.package.record, listing)) return {};
  for (const listed_file& one : listing.files) {
    if (!one.hash.empty() && os.real_path(one.path) == file.real_path) return one.hash;
  }
  return {};
}

/// False where it cannot be read to its end.
static bool hash_file(const system_interface& os, const arena_string& path,
                      sha256::digest& result) {
  constexpr std::size_t piece = 1U << 20U;
  byte_source* opened = nullptr;
  if (os.open(path, &opened) != open_result::opened) return false;
  const std::unique_ptr<byte_source> source(opened);
  std::vector<char> bytes(piece);
  sha256 hash;
  for (unsigned long long at = 0; at < source->size();) {
    const auto count =
        static_cast<std::size_t>(std::min<unsigned long long>(piece, source->size() - at));
    if (!source->read(at, bytes.data(), count)) return false;
    hash.add(bytes.data(), count);
    at += count;
  }
  result = hash.end();
  return true;
}

/// The result for a file that was compared before; null if it was not.
static const cudnn_file* find_compared(const survey* before, const arena_string& real_path) {
  if (before == nullptr) return nullptr;
  const auto in = [&real_path](const arena_vector<cudnn_file>& files) {
    auto* const at = find_where(files, [&real_path](const cudnn_file& file) {
      const bool compared = file.state == file_state::whole || file.state == file_state::altered;
      return compared && file.real_path == real_path;
    });
    return at == nullptr ? nullptr : at;
  };
  for (const cudnn_install& install : before->installs) {
    if (const cudnn_file* const found = in(install.observed.files)) return found;
  }
  const cudnn_file* const copy = in(before->copies);
  return copy != nullptr ? copy : in(before->by_default.files);
}

/// Are the contents the recorded ones?  Unknown where nothing is recorded.
static answer is_as_recorded(const system_interface& os, const survey* before,
                             const cudnn_file& file) {
  const bool is_wheel = file.package.manager == package_manager::wheel;
  if (file.state != file_state::whole || file.package.same_size != answer::yes) {
    return answer::unknown;
  }
  const std::string recorded = recorded_hash(os, file);
  if (recorded.empty()) return answer::unknown;
  // The record of a file that a repair writes has no hash.
  if (const cudnn_file* const same = find_compared(before, file.real_path)) {
    return same->state == file_state::altered ? answer::no : answer::yes;
  }
  show_progress("reading " + std::string(file.real_path));
  sha256::digest found;
  if (!hash_file(os, file.real_path, found)) return answer::unknown;
  return recorded == (is_wheel ? in_base64url(found) : in_hexadecimal(found)) ? answer::yes
                                                                              : answer::no;
}

void compare_contents(const system_interface& os, const survey* before, survey& all) {
  std::map<std::string, answer> known;
  const auto compare = [&](arena_vector<cudnn_file>& files) {
    int compared = 0;
    for (cudnn_file& file : files.in_place()) {
      const auto at = known.find(file.real_path);
      const answer same = at != known.end() ? at->second : is_as_recorded(os, before, file);
      known[file.real_path] = same;
      if (same == answer::no) file.state = file_state::altered;
      compared += same == answer::unknown ? 0 : 1;
    }
    return compared;
  };
  for (cudnn_install& install : all.installs.in_place())
    install.compared = compare(install.observed.files);
  compare(all.copies);
  compare(all.by_default.files);
}

}  // namespace cudnn_checked::cli
