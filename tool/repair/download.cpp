// SPDX-License-Identifier: BSD-3-Clause
#include "download.h"

#include "../core/catalogue/measured_needs.h"
#include "../core/catalogue/wheel_sizes.h"
#include "../core/judge/advice/wheel_commands.h"
#include "../core/model/cudnn_major.h"
#include "../core/model/machine.h"
#include "place.h"
#include "wheel_contents.h"

namespace cudnn_checked::repairs {

/// Smaller downloads are not mentioned.
static constexpr int much = 100;

static wheel_platform own_platform() {
  if (value_of_marker("sys_platform") == "win32") return wheel_platform::win_amd64;
  return own_machine == machine_aarch64 ? wheel_platform::manylinux_aarch64
                                        : wheel_platform::manylinux_x86_64;
}

int megabytes_of(const wheel_order& order) {
  int sum = 0;
  for (const arena_string& requirement : brought_by(order)) {
    const arena_string name = name_of_order(requirement);
    if (!is_cudnn_wheel(name)) continue;
    const int own =
        megabytes_of_wheel(release_of_wheel(requirement), !is_jit_only(name), own_platform());
    if (own == 0) return 0;
    sum += own;
  }
  return sum;
}

fix_line with_download(const fix_line& line, const wheel_order& order) {
  fix_line told = line;
  const int megabytes = megabytes_of(order);
  if (megabytes > much) told.megabytes = megabytes;
  return told;
}

void tell_downloads(fix_lines& lines) {
  for (fix_line& line : lines.in_place()) {
    wheel_order all;
    for (const repair& step : line.steps) all.requirements.append(brought_by(step.order));
    if (line.megabytes == 0) line = with_download(line, all);
  }
}

small_package jit_only_for(const arena_string& requirement) {
  const arena_string full = name_of_order(requirement);
  const int cuda_major = release_of_wheel(requirement).cuda_major;
  small_package found;
  found.name = wheel_of_cudnn(newest_cudnn, cuda_major, cudnn_kind::jit_only);
  const release which = release_of_wheel(found.name + specifiers_of_order(requirement));
  if (is_jit_only(full) || finalizes_as_jit_only(which.number) != answer::yes) return {};
  found.megabytes = megabytes_of_wheel(which, false, own_platform());
  return found.megabytes == 0 ? small_package() : found;
}

}  // namespace cudnn_checked::repairs
