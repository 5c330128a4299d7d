// SPDX-License-Identifier: BSD-3-Clause
//
// FIPS 180-4, "Secure Hash Standard", sections 4.1.2, 5 and 6.2.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace cudnn_checked::cli {

class sha256 {
 public:
  using digest = std::array<unsigned char, 32>;

  void add(const void* data, std::size_t count);
  /// To be called once, after the last add().
  digest end();

 private:
  void add_block(const unsigned char* bytes);

  std::array<std::uint32_t, 8> hash_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                        0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<unsigned char, 64> rest_ = {};  ///< of a block that is not whole yet
  std::uint64_t count_ = 0;                  ///< bytes
};

/// "ba7816bf...", as conda records it.
std::string in_hexadecimal(const sha256::digest& digest);
/// RFC 4648, section 5, without padding, as RECORD has it.
std::string in_base64url(const sha256::digest& digest);

}  // namespace cudnn_checked::cli
