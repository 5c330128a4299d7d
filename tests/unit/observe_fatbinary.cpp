// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include "core/observe/observe.h"
#include "elf_builder.h"
#include "fake_system.h"

using namespace cudnn_checked;
using test::fatbinary;

namespace {

constexpr std::uint64_t specific = 0x100000;
constexpr std::uint64_t family = 0x200000;
constexpr std::uint64_t compressed = 0x8000;

std::string cubin(bool with_code) {
  test::elf_builder b;
  b.machine = 190;
  b.sections = {{with_code ? ".text._Z1kPf" : ".nv.callgraph", "instructions", with_code}};
  return b.build();
}

std::string entry(unsigned kind, unsigned sm, std::uint64_t flags, std::string payload,
                  std::uint64_t full_size = 0) {
  test::align(payload, 8);
  return test::fatbinary_entry(kind, sm, flags, payload, full_size);
}

std::string sm(unsigned number, std::uint64_t flags = 0) {
  return entry(2, number, flags, cubin(true));
}

std::string ptx(unsigned number, std::uint64_t flags = compressed) {
  return entry(1, number, flags, "compressed text", 400);
}

std::string program(const std::string& code) {
  test::elf_builder b;
  b.sections = {{".rodata", "text", true}, {".nv_fatbin", code, true}, {".bss", "", true}};
  return b.build();
}

program_code observe(const std::string& bytes) {
  test::fake_system os;
  os.files["/opt/app/bin/app"] = bytes;
  observation observed;
  observe_program_code(os, "/opt/app/bin/app", observed);
  CHECK(observed.code.path == "/opt/app/bin/app");
  return observed.code;
}

// "sm_75 compute_75 (PTX) | sm_90", or "unknown".
std::string text_of(const program_code& code) {
  if (code.readable != answer::yes) {
    CHECK(code.containers.empty());
    return "unknown";
  }
  std::string text;
  for (const code_container& c : code.containers) {
    if (&c != code.containers.data()) text += " | ";
    for (const device_code& d : c.codes) text += (&d == c.codes.data() ? "" : " ") + to_string(d);
  }
  return text;
}

std::string codes(const std::string& section) { return text_of(observe(program(section))); }

}  // namespace

TEST_CASE("each container with its own architectures") {
  CHECK(codes(fatbinary(sm(75) + sm(86) + sm(120) + ptx(120))) ==
        "sm_75 sm_86 sm_120 compute_120 (PTX)");
  CHECK(codes(fatbinary(sm(75)) + fatbinary(ptx(90))) == "sm_75 | compute_90 (PTX)");
  CHECK(codes(fatbinary(sm(90, specific))) == "sm_90a");
  CHECK(codes(fatbinary(sm(100, family | 0x1000000))) == "sm_100f");
  CHECK(codes(fatbinary(ptx(90, specific | compressed))) == "compute_90a (PTX)");
}

TEST_CASE("what the linker adds does not count") {
  CHECK(codes(fatbinary(entry(2, 75, 0, cubin(false))) + fatbinary(sm(90))) == "sm_90");
  // PTX only: nvcc leaves an empty container.
  CHECK(codes(fatbinary("") + fatbinary(ptx(75))) == "compute_75 (PTX)");
  // Compressed: the size before tells a stub from a kernel.
  CHECK(codes(fatbinary(entry(2, 75, compressed, "zstd", 1528))).empty());
  CHECK(codes(fatbinary(entry(2, 75, compressed, "zstd", 3696))) == "sm_75");
  CHECK(codes(fatbinary(entry(2, 75, compressed, "zstd", 0))) == "sm_75");
  // A cubin that cannot be looked into counts.
  CHECK(codes(fatbinary(entry(2, 75, 0, "no ELF file at all"))) == "sm_75");
  // Code for the device linker is not launched.
  CHECK(codes(fatbinary(entry(8, 90, 0, "nvvm") + sm(90))) == "sm_90");
}

TEST_CASE("padding between containers") {
  CHECK(codes(fatbinary(sm(75)) + std::string(24, '\0') + fatbinary(sm(90))) == "sm_75 | sm_90");
  CHECK(codes(fatbinary(sm(75)) + std::string(8, '\0')) == "sm_75");
}

TEST_CASE("a program without device code is read to the end") {
  test::elf_builder b;
  CHECK(observe(b.build()).readable == answer::yes);
  CHECK(observe(b.build()).containers.empty());
  // What the device linker took in is no code of the program.
  b.sections = {{"__nv_relfatbin", fatbinary(sm(75)), true}};
  CHECK(observe(b.build()).containers.empty());
  CHECK(observe(b.build()).readable == answer::yes);
}

TEST_CASE("what cannot be read is unknown") {
  CHECK(text_of(observe("#!/bin/sh\n")) == "unknown");
  CHECK(text_of(observe("")) == "unknown");
  observation observed;
  observe_program_code(test::fake_system(), "/none", observed);
  CHECK(observed.code.readable == answer::unknown);

  std::string stripped = program(fatbinary(sm(75)));
  test::put_at(stripped, 40, 0, 8);
  CHECK(text_of(observe(stripped)) == "unknown");

  CHECK(codes("not a container at all") == "unknown");
  CHECK(codes(fatbinary(sm(75)) + "more than a header") == "unknown");
  CHECK(codes(fatbinary(entry(77, 75, 0, "?"))) == "unknown");
  CHECK(codes(fatbinary(entry(2, 0, 0, cubin(true)))) == "unknown");
  const auto with = [](std::size_t at, std::uint64_t value, unsigned width) {
    std::string damaged = fatbinary(sm(75));
    test::put_at(damaged, at, value, width);
    return codes(damaged);
  };
  CHECK(with(8, 1U << 30, 8) == "unknown");                // too long
  CHECK(with(16 + 8, ~std::uint64_t{0}, 8) == "unknown");  // its entry is
  CHECK(with(16 + 4, 0, 4) == "unknown");                  // no header
}

TEST_CASE("a program cut at any length, or with any byte wrong") {
  const std::string whole = program(fatbinary(sm(75) + ptx(75)) + fatbinary(sm(90)));
  for (std::size_t length = 0; length < whole.size(); ++length) {
    CHECK(text_of(observe(whole.substr(0, length))) == "unknown");
  }
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const int value : {0, 1, 0x80, 0xff}) {
      std::string damaged = whole;
      damaged[at] = static_cast<char>(value);
      text_of(observe(damaged));
    }
  }
}
