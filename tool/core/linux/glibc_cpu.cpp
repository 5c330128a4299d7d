// SPDX-License-Identifier: BSD-3-Clause
#include "glibc_cpu.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include <cstdint>
#include <string_view>

#include "../model/paths.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

#if defined(__x86_64__)
// __builtin_cpu_supports() would add 5.5 KiB of libgcc to every guarded program.  In a virtual
// machine each CPUID takes 10 us.  Every CPU of x86-64 has leaf 80000001H: it says that it is one.
cpu_answers answers_of_cpu() {
  cpu_answers cpu;
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  __cpuid(0, a, b, c, d);
  const unsigned last_leaf = a;
  cpu.intel = b == signature_INTEL_ebx && c == signature_INTEL_ecx && d == signature_INTEL_edx;
  __cpuid(1, a, b, cpu.leaf_1, d);
  __cpuid(0x80000001, a, b, cpu.leaf_extended, d);
  if (last_leaf >= 7) __cpuid_count(7, 0, a, cpu.leaf_7, c, d);
  if ((cpu.leaf_1 & bit_OSXSAVE) == 0) return cpu;
  __asm__("xgetbv" : "=a"(cpu.saved), "=d"(d) : "c"(0));
  if (last_leaf >= 13) __cpuid_count(13, 1, cpu.leaf_xsave, b, c, d);
  return cpu;
}
#else
cpu_answers answers_of_cpu() { return {}; }
#endif

/// Which CPUID leaf has a feature, or what it is concluded from.
enum class feature_source : unsigned char { always, leaf_1, leaf_7, leaf_extended, leaf_xsave };

/// Which registers the kernel must save, or the feature is not usable.
enum class feature_state : unsigned char { none, ymm, zmm };

struct cpu_feature {
  char name[10];
  feature_source source;
  unsigned char bit;
  feature_state needs;
  bool tunable;  ///< does "glibc.cpu.hwcaps=-NAME" take it?
};

// glibc, sysdeps/x86/include/cpu-features.h (the bits), cpu-features.c, update_active (what is
// usable), cpu-tunables.c (the names that are heard).
static constexpr cpu_feature cpu_features[] = {
    {"CMOV", feature_source::always, 0, feature_state::none, true},
    {"CX8", feature_source::always, 0, feature_state::none, true},
    {"SSE2", feature_source::always, 0, feature_state::none, true},
    {"SSE3", feature_source::leaf_1, 0, feature_state::none, false},
    {"SSSE3", feature_source::leaf_1, 9, feature_state::none, true},
    {"CX16", feature_source::leaf_1, 13, feature_state::none, false},
    {"SSE4_1", feature_source::leaf_1, 19, feature_state::none, true},
    {"SSE4_2", feature_source::leaf_1, 20, feature_state::none, true},
    {"POPCNT", feature_source::leaf_1, 23, feature_state::none, true},
    {"LAHF64", feature_source::leaf_extended, 0, feature_state::none, false},
    {"MOVBE", feature_source::leaf_1, 22, feature_state::none, true},
    {"BMI1", feature_source::leaf_7, 3, feature_state::none, true},
    {"BMI2", feature_source::leaf_7, 8, feature_state::none, true},
    {"LZCNT", feature_source::leaf_extended, 5, feature_state::none, true},
    {"OSXSAVE", feature_source::leaf_1, 27, feature_state::none, true},
    {"XSAVE", feature_source::leaf_1, 27, feature_state::none, true},
    {"XSAVEC", feature_source::leaf_xsave, 1, feature_state::none, true},
    {"AVX", feature_source::leaf_1, 28, feature_state::ymm, true},
    {"FMA", feature_source::leaf_1, 12, feature_state::ymm, true},
    {"F16C", feature_source::leaf_1, 29, feature_state::ymm, false},
    {"AVX2", feature_source::leaf_7, 5, feature_state::ymm, true},
    {"AVX512F", feature_source::leaf_7, 16, feature_state::zmm, true},
    {"AVX512DQ", feature_source::leaf_7, 17, feature_state::zmm, true},
    {"AVX512PF", feature_source::leaf_7, 26, feature_state::zmm, true},
    {"AVX512ER", feature_source::leaf_7, 27, feature_state::zmm, true},
    {"AVX512CD", feature_source::leaf_7, 28, feature_state::zmm, true},
    {"AVX512BW", feature_source::leaf_7, 30, feature_state::zmm, true},
    {"AVX512VL", feature_source::leaf_7, 31, feature_state::zmm, true},
};

// A set of them, named: ",AVX,AVX2,".  Each bit is the place in the table.
static constexpr unsigned feature_set(std::string_view names) {
  unsigned set = 0;
  unsigned bit = 1;
  for (const cpu_feature& one : cpu_features) {
    const std::string_view name = one.name;
    for (std::size_t at = 0; at + name.size() + 1 < names.size(); ++at) {
      if (names[at] == ',' && names[at + name.size() + 1] == ',' &&
          names.substr(at + 1, name.size()) == name) {
        set |= bit;
      }
    }
    bit <<= 1;
  }
  return set;
}

// glibc, sysdeps/x86/get-isa-level.h.
static constexpr unsigned features_of_level[] = {
    feature_set(",CMOV,CX8,SSE2,SSE3,SSSE3,CX16,SSE4_1,SSE4_2,POPCNT,LAHF64,"),
    feature_set(",AVX,AVX2,BMI1,BMI2,F16C,FMA,LZCNT,MOVBE,"),
    feature_set(",AVX512F,AVX512BW,AVX512CD,AVX512DQ,AVX512VL,"),
};

// glibc, sysdeps/x86/cpu-features.c, init_cpu_features: GLRO(dl_platform) and GLRO(dl_hwcap).
static constexpr unsigned features_of_haswell =
    feature_set(",AVX2,BMI1,BMI2,FMA,LZCNT,MOVBE,POPCNT,");
static constexpr unsigned features_of_xeon_phi = feature_set(",AVX512CD,AVX512ER,AVX512PF,");
static constexpr unsigned features_of_avx512_1 =
    feature_set(",AVX512CD,AVX512BW,AVX512DQ,AVX512VL,");
static constexpr unsigned features_of_ymm_and_zmm = feature_set(
    ",AVX,AVX2,F16C,FMA,AVX512F,AVX512BW,AVX512CD,AVX512DQ,AVX512ER,AVX512PF,AVX512VL,");

static bool has_all(unsigned set, unsigned wanted) { return (set & wanted) == wanted; }

static unsigned usable_features(const cpu_answers& cpu) {
  constexpr unsigned ymm = 0x06;
  constexpr unsigned zmm = 0xe6;
  constexpr unsigned avx = 1U << 28;
  constexpr unsigned avx512f = 1U << 16;
  const bool has_ymm = has_all(cpu.saved, ymm) && has_all(cpu.leaf_1, avx);
  const bool has_zmm = has_all(cpu.saved, zmm) && has_all(cpu.leaf_7, avx512f);
  unsigned usable = 0;
  unsigned bit = 1;
  for (const cpu_feature& one : cpu_features) {
    const unsigned word = one.source == feature_source::leaf_1          ? cpu.leaf_1
                          : one.source == feature_source::leaf_7        ? cpu.leaf_7
                          : one.source == feature_source::leaf_extended ? cpu.leaf_extended
                          : one.source == feature_source::leaf_xsave    ? cpu.leaf_xsave
                                                                        : ~0U;
    const bool saved =
        one.needs == feature_state::none || (one.needs == feature_state::ymm ? has_ymm : has_zmm);
    if (saved && (word >> one.bit & 1) != 0) usable |= bit;
    bit <<= 1;
  }
  return usable;
}

// "GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2,-FMA" takes features from the CPU.  Before glibc 2.32 the
// names of three of them end with "_Usable".
static unsigned features_left(unsigned usable, arena_string tunables, bool is_old) {
  constexpr std::string_view name = "glibc.cpu.hwcaps=";
  constexpr unsigned renamed = feature_set(",AVX2,FMA,AVX512F,");
  const std::size_t at = tunables.rfind(name);
  if (at == arena_string::npos) return usable;
  const arena_string value = tunables.substr(at + name.size());
  for (const arena_string entry : split_path_list(value.substr(0, value.find(':')), ",")) {
    if (entry.empty() || entry[0] != '-') continue;
    unsigned bit = 1;
    for (const cpu_feature& one : cpu_features) {
      const std::string_view feature = one.name;
      const std::string_view rest = part_of(entry, 1 + feature.size());
      const std::string_view end = is_old && (renamed & bit) != 0 ? "_Usable" : "";
      if (one.tunable && part_of(entry, 1, feature.size()) == feature && rest == end)
        usable &= ~bit;
      bit <<= 1;
    }
  }
  return usable;
}

// glibc 2.34, sysdeps/x86/cpu-features.c, disable_xsave_features.
static unsigned features_without_xsave(unsigned usable) {
  constexpr unsigned either = feature_set(",XSAVE,XSAVEC,");
  constexpr unsigned osxsave = feature_set(",OSXSAVE,");
  const bool saved = has_all(usable, osxsave) && (usable & either) != 0;
  return saved ? usable : usable & ~features_of_ymm_and_zmm;
}

// glibc-hwcaps came with 2.33; of Intel's CPUs $PLATFORM is another word since 2.27, and was still
// in 2.42.
cpu_words words_of_cpu(const cpu_answers& cpu, arena_string tunables, version glibc) {
  const auto is_before = [&glibc](std::uint16_t minor) {
    return glibc.known() && glibc < version{2, minor, 0};
  };
  unsigned usable = features_left(usable_features(cpu), tunables, is_before(32));
  if (!is_before(34)) usable = features_without_xsave(usable);
  cpu_words words;
  for (const unsigned wanted : features_of_level) {
    if (is_before(33) || !has_all(usable, wanted)) break;
    ++words.level;
  }
  words.platform = "x86_64";
  if (!cpu.intel || is_before(27)) return words;
  constexpr unsigned avx512f = feature_set(",AVX512F,");
  constexpr unsigned avx512cd = feature_set(",AVX512CD,");
  constexpr unsigned avx512er = feature_set(",AVX512ER,");
  // AVX512F was a condition of both words before.
  if (is_before(32) && !has_all(usable, avx512f)) usable &= ~avx512cd;
  words.avx512_1 = !has_all(usable, avx512er) && has_all(usable, features_of_avx512_1);
  if (has_all(usable, features_of_haswell)) words.platform = "haswell";
  if (has_all(usable, features_of_xeon_phi)) words.platform = "xeon_phi";
  return words;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
