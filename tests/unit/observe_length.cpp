// SPDX-License-Identifier: BSD-3-Clause
//
// What lies behind the end that a library's headers tell of.
#include <doctest/doctest.h>

#include <string>

#include "core/library/library_file.h"
#include "elf_builder.h"
#include "fake_system.h"

using namespace cudnn_checked;
using test::elf_builder;

static elf_builder cnn_library() {
  elf_builder b;
  b.soname = "libcudnn_cnn.so.9";
  b.build_id = "563e348c73f66b6c374ff082af576922b0397648";
  b.needed = {"libcudnn_graph.so.9"};
  return b;
}

static library_file read_padded(const std::string& bytes) {
  return read_library(test::memory_source(bytes), 0);
}

TEST_CASE("a library is as long as its headers say, or a page longer") {
  elf_builder b = cnn_library();
  b.sections.push_back({".debug_info", std::string(100000, 'd'), false, 1});
  for (const std::string& whole : {cnn_library().build(), b.build()}) {
    const library_file padded = read_padded(whole + std::string(most_tail, '\0'));
    CHECK(padded.state == file_state::whole);
    CHECK_FALSE(padded.has_tail());
    CHECK(padded.size_expected == 0);
    const library_file longer = read_padded(whole + std::string(most_tail + 1, '\0'));
    CHECK(longer.state == file_state::whole);  // the loader takes it
    CHECK(longer.has_tail());
    CHECK(longer.size_expected == whole.size());
    CHECK(longer.build_id == read_padded(whole).build_id);
  }
}

TEST_CASE("what only the section table tells of is a part of the file") {
  elf_builder b = cnn_library();
  b.sections.push_back({".debug_info", std::string(200000, 'd'), false, 1});
  std::string whole = b.build();
  // The table comes before it, as a tool that rewrites a program may have it: the last header is
  // that of the section behind it.
  const std::uint64_t end = whole.size();
  whole += std::string(200000, 'd');
  test::put_at(whole, static_cast<std::size_t>(end - 64 + 24), end, 8);
  test::put_at(whole, static_cast<std::size_t>(end - 64 + 32), 200000, 8);
  CHECK_FALSE(read_padded(whole).has_tail());
  CHECK(read_padded(whole + std::string(most_tail + 1, '\0')).size_expected == whole.size());
}
