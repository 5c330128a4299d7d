// SPDX-License-Identifier: BSD-3-Clause
//
// The headers of a fatbinary as nvcc 13.0 writes them (read from its output), and code that is
// none.
#pragma once

#include <elf.h>

#include <cstdint>

namespace simulated {

struct container_head {
  std::uint32_t magic;
  std::uint16_t version;
  std::uint16_t head_size;
  std::uint64_t size;  // of all entries
};

struct entry_head {
  std::uint16_t kind;  // 1: PTX, 2: cubin
  std::uint16_t version;
  std::uint32_t head_size;
  std::uint64_t size;  // of what follows the head
  std::uint32_t compressed_size;
  std::uint32_t options;
  std::uint16_t minor;  // of the PTX version
  std::uint16_t major;
  std::uint32_t architecture;
  std::uint32_t name;
  std::uint32_t name_size;
  std::uint64_t flags;
  std::uint64_t unused;
  std::uint64_t uncompressed_size;
};

/// An ELF file with one section of code.
struct cubin {
  entry_head head;
  Elf64_Ehdr elf;
  unsigned char code[32];
  char names[32];
  Elf64_Shdr sections[3];
};

struct ptx {
  entry_head head;
  unsigned char options[16];
  char text[64];
};

struct wrapper {
  std::uint32_t magic;
  std::uint32_t version;
  const void* container;
  const void* prelinked;
};

static_assert(sizeof(container_head) == 16 && sizeof(entry_head) == 64, "no padding");
static_assert(sizeof(cubin) % 8 == 0 && sizeof(ptx) % 8 == 0, "entries follow one another");

// 64 bits, Linux; for one architecture only; for its family.
constexpr std::uint64_t flags_of(char suffix) {
  return std::uint64_t{0x11} | (suffix == 'a'   ? std::uint64_t{0x100000}
                                : suffix == 'f' ? std::uint64_t{0x200000}
                                                : 0);
}

constexpr container_head make_head(std::uint64_t size) { return {0xba55ed50, 1, 16, size}; }

constexpr cubin make_cubin(std::uint32_t architecture, char suffix, bool loaded = true) {
  constexpr std::uint64_t size = sizeof(cubin) - sizeof(entry_head);
  constexpr std::uint64_t code = sizeof(Elf64_Ehdr);
  constexpr std::uint64_t names = code + 32;
  // Machine 190 is EM_CUDA; what is loaded has the flags SHF_ALLOC and SHF_EXECINSTR.
  return {{2, 0x101, 64, size, 0, 0, 8, 1, architecture, 0, 0, flags_of(suffix), 0, 0},
          {{0x7f, 'E', 'L', 'F', 2, 1, 1, 0x41, 8},
           2,
           190,
           1,
           0,
           0,
           names + 32,
           0,
           64,
           56,
           0,
           64,
           3,
           2},
          {},
          "\0.text.kernel\0.shstrtab",
          {{},
           {1, 1, loaded ? 6U : 0U, 0, code, 32, 0, 0, 32, 0},
           {14, 3, 0, 0, names, 32, 0, 0, 1, 0}}};
}

/// What the device link step makes: nothing in it goes to the GPU.
constexpr cubin make_stub(std::uint32_t architecture, char suffix) {
  return make_cubin(architecture, suffix, false);
}

constexpr ptx make_ptx(std::uint32_t architecture, char suffix) {
  return {{1, 0x101, 80, 64, 0, 0, 0, 9, architecture, 0, 0, flags_of(suffix), 0, 0},
          {},
          ".version 9.0"};
}

}  // namespace simulated

#define SIMULATED_FATBIN __attribute__((section(".nv_fatbin"), used, aligned(8)))
#define SIMULATED_WRAPPER __attribute__((section(".nvFatBinSegment"), used, aligned(8)))
