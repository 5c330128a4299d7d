// SPDX-License-Identifier: BSD-3-Clause
//
// The libraries of cuDNN for Linux: their GNU build ids are SHA-1.
#include "catalogue.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

#include "catalogue_table.inc"

static constexpr std::size_t elf_id_digits = 40;

const catalogue_table& elf_catalogue() {
  static constexpr catalogue_table table = {
      catalogue_releases,
      sizeof(catalogue_releases) / sizeof(catalogue_release),
      catalogue_role_sets,
      catalogue_ids,
      sizeof(catalogue_ids) / sizeof(catalogue_id),
      catalogue_set_members,
      catalogue_set_sizes,
      catalogue_shared_roles,
      catalogue_unchanged_roles,
      sizeof(catalogue_unchanged_roles) / sizeof(catalogue_unchanged),
      catalogue_askers,
      sizeof(catalogue_askers) / sizeof(catalogue_asker),
      elf_id_digits};
  return table;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
