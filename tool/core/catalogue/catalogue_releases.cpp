// SPDX-License-Identifier: BSD-3-Clause
//
// The other way round: what the catalogue has.
#include "catalogue.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

vector<version> catalogued_releases(int cuda_major, package_set which,
                                    const catalogue_table& table) {
  vector<version> numbers;
  for (std::size_t i = 0; i < table.release_count; ++i) {
    const catalogue_release& r = table.releases[i];
    if (is_package_for(r, cuda_major) && (r.full || which == package_set::all)) {
      numbers.push_back(number_of(r));
    }
  }
  return numbers;
}

static bool is_of_release(const catalogue_table& table, std::size_t set, const release& which) {
  for (std::size_t i = set == 0 ? 0 : table.set_ends[set - 1]; i < table.set_ends[set]; ++i) {
    const catalogue_release& r = table.releases[table.set_members[i]];
    const bool same_cuda = r.cuda_major == 0 || r.cuda_major == which.cuda_major;
    if (number_of(r) == which.number && same_cuda) return true;
  }
  return false;
}

string build_id_of(const release& which, library_role role, const catalogue_table& table) {
  for (std::size_t i = 0; i < table.id_count; ++i) {
    const bool same_role = (table.meanings[i] & 31U) == static_cast<unsigned>(role.which());
    if (!same_role || !is_of_release(table, table.meanings[i] >> 5, which)) continue;
    static constexpr char digits[] = "0123456789abcdef";
    string id;
    for (const unsigned char byte : table.ids[i]) {
      id += digits[byte >> 4];
      id += digits[byte & 15];
    }
    id.append(40 - id.size(), '0');
    return id;
  }
  return {};
}
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
