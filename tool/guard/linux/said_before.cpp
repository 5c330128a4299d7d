// SPDX-License-Identifier: BSD-3-Clause
//
// What guards of one process know of each other: a page of memory, named by memfd_create(2), that
// each finds in /proc/self/maps.  It exists only where something was said.  No symbol is exported,
// the environment is not changed (other threads may read it, children inherit it), and execve()
// ends it.  Where the page cannot be had, a thing is said again.
#include "../said_before.h"

#include <cstdlib>

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../../core/model/format.h"
#include "../refusal.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

static constexpr const char* page_name = "cudnn_checked_said";
static constexpr std::size_t page_size = 4096;
static constexpr std::size_t slots = page_size / sizeof(unsigned long long);

static unsigned long long* existing_page(const system_interface& os) {
  arena_string maps;
  if (!os.read_text("/proc/self/maps", maps)) return nullptr;
  const std::size_t name = maps.find(format(" /memfd:%s (deleted)\n", page_name));
  if (name == arena_string::npos) return nullptr;
  const char* address = maps.c_str() + name;
  while (address != maps.c_str() && address[-1] != '\n') --address;
  return reinterpret_cast<unsigned long long*>(std::strtoull(address, nullptr, 16));
}

// syscall(): glibc has memfd_create() only since 2.27, and one symbol less is for the loader to
// find.
static unsigned long long* new_page() {
  const long file = syscall(SYS_memfd_create, page_name, 1U /* MFD_CLOEXEC */);
  if (file < 0) return nullptr;
  const int descriptor = static_cast<int>(file);
  void* page = MAP_FAILED;
  const without_write_signals no_signal;  // the limit of a file's size is one of this page too
  if (syscall(SYS_ftruncate, descriptor, page_size) == 0) {
    page = mmap(nullptr, page_size, PROT_READ | PROT_WRITE, MAP_PRIVATE, descriptor, 0);
  }
  close(descriptor);
  return page == MAP_FAILED ? nullptr : static_cast<unsigned long long*>(page);
}

// FNV-1a.  The file that carries the stamp is left out: two guards that found the same differ
// there.
static unsigned long long mark_of(const finding& f) {
  const arena_string fix = in_one_line(f.fix);
  unsigned long long mark = 0xcbf29ce484222325U + static_cast<unsigned>(f.id);
  for (const arena_string* text :
       {&f.summary, &f.expected.value, &f.found.value, &f.found.where, &fix}) {
    for (const char c : *text) mark = (mark ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  }
  return mark | 1U;
}

/// False where it was there already.
static bool add(unsigned long long* page, unsigned long long mark) {
  for (std::size_t i = 0; i < slots; ++i) {
    unsigned long long there = 0;
    if (__atomic_compare_exchange_n(page + i, &there, mark, false, __ATOMIC_RELAXED,
                                    __ATOMIC_RELAXED)) {
      return true;
    }
    if (there == mark) return false;
  }
  return true;
}

arena_vector<finding> not_said_before(const system_interface& os,
                                      const arena_vector<finding>& findings, severity least) {
  arena_vector<finding> news;
  unsigned long long* page = nullptr;
  for (const finding& f : findings) {
    if (f.weight < least) continue;
    if (page == nullptr) page = existing_page(os);
    if (page == nullptr) page = new_page();
    if (page == nullptr || add(page, mark_of(f))) news.push_back(f);
  }
  return news;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
