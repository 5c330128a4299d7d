// SPDX-License-Identifier: BSD-3-Clause
//
// The DLLs of cuDNN for Windows: their ids are what pe_image::identity() makes of those without a
// CodeView id (pe/pe_image.h).
#include "catalogue.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

#include "dll_table.inc"

static constexpr std::size_t dll_id_digits = 13;

const catalogue_table& dll_catalogue() {
  static constexpr catalogue_table table = {
      dll_releases,
      sizeof(dll_releases) / sizeof(catalogue_release),
      dll_role_sets,
      dll_ids,
      sizeof(dll_ids) / sizeof(catalogue_id),
      dll_set_members,
      dll_set_sizes,
      dll_shared_roles,
      dll_unchanged_roles,
      sizeof(dll_unchanged_roles) / sizeof(catalogue_unchanged),
      dll_askers,
      sizeof(dll_askers) / sizeof(catalogue_asker),
      dll_id_digits};
  return table;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
