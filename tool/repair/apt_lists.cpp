// SPDX-License-Identifier: BSD-3-Clause
#include "apt_lists.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "../core/library/library_file.h"
#include "../core/model/paths.h"

namespace cudnn_checked::repairs {

namespace {

/// Finds a line in a text that comes in parts.
class line_search {
 public:
  explicit line_search(const std::string& line) : wanted_("\n" + line + "\n"), text_("\n") {}

  bool found() const { return found_; }
  void add(const char* part, std::size_t count) {
    text_.append(part, count);
    found_ = found_ || text_.find(wanted_) != std::string::npos;
    text_.erase(0, text_.size() - std::min(text_.size(), wanted_.size()));
  }

 private:
  const std::string wanted_;
  std::string text_;
  bool found_ = false;
};

/// The bytes of a file, one part after the other.
class file_parts {
 public:
  explicit file_parts(const byte_source& file) : file_(file) {}

  std::size_t left() const { return static_cast<std::size_t>(file_.size() - at_); }
  bool take(std::vector<std::uint8_t>& bytes) {
    return bytes.size() <= left() && read_ahead(bytes.size()) && copy(bytes);
  }
  /// Little-endian.
  bool take_number(std::size_t bytes, std::uint32_t& number) {
    std::vector<std::uint8_t> read(bytes);
    if (!take(read)) return false;
    number = 0;
    while (bytes-- > 0) number = number << 8U | read[bytes];
    return true;
  }
  bool skip(std::size_t bytes) {
    std::vector<std::uint8_t> skipped(bytes);
    return take(skipped);
  }

 private:
  // Pieces of this length are not kept in memory (remembered_system.cpp).
  bool read_ahead(std::size_t count) {
    constexpr std::size_t most = std::size_t{1} << 20U;
    if (at_ >= begin_ && count <= begin_ + ahead_.size() - at_) return true;
    begin_ = at_;
    ahead_.resize(std::min(std::max(count, most), left()));
    return file_.read(begin_, ahead_.data(), ahead_.size());
  }
  bool copy(std::vector<std::uint8_t>& bytes) {
    const auto from = ahead_.begin() + static_cast<std::ptrdiff_t>(at_ - begin_);
    std::copy_n(from, bytes.size(), bytes.begin());
    at_ += bytes.size();
    return true;
  }

  const byte_source& file_;
  unsigned long long at_ = 0;
  unsigned long long begin_ = 0;  ///< of what is read ahead
  std::vector<std::uint8_t> ahead_;
};

/// One block of an LZ4 frame ("LZ4 Block Format Description").
class lz4_block {
 public:
  explicit lz4_block(const std::vector<std::uint8_t>& block) : block_(block) {}

  /// Appends what it stands for; `text` has what came before, as far back as a block may refer to.
  bool append_to(std::string& text, std::size_t most) {
    const std::size_t longest = text.size() + most;
    while (at_ < block_.size()) {
      const std::uint8_t token = block_[at_++];
      std::size_t literals = token >> 4U;
      if (!lengthen(literals) || literals > block_.size() - at_) return false;
      if (literals > longest - text.size()) return false;
      text.append(reinterpret_cast<const char*>(&block_[0]) + at_, literals);
      at_ += literals;
      if (at_ == block_.size()) return true;  // the last sequence has no match
      if (block_.size() - at_ < 2) return false;
      const std::size_t back = block_[at_] | std::size_t{block_[at_ + 1]} << 8U;
      at_ += 2;
      std::size_t match = token & 15U;
      if (!lengthen(match) || back == 0 || back > text.size()) return false;
      match += 4;
      if (match > longest - text.size()) return false;
      // The copied part may begin in the text that is being written here.
      while (match > 0) {
        const std::size_t part = std::min(match, back);
        text.append(text, text.size() - back, part);
        match -= part;
      }
    }
    return true;
  }

 private:
  bool lengthen(std::size_t& length) {
    std::uint8_t more = 255;
    if (length != 15) return true;
    while (more == 255) {
      if (at_ == block_.size()) return false;
      more = block_[at_++];
      length += more;
    }
    return true;
  }

  const std::vector<std::uint8_t>& block_;
  std::size_t at_ = 0;
};

}  // namespace

// "LZ4 Frame Format Description": apt writes one frame, of blocks of at most 4 MB.
static bool search_lz4(file_parts& parts, line_search& search) {
  constexpr std::uint32_t magic = 0x184D2204;
  constexpr std::uint32_t not_compressed = 1U << 31U;
  constexpr std::size_t reach = std::size_t{1} << 16U;
  std::uint32_t number = 0;
  std::uint32_t flags = 0;
  std::uint32_t sizes = 0;
  if (!parts.take_number(4, number) || number != magic || !parts.take_number(1, flags) ||
      !parts.take_number(1, sizes)) {
    return false;
  }
  const std::size_t most = std::size_t{1} << (8U + 2U * (sizes >> 4U & 7U));
  const bool has_checksums = (flags & 16U) != 0;
  if (!parts.skip(((flags & 8U) != 0 ? 8U : 0U) + ((flags & 1U) != 0 ? 4U : 0U) + 1U)) return false;
  std::string text;
  while (!search.found()) {
    if (!parts.take_number(4, number)) return false;
    if (number == 0) return true;
    std::vector<std::uint8_t> block(number & ~not_compressed);
    if (block.size() > most || block.size() > parts.left() || !parts.take(block)) return false;
    text.erase(0, text.size() - std::min(text.size(), reach));
    const std::size_t before = text.size();
    if ((number & not_compressed) != 0) {
      text.append(block.begin(), block.end());
    } else if (!lz4_block(block).append_to(text, most)) {
      return false;
    }
    search.add(text.data() + before, text.size() - before);
    if (has_checksums && !parts.skip(4)) return false;
  }
  return true;
}

static bool search_plain(file_parts& parts, line_search& search) {
  constexpr std::size_t most = std::size_t{1} << 18U;
  while (!search.found() && parts.left() > 0) {
    std::vector<std::uint8_t> bytes(std::min(most, parts.left()));
    if (!parts.take(bytes)) return false;
    search.add(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
  return true;
}

namespace {

/// What a list says of a package: found, or read to its end without it.
struct list_answer {
  bool found = false;
  bool whole = false;
};

}  // namespace

/// FNV-1a by words of eight bytes; 0: the file cannot be read.
static std::uint64_t hash_of(const byte_source& file) {
  constexpr std::size_t part = std::size_t{1} << 20U;
  file_parts parts(file);
  std::uint64_t hash = 0xCBF29CE484222325U ^ file.size();
  while (parts.left() > 0) {
    std::vector<std::uint8_t> bytes(std::min(part, parts.left()));
    if (!parts.take(bytes)) return 0;
    bytes.resize((bytes.size() + 7) / 8 * 8);
    for (std::size_t at = 0; at < bytes.size(); at += 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, &bytes[at], sizeof word);
      hash = (hash ^ word) * 0x100000001B3U;
    }
  }
  return hash;
}

/// Searches a list, once for the same content: to unpack a list takes fifty times as long as to
/// read it, and each of many programs may have the same fix.
static list_answer known_answer(const byte_source& file, bool lz4, const std::string& package) {
  static std::map<std::pair<std::uint64_t, std::string>, list_answer> known;
  const std::uint64_t hash = hash_of(file);
  if (hash == 0) return {};
  const auto entry =
      known.emplace(std::make_pair(hash, (lz4 ? "lz4 " : "") + package), list_answer{});
  list_answer& of_list = entry.first->second;
  if (entry.second) {
    line_search search("Package: " + package);
    file_parts parts(file);
    of_list.whole = lz4 ? search_lz4(parts, search) : search_plain(parts, search);
    of_list.found = search.found();
  }
  return of_list;
}

// apt keeps what it can install in /var/lib/apt/lists (apt-get(8), "FILES"), compressed where
// Acquire::GzipIndexes says so (apt.conf(5)), as in Debian's containers: with LZ4 since apt 1.6.
answer is_in_apt_lists(const system_interface& os, const arena_string& package) {
  const arena_string directory = "/var/lib/apt/lists";
  bool all = true;
  bool any = false;
  for (const arena_string& name : names_in(os, directory)) {
    if (name.find("_Packages") == arena_string::npos) continue;
    const open_file file(os, join_path(directory, name));
    const bool lz4 = ends_with(name, "_Packages.lz4");
    list_answer of_list;
    if (file.result() == open_result::opened && (lz4 || ends_with(name, "_Packages"))) {
      of_list = known_answer(file.source(), lz4, std::string(package));
    }
    if (of_list.found) return answer::yes;
    all = all && of_list.whole;
    any = true;
  }
  return any && all ? answer::no : answer::unknown;
}

}  // namespace cudnn_checked::repairs
