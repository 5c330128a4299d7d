// SPDX-License-Identifier: BSD-3-Clause
#include "machine.h"

#include "format.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// The machines that cuDNN was ever built for, and those of other files that people have.
static constexpr struct {
  int number;
  char name[12];
} machine_names[] = {{62, "x86_64"},
                     {183, "aarch64"},
                     {21, "ppc64le"},
                     {243, "riscv64"},
                     {machine_of_32_bits + 3, "i386"},
                     {machine_of_32_bits + 40, "arm"},
                     {machine_of_32_bits + 62, "x32"}};

arena_string machine_name(int machine) {
  if (machine == 0) return "another machine";
  for (const auto& row : machine_names) {
    if (row.number == machine) return row.name;
  }
  const bool small = machine >= machine_of_32_bits;
  return format("ELF machine %d%s", small ? machine - machine_of_32_bits : machine,
                small ? " (32 bits)" : "");
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
