// SPDX-License-Identifier: BSD-3-Clause
//
// Files that a package of a Python environment has lost, and findings that follow from that.
#include "../../model/paths.h"
#include "../rules/rules.h"
#include "survey_rules.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

bool lacks_what_computes(const recorded_package& recorded) {
  const package_record& package = recorded.package;
  cudnn_set set;
  set.effective = package.cudnn;
  set.jit_only =
      package.name == wheel_of_cudnn(package.cudnn.major, package.cuda_major, cudnn_kind::jit_only);
  return any_of(recorded.absent, [&](const arena_string& path) {
    return computes_without({}, set, role_of_name(base_name(path))) == answer::no;
  });
}

static bool is_told_of_record(const cudnn_user& user, const recorded_package& recorded) {
  return any_of(user.findings, [&](const finding& f) {
    return f.id == finding_id::library_missing && f.expected.where == recorded.package.record;
  });
}

// A user that takes a whole cuDNN is told about the record as well.  If the shim is lost, nobody
// finds that cuDNN: a user that requires it, or requires nothing, takes another one or none.
bool follows_from_absent(const environment& place, const cudnn_user& user, const finding& f) {
  switch (f.id) {
    case finding_id::cudnn_not_found:
    case finding_id::library_missing:
    case finding_id::sublibrary_missing:
    case finding_id::mixed_sublibraries:
    case finding_id::cudnn_older:
    case finding_id::cudnn_major:
    case finding_id::cuda_major:
      break;
    default:
      return false;
  }
  return any_of(place.cudnn_packages, [&](const recorded_package& recorded) {
    const bool has_shim = none_of(recorded.absent, [](const arena_string& path) {
      return role_of_name(base_name(path)) == library_role::shim;
    });
    const bool asks_for_it =
        user.requirement.wheel.empty() || user.requirement.wheel == recorded.package.name;
    return lacks_what_computes(recorded) &&
           (is_told_of_record(user, recorded) || (!has_shim && asks_for_it));
  });
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
