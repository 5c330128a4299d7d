// SPDX-License-Identifier: BSD-3-Clause
#include "core/pe/pe_file.h"

#include <doctest/doctest.h>

#include "core/model/library_name.h"
#include "core/model/library_spelling.h"
#include "core/model/machine.h"
#include "core/pe/pe_symbols.h"
#include "fake_system.h"
#include "pe_builder.h"

using namespace cudnn_checked;
using test::pe_builder;

namespace {

pe_builder graph_dll() {
  pe_builder b;
  b.name = "cudnn_graph64_9.dll";
  b.exports = {"cudnnBackendExecute", "cudnnCreate", "cudnnDestroy"};
  b.word_name = "cudnn_graph_version";
  b.word = 0x00091c00;
  b.imports = {{"cudnn_ops64_9.dll", {"cudnnOne", "#7", "cudnnTwo"}},
               {"KERNEL32.dll", {"LoadLibraryA"}}};
  b.delayed = {{"cublas64_13.dll", {"cublasCreate_v2"}}};
  b.file_version = {9, 28, 0, 42};
  b.signature = std::string(120, 's');
  return b;
}

library_file read_dll(const std::string& bytes, int machine = 62) {
  return read_pe(test::memory_source(bytes), machine);
}

std::string with_number(std::string bytes, std::size_t at, std::uint64_t value, unsigned width) {
  test::put_at(bytes, at, value, width);
  return bytes;
}

arena_vector<library_role> asked_of(const pe_builder& b) {
  return read_pe_asked_roles(test::memory_source(b.build()));
}

}  // namespace

TEST_CASE("a whole DLL says who it is") {
  const std::string bytes = graph_dll().build();
  const library_file file = read_dll(bytes);
  CHECK(file.state == file_state::whole);
  CHECK(file.size == bytes.size());
  CHECK(file.size_expected == 0);
  CHECK(file.machine == 62);
  CHECK(file.dynamic);
  CHECK(file.soname == "cudnn_graph64_9.dll");
  CHECK(file.needed == std::vector<std::string>{"cudnn_ops64_9.dll", "KERNEL32.dll"});
  CHECK(file.delayed == std::vector<std::string>{"cublas64_13.dll"});
  CHECK(file.build_id == "00029eb6186ad");
  CHECK(to_string(file.word) == "9.28.0");
  CHECK(to_string(file.file_version) == "9.28.0");
  CHECK(!file.has_rpath);
  CHECK(!file.has_runpath);
  CHECK(file.interpreter.empty());
}

TEST_CASE("a cuDNN that is imported when a function is called is needed") {
  pe_builder b;
  b.imports = {{"KERNEL32.dll", {"LoadLibraryA"}}};
  b.delayed = {{"cublas64_13.dll", {"cublasCreate_v2"}}, {"CUDNN64_9.dll", {"cudnnCreate"}}};
  const library_file file = read_dll(b.build());
  CHECK(file.needed == std::vector<std::string>{"KERNEL32.dll", "CUDNN64_9.dll"});
  CHECK(file.delayed == std::vector<std::string>{"cublas64_13.dll", "CUDNN64_9.dll"});
}

TEST_CASE("a DLL that has no tables at all is whole") {
  pe_builder b;
  b.texts = "something";
  const library_file file = read_dll(b.build());
  CHECK(file.state == file_state::whole);
  CHECK(file.dynamic);
  CHECK(file.soname.empty());
  CHECK(file.needed.empty());
  CHECK(file.delayed.empty());
  CHECK(!file.word.known());
  CHECK(!file.file_version.known());
}

TEST_CASE("the identity of a DLL: CodeView, else size and time") {
  pe_builder b = graph_dll();
  b.guid = "00112233445566778899aabbccddeeff";
  CHECK(read_dll(b.build()).build_id == "33221100554477668899aabbccddeeff1");
  b.age = 0x1f0;
  CHECK(read_dll(b.build()).build_id == "33221100554477668899aabbccddeeff1f0");
  b.age = 0;
  CHECK(read_dll(b.build()).build_id == "33221100554477668899aabbccddeeff0");
  b.guid.clear();
  b.image_size = 0x22d83000;
  b.time_stamp = 0x656840bf;
  CHECK(read_dll(b.build()).build_id == "22d83840bf656");
  b.image_size = 0xfffff000;
  b.time_stamp = 0;
  CHECK(read_dll(b.build()).build_id == "fffff00000000");
}

TEST_CASE("the version word of a DLL belongs to a role, and is data of that DLL") {
  pe_builder b = graph_dll();
  b.word_name = "cudnn_ops_infer_version";
  CHECK(!read_dll(b.build()).word.known());
  b.name = "cudnn_ops64_9.dll";
  CHECK(to_string(read_dll(b.build()).word) == "9.28.0");
  b.name = "CUDNN_OPS64_9.DLL";
  CHECK(to_string(read_dll(b.build()).word) == "9.28.0");
  b.forward = "other.cudnn_ops_infer_version";
  CHECK(!read_dll(b.build()).word.known());
  b.forward.clear();
  for (const std::uint32_t word : {0U, 7U, 0xdeadbeefU}) {
    b.word = word;
    CHECK(!read_dll(b.build()).word.known());
  }
  b.name = "cudnn_cnn64_9.dll";
  b.word = 0x00091c00;
  CHECK(!read_dll(b.build()).word.known());
}

TEST_CASE("what is no DLL of this machine") {
  CHECK(read_dll("").state == file_state::empty);
  CHECK(read_dll("INPUT(libcudnn.so.9)\n").state == file_state::not_elf);
  CHECK(read_dll(std::string(4096, '\0')).state == file_state::not_elf);
  CHECK(read_dll(test::elf_builder().build()).state == file_state::not_elf);
  const std::string whole = graph_dll().build();
  CHECK(read_dll(with_number(whole, pe_builder::header_at, 0x4550 + 1, 4)).state ==
        file_state::not_elf);
  CHECK(read_dll(with_number(whole, 60, 0x7fffffff, 4)).state == file_state::not_elf);

  struct {
    unsigned number;
    int machine;
    const char* name;
  } const machines[] = {{0x8664, 62, "x86_64"},
                        {0xaa64, 183, "aarch64"},
                        {0x014c, machine_of_32_bits + 3, "i386"},
                        {0x01c4, machine_of_32_bits + 40, "arm"},
                        {0x0200, 0, "another machine"}};
  for (const auto& m : machines) {
    CAPTURE(m.name);
    pe_builder b = graph_dll();
    b.machine = m.number;
    const library_file file = read_dll(b.build());
    CHECK(file.machine == m.machine);
    CHECK(machine_name(file.machine) == m.name);
    CHECK(file.state == (m.machine == 62 ? file_state::whole : file_state::foreign));
    CHECK(file.soname.empty() == (m.machine != 62));
    // A file of 32 bits is loaded by no program that this is compiled for.
    CHECK(read_dll(b.build(), 0).state ==
          (m.machine < machine_of_32_bits ? file_state::whole : file_state::foreign));
  }
  pe_builder b = graph_dll();
  b.machine = 0xaa64;
  CHECK(read_dll(b.build(), 183).state == file_state::whole);
}

TEST_CASE("PE headers that no DLL has") {
  pe_builder b = graph_dll();
  b.characteristics = 0x2020;  // not executable: the linker found errors
  CHECK(read_dll(b.build()).state == file_state::refused);
  b = graph_dll();
  b.magic = 0x10b;
  CHECK(read_dll(b.build()).state == file_state::refused);
  const std::string whole = graph_dll().build();
  const auto with = [&whole](std::size_t at, std::uint64_t value, unsigned width) {
    return read_dll(with_number(whole, at, value, width)).state;
  };
  for (const unsigned sections : {0U, 97U, 0xffffU}) {
    CHECK(with(pe_builder::header_at + 6, sections, 2) == file_state::refused);
  }
  CHECK(with(pe_builder::header_at + 20, 111, 2) == file_state::refused);  // optional header
  CHECK(with(pe_builder::header_at + 20, 0xffff, 2) == file_state::truncated);
}

TEST_CASE("a DLL cut at any length is told, and never read beyond its end") {
  for (const bool is_signed : {true, false}) {
    pe_builder b = graph_dll();
    if (!is_signed) b.signature.clear();
    const std::string whole = b.build();
    for (std::size_t length = 0; length < whole.size(); ++length) {
      CAPTURE(length);
      const library_file file = read_dll(whole.substr(0, length));
      CHECK(file.size == length);
      CHECK(file.state == (length == 0 ? file_state::empty : file_state::truncated));
      if (length == 0) continue;
      CHECK(file.size_expected > length);
      // From where the section table is known.
      if (length >= pe_builder::sections_at + 80) CHECK(file.size_expected == whole.size());
    }
    CHECK(read_dll(whole).state == file_state::whole);
    CHECK(read_dll(whole + "more").state == file_state::whole);
    CHECK_FALSE(read_dll(whole + std::string(most_tail, '\0')).has_tail());
    CHECK(read_dll(whole + std::string(most_tail + 1, '\0')).size_expected == whole.size());
  }
}

TEST_CASE("a DLL that was cut behind its tables still says who it is") {
  pe_builder b = graph_dll();
  b.texts = std::string(4096, 't');
  const std::string whole = b.build();
  const library_file file = read_dll(whole.substr(0, whole.size() - 1000));
  CHECK(file.state == file_state::truncated);
  CHECK(file.soname == "cudnn_graph64_9.dll");
  CHECK(file.build_id == "00029eb6186ad");
}

TEST_CASE("a DLL of full length whose end was never written") {
  const auto state_without = [](const std::string& whole, std::size_t written) {
    return read_dll(whole.substr(0, written) + std::string(whole.size() - written, '\0')).state;
  };
  const std::string with_signature = graph_dll().build();
  const std::size_t certificate = with_signature.size() - 128;
  for (const std::size_t written : {certificate, certificate - 512, std::size_t{0x400}}) {
    CHECK(state_without(with_signature, written) == file_state::unwritten);
  }
  CHECK(state_without(with_signature, certificate + 1) == file_state::whole);
  pe_builder b = graph_dll();
  b.signature.clear();
  const std::string relocated = b.build();
  CHECK(state_without(relocated, relocated.size() - 512) == file_state::unwritten);
  CHECK(state_without(relocated, 0x600) == file_state::unwritten);
  // What has neither may end with zeros.
  b.relocations = false;
  const std::string bare = b.build();
  CHECK(state_without(bare, bare.size() - 64) == file_state::whole);
}

TEST_CASE("PE tables that lie") {
  const std::string whole = graph_dll().build();
  const std::size_t directories = pe_builder::optional_at + 112;
  const auto with = [&whole](std::size_t at, std::uint64_t value, unsigned width) {
    return read_dll(with_number(whole, at, value, width));
  };
  for (const std::uint32_t address : {0xffffffffU, 0xfffffff0U, 0x0fffffffU, 0x5000U}) {
    CAPTURE(address);
    for (const unsigned table : {0U, 1U, 13U}) {
      const library_file file = with(directories + 8 * table, address, 4);
      CHECK(file.state == file_state::whole);
      CHECK(!file.dynamic);
      CHECK(file.needed.empty());
      CHECK(file.build_id == "00029eb6186ad");
    }
    CHECK(!with(directories + 16, address, 4).file_version.known());
    CHECK(with(directories + 48, address, 4).build_id == "00029eb6186ad");
  }
  // Fewer directories than there are in the file are all that there is.
  const library_file few = with(directories - 4, 1, 4);
  CHECK(few.soname == "cudnn_graph64_9.dll");
  CHECK(few.needed.empty());
  CHECK(with(directories - 4, 0xffffffff, 4).needed.size() == 2);
  // The furthest section, the certificates.
  CHECK(with(pe_builder::sections_at + 16, 0x7fffffff, 4).state == file_state::truncated);
  CHECK(with(pe_builder::sections_at + 16, 0x7fffffff, 4).size_expected == 0x800003ffULL);
  CHECK(with(directories + 36, 0xffffffff, 4).state == file_state::truncated);
}

TEST_CASE("a table of PE that never ends costs little") {
  pe_builder b = graph_dll();
  b.imports.assign(2000, {"a.dll", {"f"}});
  CHECK(!read_dll(b.build()).dynamic);
  b.imports = {{std::string(261, 'a'), {"f"}}};
  CHECK(!read_dll(b.build()).dynamic);
  b.imports = {{std::string(260, 'a'), {"f"}}};
  CHECK(read_dll(b.build()).dynamic);
}

TEST_CASE("any byte of a DLL may be wrong") {
  pe_builder b = graph_dll();
  b.guid = "00112233445566778899aabbccddeeff";
  b.texts = std::string("cudnn_heuristic64_9.dll\0", 24);
  const std::string whole = b.build();
  test::fake_system os;
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const int value : {0, 1, 0x7f, 0x80, 0xff}) {
      std::string damaged = whole;
      damaged[at] = static_cast<char>(value);
      CHECK(read_dll(damaged).size == whole.size());
      os.files["/d.dll"] = damaged;
      read_pe_symbols(os, "/d.dll", symbol_kind::called, "cudnn");
      read_pe_symbols(os, "/d.dll", symbol_kind::exported, "");
      pe_exports_symbol(os, "/d.dll", "cudnnCreate");
      if (value == 0xff) read_pe_asked_roles(os, "/d.dll");
    }
  }
}

TEST_CASE("what a DLL exports and imports") {
  test::fake_system os;
  os.files["/a.dll"] = graph_dll().build();
  const auto names = [&os](symbol_kind kind, const char* prefix) {
    return read_pe_symbols(os, "/a.dll", kind, prefix).names;
  };
  using texts = std::vector<std::string>;
  CHECK(names(symbol_kind::exported, "cudnn") ==
        texts{"cudnnBackendExecute", "cudnnCreate", "cudnnDestroy", "cudnn_graph_version"});
  CHECK(names(symbol_kind::exported, "cudnnD") == texts{"cudnnDestroy"});
  CHECK(names(symbol_kind::exported, "cudnnDestroyed").empty());
  CHECK(names(symbol_kind::called, "") ==
        texts{"cudnnOne", "cudnnTwo", "LoadLibraryA", "cublasCreate_v2"});
  CHECK(names(symbol_kind::called, "cudnn") == texts{"cudnnOne", "cudnnTwo"});
  const dynamic_symbols none = read_pe_symbols(os, "/a.dll", symbol_kind::called, "cuda");
  CHECK(none.readable);
  CHECK(none.names.empty());
  CHECK(!read_pe_symbols(os, "/none.dll", symbol_kind::called, "").readable);
  for (const char* name : {"cudnnBackendExecute", "cudnnCreate", "cudnnDestroy"}) {
    CHECK(pe_exports_symbol(os, "/a.dll", name));
  }
  for (const char* name : {"", "a", "cudnnCreat", "cudnnCreate_", "cudnnOne", "z"}) {
    CHECK(!pe_exports_symbol(os, "/a.dll", name));
  }
  os.files["/a.dll"] = graph_dll().build().substr(0, 2000);
  CHECK(!read_pe_symbols(os, "/a.dll", symbol_kind::exported, "").readable);
  CHECK(!pe_exports_symbol(os, "/a.dll", "cudnnCreate"));
}

TEST_CASE("which DLLs of cuDNN a DLL opens by name") {
  pe_builder b = graph_dll();
  CHECK(asked_of(b).empty());
  b.texts = std::string("cudnn_heuristic64_9.dll\0cudnn_cnn64_9.dll\0cudnn_cnn64_9.dll\0", 61);
  CHECK(to_string(asked_of(b)) == "heuristic, cnn");
  // Not its own name, and not where an import has its name, but the same name elsewhere.
  b.texts = std::string("cudnn_ops64_9.dll\0cudnn_graph64_9.dll\0", 38);
  CHECK(to_string(asked_of(b)) == "ops");
  b.texts = std::string("see cudnn_cnn64_9.dll\0cudnn_cnn64_9.dll.mui\0cudnn64_9\0", 54);
  CHECK(asked_of(b).empty());
  // Wherever a piece of the section ends.
  for (const std::size_t before : {65300U, 65400U, 65500U, 65510U, 65520U, 65530U, 65536U}) {
    CAPTURE(before);
    b.texts = std::string(before, '\0') + "cudnn_adv64_9.dll";
    CHECK(to_string(asked_of(b)) == "adv");
  }
  CHECK(asked_of(pe_builder()).empty());
}

TEST_CASE("names of DLLs say role and major as those of ELF do") {
  struct {
    const char* name;
    const char* role;
    int major;
  } const names[] = {{"cudnn64_9.dll", "shim", 9},
                     {"cudnn_ops64_9.dll", "ops", 9},
                     {"cudnn_cnn_infer64_8.dll", "cnn_infer", 8},
                     {"CUDNN_Graph64_9.DLL", "graph", 9},
                     {"cudnn_of_203064_10.dll", "of_2030", 10},
                     {"cublas64_12.dll", "", 12},
                     {"cublasLt64_13.dll", "", 13},
                     {"cudnn64_.dll", "", 0},
                     {"cudnn64_9x.dll", "", 0},
                     {"cudnn_64_9.dll", "", 9},
                     {"cudnn-frontend64_9.dll", "", 9},
                     {"libcudnn64_9.dll", "", 9},
                     {"cudnn64_9.dll.bak", "", 0},
                     {"64_9.dll", "", 9},
                     {".dll", "", 0},
                     {"libcudnn_ops.so.9", "ops", 9},
                     {"LIBCUDNN_ops.so.9", "", 9}};
  for (const auto& n : names) {
    CAPTURE(n.name);
    CHECK(std::string(to_string(role_of_name(n.name))) == n.role);
    CHECK(major_of_name(n.name) == n.major);
  }
  CHECK(name_of_library("ops", 9) == "libcudnn_ops.so.9");
}
