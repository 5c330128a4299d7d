// SPDX-License-Identifier: BSD-3-Clause
#include "../library/symbols.h"

#include <cstdlib>
#include <cstring>

#include "../library/byte_order.h"
#include "elf_image.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

static constexpr std::size_t symbols_entry_size = 24;
// More than libraries have; a damaged file must cost neither time nor memory.
static constexpr std::uint64_t symbols_most = 1U << 20;

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

/// Entries of the table, the last not included.
struct symbol_range {
  std::uint64_t first = 0;
  std::uint64_t end = 0;
};

// Behind the first symbol of DT_GNU_HASH are those that the loader finds, if it lists any.  In a
// library these are the defined ones.  Of a program some are undefined: functions whose address it
// takes (System V ABI, AMD64 supplement, "Function Addresses").
static symbol_range range_of(const elf_image& image, const elf_dynamic& dynamic, symbol_kind kind) {
  std::uint32_t first = 0;
  const bool is_divided = dynamic.gnu_hash != 0 &&
                          symbols_word_at(image, dynamic.gnu_hash + 4, first) &&
                          symbols_of_gnu_hash(image, dynamic) != 0;
  if (is_divided && kind == symbol_kind::called && !image.has_interpreter()) return {0, first};
  const std::uint64_t begin = is_divided && kind == symbol_kind::exported ? first : 0;
  const std::uint64_t count = symbols_count(image, dynamic);
  return {begin < count ? begin : count, count};
}

struct named_symbol {
  std::uint32_t name;   ///< an index into the strings
  std::uint32_t entry;  ///< its place in the table
};

static bool is_of_kind(const unsigned char* entry, symbol_kind kind) {
  const unsigned binding = entry[4] >> 4;
  const bool is_defined = little_endian_16(entry + 6) != 0;
  // A symbol with STB_LOCAL is not visible to other files; one with STB_WEAK may be missing.
  return kind == symbol_kind::exported ? is_defined && binding != 0 : !is_defined && binding == 1;
}

static bool read_entries(const elf_image& image, const elf_dynamic& dynamic, symbol_kind kind,
                         arena_vector<named_symbol>& symbols) {
  const symbol_range range = range_of(image, dynamic, kind);
  const std::uint64_t count = range.end - range.first;
  if (count > symbols_most || count > image.size() / symbols_entry_size) return false;
  arena_vector<unsigned char> table;
  table.resize(static_cast<std::size_t>(count) * symbols_entry_size);
  if (table.empty()) return true;
  if (!image.read_at(dynamic.symbols + range.first * symbols_entry_size, table.in_place().begin(),
                     table.size())) {
    return false;
  }
  for (std::size_t i = 0; i < count; ++i) {
    const unsigned char* const entry = table.data() + i * symbols_entry_size;
    if (is_of_kind(entry, kind)) {
      symbols.push_back({little_endian_32(entry), static_cast<std::uint32_t>(i)});
    }
  }
  return true;
}

/// The strings of a file, block by block.
class string_blocks {
 public:
  string_blocks(const elf_image& image, const elf_dynamic& dynamic)
      : image_(image), dynamic_(dynamic) {}

  /// Whether the string at `index` begins with `prefix`.  If the calls come in the order of the
  /// indices, each byte is read once.
  bool begins(std::uint64_t index, arena_string prefix) {
    if (prefix.size() > sizeof(bytes_) || index >= dynamic_.strings_size ||
        prefix.size() > dynamic_.strings_size - index) {
      return false;
    }
    if (index < begin_ || index + prefix.size() > begin_ + size_) {
      const std::uint64_t left = dynamic_.strings_size - index;
      begin_ = index;
      size_ = left < sizeof(bytes_) ? static_cast<std::size_t>(left) : sizeof(bytes_);
      if (!image_.read_at(dynamic_.strings + begin_, bytes_, size_)) size_ = 0;
    }
    return size_ != 0 && std::memcmp(bytes_ + (index - begin_), prefix.data(), prefix.size()) == 0;
  }

 private:
  const elf_image& image_;
  const elf_dynamic& dynamic_;
  std::uint64_t begin_ = 0;
  std::size_t size_ = 0;
  char bytes_[65536];
};

// qsort(3): std::sort is a kilobyte.
template <std::uint32_t named_symbol::*key>
static void sort_by(arena_vector<named_symbol>& symbols) {
  if (symbols.empty()) return;
  std::qsort(symbols.in_place().begin(), symbols.size(), sizeof(named_symbol),
             [](const void* a, const void* b) {
               const std::uint32_t left = static_cast<const named_symbol*>(a)->*key;
               const std::uint32_t right = static_cast<const named_symbol*>(b)->*key;
               return left < right ? -1 : static_cast<int>(left > right);
             });
}

static void keep_names(const elf_image& image, const elf_dynamic& dynamic, arena_string prefix,
                       arena_vector<named_symbol>& symbols, arena_vector<arena_string>& names) {
  sort_by<&named_symbol::name>(symbols);
  string_blocks blocks(image, dynamic);
  arena_vector<named_symbol> kept = filtered(
      symbols, [&](const named_symbol& symbol) { return blocks.begins(symbol.name, prefix); });
  sort_by<&named_symbol::entry>(kept);
  for (const named_symbol& symbol : kept) names.push_back(image.string_at(dynamic, symbol.name));
}

dynamic_symbols read_symbols(const system_interface& os, arena_string path, symbol_kind kind,
                             arena_string prefix) {
  dynamic_symbols result;
  const open_file file(os, path);
  if (file.result() != open_result::opened) return result;
  library_file contents;
  elf_image image(file.source());
  image.read_headers(0, contents);
  elf_dynamic dynamic;
  arena_vector<named_symbol> symbols;
  if (contents.state != file_state::whole || !image.read_dynamic(dynamic) || dynamic.symbols == 0 ||
      !read_entries(image, dynamic, kind, symbols)) {
    return result;
  }
  result.readable = true;
  result.bind_now = dynamic.bind_now;
  keep_names(image, dynamic, prefix, symbols, result.names);
  return result;
}

bool exports_symbol(const system_interface& os, arena_string path, arena_string name) {
  const open_file file(os, path);
  if (file.result() != open_result::opened) return false;
  library_file contents;
  elf_image image(file.source());
  image.read_headers(0, contents);
  elf_dynamic dynamic;
  elf_symbol symbol;
  return contents.state == file_state::whole && image.read_dynamic(dynamic) &&
         find_symbol(image, dynamic, name, symbol) && symbol.binding != 0;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
