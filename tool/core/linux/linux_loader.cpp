// SPDX-License-Identifier: BSD-3-Clause
//
// What the loader of this machine has been built with and finds: its directories, those for this
// CPU, its cache.
#include <sys/auxv.h>
#if defined(__GLIBC__)
#include <gnu/libc-version.h>
#endif
#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include <cstring>

#include "../model/machine.h"
#include "../model/paths.h"
#include "../system/platform.h"
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

// What cuDNN and CUDA are called is asked for often: for that the file is looked through once.
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

/// What the loader's directories depend on.
struct cpu_facts {
  int level = 1;  ///< of the x86-64 psABI; 1 elsewhere: glibc has no such directories on Arm
  bool intel = false;
};

#if defined(__x86_64__)
static bool has_all(unsigned word, unsigned bits) { return (word & bits) == bits; }

// The features that came last with each level ("Low Level System Information" of the psABI), and
// the registers that the kernel saves (Intel SDM, "CPUID", "XGETBV").  What
// __builtin_cpu_supports() needs of libgcc is 5.5 KiB of every guarded program.  In a virtual
// machine each CPUID takes 10 us.
static cpu_facts read_cpu() {
  cpu_facts cpu;
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  __cpuid(0, a, b, c, d);
  const unsigned last_leaf = a;
  cpu.intel = b == signature_INTEL_ebx && c == signature_INTEL_ecx && d == signature_INTEL_edx;
  __cpuid(1, a, b, c, d);
  if (!has_all(c, bit_SSE4_2 | bit_SSSE3 | bit_POPCNT)) return cpu;
  cpu.level = 2;
  if (!has_all(c, bit_OSXSAVE | bit_AVX | bit_FMA) || last_leaf < 7) return cpu;
  unsigned saved = 0;
  __asm__("xgetbv" : "=a"(saved), "=d"(d) : "c"(0));
  __cpuid_count(7, 0, a, b, c, d);
  constexpr unsigned ymm = 0x06;
  constexpr unsigned zmm = 0xe6;
  if (!has_all(saved, ymm) || !has_all(b, bit_AVX2 | bit_BMI2)) return cpu;
  constexpr unsigned avx512 =
      bit_AVX512F | bit_AVX512BW | bit_AVX512CD | bit_AVX512DQ | bit_AVX512VL;
  cpu.level = has_all(saved, zmm) && has_all(b, avx512) ? 4 : 3;
  return cpu;
}
#else
static cpu_facts read_cpu() { return {}; }
#endif

// "GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2,-FMA" takes features from the CPU, and with them the
// levels that want them.  Those that are heard: glibc 2.36, sysdeps/x86/cpu-tunables.c (seen with
// "ld.so --help").
static int level_left(int level, arena_string tunables) {
  constexpr const char* wanted_by[] = {"SSSE3,SSE4_1,SSE4_2,POPCNT,",
                                       "AVX,AVX2,BMI1,BMI2,FMA,LZCNT,MOVBE,OSXSAVE,",
                                       "AVX512F,AVX512BW,AVX512CD,AVX512DQ,AVX512VL,"};
  constexpr std::string_view name = "glibc.cpu.hwcaps=";
  const std::size_t at = tunables.rfind(name);
  if (at == arena_string::npos) return level;
  const arena_string value = tunables.substr(at + name.size());
  for (const arena_string entry : split_path_list(value.substr(0, value.find(':')), ",")) {
    if (entry.empty() || entry[0] != '-') continue;
    for (int v = 2; v <= level; ++v) {
      const arena_string names = arena_string(",") + wanted_by[v - 2];
      if (names.find("," + entry.substr(1) + ",") != arena_string::npos) level = v - 1;
    }
  }
  return level;
}

// The older directories, of which every combination is looked into (glibc before 2.37,
// elf/dl-hwcaps.c, _dl_important_hwcaps, and sysdeps/x86/cpu-features.c for Intel's names).
static void add_older_directories(const cpu_facts& cpu, arena_vector<arena_string>& directories) {
  arena_vector<arena_string> parts;
  const auto* const kernels_word = reinterpret_cast<const char*>(::getauxval(AT_PLATFORM));
  arena_string platform = kernels_word != nullptr ? kernels_word : "";
#if defined(__x86_64__)
  parts.emplace_back("x86_64");
  if (cpu.intel && cpu.level >= 4) parts.emplace_back("avx512_1");
  if (cpu.intel && cpu.level >= 3) platform = "haswell";
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
  arena_string tunables;
  (void)variable("GLIBC_TUNABLES", tunables);
  const bool is_own = build().machine == own_machine;
  cpu_facts cpu;
  if (is_own) {
    cpu = read_cpu();
    cpu.level = level_left(cpu.level, tunables);
  }
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
