// SPDX-License-Identifier: BSD-3-Clause
//
// The page has a name of memfd_create(2), and is found in /proc/self/maps.  It exists only where
// something was said.  No symbol is exported, the environment is not changed (other threads may
// read it, children inherit it), and execve() ends it.
#include "../said_before.h"

#include <cstdlib>

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../../core/linux/write_signals.h"
#include "../../core/model/format.h"
#include "../../core/system/write_all.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

static constexpr const char* page_name = "cudnn_checked_said";
static constexpr std::size_t page_size = said_marks * sizeof(said_mark);

static void* existing_page(const system_interface& os) {
  arena_string maps;
  if (!os.read_text("/proc/self/maps", maps)) return nullptr;
  const std::size_t name = maps.find(format(" /memfd:%s (deleted)\n", page_name));
  if (name == arena_string::npos) return nullptr;
  const char* address = maps.c_str() + name;
  while (address != maps.c_str() && address[-1] != '\n') --address;
  return reinterpret_cast<void*>(std::strtoull(address, nullptr, 16));
}

// syscall(): glibc has memfd_create() only since 2.27, and one symbol less is for the loader to
// find.
static void* new_page() {
  const long file = syscall(SYS_memfd_create, page_name, 1U /* MFD_CLOEXEC */);
  if (file < 0) return nullptr;
  const int descriptor = static_cast<int>(file);
  void* page = MAP_FAILED;
  const without_write_signals no_signal;  // the limit of a file's size is one of this page too
  if (syscall(SYS_ftruncate, descriptor, page_size) == 0) {
    page = mmap(nullptr, page_size, PROT_READ | PROT_WRITE, MAP_PRIVATE, descriptor, 0);
  }
  close(descriptor);
  return page == MAP_FAILED ? nullptr : page;
}

said_mark* page_of_said(const system_interface& os) {
  void* page = existing_page(os);
  if (page == nullptr) page = new_page();
  return static_cast<said_mark*>(page);
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
