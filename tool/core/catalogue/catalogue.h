// SPDX-License-Identifier: BSD-3-Clause
//
// Who a file of cuDNN is.  A GNU build id survives patchelf, and Debian's packages, PyPI's wheels
// and the copies inside PyTorch have the same one, so it names role, release and CUDA major of a
// file that carries no version word.  Some files are the same in several releases: an id maps to a
// set.  A DLL has an id of another kind (pe/pe_image.h).
#pragma once

#include <cstddef>

#include "../model/arena_string.h"
#include "../model/arena_vector.h"
#include "../model/observation.h"
#include "../model/version.h"
#include "../namespace.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// The role and the releases that a file can be of, and what shows them.
struct file_identity {
  enum class source : unsigned char { build_id, version_word, file_name, package, none };
  source told_by = source::none;
  library_role role;               ///< from the catalogue; else the role of the file's name
  arena_vector<release> releases;  ///< empty: unknown, which restricts nothing
};

/// A package of cuDNN.
struct catalogue_release {
  unsigned char major;
  unsigned char minor;
  unsigned char patch;
  unsigned char cuda_major;  ///< 0: no package, but what a file can be that is of any CUDA major
  bool full;                 ///< the full package, not the JIT-only one alone
  unsigned char role_set;    ///< what it ships: index into catalogue_table::role_sets
};

inline version number_of(const catalogue_release& r) { return {r.major, r.minor, r.patch}; }

/// A package for that CUDA major; 0 stands for all of them.
inline bool is_package_for(const catalogue_release& r, int cuda_major) {
  return r.cuda_major != 0 && (cuda_major == 0 || r.cuda_major == cuda_major);
}

/// The first bytes of an id, and what has it.  A GNU build id that is not in the catalogue is taken
/// for one that is with a probability of 8e-10 (823 of 2^40).  The id of a DLL is no hash: another
/// DLL is taken for one that is if it has its size in memory, and was linked in the same second but
/// for multiples of twelve days.
struct catalogue_id {
  unsigned char bytes[5];
  unsigned char meaning;  ///< library_role::known, and last_of_set if the next id has the next set
};
constexpr unsigned char last_of_set = 128;

/// The roles whose file was seen to be the same in several releases for one CUDA major.
struct catalogue_unchanged {
  unsigned char cudnn_major;
  unsigned roles;
};

/// Since that release, the roles that the library of that role opens by name.
struct catalogue_asker {
  unsigned char major;
  unsigned char minor;
  unsigned char patch;
  library_role::known role;
  unsigned roles;
};

/// The release catalogue, written by tool/data/catalogue/generate.py.
struct catalogue_table {
  const catalogue_release* releases;  ///< by number, then CUDA major
  std::size_t release_count;
  const unsigned* role_sets;  ///< bits are values of library_role::known
  /// Sorted by the set of releases that have the id, then by role.
  const catalogue_id* ids;
  std::size_t id_count;
  const unsigned char* set_members;  ///< indices of releases, set by set
  const unsigned char* set_sizes;
  unsigned shared_roles;  ///< roles whose file was seen to be the same for several CUDA majors
  const catalogue_unchanged* unchanged;
  std::size_t unchanged_count;
  const catalogue_asker* askers;  ///< by role, then release
  std::size_t asker_count;
  std::size_t id_digits;  ///< of a whole id
};

/// Goes through the ids of a catalogue, and knows the releases of each.
struct catalogue_walk {
  const catalogue_table& table;
  std::size_t id = 0;
  std::size_t set = 0;
  std::size_t first_member = 0;

  bool at_end() const { return id == table.id_count; }
  const catalogue_id& here() const { return table.ids[id]; }
  library_role role() const;
  arena_vector<release> releases() const;
  void next();
};

/// The catalogues of the releases for Linux and for Windows.  The linker takes into a program only
/// the one that is used.
const catalogue_table& elf_catalogue();
const catalogue_table& dll_catalogue();

/// The catalogue of this platform, which is shipped.  Tests give another one to the functions that
/// read it.
const catalogue_table& shipped_catalogue();

/// The order of evidence: build id, exported version word, versioned file name, package record;
/// else unknown.  What is identified otherwise than by the id gets its CUDA major from the package
/// record, then from the run path.
file_identity identify(const cudnn_file& file, const catalogue_table& table = shipped_catalogue());
file_identity identify_build_id(arena_string build_id,
                                const catalogue_table& table = shipped_catalogue());

/// What all of the identities can be at once; identities without releases restrict nothing.
/// `known` is false where none of them has any.
arena_vector<release> intersect(const arena_vector<file_identity>& identities, bool& known);

/// The roles that the full package of a release ships, from the catalogue; empty where it does not
/// hold that package.  A CUDA major of 0 stands for all of them.
arena_vector<library_role> roles_of(const release& which,
                                    const catalogue_table& table = shipped_catalogue());

/// The roles of a release whose every build id the catalogue has: those of its full package, or of
/// its JIT-only package where it has no other; empty where it has neither.
arena_vector<library_role> roles_with_known_ids(const release& which,
                                                const catalogue_table& table = shipped_catalogue());

/// The roles that the library of that role opens by name in that release; in the nearest older one
/// where the catalogue lacks it, in the oldest of that major where it is not known.
arena_vector<library_role> asked_by(library_role asker, int major, version number,
                                    const catalogue_table& table = shipped_catalogue());

/// The oldest release after that one whose full package for that CUDA major ships the role; unknown
/// where there is none.
version first_release_with(library_role role, const release& after,
                           const catalogue_table& table = shipped_catalogue());

/// True where the catalogue has the ids of that release, of its JIT-only package at least.  A CUDA
/// major of 0 stands for all of them.
bool is_catalogued(const release& which, const catalogue_table& table = shipped_catalogue());

/// The releases that the catalogue has for that CUDA major, the oldest first: those with a full
/// package, or with any package, JIT-only ones included.
enum class package_set : unsigned char { full, all };
arena_vector<version> catalogued_releases(int cuda_major, package_set which,
                                          const catalogue_table& table = shipped_catalogue());

/// A build id that identifies the file of that role in that release; empty where the catalogue has
/// none.  Only its first bytes are the file's own.
arena_string build_id_of(const release& which, library_role role,
                         const catalogue_table& table = shipped_catalogue());

/// True where the catalogue has a release for that CUDA major (0: any) between the two, in either
/// order, and not counting them.
bool is_catalogued_between(version one, version other, int cuda_major,
                           const catalogue_table& table = shipped_catalogue());

/// True where files of that role were seen to be the same in several releases of that cuDNN major
/// for one CUDA major; such releases are neighbours.
bool is_seen_unchanged(library_role role, int cudnn_major,
                       const catalogue_table& table = shipped_catalogue());

/// True where files of that role were seen to be the same for several CUDA majors of one release.
bool is_seen_shared(library_role role, const catalogue_table& table = shipped_catalogue());

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
