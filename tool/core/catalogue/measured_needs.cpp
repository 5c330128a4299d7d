// SPDX-License-Identifier: BSD-3-Clause
#include "measured_needs.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

#include "needs_table.inc"

static unsigned bits_of(const arena_vector<library_role>& roles) {
  unsigned bits = 0;
  for (const library_role& role : roles) {
    if (role.which() < library_role::none) bits |= 1u << role.which();
  }
  return bits;
}

static answer answer_of(const measured_package& package, unsigned missing) {
  const unsigned gone = missing & package.ships;
  const bool at_most_one = (gone & (gone - 1)) == 0;
  if (at_most_one) return (gone & package.breaks) == 0 ? answer::yes : answer::no;
  return (gone & ~package.spares) == 0 ? answer::yes : answer::unknown;
}

namespace {

/// A measured package; none where `package` is null.
struct measurement {
  const measured_package* package = nullptr;
  version number;

  bool ships(unsigned roles) const { return package != nullptr && (package->ships & roles) != 0; }
};

/// What was measured of a release, or of its nearest neighbours.
struct measurements {
  measurement itself;
  measurement below;
  measurement above;

  bool any() const { return below.package != nullptr || above.package != nullptr; }
  /// Both neighbours are of the minor release.
  bool enclose(version other) const {
    for (const measurement& m : {below, above}) {
      if (m.package == nullptr || m.number.minor != other.minor) return false;
    }
    return true;
  }
};

}  // namespace

static measurements find_measurements(version number, bool jit_only) {
  measurements found;
  for (const measured_release& r : measured_releases) {
    const unsigned char index = jit_only ? r.jit : r.full;
    const version here = {r.major, r.minor, r.patch};
    if (index == 0 || here.major != number.major) continue;
    const measurement m = {&measured_packages[index - 1], here};
    if (here == number) {
      found.itself = m;
    } else if (here < number) {
      found.below = m;
    } else if (found.above.package == nullptr) {
      found.above = m;
    }
  }
  return found;
}

answer finalizes_without(version number, bool jit_only, const arena_vector<library_role>& missing) {
  const unsigned roles = bits_of(missing);
  const measurements found = find_measurements(number, jit_only);
  if (found.itself.package != nullptr) return answer_of(*found.itself.package, roles);
  if (!found.any()) return answer::unknown;
  if (!found.below.ships(roles) && !found.above.ships(roles)) return answer::yes;
  if (!found.enclose(number)) return answer::unknown;
  const answer one = answer_of(*found.below.package, roles);
  return one == answer_of(*found.above.package, roles) ? one : answer::unknown;
}

static answer answer_of(const measured_package& package) {
  return package.finalizes ? answer::yes : answer::no;
}

answer finalizes_as_jit_only(version number) {
  const measurements found = find_measurements(number, true);
  if (found.itself.package != nullptr) return answer_of(*found.itself.package);
  if (!found.enclose(number)) return answer::unknown;
  const answer one = answer_of(*found.below.package);
  return one == answer_of(*found.above.package) ? one : answer::unknown;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
