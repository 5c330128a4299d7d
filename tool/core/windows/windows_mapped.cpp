// SPDX-License-Identifier: BSD-3-Clause
//
// What is loaded in this process, and who it is by its headers in memory.
#include <cstring>

#include "../model/paths.h"
#include "../pe/pe_image.h"
#include "wide_text.h"
#include "windows_header.h"
#include "windows_system.h"

#include <psapi.h>

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// The headers of a module, as the file has them.
class headers_in_memory final : public byte_source {
 public:
  explicit headers_in_memory(HMODULE module)
      : bytes_(reinterpret_cast<const unsigned char*>(module)) {
    const auto* const dos = reinterpret_cast<const IMAGE_DOS_HEADER*>(bytes_);
    size_ = reinterpret_cast<const IMAGE_NT_HEADERS*>(bytes_ + dos->e_lfanew)
                ->OptionalHeader.SizeOfHeaders;
  }
  unsigned long long size() const override { return size_; }
  bool read(unsigned long long offset, void* target, std::size_t count) const override {
    if (offset > size_ || count > size_ - offset) return false;
    std::memcpy(target, bytes_ + offset, count);
    return true;
  }

 private:
  const unsigned char* bytes_;
  unsigned long long size_ = 0;
};

// Only of files of cuDNN is it needed, and these have no CodeView id, which lies behind the
// headers.
static arena_string identity_in_memory(HMODULE module) {
  const headers_in_memory headers(module);
  library_file contents;
  pe_image image(headers);
  image.read_headers(0, contents);
  return image.identity();
}

arena_vector<mapped_object> windows_system::mapped_objects() const {
  arena_vector<HMODULE> modules(1024);
  DWORD bytes = 0;
  const HANDLE self = GetCurrentProcess();
  while (true) {
    const DWORD room = static_cast<DWORD>(modules.size() * sizeof(HMODULE));
    if (K32EnumProcessModules(self, modules.in_place().begin(), room, &bytes) == 0) return {};
    if (bytes <= room) break;
    modules = arena_vector<HMODULE>(bytes / sizeof(HMODULE) + 64);
  }
  arena_vector<mapped_object> objects;
  // The first is the program.
  for (std::size_t i = 1; i < bytes / sizeof(HMODULE); ++i) {
    mapped_object object;
    object.path = path_of_module(modules[i]);
    if (object.path.empty()) continue;
    object.soname = lower_case(base_name(object.path));
    object.build_id = identity_in_memory(modules[i]);
    objects.push_back(object);
  }
  return objects;
}

const char* const variable_of_search = "PATH";

arena_string directory_of_process() {
  arena_vector<wchar_t> text(32768);
  const DWORD length = GetDllDirectoryW(32768, text.in_place().begin());
  return length < 32768 ? path_from_wide(text.begin(), length) : arena_string();
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
