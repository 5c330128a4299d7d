// SPDX-License-Identifier: BSD-3-Clause
#include "request.h"

#include "../core/catalogue/catalogue.h"
#include "../core/judge/advice/advice.h"
#include "../core/model/format.h"
#include "../core/model/releases.h"
#include "../repair/wheel_contents.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace configure {

/// The releases that a request allows, as pip has them: from `low` on, and before `end`.  A text is
/// as the project wrote it; empty: there is no such limit.
struct release_range {
  arena_string low;
  arena_string end;
  bool one = false;   ///< one release
  bool none = false;  ///< it contradicts itself
};

static version next_of(const version& v) { return version::of(v.major, v.minor, v.patch + 1); }

static release_range range_of(const request& asked, const arena_string& floor,
                              const arena_string& exact) {
  release_range range;
  const arena_string wanted = exact.empty() && asked["exact"] == "yes" ? asked["version"] : exact;
  range.low = floor;
  if (!wanted.empty()) {
    const version only = parse_version(wanted);
    range.none = only < parse_version(floor);
    range.low = to_string(only);
    range.end = to_string(next_of(only));
    range.one = true;
    return range;
  }
  if (parse_version(floor) < parse_version(asked["version"])) range.low = asked["version"];
  range.end = asked["maximum"];
  if (asked["include"] == "yes") range.end = to_string(next_of(parse_version(range.end)));
  return range;
}

int newest_cuda() {
  const catalogue_table& table = shipped_catalogue();
  int newest = 0;
  for (std::size_t i = 0; i < table.release_count; ++i) {
    if (table.releases[i].cuda_major > newest) newest = table.releases[i].cuda_major;
  }
  return newest;
}

/// The first release with a package for that CUDA, and the first later release without one, which
/// is unknown if the newest release has a package.
static void find_limits(int cuda_major, version& first, version& end) {
  const catalogue_table& table = shipped_catalogue();
  for (std::size_t i = 0; i < table.release_count; ++i) {
    const catalogue_release& r = table.releases[i];
    const version number{r.major, r.minor, r.patch};
    if (r.cuda_major == cuda_major) {
      if (!first.known()) first = number;
      end = next_of(number);
    }
  }
  const catalogue_release& last = table.releases[table.release_count - 1];
  if (!(version{last.major, last.minor, last.patch} < end)) return;
  end = version();
}

arena_string requirement_of_request(const request& asked, int cuda_major, const arena_string& floor,
                                    const arena_string& exact) {
  const release_range range = range_of(asked, floor, exact);
  const version low = parse_version(range.low);
  const version above = parse_version(range.end);
  version first;
  version end;
  find_limits(cuda_major, first, end);
  const bool of_arm = asked["machine"] == "aarch64";
  if (of_arm && first < since::wheels_for_aarch64) first = since::wheels_for_aarch64;
  const bool too_old = above.known() && !(first < above);
  const bool too_new = end.known() && low.known() && !(low < end);
  const bool nothing = above.known() && low.known() && !(low < above);
  if (range.none || !first.known() || too_old || too_new || nothing) return {};
  arena_string requirement = format(cudnn_wheel, cuda_major);
  if (range.one) {
    requirement += format("==%s.*", range.low);
  } else if (low.known() && above.known()) {
    requirement += format(">=%s,<%s", range.low, range.end);
  } else if (low.known()) {
    requirement += ">=" + range.low;
  } else if (above.known()) {
    requirement += "<" + range.end;
  }
  // pip would find nothing either, unless the release is newer than the catalogue.
  return repairs::release_of_wheel(requirement).number.known() ? requirement : arena_string();
}

bool answers_request(const request& asked, const version& number, const arena_string& floor,
                     const arena_string& exact) {
  const release_range range = range_of(asked, floor, exact);
  const version above = parse_version(range.end);
  return !range.none && !(number < parse_version(range.low)) && (!above.known() || number < above);
}

}  // namespace configure
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
