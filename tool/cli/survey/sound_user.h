// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../../core/model/survey.h"
#include "../../repair/adviser.h"

namespace cudnn_checked::cli {

/// Adds a user of the environment `site` with which nothing is wrong but the machine, under what it
/// is called there.
void add_sound_user(const arena_string& site, const cudnn_user& user, repairs::sound_users& all);

}  // namespace cudnn_checked::cli
