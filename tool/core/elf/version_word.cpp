// SPDX-License-Identifier: BSD-3-Clause
#include "../library/byte_order.h"
#include "elf_image.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

version read_version_word(const elf_image& image, const elf_dynamic& dynamic, arena_string name) {
  constexpr unsigned object = 1;  // STT_OBJECT
  elf_symbol symbol;
  unsigned char bytes[4];
  if (!find_symbol(image, dynamic, name, symbol) || symbol.type != object ||
      symbol.size != sizeof(bytes) || !image.read_at(symbol.address, bytes, sizeof(bytes))) {
    return {};
  }
  const std::uint32_t word = little_endian_32(bytes);
  // Seen in the libraries of 9.14.0 and 9.19.0 (0x00091300).  Anything else is no version.
  if (word >> 24 != 0 || word >> 16 == 0) return {};
  return version::of(word >> 16, word >> 8 & 255, word & 255);
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
