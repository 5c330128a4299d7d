// SPDX-License-Identifier: BSD-3-Clause
//
// Messages about an install that was found and cannot be used as it is.
#pragma once

#include "../core/system/system_interface.h"
#include "message.h"
#include "request.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace configure {

/// The finding if the headers that cudnn.h includes are of several releases, or incomplete.
arena_vector<finding> judge_headers(const request& asked, const system_interface& os);

/// The finding if a required component exists only in releases after the one that was found, so
/// that a reinstall does not bring it.
arena_vector<finding> judge_components(const request& asked, const system_interface& os);

/// The first release that has all required components; empty if every release has them.
arena_string floor_of_components(const request& asked);

/// The message about each required component that is `missing` from an install of a release that
/// may have it.
message explain_component(const request& asked, const system_interface& os);

/// The message about a DLL without an import library.
message explain_import(const request& asked, const system_interface& os);

/// Findings about the files of the install, if no program could be linked with it, or if loading it
/// has ended the program.
arena_vector<finding> judge_files(const request& asked, const system_interface& os);

/// The findings of a run that the verb `judge` has refused with the same arguments.  Their fixes
/// are tried on views of the system, which show the effect on files, but not on what cuDNN
/// computes.
arena_vector<finding> findings_with_repairs(const request& asked, const system_interface& os);

struct install_place {
  arena_string library;
  arena_string header;  ///< cudnn_version.h
};

/// The cuDNN in the `include` and `lib` of that directory; false where there is none.
bool find_install(const system_interface& os, const arena_string& prefix, install_place& place);

/// Findings about the install, and about the way in which it satisfies find_package.
arena_vector<finding> find_faults(const request& asked, const system_interface& os,
                                  const install_place& place);

}  // namespace configure
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
