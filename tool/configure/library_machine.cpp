// SPDX-License-Identifier: BSD-3-Clause
#include "library_machine.h"

#include "../core/library/library_file.h"
#include "../core/model/machine.h"
#include "../core/pe/pe_image.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace configure {

static int machine_of(const byte_source& library) {
  const int own = read_library(library, 0).machine;
  if (own != 0) return own;
  library_file dll;
  pe_image(library).read_headers(0, dll);
  return dll.machine;
}

arena_string other_machine_of(const system_interface& os, const arena_string& library,
                              const arena_string& machine) {
  if (machine != "x86_64" && machine != "aarch64") return {};
  const open_file file(os, library);
  const int number = file.result() == open_result::opened ? machine_of(file.source()) : 0;
  if (number == 0) return {};
  const arena_string own = machine_name(number);
  return own == machine ? arena_string() : own;
}

}  // namespace configure
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
