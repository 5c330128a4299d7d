// SPDX-License-Identifier: BSD-3-Clause
#include "loader_names.h"

#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <unistd.h>

namespace cudnn_checked::cli {

// More than processes have: the memory of another one can hold anything.
static constexpr std::size_t most_named = 65536;
static constexpr std::size_t most_entries = 1024;

namespace {

class process_reader {
 public:
  explicit process_reader(const arena_string& proc)
      : memory_(::open((proc + "/mem").c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~process_reader() {
    if (memory_ >= 0) ::close(memory_);
  }
  process_reader(const process_reader&) = delete;
  process_reader& operator=(const process_reader&) = delete;

  template <typename T>
  bool read(unsigned long long at, T& value) const {
    return read_bytes(at, &value, sizeof value) == sizeof value;
  }
  arena_string text(unsigned long long at) const;

 private:
  std::size_t read_bytes(unsigned long long at, void* target, std::size_t count) const {
    if (memory_ < 0) return 0;
    const ssize_t bytes = ::pread(memory_, target, count, static_cast<off_t>(at));
    return bytes > 0 ? static_cast<std::size_t>(bytes) : 0;
  }

  int memory_;
};

}  // namespace

// Page by page: what lies behind the last one may not be there.
arena_string process_reader::text(unsigned long long at) const {
  constexpr unsigned long long page = 4096;
  arena_string all;
  char part[page];
  while (all.size() < PATH_MAX) {
    const std::size_t got = read_bytes(at, part, page - at % page);
    std::size_t used = 0;
    while (used < got && part[used] != '\0') ++used;
    all += arena_string(part, used);
    if (used < got || got == 0) return all;
    at += got;
  }
  return {};
}

static unsigned long long address_of(const void* pointer) {
  return reinterpret_cast<std::uintptr_t>(pointer);
}

/// Where the program's dynamic section is in memory; 0 where it has none.
static unsigned long long dynamic_of(const process_reader& memory, unsigned long long headers,
                                     unsigned long count) {
  ElfW(Phdr) part = {};
  unsigned long long shift = 0;
  unsigned long long dynamic = 0;
  for (unsigned long i = 0; i < count && memory.read(headers + i * sizeof part, part); ++i) {
    if (part.p_type == PT_PHDR) shift = headers - part.p_vaddr;
    if (part.p_type == PT_DYNAMIC) dynamic = part.p_vaddr;
  }
  return dynamic == 0 ? 0 : dynamic + shift;
}

arena_vector<loader_name> names_by_loader(const arena_string& proc, unsigned long long headers,
                                          unsigned long count, unsigned long size) {
  arena_vector<loader_name> names;
  const process_reader memory(proc);
  const unsigned long long dynamic =
      size == sizeof(ElfW(Phdr)) ? dynamic_of(memory, headers, count) : 0;
  r_debug list = {};
  ElfW(Dyn) entry = {};
  for (std::size_t i = 0; dynamic != 0 && i < most_entries; ++i) {
    if (!memory.read(dynamic + i * sizeof entry, entry) || entry.d_tag == DT_NULL) break;
    if (entry.d_tag == DT_DEBUG && !memory.read(entry.d_un.d_ptr, list)) return names;
  }
  unsigned long long next = address_of(list.r_map);
  link_map object = {};
  while (next != 0 && names.size() < most_named && memory.read(next, object)) {
    names.push_back({address_of(object.l_ld), memory.text(address_of(object.l_name))});
    next = address_of(object.l_next);
  }
  return names;
}

}  // namespace cudnn_checked::cli
