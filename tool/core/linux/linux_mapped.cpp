// SPDX-License-Identifier: BSD-3-Clause
//
// The libraries that are mapped in this process, by dlmopen too; their notes in memory identify
// them.
#include <elf.h>
#include <link.h>
#include <sys/mman.h>
#if defined(__GLIBC__)
#include <gnu/libc-version.h>
#endif

#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "../elf/elf_image.h"
#include "../library/library_file.h"
#include "../model/paths.h"
#include "linux_system.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

static bool is_in_load_segment(const dl_phdr_info& info, ElfW(Addr) address, std::size_t size) {
  for (unsigned i = 0; i < info.dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = info.dlpi_phdr[i];
    if (header.p_type != PT_LOAD || address < header.p_vaddr) continue;
    const ElfW(Addr) within = address - header.p_vaddr;
    if (within < header.p_memsz && size <= header.p_memsz - within) return true;
  }
  return false;
}

// The loader has turned the addresses of a library's dynamic section into those of memory, but not
// the kernel's own object's.
static arena_string soname_in_memory(const dl_phdr_info& info, const ElfW(Dyn) * dynamic) {
  ElfW(Addr) strings = 0;
  ElfW(Xword) name = 0;
  bool named = false;
  for (; dynamic->d_tag != DT_NULL; ++dynamic) {
    if (dynamic->d_tag == DT_STRTAB) strings = dynamic->d_un.d_ptr;
    if (dynamic->d_tag == DT_SONAME) {
      name = dynamic->d_un.d_val;
      named = true;
    }
  }
  if (!named || strings == 0) return {};
  if (strings < info.dlpi_addr) strings += info.dlpi_addr;
  if (!is_in_load_segment(info, strings + name - info.dlpi_addr, 1)) return {};
  return reinterpret_cast<const char*>(strings + name);
}

static bool is_called_cudnn(arena_string path) {
  return path.compare(path.rfind('/') + 1, 8, "libcudnn") == 0;
}

static arena_string build_id_in_memory(const dl_phdr_info& info, ElfW(Addr) address,
                                       std::uint64_t size, std::uint64_t alignment) {
  if (!is_in_load_segment(info, address, size)) return {};
  const auto place = static_cast<std::uintptr_t>(info.dlpi_addr + address);
  return build_id_in_note(reinterpret_cast<const unsigned char*>(place), size, alignment);
}

// Where the PT_NOTE is stale, only the section table has the address of the note, and that is not
// in memory.  The address is read from the file, the id from memory: a file that was replaced since
// leads to something that is no note, or to the right one.
static arena_string build_id_by_section(const system_interface& os, const dl_phdr_info& info,
                                        arena_string path) {
  const open_file file(os, path);
  if (file.result() != open_result::opened) return {};
  elf_image image(file.source());
  library_file contents;
  image.read_headers(0, contents);
  if (contents.state != file_state::whole) return {};
  for (const elf_segment& note : image.note_sections()) {
    const arena_string id = build_id_in_memory(info, note.address, note.size, note.alignment);
    if (!id.empty()) return id;
  }
  return {};
}

struct mapped_collection {
  explicit mapped_collection(const system_interface& system) : os(system) {}

  const system_interface& os;
  arena_vector<mapped_object> objects;
  arena_vector<ElfW(Addr)> bases;  ///< of each of them: where its first page lies
};

static int collect_mapped_object(dl_phdr_info* info, std::size_t, void* target) {
  // The program has no name here, and the kernel's own object no directory.
  mapped_object object;
  if (info->dlpi_name != nullptr) object.path = info->dlpi_name;
  if (object.path.find('/') == arena_string::npos) return 0;
  for (unsigned i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = info->dlpi_phdr[i];
    if (header.p_type == PT_NOTE && object.build_id.empty()) {
      object.build_id = build_id_in_memory(*info, header.p_vaddr, header.p_memsz, header.p_align);
    }
    if (header.p_type != PT_DYNAMIC) continue;
    if (!is_in_load_segment(*info, header.p_vaddr, header.p_memsz)) continue;
    const auto address = static_cast<std::uintptr_t>(info->dlpi_addr + header.p_vaddr);
    object.soname = soname_in_memory(*info, reinterpret_cast<const ElfW(Dyn)*>(address));
  }
  auto& collection = *static_cast<mapped_collection*>(target);
  if (object.build_id.empty() && (is_called_cudnn(object.path) || is_called_cudnn(object.soname))) {
    object.build_id = build_id_by_section(collection.os, *info, object.path);
  }
  collection.objects.push_back(object);
  collection.bases.push_back(info->dlpi_addr);
  return 0;
}

// r_debug since glibc 2.35, where r_version is 2: one such list for each namespace.  Older headers
// do not name the type.
struct loader_namespace {
  r_debug base;
  loader_namespace* next;
};

// The loader's word to debuggers, which it writes into the program's own dynamic section.  Null in
// programs that are linked statically or have no such entry.
static const r_debug* find_loader_debug() {
  const ElfW(Dyn)* found = nullptr;
  ::dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* target) {
        for (unsigned i = 0; i < info->dlpi_phnum; ++i) {
          const ElfW(Phdr)& header = info->dlpi_phdr[i];
          if (header.p_type != PT_DYNAMIC ||
              !is_in_load_segment(*info, header.p_vaddr, header.p_memsz)) {
            continue;
          }
          *static_cast<const ElfW(Dyn)**>(target) = reinterpret_cast<const ElfW(Dyn)*>(
              static_cast<std::uintptr_t>(info->dlpi_addr + header.p_vaddr));
        }
        return 1;  // the first object is the program
      },
      &found);
  for (; found != nullptr && found->d_tag != DT_NULL; ++found) {
    if (found->d_tag == DT_DEBUG) return reinterpret_cast<const r_debug*>(found->d_un.d_ptr);
  }
  return nullptr;
}

// The headers of an object that dl_iterate_phdr does not show.
static bool take_headers_in_memory(ElfW(Addr) base, dl_phdr_info& info) {
  constexpr std::size_t page = 4096;
  unsigned char resident = 0;
  void* const first_page = reinterpret_cast<void*>(static_cast<std::uintptr_t>(base));
  // Fails where nothing is mapped.
  if (base % page != 0 || ::mincore(first_page, page, &resident) != 0) return false;
  const auto* const header = static_cast<const ElfW(Ehdr)*>(first_page);
  if (std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return false;
  if (header->e_phoff > page || header->e_phnum > (page - header->e_phoff) / sizeof(ElfW(Phdr))) {
    return false;
  }
  info.dlpi_addr = base;
  info.dlpi_phdr = reinterpret_cast<const ElfW(Phdr)*>(
      static_cast<const unsigned char*>(first_page) + header->e_phoff);
  info.dlpi_phnum = header->e_phnum;
  return true;
}

static void add_of_other_namespace(ElfW(Addr) base, arena_string path, mapped_collection& found) {
  dl_phdr_info info = {};
  if (!is_called_cudnn(path) || !take_headers_in_memory(base, info)) return;
  const std::size_t before = found.objects.size();
  info.dlpi_name = path.c_str();
  collect_mapped_object(&info, 0, &found);
  if (found.objects.size() != before) found.objects.in_place().back().other_namespace = true;
}

// glibc 2.35 and newer: the lists of all namespaces, linked to one another.  Its r_version says 2
// once there is more than one.  False where the loader does not answer.
static bool collect_by_debug_chain(mapped_collection& found) {
#if defined(__GLIBC__)
  const r_debug* const first = find_loader_debug();
  if (first == nullptr || first->r_state != r_debug::RT_CONSISTENT) return false;
  if (first->r_version < 2) return !(parse_version(::gnu_get_libc_version()) < version{2, 35, 0});
  const auto* space = reinterpret_cast<const loader_namespace*>(first)->next;
  for (; space != nullptr; space = space->next) {
    for (const link_map* l = space->base.r_map; l != nullptr; l = l->l_next) {
      add_of_other_namespace(l->l_addr, l->l_name, found);
    }
  }
#else
  (void)found;  // other C libraries have no dlmopen
#endif
  return true;
}

// proc(5), /proc/pid/maps: "begin-end rights offset device inode   path".  A library has a piece
// with its headers, at offset 0, and one that can be executed; a file that somebody merely reads
// has one piece.
arena_vector<mapped_place> cudnn_in_maps(arena_string maps) {
  arena_vector<mapped_place> places;
  std::uintptr_t base = 0;
  arena_string of_base;
  for (const arena_string line : split_path_list(maps, "\n")) {
    const std::size_t slash = line.find('/');
    if (slash == arena_string::npos) continue;
    arena_string path = line.substr(slash);
    if (path.size() > 10 && path.compare(path.size() - 10, 10, " (deleted)") == 0) {
      path.shorten(path.size() - 10);
    }
    if (!is_called_cudnn(path)) continue;
    if (line.find(" 00000000 ") != arena_string::npos) {
      base = static_cast<std::uintptr_t>(std::strtoull(line.c_str(), nullptr, 16));
      of_base = path;
    }
    if (base == 0 || of_base != path || line.find(" r-x") == arena_string::npos) continue;
    places.push_back({base, path});
    base = 0;
  }
  return places;
}

static void collect_by_maps(arena_string maps, mapped_collection& found) {
  const std::size_t known = found.bases.size();
  for (const mapped_place& place : cudnn_in_maps(maps)) {
    bool shown = false;
    for (std::size_t i = 0; i < known; ++i) shown = shown || found.bases[i] == place.base;
    if (!shown) add_of_other_namespace(place.base, place.path, found);
  }
}

arena_vector<mapped_object> linux_system::mapped_objects() const {
  mapped_collection found(*this);
  ::dl_iterate_phdr(collect_mapped_object, &found);
  arena_string maps;
  if (!collect_by_debug_chain(found) && read_text("/proc/self/maps", maps)) {
    collect_by_maps(maps, found);
  }
  return found.objects;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
