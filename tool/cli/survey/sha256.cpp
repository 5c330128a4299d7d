// SPDX-License-Identifier: BSD-3-Clause
#include "sha256.h"

#include <algorithm>
#include <cstring>

namespace cudnn_checked::cli {

static constexpr std::uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static std::uint32_t turned(std::uint32_t word, unsigned bits) {
  return word >> bits | word << (32U - bits);
}

void sha256::add_block(const unsigned char* bytes) {
  std::uint32_t w[64];
  for (unsigned i = 0; i < 16; ++i) {
    w[i] = std::uint32_t{bytes[4 * i]} << 24U | std::uint32_t{bytes[4 * i + 1]} << 16U |
           std::uint32_t{bytes[4 * i + 2]} << 8U | bytes[4 * i + 3];
  }
  for (unsigned i = 16; i < 64; ++i) {
    const std::uint32_t s0 = turned(w[i - 15], 7) ^ turned(w[i - 15], 18) ^ w[i - 15] >> 3U;
    const std::uint32_t s1 = turned(w[i - 2], 17) ^ turned(w[i - 2], 19) ^ w[i - 2] >> 10U;
    w[i] = w[i - 16] + s0 + w[i - 7] + s1;
  }
  auto [a, b, c, d, e, f, g, h] = hash_;
  for (unsigned i = 0; i < 64; ++i) {
    const std::uint32_t s1 = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
    const std::uint32_t t1 = h + s1 + ((e & f) ^ (~e & g)) + constants[i] + w[i];
    const std::uint32_t s0 = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
    const std::uint32_t t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = d + t1;
    d = c;
    c = b;
    b = a;
    a = t1 + t2;
  }
  const std::uint32_t more[] = {a, b, c, d, e, f, g, h};
  for (unsigned i = 0; i < 8; ++i) hash_[i] += more[i];
}

void sha256::add(const void* data, std::size_t count) {
  const auto* bytes = static_cast<const unsigned char*>(data);
  while (count != 0) {
    const std::size_t at = count_ % rest_.size();
    const std::size_t taken = std::min(count, rest_.size() - at);
    if (taken == rest_.size()) {
      add_block(bytes);
    } else {
      std::memcpy(rest_.data() + at, bytes, taken);
      if (at + taken == rest_.size()) add_block(rest_.data());
    }
    count_ += taken;
    bytes += taken;
    count -= taken;
  }
}

sha256::digest sha256::end() {
  const std::uint64_t bits = count_ * 8;
  constexpr unsigned char one = 0x80;
  constexpr unsigned char zero = 0;
  add(&one, 1);
  while (count_ % 64 != 56) add(&zero, 1);
  for (unsigned i = 0; i < 8; ++i) {
    const auto byte = static_cast<unsigned char>(bits >> (56U - 8U * i));
    add(&byte, 1);
  }
  digest result;
  for (unsigned i = 0; i < 32; ++i) {
    result[i] = static_cast<unsigned char>(hash_[i / 4] >> (24U - 8U * (i % 4)));
  }
  return result;
}

std::string in_hexadecimal(const sha256::digest& digest) {
  std::string text;
  for (const unsigned char byte : digest) {
    for (const unsigned digit : {byte / 16U, byte % 16U}) text += "0123456789abcdef"[digit];
  }
  return text;
}

std::string in_base64url(const sha256::digest& digest) {
  constexpr const char* letters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  std::string text;
  for (std::size_t bit = 0; bit < digest.size() * 8; bit += 6) {
    const unsigned next = bit / 8 + 1 < digest.size() ? digest[bit / 8 + 1] : 0U;
    const unsigned two = unsigned{digest[bit / 8]} << 8U | next;
    text += letters[two >> (10U - bit % 8) & 63U];
  }
  return text;
}

}  // namespace cudnn_checked::cli
