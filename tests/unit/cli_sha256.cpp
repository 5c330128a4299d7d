// SPDX-License-Identifier: BSD-3-Clause
//
// The examples of NIST for SHA-256 (Cryptographic Standards and Guidelines, "Example Values"), and
// those of RFC 4648, section 10, by way of Python's hashlib and base64.
#include "cli/survey/sha256.cpp"

#include <doctest/doctest.h>

using namespace cudnn_checked::cli;

namespace {

std::string hash_of(const std::string& text, std::size_t piece = 1U << 20U) {
  sha256 hash;
  for (std::size_t at = 0; at < text.size(); at += piece) {
    hash.add(text.data() + at, std::min(piece, text.size() - at));
  }
  return in_hexadecimal(hash.end());
}

}  // namespace

TEST_CASE("SHA-256: NIST's examples") {
  CHECK(hash_of("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(hash_of("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(hash_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  CHECK(
      hash_of(
          "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqr"
          "lmnopqrsmnopqrstnopqrstu") ==
      "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1");
  CHECK(hash_of(std::string(1000000, 'a')) ==
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST_CASE("SHA-256: every length around a block, in pieces of every size") {
  for (const std::size_t length : {1U, 55U, 56U, 57U, 63U, 64U, 65U, 127U, 128U, 129U, 300U}) {
    const std::string text(length, 'x');
    for (const std::size_t piece : {1U, 3U, 63U, 64U, 65U, 128U}) {
      CHECK(hash_of(text, piece) == hash_of(text));
    }
  }
  CHECK(hash_of(std::string(64, 'x')) != hash_of(std::string(65, 'x')));
}

TEST_CASE("SHA-256: in the letters of RECORD") {
  sha256 hash;
  hash.add("abc", 3);
  CHECK(in_base64url(hash.end()) == "ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0");
}
