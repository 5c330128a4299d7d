// SPDX-License-Identifier: BSD-3-Clause
//
// The cuDNNs in the directories where one may be.
#pragma once

#include "../../core/library/library_file.h"
#include "../../core/model/survey.h"
#include "../../core/system/system_interface.h"
#include "candidates.h"

namespace cudnn_checked::cli {

/// What a file of cuDNN is, as far as the file itself says it.
cudnn_file describe_file(const system_interface& os, const arena_string& path,
                         const library_file& contents);

/// Adds each cuDNN of those directories, as a program linked with it would find it, and the
/// links to libraries that are gone.
void add_installs(const system_interface& os, const arena_vector<candidate>& places, survey& all);

/// Adds the directories that have libraries of cuDNN, and no libcudnn.so at all.
void add_sets_without_shim(const system_interface& os, const arena_vector<candidate>& places,
                           survey& all);

/// Adds the copies that packages have renamed for themselves.
void add_copies(const system_interface& os, const arena_vector<candidate>& places, survey& all);

/// The cuDNNs of this machine that could be used as they are.
arena_vector<cudnn_place> places_of_cudnn(const system_interface& os);

/// Fills header, header_path and headers of an install from the headers beside its libraries:
/// cudnn.h, and what of cuDNN it includes.
void read_headers(const system_interface& os, cudnn_install& install);

}  // namespace cudnn_checked::cli
