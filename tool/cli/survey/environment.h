// SPDX-License-Identifier: BSD-3-Clause
//
// Python environments: what their packages bring, require and use of cuDNN.
#pragma once

#include "../../core/model/survey.h"
#include "../machine/candidates.h"
#include "environment_users.h"

namespace cudnn_checked::cli {

/// Is it a site-packages, with the metadata of at least one package?
bool has_metadata(const system_interface& os, const arena_string& directory);

/// Fills asks_for_cudnn of the packages, and place.requirements.
void read_requirements(const system_interface& os, std::vector<package_files>& packages,
                       environment& place);

/// The environments of this machine: the packages of the active Python, those of
/// PYTHONPATH, CONDA_PREFIX.
arena_vector<candidate> environment_candidates(const system_interface& os,
                                               const python_packages& python);

/// The environments that a directory is or has: a site-packages, a virtual environment, a conda
/// prefix.
arena_vector<candidate> environments_in(const system_interface& os, const arena_string& directory);

/// `before` is what was found there on a system that differs in a few files; null: nothing is
/// known.
environment look_at_environment(const system_interface& os, const candidate& where,
                                const look_limits& limits = {},
                                const environment* before = nullptr);

}  // namespace cudnn_checked::cli
