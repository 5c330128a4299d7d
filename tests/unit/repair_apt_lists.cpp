// SPDX-License-Identifier: BSD-3-Clause
//
// What apt can install, of lists as they are and of compressed ones.
#include "repair/apt_lists.h"

#include <doctest/doctest.h>

#include "fake_system.h"

using namespace cudnn_checked;
using cudnn_checked::repairs::is_in_apt_lists;

namespace {

const std::string lists = "/var/lib/apt/lists/";

std::string number(std::size_t value, int bytes) {
  std::string text;
  for (; bytes > 0; --bytes, value >>= 8U) text += static_cast<char>(value & 255U);
  return text;
}

std::string lz4_stored(const std::string& text) {
  return number(text.size() | std::size_t{1} << 31U, 4) + text;
}

std::string lz4_compressed(const std::string& bytes) { return number(bytes.size(), 4) + bytes; }

/// Of linked blocks of at most 64 KB, without checksums and without the length of the whole.
std::string lz4_frame(const std::string& blocks) {
  return std::string("\x04\x22\x4d\x18\x40\x40\xc0", 7) + blocks;
}

const std::string lz4_end(4, '\0');

/// "Package: libcu" in one block; "\nPackage: libdnn9\nVersion: 1" in the next, which refers to it.
std::string two_blocks() {
  const std::string refers = std::string("\x16\n\x0f\x00", 4)  // "\n", 10 of 15 bytes before
                             + std::string(
                                   "\xb1"
                                   "ibdnn9\nVers",
                                   12)                      // 11 as they are
                             + std::string("\x02\x00", 2);  // 5 of 2 bytes before
  return lz4_frame(lz4_stored("Package: libcu") + lz4_compressed(refers + "\x10\n") + lz4_end);
}

answer found(const std::string& name, const std::string& contents, const char* package) {
  test::fake_system os;
  os.files[lists + name] = contents;
  return is_in_apt_lists(os, package);
}

}  // namespace

TEST_CASE("a list of apt as it is") {
  const std::string text = "Package: a\nVersion: 1\n\nPackage: bb\nVersion: 2\n";
  CHECK(found("x_Packages", text, "a") == answer::yes);
  CHECK(found("x_Packages", text, "bb") == answer::yes);
  CHECK(found("x_Packages", text, "b") == answer::no);
  CHECK(found("x_InRelease", text, "a") == answer::unknown);
  // Debian's own is longer than what is read of a text.
  const std::string padding(std::size_t{17} << 20U, '\n');
  CHECK(found("x_Packages", padding + text, "bb") == answer::yes);
  test::fake_system os;
  CHECK(is_in_apt_lists(os, "a") == answer::unknown);
  os.files[lists + "x_Packages"] = text;
  os.files[lists + "y_Packages.xz"] = text;
  CHECK(is_in_apt_lists(os, "a") == answer::yes);
  CHECK(is_in_apt_lists(os, "c") == answer::unknown);
}

TEST_CASE("an answer about a list of apt is that of its content") {
  const std::string text = "Package: a\nVersion: 1\n";
  const std::string other = "Package: b\nVersion: 1\n";
  for (int again = 0; again < 2; ++again) {
    CHECK(found("x_Packages", text, "a") == answer::yes);
    CHECK(found("x_Packages", other, "a") == answer::no);
    CHECK(found("x_Packages.lz4", text, "a") == answer::unknown);
  }
}

TEST_CASE("a list of apt that LZ4 has compressed") {
  const std::string name = "x_Packages.lz4";
  CHECK(found(name, two_blocks(), "libcu") == answer::yes);
  CHECK(found(name, two_blocks(), "libdnn9") == answer::yes);
  CHECK(found(name, two_blocks(), "libdnn") == answer::no);
  // With checksums of blocks, the length of the whole and a dictionary's number.
  const std::string stored = lz4_stored("Package: a\n") + "sums";
  const std::string flags("\x04\x22\x4d\x18\x59\x40", 6);
  CHECK(found(name, flags + std::string(13, 'x') + stored + stored + lz4_end, "a") == answer::yes);
  CHECK(found(name, flags + std::string(13, 'x') + stored + lz4_end, "b") == answer::no);
}

TEST_CASE("of a damaged list nothing is known") {
  const std::string whole = two_blocks();
  for (std::size_t length = 0; length < whole.size(); ++length) {
    CHECK(found("x_Packages.lz4", whole.substr(0, length), "c") == answer::unknown);
  }
  const auto block = [](const std::string& bytes) {
    return found("x_Packages.lz4", lz4_frame(lz4_compressed(bytes) + lz4_end), "c");
  };
  CHECK(block(std::string("\x10"
                          "a\x02\x00",
                          4)) == answer::unknown);  // before the text
  CHECK(block(std::string("\x10"
                          "a\x00\x00",
                          4)) == answer::unknown);                  // itself
  CHECK(block(std::string("\xf0\xff\xff", 3)) == answer::unknown);  // longer than the block
  CHECK(block(std::string("\x1f"
                          "a\x01\x00",
                          4) +
              std::string(300, '\xff') + '\0') == answer::unknown);  // more than 64 KB
  CHECK(found("x_Packages.lz4", lz4_frame(number(std::size_t{1} << 30U, 4)), "c") ==
        answer::unknown);
}
