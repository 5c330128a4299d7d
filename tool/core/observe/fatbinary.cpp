// SPDX-License-Identifier: BSD-3-Clause
//
// The device code of a finished program: its section .nv_fatbin, one container for each translation
// unit.  NVIDIA documents no layout; what follows was seen with nvcc 13.0 and every form of
// -gencode.
//   container: magic 0xba55ed50 (4), version (2), size of this header (2), size of the entries (8)
//   entry: kind (2), version (2), size of this header (4), size of the payload (8), ...,
//          at 28 the compute capability times ten (4), at 40 flags (8), at 56 the size of the
//          payload before it was compressed (8)
// The section __nv_relfatbin holds what the device linker took in (-rdc=true); its output is in
// .nv_fatbin, and only that is launched.
#include <cstdint>

#include "../elf/elf_sections.h"
#include "../library/byte_order.h"
#include "../library/library_file.h"
#include "observe.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

static constexpr std::uint32_t fatbinary_magic = 0xba55ed50;
static constexpr std::size_t fatbinary_container_header = 16;
static constexpr std::size_t fatbinary_entry_header = 64;
static constexpr std::uint64_t fatbinary_compressed = 0x8000;  // flags
static constexpr std::uint64_t fatbinary_specific = 0x100000;  // sm_90a
static constexpr std::uint64_t fatbinary_family = 0x200000;    // sm_100f
static constexpr unsigned fatbinary_most_entries = 1U << 18;   // a damaged file must end

struct fatbinary_walk {
  const byte_source& source;
  program_code& code;
  unsigned entries = 0;
};

// nvcc adds a container of its own to every program that it links: a cubin without code, for the
// architectures of the link command, sm_75 where that names none.  It says nothing about the
// program. All of its sections stay out of the GPU's memory.  Where it is compressed that cannot be
// seen: its 1.4 to 1.7 kB are less than any cubin with a kernel or a variable has (2.2 kB).
static bool is_link_stub(const byte_source& source, std::uint64_t payload, std::uint64_t size,
                         std::uint64_t flags, std::uint64_t full_size) {
  if ((flags & fatbinary_compressed) != 0) return full_size != 0 && full_size < 2048;
  arena_vector<elf_section> sections;
  if (!read_elf_sections(source, payload, size, sections)) return false;
  return none_of(sections, [&](const elf_section& section) { return section.in_memory; });
}

static architecture architecture_of_entry(std::uint32_t number, std::uint64_t flags) {
  architecture target;
  if (number < 10 || number > 999) return target;
  target.major = static_cast<int>(number / 10);
  target.minor = static_cast<int>(number % 10);
  if ((flags & fatbinary_specific) != 0) target.suffix = 'a';
  if ((flags & fatbinary_family) != 0) target.suffix = 'f';
  return target;
}

// Reads the entry at `begin`; `size` becomes its size, header included.  False where it is damaged,
// or of a kind that is not known.
static bool read_fatbinary_entry(fatbinary_walk& walk, std::uint64_t begin, std::uint64_t end,
                                 std::uint64_t& size, code_container& container) {
  unsigned char header[fatbinary_entry_header];
  if (end - begin < sizeof(header) || ++walk.entries > fatbinary_most_entries) return false;
  if (!walk.source.read(begin, header, sizeof(header))) return false;
  const unsigned kind = little_endian_16(header);
  const std::uint64_t header_size = little_endian_32(header + 4);
  const std::uint64_t payload_size = little_endian_64(header + 8);
  if (header_size < sizeof(header) || header_size > end - begin) return false;
  if (payload_size > end - begin - header_size) return false;
  size = header_size + payload_size;
  const std::uint64_t flags = little_endian_64(header + 40);
  device_code code;
  code.target = architecture_of_entry(little_endian_32(header + 28), flags);
  if (kind == 8) return true;  // code for the device linker, which nothing launches
  if ((kind != 1 && kind != 2) || !code.target.known()) return false;
  code.form = kind == 1 ? device_code::kind::ptx : device_code::kind::cubin;
  if (kind == 2 && is_link_stub(walk.source, begin + header_size, payload_size, flags,
                                little_endian_64(header + 56))) {
    return true;
  }
  container.codes.push_back(code);
  return true;
}

static bool read_fatbinary_entries(fatbinary_walk& walk, std::uint64_t begin, std::uint64_t end) {
  code_container container;
  while (begin < end) {
    std::uint64_t size = 0;
    if (!read_fatbinary_entry(walk, begin, end, size, container)) return false;
    begin += size;
  }
  if (!container.codes.empty()) walk.code.containers.push_back(container);
  return true;
}

static bool read_fatbinary_containers(fatbinary_walk& walk, std::uint64_t begin,
                                      std::uint64_t end) {
  while (end - begin >= fatbinary_container_header) {
    unsigned char header[fatbinary_container_header];
    if (!walk.source.read(begin, header, sizeof(header))) return false;
    const std::uint32_t magic = little_endian_32(header);
    if (magic == 0) {  // between containers the linker pads to their alignment
      begin += 8;
      if (++walk.entries > fatbinary_most_entries) return false;
      continue;
    }
    const std::uint64_t header_size = little_endian_16(header + 6);
    const std::uint64_t size = little_endian_64(header + 8);
    if (magic != fatbinary_magic || header_size < sizeof(header) || header_size > end - begin) {
      return false;
    }
    if (size > end - begin - header_size) return false;
    if (!read_fatbinary_entries(walk, begin + header_size, begin + header_size + size))
      return false;
    begin += header_size + size;
    if (++walk.entries > fatbinary_most_entries) return false;
  }
  return true;
}

void observe_program_code(const system_interface& os, arena_string path, observation& observed) {
  observed.code = program_code();
  observed.code.path = path;
  const open_file file(os, path);
  arena_vector<file_part> parts;
  if (file.result() != open_result::opened) return;
  const std::uint64_t size = file.source().size();
  if (!find_device_code(file.source(), parts)) return;
  fatbinary_walk walk{file.source(), observed.code};
  for (const file_part& part : parts) {
    const bool inside = part.offset <= size && part.size <= size - part.offset;
    if (!inside || !read_fatbinary_containers(walk, part.offset, part.offset + part.size)) {
      observed.code.containers.clear();
      return;
    }
  }
  observed.code.readable = answer::yes;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
