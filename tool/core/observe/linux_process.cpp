// SPDX-License-Identifier: BSD-3-Clause
//
// What is mapped in this process, and what the driver's own libraries answer.
#include <dlfcn.h>
#include <link.h>

#include <cstdint>
#include <cstring>

#include "elf_image.h"
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
static std::string soname_in_memory(const dl_phdr_info& info, const ElfW(Dyn) * dynamic) {
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

static int collect_mapped_object(dl_phdr_info* info, std::size_t, void* target) {
  // The program has no name here, and the kernel's own object no directory.
  if (info->dlpi_name == nullptr || std::strchr(info->dlpi_name, '/') == nullptr) return 0;
  mapped_object object;
  object.path = info->dlpi_name;
  for (unsigned i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = info->dlpi_phdr[i];
    if (header.p_type != PT_NOTE && header.p_type != PT_DYNAMIC) continue;
    if (!is_in_load_segment(*info, header.p_vaddr, header.p_memsz)) continue;
    const auto address = static_cast<std::uintptr_t>(info->dlpi_addr + header.p_vaddr);
    if (header.p_type == PT_DYNAMIC) {
      object.soname = soname_in_memory(*info, reinterpret_cast<const ElfW(Dyn)*>(address));
    } else if (object.build_id.empty()) {
      object.build_id = build_id_in_note(reinterpret_cast<const unsigned char*>(address),
                                         header.p_memsz, header.p_align);
    }
  }
  static_cast<std::vector<mapped_object>*>(target)->push_back(object);
  return 0;
}

std::vector<mapped_object> linux_system::mapped_objects() const {
  std::vector<mapped_object> objects;
  ::dl_iterate_phdr(collect_mapped_object, &objects);
  return objects;
}

// A library that is unmapped again when the object goes.  `name` is a SONAME, so that the loader
// decides which file it trusts: it knows what a set-uid program must not load.
class held_library {
 public:
  explicit held_library(const char* name) : handle_(::dlopen(name, RTLD_NOW | RTLD_LOCAL)) {}
  ~held_library() {
    if (handle_ != nullptr) ::dlclose(handle_);
  }
  held_library(const held_library&) = delete;
  held_library& operator=(const held_library&) = delete;

  template <typename Function>
  bool find(const char* name, Function*& function) const {
    void* const address = handle_ != nullptr ? ::dlsym(handle_, name) : nullptr;
    static_assert(sizeof(function) == sizeof(address), "POSIX, dlsym");
    std::memcpy(&function, &address, sizeof(address));
    return address != nullptr;
  }

 private:
  void* handle_;
};

int linux_system::cuda_driver_version() const {
  const held_library library("libcuda.so.1");
  int (*get_version)(int*) = nullptr;
  int number = 0;
  if (!library.find("cuDriverGetVersion", get_version) || get_version(&number) != 0) return 0;
  return number;
}

// NVML API reference, "Initialization and Cleanup", "Device Queries".
struct nvml_functions {
  int (*init)() = nullptr;
  int (*shutdown)() = nullptr;
  int (*count)(unsigned*) = nullptr;
  int (*handle)(unsigned, void**) = nullptr;
  int (*uuid)(void*, char*, unsigned) = nullptr;
  int (*name)(void*, char*, unsigned) = nullptr;
  int (*capability)(void*, int*, int*) = nullptr;

  bool find(const held_library& library) {
    return library.find("nvmlInit_v2", init) && library.find("nvmlShutdown", shutdown) &&
           library.find("nvmlDeviceGetCount_v2", count) &&
           library.find("nvmlDeviceGetHandleByIndex_v2", handle) &&
           library.find("nvmlDeviceGetUUID", uuid) && library.find("nvmlDeviceGetName", name) &&
           library.find("nvmlDeviceGetCudaComputeCapability", capability);
  }
};

static bool ask_nvml(const nvml_functions& nvml, std::vector<gpu>& gpus) {
  constexpr int no_permission = 4;  // NVML_ERROR_NO_PERMISSION: a GPU that this process may not use
  unsigned count = 0;
  if (nvml.count(&count) != 0) return false;
  for (unsigned i = 0; i < count; ++i) {
    void* device = nullptr;
    const int status = nvml.handle(i, &device);
    if (status == no_permission) continue;
    char uuid[96] = {};
    char name[96] = {};
    gpu found;
    if (status != 0 || nvml.uuid(device, uuid, sizeof(uuid)) != 0 ||
        nvml.capability(device, &found.capability.major, &found.capability.minor) != 0) {
      return false;
    }
    if (nvml.name(device, name, sizeof(name)) == 0) found.name = name;
    found.uuid = uuid;
    found.index = static_cast<int>(gpus.size());
    gpus.push_back(found);
  }
  return true;
}

bool linux_system::nvml_gpus(std::vector<gpu>& gpus) const {
  gpus.clear();
  const held_library library("libnvidia-ml.so.1");
  nvml_functions nvml;
  if (!nvml.find(library) || nvml.init() != 0) return false;
  const bool told = ask_nvml(nvml, gpus);
  nvml.shutdown();
  if (!told) gpus.clear();
  return told;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
