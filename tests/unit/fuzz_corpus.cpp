// SPDX-License-Identifier: BSD-3-Clause
//
// What the fuzzer began with and what it found, without the fuzzer; and how little is read.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "fuzz/every_reader.h"
#include "unit/elf_builder.h"

using namespace cudnn_checked;

TEST_CASE("every input of the fuzzer's corpus is survived") {
  const std::string folder = CUDNN_CHECKED_SOURCE_DIR "/tests/fuzz/corpus";
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    std::ifstream stream(entry.path(), std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(stream)),
                            std::istreambuf_iterator<char>());
    test::read_everything(bytes);
    ++count;
  }
  CHECK(count > 30);
}

namespace {

// A library of 250 MB: its beginning, zeros, and counters of what is asked for.
class counting_source final : public byte_source {
 public:
  counting_source(std::string start, unsigned long long size)
      : start_(std::move(start)), size_(size) {}
  unsigned long long size() const override { return size_; }
  bool read(unsigned long long offset, void* target, std::size_t count) const override {
    if (offset > size_ || count > size_ - offset) return false;
    total += count;
    auto* const bytes = static_cast<char*>(target);
    for (std::size_t i = 0; i < count; ++i) {
      bytes[i] = offset + i < start_.size() ? start_[offset + i] : '\0';
    }
    return true;
  }
  mutable unsigned long long total = 0;

 private:
  std::string start_;
  unsigned long long size_;
};

}  // namespace

TEST_CASE("of a library of 250 MB only headers, tables and notes are read") {
  test::elf_builder b;
  b.soname = "libcudnn_graph.so.9";
  b.build_id = "563e348c73f66b6c374ff082af576922b0397648";
  b.runpath = "$ORIGIN";
  b.word_name = "cudnn_graph_version";
  b.word = 0x00091300;
  const unsigned long long size = 250ULL << 20;
  std::string bytes = b.build();
  const std::size_t load = 64;
  test::put_at(bytes, load + 32, size, 8);  // the segment reaches to the end of the file
  test::put_at(bytes, load + 40, size, 8);
  const counting_source source(bytes, size);
  const library_file file = read_library(source, 62);
  CHECK(file.state == file_state::whole);
  CHECK(file.build_id == b.build_id);
  CHECK(to_string(file.word) == "9.19.0");
  CHECK(source.total > 500);
  CHECK(source.total < 4096);
}

TEST_CASE("a damaged library cannot make the reader read much of it") {
  test::elf_builder b;
  b.soname = "libcudnn_graph.so.9";
  b.build_id = "563e348c73f66b6c374ff082af576922b0397648";
  const unsigned long long size = 250ULL << 20;
  for (std::size_t at = 32; at + 8 <= 64 + 3 * 56; at += 2) {
    for (const unsigned long long value : {0xffffULL, 0x10000ULL, 0x0fff0000ULL, ~0ULL}) {
      std::string bytes = b.build();
      test::put_at(bytes, at, value, 8);
      const counting_source source(bytes, size);
      read_library(source, 0);
      CHECK(source.total < 256 * 1024);
    }
  }
}

TEST_CASE("the CUDA major that a run path leads to") {
  library_file file;
  CHECK(run_path_cuda_major(file) == 0);
  file.runpath = "$ORIGIN:$ORIGIN/../../cublas/lib:$ORIGIN/../../cu13/lib";
  CHECK(run_path_cuda_major(file) == 13);
  file.rpath = "/opt/cu12/lib";
  CHECK(run_path_cuda_major(file) == 0);
  file.runpath = "/opt/cu1x:/opt/cu123:/opt/xcu13:/opt/cuda";
  CHECK(run_path_cuda_major(file) == 12);
}
