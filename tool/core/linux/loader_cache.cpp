// SPDX-License-Identifier: BSD-3-Clause
#include "loader_cache.h"

#include <cstddef>
#include <cstring>

#include "../library/byte_order.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

static constexpr char loader_cache_magic[] = "glibc-ld.so.cache1.1";
static constexpr std::size_t loader_cache_header_size = 48;
static constexpr std::size_t loader_cache_entry_size = 24;

// The string at an offset, which must end inside the file.
static std::string_view cache_string(std::string_view cache, std::size_t offset) {
  if (offset >= cache.size()) return {};
  const std::size_t end = cache.find('\0', offset);
  return end == std::string_view::npos ? std::string_view() : part_of(cache, offset, end - offset);
}

// How good an entry for special hardware is: its place in `hwcaps`; their number where it is none
// of them.
static std::size_t cache_hwcap_rank(std::string_view path,
                                    const arena_vector<arena_string>& hwcaps) {
  for (std::size_t i = 0; i < hwcaps.size(); ++i) {
    const arena_string directory = "/" + hwcaps[i] + "/";
    if (path.find(directory) != std::string_view::npos) return i;
  }
  return hwcaps.size();
}

// Offsets of strings count from the header of this format, which the older one may precede.
arena_vector<loader_cache_entry> read_loader_cache(std::string_view cache, std::string_view prefix,
                                                   unsigned flags,
                                                   const arena_vector<arena_string>& hwcaps) {
  arena_vector<loader_cache_entry> found;
  arena_vector<std::size_t> ranks;
  const std::size_t begin = cache.find(loader_cache_magic);
  if (begin == std::string_view::npos) return found;
  cache.remove_prefix(begin);
  if (cache.size() < loader_cache_header_size) return found;
  const auto* const bytes = reinterpret_cast<const unsigned char*>(cache.data());
  const std::size_t count = little_endian_32(bytes + 20);
  if (count > (cache.size() - loader_cache_header_size) / loader_cache_entry_size) return found;
  for (std::size_t i = 0; i < count; ++i) {
    const unsigned char* const entry =
        bytes + loader_cache_header_size + i * loader_cache_entry_size;
    const std::size_t name = little_endian_32(entry + 4);
    if (little_endian_32(entry) != flags) continue;
    if (name >= cache.size() || prefix.size() > cache.size() - name) continue;
    if (std::memcmp(cache.data() + name, prefix.data(), prefix.size()) != 0) continue;
    const std::string_view path = cache_string(cache, little_endian_32(entry + 8));
    // The last word of an entry is not zero where it asks for hardware capabilities.
    const bool special = little_endian_64(entry + 16) != 0;
    const std::size_t rank = special ? cache_hwcap_rank(path, hwcaps) : hwcaps.size();
    if (path.empty() || (special && rank == hwcaps.size())) continue;
    std::size_t at = ranks.size();
    while (at > 0 && ranks[at - 1] > rank) --at;
    ranks.insert(ranks.begin() + static_cast<std::ptrdiff_t>(at), rank);
    found.insert(found.begin() + static_cast<std::ptrdiff_t>(at),
                 {arena_string(cache_string(cache, name)), arena_string(path)});
  }
  return found;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
