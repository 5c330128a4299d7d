// SPDX-License-Identifier: BSD-3-Clause
//
// Messages about an install that was found and cannot be used as it is.
#pragma once

#include "../core/system/system_interface.h"
#include "request.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace configure {

/// The headers that cudnn.h includes are not of one release, or not all there.
reply judge_headers(const request& asked, const system_interface& os);

/// A component that is required came with a later release than the one that was found: installing
/// that again would not bring it.
reply judge_components(const request& asked, const system_interface& os);

/// The first release that has all components that are required; empty where every one has.
arena_string floor_of_components(const request& asked);

/// The files of the install, for where no program could be linked with it, or where one that was
/// did not survive its loading.
reply judge_files(const request& asked, const system_interface& os);

/// What the probe has found, with what can be shown of its fixes: it looks at the files, and it
/// computes, which no view of the system does.
reply judge_report(const request& asked, const system_interface& os);

struct install_place {
  arena_string library;
  arena_string header;  ///< cudnn_version.h
};

/// The cuDNN in the `include` and `lib` of that directory; false where there is none.
bool find_install(const system_interface& os, const arena_string& prefix, install_place& place);

/// What is wrong with the install, also as an answer to find_package.
arena_vector<finding> find_faults(const request& asked, const system_interface& os,
                                  const install_place& place);

}  // namespace configure
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
