// SPDX-License-Identifier: BSD-3-Clause
#include "../library/byte_order.h"
#include "elf_image.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

static constexpr std::uint64_t symbol_entry_size = 24;
// Chains are a few entries long; a damaged one must end.
static constexpr unsigned symbol_most_steps = 1024;

static bool read_u32_at(const elf_image& image, std::uint64_t address, std::uint32_t& value) {
  unsigned char bytes[4];
  if (!image.read_at(address, bytes, sizeof(bytes))) return false;
  value = little_endian_32(bytes);
  return true;
}

static bool is_symbol_of_name(const elf_image& image, const elf_dynamic& dynamic,
                              std::uint64_t index, arena_string name, elf_symbol& symbol) {
  unsigned char entry[symbol_entry_size];
  if (!image.read_at(dynamic.symbols + index * symbol_entry_size, entry, sizeof(entry)))
    return false;
  if (little_endian_16(entry + 6) == 0) return false;  // SHN_UNDEF
  if (image.string_at(dynamic, little_endian_32(entry)) != name) return false;
  symbol.type = entry[4] & 15U;
  symbol.binding = entry[4] >> 4U;
  symbol.address = little_endian_64(entry + 8);
  symbol.size = little_endian_64(entry + 16);
  return true;
}

// Layout: four words {buckets, first symbol, words of the filter, shift}, the filter, the buckets,
// and one hash for each symbol whose lowest bit ends a chain (binutils, bfd/elflink.c writes it
// so).
static bool find_by_gnu_hash(const elf_image& image, const elf_dynamic& dynamic, arena_string name,
                             elf_symbol& symbol) {
  // In 64 bits, of which the lower 32 are kept: clang's -fsanitize=integer reports unsigned sums
  // that wrap, in every start of a program that is built with it.
  std::uint64_t hash = 5381;
  for (const char c : name) hash = (hash * 33 + static_cast<unsigned char>(c)) & 0xffffffffU;
  unsigned char header[16];
  if (!image.read_at(dynamic.gnu_hash, header, sizeof(header))) return false;
  const std::uint32_t bucket_count = little_endian_32(header);
  const std::uint32_t first = little_endian_32(header + 4);
  const std::uint64_t filter_size = std::uint64_t{8} * little_endian_32(header + 8);
  if (bucket_count == 0) return false;
  const std::uint64_t buckets = dynamic.gnu_hash + sizeof(header) + filter_size;
  const std::uint64_t chains = buckets + std::uint64_t{4} * bucket_count;
  std::uint32_t index = 0;
  if (!read_u32_at(image, buckets + std::uint64_t{4} * (hash % bucket_count), index)) return false;
  if (index < first) return false;
  for (unsigned step = 0; step < symbol_most_steps; ++step, ++index) {
    std::uint32_t entry = 0;
    if (!read_u32_at(image, chains + std::uint64_t{4} * (index - first), entry)) return false;
    if ((entry | 1) == (hash | 1) && is_symbol_of_name(image, dynamic, index, name, symbol))
      return true;
    if ((entry & 1) != 0) return false;
  }
  return false;
}

// System V ABI, "Hash Table".
static bool find_by_hash(const elf_image& image, const elf_dynamic& dynamic, arena_string name,
                         elf_symbol& symbol) {
  std::uint64_t hash = 0;
  for (const char c : name) {
    hash = ((hash << 4) + static_cast<unsigned char>(c)) & 0xffffffffU;
    hash = (hash ^ (hash & 0xf0000000U) >> 24) & 0x0fffffffU;
  }
  std::uint32_t bucket_count = 0;
  if (!read_u32_at(image, dynamic.hash, bucket_count) || bucket_count == 0) return false;
  const std::uint64_t buckets = dynamic.hash + 8;
  const std::uint64_t chains = buckets + std::uint64_t{4} * bucket_count;
  std::uint32_t index = 0;
  if (!read_u32_at(image, buckets + std::uint64_t{4} * (hash % bucket_count), index)) return false;
  for (unsigned step = 0; index != 0 && step < symbol_most_steps; ++step) {
    if (is_symbol_of_name(image, dynamic, index, name, symbol)) return true;
    if (!read_u32_at(image, chains + std::uint64_t{4} * index, index)) return false;
  }
  return false;
}

bool find_symbol(const elf_image& image, const elf_dynamic& dynamic, arena_string name,
                 elf_symbol& symbol) {
  return dynamic.gnu_hash != 0 ? find_by_gnu_hash(image, dynamic, name, symbol)
                               : dynamic.hash != 0 && find_by_hash(image, dynamic, name, symbol);
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
