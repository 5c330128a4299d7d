// SPDX-License-Identifier: BSD-3-Clause
#include "symbols.h"

#include "../model/paths.h"
#include "byte_order.h"
#include "elf_image.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

static constexpr std::size_t symbols_entry_size = 24;
// More than libraries have; a damaged file must cost neither time nor memory.
static constexpr std::uint64_t symbols_most = 1U << 20;
static constexpr std::uint64_t symbols_most_strings = 64U << 20;

static bool symbols_word_at(const elf_image& image, std::uint64_t address, std::uint32_t& value) {
  unsigned char bytes[4];
  if (!image.read_at(address, bytes, sizeof(bytes))) return false;
  value = little_endian_32(bytes);
  return true;
}

// DT_GNU_HASH lists the defined symbols, which end the table: the highest first symbol of a bucket,
// and from there to the end of its chain.  0 where it lists none.
static std::uint64_t symbols_of_gnu_hash(const elf_image& image, const elf_dynamic& dynamic) {
  unsigned char header[16];
  if (!image.read_at(dynamic.gnu_hash, header, sizeof(header))) return 0;
  const std::uint32_t bucket_count = little_endian_32(header);
  const std::uint32_t first = little_endian_32(header + 4);
  const std::uint64_t buckets =
      dynamic.gnu_hash + sizeof(header) + std::uint64_t{8} * little_endian_32(header + 8);
  if (bucket_count > symbols_most) return 0;
  const std::uint64_t chains = buckets + std::uint64_t{4} * bucket_count;
  std::uint64_t last = 0;
  unsigned char part[4096];
  for (std::uint64_t at = buckets; at < chains; at += sizeof(part)) {
    const std::size_t size =
        chains - at < sizeof(part) ? static_cast<std::size_t>(chains - at) : sizeof(part);
    if (!image.read_at(at, part, size)) return 0;
    for (std::size_t i = 0; i < size; i += 4) {
      const std::uint32_t index = little_endian_32(part + i);
      if (index > last) last = index;
    }
  }
  if (last < first || last == 0) return 0;
  for (std::uint32_t entry = 0; last < symbols_most; ++last) {
    if (!symbols_word_at(image, chains + 4 * (last - first), entry)) return 0;
    if ((entry & 1) != 0) return last + 1;
  }
  return 0;
}

// The number of symbols is in DT_HASH, or follows from DT_GNU_HASH where anything is defined.  Else
// the table ends at the latest where another one begins.
static std::uint64_t symbols_count(const elf_image& image, const elf_dynamic& dynamic) {
  std::uint32_t count = 0;
  if (dynamic.hash != 0 && symbols_word_at(image, dynamic.hash + 4, count)) return count;
  if (dynamic.gnu_hash != 0) {
    const std::uint64_t listed = symbols_of_gnu_hash(image, dynamic);
    if (listed != 0) return listed;
  }
  std::uint64_t end = 0;
  for (const std::uint64_t table : {dynamic.strings, dynamic.gnu_hash, dynamic.versions}) {
    if (table > dynamic.symbols && (end == 0 || table < end)) end = table;
  }
  return end == 0 ? 0 : (end - dynamic.symbols) / symbols_entry_size;
}

static bool read_all_symbols(const elf_image& image, const elf_dynamic& dynamic,
                             vector<unsigned char>& table, vector<char>& strings) {
  const std::uint64_t count = symbols_count(image, dynamic);
  if (count > symbols_most || count > image.size() / symbols_entry_size ||
      dynamic.strings_size > symbols_most_strings || dynamic.strings_size > image.size()) {
    return false;
  }
  table.resize(static_cast<std::size_t>(count) * symbols_entry_size);
  strings.resize(static_cast<std::size_t>(dynamic.strings_size));
  if (!strings.empty() && !image.read_at(dynamic.strings, strings.data(), strings.size())) {
    return false;
  }
  return table.empty() || image.read_at(dynamic.symbols, table.data(), table.size());
}

static std::string_view symbols_string(const vector<char>& strings, std::size_t index) {
  if (index >= strings.size()) return {};
  std::size_t end = index;
  while (end < strings.size() && strings[end] != '\0') ++end;
  return end == strings.size() ? std::string_view()
                               : std::string_view(strings.data() + index, end - index);
}

dynamic_symbols read_symbols(const system_interface& os, const string& path, const string& prefix) {
  dynamic_symbols result;
  const open_file file(os, path);
  if (file.result() != open_result::opened) return result;
  elf_file contents;
  elf_image image(file.source());
  image.read_headers(0, contents);
  elf_dynamic dynamic;
  if (contents.state != file_state::whole || !image.read_dynamic(dynamic)) return result;
  vector<unsigned char> table;
  vector<char> strings;
  if (!read_all_symbols(image, dynamic, table, strings)) return result;
  result.readable = true;
  result.bind_now = dynamic.bind_now;
  for (std::size_t at = 0; at < table.size(); at += symbols_entry_size) {
    const unsigned char* const entry = table.data() + at;
    const unsigned binding = entry[4] >> 4;
    if (binding == 0) continue;  // STB_LOCAL
    const std::string_view name = symbols_string(strings, little_endian_32(entry));
    if (name.empty() || !starts_with(name, prefix)) continue;
    const bool is_defined = little_endian_16(entry + 6) != 0;
    if (is_defined) {
      result.defined.emplace_back(name);
    } else if (binding == 1) {  // STB_GLOBAL; a weak one may be absent
      result.undefined.emplace_back(name);
    }
  }
  return result;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
