// SPDX-License-Identifier: BSD-3-Clause
//
// The rule for releases that the catalogue lacks.  NVIDIA ships unchanged files: of the 823 build
// ids in the 161 packages of cuDNN on PyPI for x86-64 (2026-11), 66 stand in packages for two CUDA
// majors of one release (shims and heuristics), and 9 in several releases, always neighbours (6 of
// libcudnn_ext.so.9, 3 of libcudnn.so.8; docs/measurements.md, "Releases that the catalogue
// lacks").  So an id of a release S may be of a release R as well where
//   - the catalogue does not hold R for that CUDA major: what it holds is exact;
//   - a version word, a versioned name or a package record of another file of the set names R;
//   - the role was seen to stay the same: for several CUDA majors of one release, or in several
//     releases, and then no release in the catalogue lies between S and R.
// Where one package's record names every file of the set with the length that it has, the package
// is R, and every role may have stayed the same.
#include "identity.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

static void add_uncatalogued(const release& r, arena_vector<release>& candidates) {
  if (is_catalogued(r)) return;
  for (const release& known : candidates) {
    if (known.number == r.number && known.cuda_major == r.cuda_major) return;
  }
  candidates.push_back(r);
}

// A release that is named without its CUDA major may be for any that the set has to do with.
static void add_for_majors_of(const cudnn_set& set, version number,
                              arena_vector<release>& candidates) {
  bool has_major = false;
  for (const cudnn_set::member& m : set.members) {
    for (const release& r : m.identity.releases) {
      if (!m.member_of_set || r.cuda_major == 0) continue;
      add_uncatalogued({number, r.cuda_major}, candidates);
      has_major = true;
    }
  }
  if (!has_major) add_uncatalogued({number, 0}, candidates);
}

// The package whose record has every member with its length; null where there is none.
static const package_record* package_of_record(const cudnn_set& set) {
  const package_record* whose = nullptr;
  for (const cudnn_set::member& m : set.members) {
    if (!m.member_of_set) continue;
    const package_record& package = m.file->package;
    if (package.same_size != answer::yes || !package.cudnn.known()) return nullptr;
    if (whose != nullptr && package.record != whose->record) return nullptr;
    whose = &package;
  }
  return whose;
}

static arena_vector<release> uncatalogued_candidates(const cudnn_set& set,
                                                     const package_record* recorded) {
  arena_vector<release> candidates;
  if (recorded != nullptr) add_uncatalogued({recorded->cudnn, recorded->cuda_major}, candidates);
  for (const cudnn_set::member& m : set.members) {
    const bool by_id = m.identity.told_by == file_identity::source::build_id;
    if (!m.member_of_set || by_id) continue;
    for (const release& r : m.identity.releases) {
      if (r.cuda_major != 0) {
        add_uncatalogued(r, candidates);
      } else {
        add_for_majors_of(set, r.number, candidates);
      }
    }
  }
  return candidates;
}

static bool may_be_of(const file_identity& identity, const release& candidate, bool recorded) {
  const bool unchanged = recorded || is_seen_unchanged(identity.role, candidate.number.major);
  const bool shared = recorded || is_seen_shared(identity.role);
  for (const release& r : identity.releases) {
    if (r.cuda_major != candidate.cuda_major && r.cuda_major != 0 && !shared) continue;
    if (r.number == candidate.number) return true;
    if (unchanged && !is_catalogued_between(r.number, candidate.number, candidate.cuda_major) &&
        !is_catalogued_between(r.number, candidate.number, r.cuda_major)) {
      return true;
    }
  }
  return false;
}

void add_uncatalogued_releases(cudnn_set& set) {
  const package_record* const recorded = package_of_record(set);
  set.recorded = recorded != nullptr;
  const arena_vector<release> candidates = uncatalogued_candidates(set, recorded);
  for (cudnn_set::member& m : set.members.in_place()) {
    if (m.identity.told_by != file_identity::source::build_id) continue;
    arena_vector<release> more;
    for (const release& candidate : candidates) {
      const bool by_record = recorded != nullptr && recorded->cudnn == candidate.number;
      if (may_be_of(m.identity, candidate, by_record)) more.push_back(candidate);
    }
    for (const release& r : more) m.identity.releases.push_back(r);
  }
}

bool is_of_one_release(const cudnn_set::member& m) {
  const file_identity& identity = m.identity;
  return identity.told_by == file_identity::source::build_id && !identity.releases.empty() &&
         !is_seen_shared(identity.role) &&
         !is_seen_unchanged(identity.role, identity.releases.front().number.major);
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
