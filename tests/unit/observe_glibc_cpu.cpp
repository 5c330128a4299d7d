// SPDX-License-Identifier: BSD-3-Clause
//
// Which directories glibc's loader has for a CPU, and what $PLATFORM is there.  What the real
// loader does on this machine and under qemu-x86_64: tests/real/test_predicted_dlopen.py and
// test_cpus.py.
#include <doctest/doctest.h>

#include <string>

#include "core/linux/glibc_cpu.h"

namespace glibc_cpu {

using namespace cudnn_checked;

constexpr version newest = {};

// Bits of CPUID and XCR0, of the kinds of CPU that glibc tells apart.
constexpr unsigned v2_leaf_1 = 1U << 0 | 1U << 9 | 1U << 13 | 1U << 19 | 1U << 20 | 1U << 23;
constexpr unsigned v3_leaf_1 = v2_leaf_1 | 1U << 12 | 1U << 22 | 1U << 27 | 1U << 28 | 1U << 29;
constexpr unsigned v3_leaf_7 = 1U << 3 | 1U << 5 | 1U << 8;
constexpr unsigned v4_leaf_7 = v3_leaf_7 | 1U << 16 | 1U << 17 | 1U << 28 | 1U << 30 | 1U << 31;
constexpr unsigned phi_leaf_7 = v3_leaf_7 | 1U << 16 | 1U << 26 | 1U << 27 | 1U << 28;
constexpr unsigned lahf = 1U << 0;
constexpr unsigned lzcnt = 1U << 5;

constexpr cpu_answers old_amd = {false, 1U << 0, 0, lahf, 0, 0};
constexpr cpu_answers nehalem = {true, v2_leaf_1, 0, lahf, 0, 0};
constexpr cpu_answers haswell = {true, v3_leaf_1, v3_leaf_7, lahf | lzcnt, 0, 0x07};
constexpr cpu_answers epyc = {false, v3_leaf_1, v3_leaf_7, lahf | lzcnt, 2, 0x07};
constexpr cpu_answers skylake = {true, v3_leaf_1, v4_leaf_7, lahf | lzcnt, 2, 0xe7};
constexpr cpu_answers xeon_phi = {true, v3_leaf_1, phi_leaf_7, lahf | lzcnt, 2, 0xe7};

// "v3 haswell", "v4 haswell avx512_1".
static std::string words(const cpu_answers& cpu, const std::string& tunables = "",
                         version glibc = newest) {
  const cpu_words all =
      words_of_cpu(cpu, tunables.empty() ? "" : "glibc.cpu.hwcaps=" + tunables, glibc);
  return "v" + std::to_string(all.level) + " " + std::string(all.platform) +
         (all.avx512_1 ? " avx512_1" : "");
}

TEST_CASE("what glibc makes of a CPU") {
  CHECK(words(old_amd) == "v1 x86_64");
  CHECK(words(nehalem) == "v2 x86_64");
  CHECK(words(haswell) == "v3 haswell");
  CHECK(words(epyc) == "v3 x86_64");
  CHECK(words(skylake) == "v4 haswell avx512_1");
  CHECK(words(xeon_phi) == "v3 xeon_phi");
  CHECK(words({}) == "v1 x86_64");
}

TEST_CASE("a feature counts where the kernel saves its registers") {
  cpu_answers cpu = skylake;
  cpu.saved = 0x07;
  CHECK(words(cpu) == "v3 haswell");
  cpu.saved = 0x03;
  CHECK(words(cpu) == "v2 x86_64");
  cpu.saved = 0xe7;
  cpu.leaf_1 &= ~(1U << 27);  // OSXSAVE
  CHECK(words(cpu) == "v2 x86_64");
}

TEST_CASE("a hypervisor may take any feature away") {
  for (const int bit : {0, 9, 13, 19, 20, 23}) {
    cpu_answers cpu = skylake;
    cpu.leaf_1 &= ~(1U << bit);
    // POPCNT is one of Haswell's as well.
    CHECK(words(cpu) == (bit == 23 ? "v1 x86_64 avx512_1" : "v1 haswell avx512_1"));
  }
  cpu_answers cpu = haswell;
  cpu.leaf_1 &= ~(1U << 29);  // F16C is no condition of "haswell"
  CHECK(words(cpu) == "v2 haswell");
  cpu = haswell;
  cpu.leaf_1 &= ~(1U << 22);  // MOVBE
  CHECK(words(cpu) == "v2 x86_64");
  cpu = haswell;
  cpu.leaf_extended = lahf;
  CHECK(words(cpu) == "v2 x86_64");
  cpu.leaf_extended = 0;
  CHECK(words(cpu) == "v1 x86_64");
  cpu = xeon_phi;
  cpu.leaf_7 &= ~(1U << 26);  // AVX512PF
  CHECK(words(cpu) == "v3 haswell");
}

TEST_CASE("tunables take features away") {
  CHECK(words(haswell, "-AVX2") == "v2 x86_64");
  CHECK(words(haswell, "-AVX2_Usable,AVX2,-F16C,-,-AVX22,-AVX") == "v2 haswell");
  CHECK(words(haswell, "-AVX2_Usable,AVX2,-F16C") == "v3 haswell");
  for (const char* name : {"-BMI1", "-BMI2", "-LZCNT", "-MOVBE", "-FMA"}) {
    CHECK(words(skylake, name) == "v2 x86_64 avx512_1");
  }
  CHECK(words(skylake, "-AVX") == "v2 haswell avx512_1");
  CHECK(words(skylake, "-AVX512F") == "v3 haswell avx512_1");
  CHECK(words(skylake, "-AVX512CD") == "v3 haswell");
  CHECK(words(skylake, "-SSSE3") == "v1 haswell avx512_1");
  CHECK(words(skylake, "-CX8") == "v1 haswell avx512_1");
  CHECK(words(xeon_phi, "-AVX512ER") == "v3 haswell");
  // Without XSAVE and XSAVEC the registers are not saved.
  CHECK(words(skylake, "-OSXSAVE") == "v2 x86_64");
  CHECK(words(skylake, "-XSAVE") == "v4 haswell avx512_1");
  CHECK(words(skylake, "-XSAVE,-XSAVEC") == "v2 x86_64");
  CHECK(words(haswell, "-XSAVE") == "v2 x86_64");
  // Among others; of several the last.
  CHECK(words(haswell, "-AVX2:glibc.malloc.check=1") == "v2 x86_64");
  CHECK(words(haswell, "-AVX2:glibc.cpu.hwcaps=-F16C") == "v3 haswell");
}

TEST_CASE("older releases of glibc") {
  CHECK(words(skylake, "", {2, 26, 0}) == "v1 x86_64");
  CHECK(words(skylake, "", {2, 27, 0}) == "v1 haswell avx512_1");
  CHECK(words(skylake, "", {2, 32, 0}) == "v1 haswell avx512_1");
  CHECK(words(skylake, "", {2, 33, 0}) == "v4 haswell avx512_1");
  CHECK(words(skylake, "", {2, 42, 0}) == "v4 haswell avx512_1");
  CHECK(words(xeon_phi, "", {2, 31, 0}) == "v1 xeon_phi");
  // The names of three tunables.
  CHECK(words(skylake, "-AVX2,-FMA,-AVX512F", {2, 31, 0}) == "v1 haswell avx512_1");
  CHECK(words(skylake, "-AVX2_Usable", {2, 31, 0}) == "v1 x86_64 avx512_1");
  CHECK(words(skylake, "-AVX512F_Usable", {2, 31, 0}) == "v1 haswell");
  CHECK(words(xeon_phi, "-AVX512F_Usable", {2, 31, 0}) == "v1 haswell");
  CHECK(words(skylake, "-OSXSAVE", {2, 33, 0}) == "v4 haswell avx512_1");
}

}  // namespace glibc_cpu
