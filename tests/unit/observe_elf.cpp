// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include "core/elf/elf_sections.h"
#include "core/library/library_file.h"
#include "elf_builder.h"
#include "fake_system.h"

using namespace cudnn_checked;
using test::elf_builder;
using test::memory_source;

namespace {

constexpr int x86_64 = 62;
constexpr const char* some_id = "563e348c73f66b6c374ff082af576922b0397648";

elf_builder graph_library() {
  elf_builder b;
  b.soname = "libcudnn_graph.so.9";
  b.build_id = some_id;
  b.runpath = "$ORIGIN:$ORIGIN/../../cublas/lib";
  b.needed = {"libz.so.1", "libc.so.6"};
  b.word_name = "cudnn_graph_version";
  b.word = 0x00091300;
  return b;
}

library_file read(const std::string& bytes, int machine = x86_64) {
  return read_library(memory_source(bytes), machine);
}

}  // namespace

TEST_CASE("a whole library says who it is") {
  const std::string bytes = graph_library().build();
  const library_file file = read(bytes);
  CHECK(file.state == file_state::whole);
  CHECK(file.size == bytes.size());
  CHECK(file.size_expected == 0);
  CHECK(file.machine == x86_64);
  CHECK(file.dynamic);
  CHECK(file.soname == "libcudnn_graph.so.9");
  CHECK(file.build_id == some_id);
  CHECK(file.has_runpath);
  CHECK(file.runpath == "$ORIGIN:$ORIGIN/../../cublas/lib");
  CHECK(!file.has_rpath);
  CHECK(!file.no_default_directories);
  CHECK(to_string(file.word) == "9.19.0");
}

TEST_CASE("RPATH, nodefaultlib and NEEDED") {
  elf_builder b = graph_library();
  b.runpath.clear();
  b.rpath = "/opt/lib";
  b.no_default_directories = true;
  test::fake_system os;
  os.files["/x/lib.so"] = b.build();
  const library_file file = read_library(os, "/x/lib.so", x86_64);
  CHECK(file.has_rpath);
  CHECK(file.rpath == "/opt/lib");
  CHECK(!file.has_runpath);
  CHECK(file.no_default_directories);
  CHECK(file.needed == std::vector<std::string>{"libz.so.1", "libc.so.6"});
}

TEST_CASE("the build id behind another note, padded to four or to eight bytes") {
  for (const unsigned alignment : {4U, 8U}) {
    CAPTURE(alignment);
    elf_builder b = graph_library();
    b.note_alignment = alignment;
    b.other_note = "1234";
    CHECK(read(b.build()).build_id == some_id);
    b.build_id.clear();
    CHECK(read(b.build()).build_id.empty());
  }
}

namespace {

// What a tool leaves that moved the sections of a finished library.
elf_builder library_with_moved_note() {
  elf_builder b = graph_library();
  b.stale_note = true;
  b.sections = {
      {".note.ABI-tag", test::gnu_note("1234", 1, 4), true, 7},
      {".data", "some data"},
      {".note.gnu.build-id", test::gnu_note(test::from_hexadecimal(some_id), 3, 4), true, 7}};
  return b;
}

// Where the header of a section lies; the last one is counted as 1.
std::size_t section_header(const std::string& bytes, std::size_t from_end) {
  return bytes.size() - from_end * 64;
}

}  // namespace

TEST_CASE("the build id in its section where the PT_NOTE is stale") {
  const elf_builder moved = library_with_moved_note();
  CHECK(read(moved.build()).build_id == some_id);
  elf_builder aligned = moved;
  aligned.sections[0].contents = test::gnu_note("1234", 1, 8);
  CHECK(read(aligned.build()).build_id == some_id);
  // The PT_NOTE comes first where it has a note.
  elf_builder both = moved;
  both.stale_note = false;
  both.build_id = std::string(40, 'b');
  CHECK(read(both.build()).build_id == std::string(40, 'b'));
  // A section of another type is no note, whatever it is called.
  elf_builder data = moved;
  data.sections[2].type = 1;
  CHECK(read(data.build()).build_id.empty());
  elf_builder none = moved;
  none.sections.pop_back();
  CHECK(read(none.build()).build_id.empty());
}

TEST_CASE("section tables that lie") {
  const std::string sound = library_with_moved_note().build();
  const std::size_t note = section_header(sound, 2);
  const auto id_with = [&sound](std::size_t at, std::uint64_t value, unsigned width) {
    std::string bytes = sound;
    test::put_at(bytes, at, value, width);
    return read(bytes).build_id;
  };
  REQUIRE(id_with(note, 0, 4) == some_id);  // its name does not matter
  const std::uint64_t most = ~std::uint64_t{0};
  for (const std::uint64_t value :
       {most, most - 8, std::uint64_t{1} << 63, std::uint64_t{0}, std::uint64_t{sound.size()}}) {
    CAPTURE(value);
    CHECK(id_with(note + 24, value, 8).empty());  // where the note lies
    CHECK(id_with(note + 32, value, 8).empty());  // its size
    CHECK(id_with(40, value, 8).empty());         // where the table lies
  }
  CHECK(id_with(note + 32, 35, 8).empty());  // shorter than the id in it
  for (const std::uint64_t count : {0U, 1U, 0xffffU}) CHECK(id_with(60, count, 2).empty());
  for (const std::uint64_t entry : {0U, 63U, 65U, 0xffffU}) CHECK(id_with(58, entry, 2).empty());

  // More sections of notes than any linker writes: the rest is not looked at.
  elf_builder many = library_with_moved_note();
  many.sections.insert(many.sections.begin(), 100, {".note", "", true, 7});
  CHECK(read(many.build()).build_id.empty());
  many.sections.erase(many.sections.begin(), many.sections.begin() + 90);
  CHECK(read(many.build()).build_id == some_id);
  elf_builder crowded = library_with_moved_note();
  crowded.sections.insert(crowded.sections.begin(), 2000, {".text", ""});
  CHECK(read(crowded.build()).build_id.empty());
}

TEST_CASE("the version word belongs to a role, and is found by either hash table") {
  for (const bool gnu : {true, false}) {
    CAPTURE(gnu);
    elf_builder b = graph_library();
    b.gnu_hash = gnu;
    CHECK(to_string(read(b.build()).word) == "9.19.0");
    b.word_name = "cudnn_ops_infer_version";  // what ops exports
    CHECK(!read(b.build()).word.known());
    b.soname = "libcudnn_ops.so.9";
    CHECK(to_string(read(b.build()).word) == "9.19.0");
    b.soname = "libcudnn_cnn.so.9";
    CHECK(!read(b.build()).word.known());
    b.word_name.clear();
    b.soname = "libcudnn_ops.so.9";
    CHECK(!read(b.build()).word.known());
  }
  // adv and cnn import the word of ops: that is not their own.
  elf_builder importing = graph_library();
  importing.gnu_hash = false;
  importing.word_is_defined = false;
  CHECK(!read(importing.build()).word.known());

  elf_builder b = graph_library();
  b.word = 0xdeadbeef;
  CHECK(!read(b.build()).word.known());
  b.word = 7;
  CHECK(!read(b.build()).word.known());
}

TEST_CASE("a library cut at any length is told, and never read beyond its end") {
  const std::string whole = graph_library().build();
  for (std::size_t length = 0; length < whole.size(); ++length) {
    CAPTURE(length);
    const library_file file = read(whole.substr(0, length));
    CHECK(file.size == length);
    // The loader's "file too short".
    if (length < 64) {
      CHECK(file.state == (length == 0 ? file_state::empty : file_state::refused));
      continue;
    }
    CHECK(file.state == file_state::truncated);
    CHECK(file.size_expected == whole.size());
  }
  CHECK(read(whole).state == file_state::whole);
  CHECK(read(whole + "more").state == file_state::whole);
}

TEST_CASE("what is not a library of this machine") {
  CHECK(read("INPUT(libcudnn.so.9)\n").state == file_state::not_elf);
  CHECK(read(std::string(4096, '\0')).state == file_state::not_elf);
  // TensorFlow 2.21 has a RUNPATH of 20 KB.
  elf_builder long_path;
  long_path.runpath = std::string(20000, 'x');
  CHECK(read(long_path.build()).runpath == long_path.runpath);
  long_path.runpath = std::string(70000, 'x');
  CHECK(read(long_path.build()).runpath.empty());

  elf_builder b = graph_library();
  b.machine = 183;
  CHECK(read(b.build()).state == file_state::foreign);
  CHECK(read(b.build(), 183).state == file_state::whole);
  CHECK(read(b.build(), 0).state == file_state::whole);
  b = graph_library();
  b.file_class = 1;
  CHECK(read(b.build()).state == file_state::foreign);
  CHECK(read(b.build(), 0).state == file_state::foreign);
  b = graph_library();
  b.file_class = 3;
  CHECK(read(b.build()).state == file_state::foreign);
}

// What ends the search of the real loader: tests/real/test_predicted_dlopen.py.
TEST_CASE("headers that the loader refuses") {
  elf_builder b = graph_library();
  b.type = 1;  // an object file
  CHECK(read(b.build()).state == file_state::refused);
  b = graph_library();
  b.byte_order = 2;
  CHECK(read(b.build()).state == file_state::refused);
  b.file_class = 1;  // its class is asked first
  CHECK(read(b.build()).state == file_state::foreign);
  CHECK(read(b.build().substr(0, 52)).state == file_state::refused);  // and its length before
  const auto with = [](std::size_t at, char value) {
    std::string file = graph_library().build();
    file[at] = value;
    return read(file).state;
  };
  CHECK(with(6, 2) == file_state::refused);  // version
  CHECK(with(7, 9) == file_state::refused);  // OS ABI
  CHECK(with(7, 3) == file_state::whole);    // GNU
  CHECK(with(8, 1) == file_state::refused);  // its version
  CHECK(with(9, 1) == file_state::refused);  // padding
  CHECK(with(20, 2) == file_state::refused);
}

TEST_CASE("headers that promise the impossible") {
  const std::string whole = graph_library().build();
  const auto with = [&whole](std::size_t at, std::uint64_t value, unsigned bytes) {
    std::string damaged = whole;
    test::put_at(damaged, at, value, bytes);
    return read(damaged).state;
  };
  constexpr std::uint64_t huge = ~std::uint64_t{0};
  CHECK(with(32, huge, 8) == file_state::not_elf);  // program headers
  CHECK(with(32, 1U << 30, 8) == file_state::truncated);
  CHECK(with(40, huge, 8) == file_state::not_elf);  // section table
  CHECK(with(40, 1U << 30, 8) == file_state::truncated);
  CHECK(with(40, 0, 8) == file_state::whole);     // sstrip
  CHECK(with(54, 55, 2) == file_state::refused);  // size of a program header
  CHECK(with(56, 0, 2) == file_state::refused);   // their number
  CHECK(with(56, 65535, 2) == file_state::refused);
  CHECK(with(64 + 8, huge, 8) == file_state::not_elf);     // PT_LOAD, offset
  CHECK(with(64 + 32, huge, 8) == file_state::truncated);  // and size
  CHECK(with(64 + 32, 1U << 30, 8) == file_state::truncated);
}

TEST_CASE("any byte may be wrong") {
  const std::string whole = graph_library().build();
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const int value : {0, 1, 0x7f, 0x80, 0xff}) {
      std::string damaged = whole;
      damaged[at] = static_cast<char>(value);
      const library_file file = read(damaged);
      CHECK(file.size == whole.size());
    }
  }
}

TEST_CASE("a file that cannot be opened says why") {
  test::fake_system os;
  os.files["/x/secret.so"] = graph_library().build();
  os.denied.insert("/x/secret.so");
  os.files["/x/empty.so"] = "";
  os.pipes.insert("/x/pipe.so");
  const auto state_of = [&os](const char* path) { return read_library(os, path, x86_64).state; };
  CHECK(state_of("/x/none.so") == file_state::missing);
  CHECK(state_of("/x/secret.so") == file_state::unreadable);
  CHECK(state_of("/x/empty.so") == file_state::empty);
  CHECK(state_of("/x/pipe.so") == file_state::fifo);
  CHECK(state_of("/x") == file_state::directory);
}

TEST_CASE("a file of full length whose end was never written") {
  const std::string whole = graph_library().build();
  CHECK(read(whole).state == file_state::whole);
  for (const std::size_t written : {whole.size() - 64, whole.size() / 2, whole.size() / 2 + 100}) {
    CAPTURE(written);
    std::string bytes = whole;
    for (std::size_t at = written; at < bytes.size(); ++at) bytes[at] = '\0';
    CHECK(read(bytes).state == file_state::unwritten);
  }
  // A table of one section has the null section alone, and a stripped program may have none.
  for (const std::uint64_t sections : {1U, 0U}) {
    std::string few = whole;
    test::put_at(few, 60, sections, 2);
    CHECK(read(few).state == file_state::whole);
  }
}

TEST_CASE("sections, whole and cut") {
  elf_builder b = graph_library();
  b.sections = {{".nv_fatbin", "contents", true}, {".comment", "x", false}};
  const std::string whole = b.build();
  arena_vector<elf_section> sections;
  REQUIRE(read_elf_sections(memory_source(whole), 0, whole.size(), sections));
  REQUIRE(sections.size() == 4);
  CHECK(sections[1].name == ".nv_fatbin");
  CHECK(sections[1].in_memory);
  CHECK(sections[1].size == 8);
  CHECK(whole.substr(static_cast<std::size_t>(sections[1].offset), 8) == "contents");
  CHECK(sections[2].name == ".comment");
  CHECK(!sections[2].in_memory);
  for (std::size_t length = 0; length < whole.size(); ++length) {
    CAPTURE(length);
    sections.clear();
    CHECK(!read_elf_sections(memory_source(whole.substr(0, length)), 0, length, sections));
  }
  // The same file inside another one.
  sections.clear();
  CHECK(read_elf_sections(memory_source("12345678" + whole), 8, whole.size(), sections));
  CHECK(sections.size() == 4);
}

namespace {

// Counts its bytes from 0, and has a piece that cannot be read, as on a damaged disk.
class damaged_source final : public byte_source {
 public:
  static constexpr unsigned long long bad = 20000;
  unsigned long long size() const override { return 50000; }
  bool read(unsigned long long offset, void* target, std::size_t count) const override {
    ++reads;
    if (offset + count > 60000 || (offset <= bad && offset + count > bad)) return false;
    for (std::size_t i = 0; i < count; ++i) {
      static_cast<unsigned char*>(target)[i] = static_cast<unsigned char>((offset + i) % 251);
    }
    return true;
  }
  mutable int reads = 0;
};

}  // namespace

TEST_CASE("a window changes how a file is read, not what is read") {
  const damaged_source source;
  const read_window window(&source);
  CHECK(window.size() == 50000);
  const auto read = [](const byte_source& from, unsigned long long offset, std::size_t count) {
    std::string bytes(count, 'x');
    return from.read(offset, &bytes[0], count) ? bytes : "failed";
  };
  for (const std::size_t count : {0U, 1U, 64U, 4096U, 4097U, 12000U}) {
    for (unsigned long long offset = 0; offset <= 62000; offset += 497) {
      CAPTURE(offset);
      CHECK((read(window, offset, count) == read(source, offset, count)));
    }
  }
  CHECK(read(window, damaged_source::bad, 1) == "failed");
  CHECK(read(window, damaged_source::bad - 64, 64) != "failed");
  // Tables that lie together cost one read.
  source.reads = 0;
  for (unsigned long long offset = 34000; offset > 31000; offset -= 64) read(window, offset, 64);
  CHECK(source.reads == 1);
  // So do the beginning and each other place, one after the other.
  source.reads = 0;
  for (const unsigned long long offset : {48000ULL, 40000ULL, 30000ULL}) {
    for (int i = 0; i < 3; ++i) {
      CHECK(read(window, 64, 64) == read(damaged_source(), 64, 64));
      CHECK(read(window, offset, 64) == read(damaged_source(), offset, 64));
    }
  }
  CHECK(source.reads == 4);
}
