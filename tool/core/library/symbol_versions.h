// SPDX-License-Identifier: BSD-3-Clause
//
// The versions of symbols that a file needs of libraries, and those that it has itself: Linux
// Standard Base Core, "Symbol Versioning"; glibc's are "GLIBC_2.34".
#pragma once

#include "../model/arena_string.h"
#include "../model/arena_vector.h"
#include "../namespace.h"
#include "../system/system_interface.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

struct needed_version {
  arena_string library;  ///< SONAME: "libc.so.6"
  arena_string name;     ///< "GLIBC_2.34"
};

struct symbol_versions {
  arena_vector<needed_version> needed;  ///< without those that may be absent
  arena_vector<arena_string> defined;   ///< in the order of the file
};

/// "GLIBC_2.36" of GLIBC_2.99, where that is the last; empty where there is none.  Linkers write
/// them in the order of releases.
arena_string newest_of_family(const arena_vector<arena_string>& defined, arena_string name);

/// Reads tables only; any input is survived, and what cannot be read is left out.
symbol_versions read_versions(const system_interface& os, arena_string path);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
