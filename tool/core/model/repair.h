// SPDX-License-Identifier: BSD-3-Clause
//
// A change that a person can make, as a value.  Its effect on the observed files is known, so it
// can be tried on a view of the system before it is advised (tool/repair).
#pragma once

#include "../namespace.h"
#include "arena_string.h"
#include "arena_vector.h"
#include "python_environment.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// What an environment is to have.
struct wheel_order {
  arena_vector<arena_string> requirements;  ///< "nvidia-cudnn-cu13==9.14.0.*"
  /// Packages that an extra of an installed package brings: "nvidia-cudnn-cu13~=9.0" of
  /// "onnxruntime-gpu[cudnn]==1.31.1", which is the only requirement of the order.
  arena_vector<arena_string> by_extras;
  arena_vector<arena_string>
      conflicting;  ///< names of packages to remove first: they have the same files
  /// The environment has a record of it, so pip would leave it as it is; its dependencies stay.
  bool again = false;
  bool unrecorded = false;  ///< its metadata has no RECORD, so pip cannot remove it first
};

enum class repair_kind : unsigned char {
  variable,  ///< `name` gets `value`; an empty value unsets it
  wheels,    ///< `where` gets what `order` says; without a site it is whichever Python is active
  package,   ///< the package of the record `name`, of dpkg or conda, again: its number is `value`
  debian,    ///< apt installs the package `name`: what is in it is not known; where apt has none of
             ///< that name, `value` is what to do, in words
  cache,     ///< ldconfig writes ld.so.cache anew
  removal,   ///< the file or folder `name` is removed
  link       ///< `name` becomes a link to `value`
};

struct repair {
  repair_kind what = repair_kind::variable;
  arena_string name;
  arena_string value;
  python_environment where;
  wheel_order order;
  const package_installer* by = nullptr;  ///< of `package`
  arena_vector<arena_string> packages;    ///< of `package`: "cudnn=9.14.0.64"
};

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
