// SPDX-License-Identifier: BSD-3-Clause
//
// RFC 1321, "The MD5 Message-Digest Algorithm".
#include <cstdint>

#include "proof.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// The integer part of 4294967296 times abs(sin(i)), i from 1 to 64 (section 3.4).
static constexpr std::uint32_t sines[] = {
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
    0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
    0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
    0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
    0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
    0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
    0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
    0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391};
static constexpr unsigned char shifts[][4] = {
    {7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};

static std::uint32_t mixed(unsigned round, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
  if (round == 0) return (b & c) | (~b & d);
  if (round == 1) return (b & d) | (c & ~d);
  return round == 2 ? b ^ c ^ d : c ^ (b | ~d);
}

static void add_block(const unsigned char* block, std::uint32_t (&state)[4]) {
  static constexpr unsigned step[] = {1, 5, 3, 7};
  static constexpr unsigned first[] = {0, 1, 5, 0};
  std::uint32_t a = state[0];
  std::uint32_t b = state[1];
  std::uint32_t c = state[2];
  std::uint32_t d = state[3];
  for (unsigned i = 0; i < 64; ++i) {
    const unsigned round = i / 16;
    const unsigned char* const at = block + (first[round] + step[round] * i) % 16 * 4;
    const std::uint32_t word = std::uint32_t{at[0]} | std::uint32_t{at[1]} << 8U |
                               std::uint32_t{at[2]} << 16U | std::uint32_t{at[3]} << 24U;
    const std::uint32_t sum = a + mixed(round, b, c, d) + word + sines[i];
    const unsigned shift = shifts[round][i % 4];
    a = d;
    d = c;
    c = b;
    b += sum << shift | sum >> (32 - shift);
  }
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
}

arena_string md5_of(std::string_view text) {
  arena_string padded(text);
  padded += '\x80';
  padded.append((120 - padded.size() % 64) % 64, '\0');
  const std::uint64_t bits = std::uint64_t{text.size()} * 8;
  for (unsigned i = 0; i < 8; ++i) padded += static_cast<char>(bits >> (8 * i) & 0xFFU);
  std::uint32_t state[] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
  for (std::size_t at = 0; at < padded.size(); at += 64) {
    add_block(reinterpret_cast<const unsigned char*>(padded.data()) + at, state);
  }
  arena_string digits;
  for (const std::uint32_t word : state) {
    for (unsigned i = 0; i < 32; i += 4) {
      digits += "0123456789abcdef"[word >> (i % 8 == 0 ? i + 4 : i - 4) & 0xFU];
    }
  }
  return digits;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
