// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include "core/linux/loader_cache.h"
#include "elf_builder.h"

using namespace cudnn_checked;

namespace {

struct cache_line {
  std::uint32_t flags;
  std::string soname, path;
  std::uint64_t hwcap;
};

std::string make_cache(const std::vector<cache_line>& lines) {
  std::string head = "glibc-ld.so.cache1.1";
  test::put(head, lines.size(), 4);
  head += std::string(24, '\0');
  std::string strings;
  const std::size_t strings_at = head.size() + lines.size() * 24;
  for (const cache_line& line : lines) {
    test::put(head, line.flags, 4);
    test::put(head, strings_at + strings.size(), 4);
    strings += line.soname + '\0';
    test::put(head, strings_at + strings.size(), 4);
    strings += line.path + '\0';
    test::put(head, 0, 4);
    test::put(head, line.hwcap, 8);
  }
  return head + strings;
}

}  // namespace

TEST_CASE("ld.so.cache") {
  const std::string cache = make_cache({
      {0x0303, "libcudnn.so.9", "/special/libcudnn.so.9", std::uint64_t{1} << 62},
      {0x0003, "libcudnn.so.9", "/lib32/libcudnn.so.9", 0},
      {0x0303, "libcudnn.so.9", "/lib64/libcudnn.so.9", 0},
      {0x0a03, "libcudnn.so.9", "/arm/libcudnn.so.9", 0},
      {0x0303, "libc.so.6", "/lib64/libc.so.6", 0},
      {0x0303, "libcu", "/lib64/libcu", 0},
  });
  // An entry for special hardware counts where it is this machine's, and then it comes first.
  const std::string special = make_cache({
      {0x0303, "libcu.so", "/lib/libcu.so", 0},
      {0x0303, "libcu.so", "/lib/glibc-hwcaps/x86-64-v2/libcu.so", std::uint64_t{1} << 62},
      {0x0303, "libcu.so", "/lib/glibc-hwcaps/x86-64-v4/libcu.so", (std::uint64_t{1} << 62) + 1},
      {0x0303, "libcu.so", "/lib/glibc-hwcaps/x86-64-v3/libcu.so", (std::uint64_t{1} << 62) + 2},
  });
  const std::vector<loader_cache_entry> best = read_loader_cache(
      special, "libcu", 0x0303, {"glibc-hwcaps/x86-64-v3", "glibc-hwcaps/x86-64-v2"});
  REQUIRE(best.size() == 3);
  CHECK(best[0].path == "/lib/glibc-hwcaps/x86-64-v3/libcu.so");
  CHECK(best[1].path == "/lib/glibc-hwcaps/x86-64-v2/libcu.so");
  CHECK(best[2].path == "/lib/libcu.so");
  CHECK(read_loader_cache(special, "libcu", 0x0303).size() == 1);
  const auto first = [](std::string_view contents, unsigned flags) {
    const std::vector<loader_cache_entry> found = read_loader_cache(contents, "libcu", flags);
    return found.empty() ? arena_string() : found[0].path;
  };
  CHECK(first(cache, 0x0303) == "/lib64/libcudnn.so.9");
  CHECK(first(cache, 0x0a03) == "/arm/libcudnn.so.9");
  CHECK(read_loader_cache(cache, "libcu", 0x0303).size() == 2);
  CHECK(read_loader_cache(cache, "libnothing", 0x0303).empty());
  // The older format first.  Offsets count from the new header.
  CHECK(first("ld.so-1.7.0\0\0\0\0\0" + cache, 0x0303) == "/lib64/libcudnn.so.9");
  CHECK(first("", 0x0303).empty());
  CHECK(first("glibc-ld.so.cache1.1", 0x0303).empty());
  for (std::size_t length = 0; length < cache.size(); ++length) {
    const auto found =
        read_loader_cache(std::string_view(cache).substr(0, length), "libcu", 0x0303);
    CHECK(found.size() <= 2);
  }
  for (std::size_t at = 0; at < cache.size(); ++at) {
    std::string damaged = cache;
    damaged[at] = static_cast<char>(0xff);
    CHECK(read_loader_cache(damaged, "libcu", 0x0303).size() <= 6);
  }
}
