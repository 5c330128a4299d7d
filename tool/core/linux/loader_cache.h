// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

#include "../model/arena_string.h"
#include "../model/arena_vector.h"
#include "../namespace.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

struct loader_cache_entry {
  arena_string soname;
  arena_string path;
};

/// The entries of ld.so.cache whose SONAME begins with `prefix`, in the order of the file, in the
/// format that glibc writes since 2.2, alone or behind the older one ("glibc-ld.so.cache1.1").
/// `flags` are those of the machine's libraries.  Of the entries for special hardware only those in
/// one of the directories `hwcaps` ("glibc-hwcaps/x86-64-v3") are kept; they come first, in its
/// order.  Empty where the contents are damaged.
arena_vector<loader_cache_entry> read_loader_cache(std::string_view cache, std::string_view prefix,
                                                   unsigned flags,
                                                   const arena_vector<arena_string>& hwcaps = {});

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
