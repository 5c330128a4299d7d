// SPDX-License-Identifier: BSD-3-Clause
//
// The other way round: what the catalogue has.
#include "catalogue.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

arena_vector<version> catalogued_releases(int cuda_major, package_set which,
                                          const catalogue_table& table) {
  arena_vector<version> numbers;
  for (std::size_t i = 0; i < table.release_count; ++i) {
    const catalogue_release& r = table.releases[i];
    if (is_package_for(r, cuda_major) && (r.full || which == package_set::all)) {
      numbers.push_back(number_of(r));
    }
  }
  return numbers;
}

static bool is_of_release(const catalogue_walk& walk, const release& which) {
  for (const release& r : walk.releases()) {
    const bool same_cuda = r.cuda_major == 0 || r.cuda_major == which.cuda_major;
    if (r.number == which.number && same_cuda) return true;
  }
  return false;
}

arena_string build_id_of(const release& which, library_role role, const catalogue_table& table) {
  for (catalogue_walk walk = {table}; !walk.at_end(); walk.next()) {
    if (walk.role() != role || !is_of_release(walk, which)) continue;
    static constexpr char digits[] = "0123456789abcdef";
    arena_string id;
    for (const unsigned char byte : walk.here().bytes) {
      id += digits[byte >> 4];
      id += digits[byte & 15];
    }
    id.append(table.id_digits - id.size(), '0');
    return id;
  }
  return {};
}
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
