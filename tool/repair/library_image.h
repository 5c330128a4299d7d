// SPDX-License-Identifier: BSD-3-Clause
//
// A library that a package would bring, as far as the loader and the judge look at it.  The folder
// of each platform (linux/, windows/) defines the function; a DLL has the identity in place of a
// build id, and no run path.
#pragma once

#include "../core/library/symbol_versions.h"
#include "../core/model/arena_string.h"
#include "../core/model/arena_vector.h"

namespace cudnn_checked::repairs {

struct assumed_library {
  arena_string soname;
  arena_string run_path;                       ///< empty: none
  bool before_library_path = false;            ///< it is a DT_RPATH, not a DT_RUNPATH
  arena_string build_id;                       ///< hexadecimal; empty: none
  arena_vector<arena_string> needed;           ///< DT_NEEDED
  arena_vector<needed_version> versions = {};  ///< of ELF alone
  bool linkable = false;  ///< with a table of sections: a linker reads its SONAME
};

/// A library of this machine with headers, identity and the names that it needs, and nothing else.
/// It has no symbols, so no function is reported as missing.
arena_string library_image(const assumed_library& library);

}  // namespace cudnn_checked::repairs
