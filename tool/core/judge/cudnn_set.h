// SPDX-License-Identifier: BSD-3-Clause
//
// The files of an observation seen as one set of cuDNN: who each of them is, which of them belong
// together, and what the program needs of them.
#pragma once

#include "../catalogue/catalogue.h"
#include "../model/arena_string.h"
#include "../model/arena_vector.h"
#include "../model/observation.h"
#include "../model/stamp.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

struct cudnn_set {
  struct member {
    const cudnn_file* file = nullptr;
    file_identity identity;
    /// Part of the set: mapped, or one that cuDNN takes in any case.  What another install could
    /// supply to a JIT-only set is no member until it is mapped.
    bool member_of_set = false;
  };
  arena_vector<member> members;  ///< in the order of the observation
  /// Shim, graph and runtime-compiled engines, nothing else of its own; of a release that was not
  /// measured to compute nothing with these.
  bool jit_only = false;
  bool jit_files = false;        ///< the same of any release
  bool recorded = false;         ///< one package's record has every member with its length
  arena_vector<release> common;  ///< what all members can be at once
  bool known = false;            ///< at least one member is known
  version effective;  ///< the release that computes: of the graph library (9) or ops_infer (8)

  bool coherent() const { return !known || !common.empty(); }
  /// The member of that role; null where the observation has none or its file is missing.
  const member* find(library_role role) const;
};

/// In one directory, links resolved or not.
bool beside(const cudnn_file& file, const cudnn_file& other);

/// Has it no library of that role?  What another install would lend a JIT-only set does not work
/// with it.
bool lacks(const cudnn_set& set, library_role role);

/// Does that set compute without a library of that role, which the program may have named as one of
/// its COMPONENTS?  The one answer of every verb: no, the set is broken without it; yes; unknown.
answer computes_without(const stamp& stamped, const cudnn_set& set, library_role role);

/// The release that explains the most members of a set.
release majority(const cudnn_set& set);

/// True where a file can be of that release; one that nothing identifies can be any.
bool can_be(const file_identity& identity, const release& r);

cudnn_set make_set(const arena_vector<cudnn_file>& files, int cudnn_major);

/// The sub-libraries that a program needs at run time: those of its COMPONENTS, or, where it names
/// none, all that its cuDNN ships.  At run time the stamp says it; at configure time `set` does.
arena_vector<library_role> needed_roles(const stamp& stamped, const cudnn_set& set,
                                        int cudnn_major);

/// COMPONENTS that the set computes with as it is: their sub-libraries are all there, and it was
/// measured to do without the others that it lacks.  A list for a person; empty where none is.
arena_string working_components(const cudnn_set& set, int cudnn_major);

/// "nvidia-cudnn-cu13 9.14.0.64 (wheel)"; empty where no record names the file.
arena_string describe(const package_record& package);

/// The same behind a path or a version: " (wheel nvidia-cudnn-cu13 9.14.0.64)"; empty likewise.
arena_string package_text(const cudnn_file& file);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
