// SPDX-License-Identifier: BSD-3-Clause
//
// What the loader of this machine has been built with and finds: its directories, those for this
// CPU, its cache.
#include <sys/auxv.h>
#if defined(__GLIBC__)
#include <gnu/libc-version.h>
#endif

#include <cstring>

#include "../model/machine.h"
#include "../model/paths.h"
#include "../system/platform.h"
#include "glibc_cpu.h"
#include "linux_system.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

// glibc, sysdeps/generic/ldconfig.h: FLAG_ELF_LIBC6 with FLAG_X8664_LIB64 or FLAG_AARCH64_LIB64.
static constexpr loader_build loader_builds[] = {{62, "x86_64-linux-gnu", 0x0303},
                                                 {183, "aarch64-linux-gnu", 0x0a03},
                                                 {0, "unknown-linux-gnu", 0x0003}};

const loader_build& loader_build_for(int machine) {
  const loader_build* found = loader_builds;
  while (found->machine != machine && found->machine != 0) ++found;
  return *found;
}

const loader_build& linux_system::build() const { return loader_build_for(own_machine); }

version linux_system::glibc() const {
#if defined(__GLIBC__)
  return parse_version(::gnu_get_libc_version());
#else
  return {};
#endif
}

// Names of cuDNN and CUDA are looked up often, so all of them are read from the file at once.
arena_string linux_system::loader_cache(arena_string soname) const {
  constexpr const char* prefix = "libcu";
  if (!cache_read_) {
    cache_read_ = true;
    read_whole("/etc/ld.so.cache", cache_text_);
    cache_ = read_loader_cache(cache_text_, prefix, build().cache_flags, hwcap_directories());
  }
  if (soname.compare(0, std::strlen(prefix), prefix) != 0) {
    for (const loader_cache_entry& e :
         read_loader_cache(cache_text_, soname, build().cache_flags, hwcap_directories())) {
      if (e.soname == soname) return e.path;
    }
    return {};
  }
  for (const loader_cache_entry& entry : cache_) {
    if (entry.soname == soname) return entry.path;
  }
  return {};
}

// The older directories, of which every combination is looked into (glibc before 2.37,
// elf/dl-hwcaps.c, _dl_important_hwcaps).
static void add_older_directories(const cpu_words& cpu, arena_vector<arena_string>& directories) {
  arena_vector<arena_string> parts;
  const auto* const kernels_word = reinterpret_cast<const char*>(::getauxval(AT_PLATFORM));
  arena_string platform = kernels_word != nullptr ? kernels_word : "";
#if defined(__x86_64__)
  parts.emplace_back("x86_64");
  if (cpu.avx512_1) parts.emplace_back("avx512_1");
  if (cpu.platform != "x86_64") platform = cpu.platform;
#elif defined(__aarch64__)
  if ((::getauxval(AT_HWCAP) & 1U << 8) != 0) parts.emplace_back("atomics");
#endif
  (void)cpu;
  if (!platform.empty()) parts.push_back(platform);
  parts.emplace_back("tls");
  for (unsigned set = (1U << parts.size()) - 1; set != 0; --set) {
    arena_string directory;
    for (std::size_t i = parts.size(); i-- > 0;) {
      if ((set >> i & 1) != 0) directory = join_path(directory, parts[i]);
    }
    directories.push_back(directory);
  }
}

cpu_words linux_system::words_of_own_cpu() const {
  if (!cpu_read_) cpu_ = answers_of_cpu();
  cpu_read_ = true;
  arena_string tunables;
  (void)variable("GLIBC_TUNABLES", tunables);
  return words_of_cpu(cpu_, tunables, glibc());
}

// Which CPU runs a program for another machine is not known.  A program that may not be read is
// one for this machine.
arena_string linux_system::loader_platform(int machine) const {
  if (machine == 0) machine = own_machine;
  if (machine == machine_aarch64) return "aarch64";
  return machine == own_machine ? words_of_own_cpu().platform : arena_string();
}

// "ld.so --glibc-hwcaps-prepend LIST --glibc-hwcaps-mask LIST program": the first come before those
// of this CPU, and of these only the second stay (glibc, elf/dl-hwcaps.c, _dl_important_hwcaps).
arena_vector<arena_string> linux_system::hwcap_directories() const {
  arena_vector<arena_string> directories;
  arena_string first;
  arena_string mask;
  (void)option_of_loader("--glibc-hwcaps-prepend", first);
  const bool is_masked = option_of_loader("--glibc-hwcaps-mask", mask);
  for (const arena_string name : split_path_list(first, ":")) {
    if (!name.empty()) directories.push_back("glibc-hwcaps/" + name);
  }
  const bool is_own = build().machine == own_machine;
  cpu_words cpu;
  if (is_own) cpu = words_of_own_cpu();
  for (int v = cpu.level; v >= 2; --v) {
    const arena_string name = "x86-64-v" + to_string(v);
    const bool stays =
        !is_masked || (":" + mask + ":").find(":" + name + ":") != arena_string::npos;
    if (stays) directories.push_back("glibc-hwcaps/" + name);
  }
  const version release = glibc();
  if (is_own && release.known() && release < version{2, 37, 0}) {
    add_older_directories(cpu, directories);
  }
  return directories;
}

// glibc is built with multiarch directories (Debian, Ubuntu) or with lib64.  Where /lib is a link
// to /usr/lib, what the second holds was found in the first.
arena_vector<arena_string> linux_system::default_directories() const {
  arena_vector<arena_string>& directories = default_directories_;
  if (!directories.empty()) return directories;
  const arena_string multiarch = arena_string("/lib/") + build().triplet;
  // A root for qemu-user may have the second alone.
  const bool has_multiarch =
      !real_path(multiarch).empty() || !real_path("/usr" + multiarch).empty();
  for (const arena_string directory :
       {has_multiarch ? multiarch : arena_string("/lib64"), arena_string("/lib")}) {
    directories.push_back(directory);
    if (real_path(directory) != "/usr" + directory) directories.push_back("/usr" + directory);
  }
  return directories;
}

// glibc's as distributions install it.  Others (musl, Nix) have other directories and no cache.
bool is_known_interpreter(arena_string interpreter) {
  for (const char* known : {"/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-x86-64.so.2",
                            "/lib/ld-linux-aarch64.so.1", "/usr/lib64/ld-linux-x86-64.so.2"}) {
    if (interpreter == known) return true;
  }
  return false;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
