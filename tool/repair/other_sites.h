// SPDX-License-Identifier: BSD-3-Clause
//
// Folders beside its own whose packages pip takes for those of an environment: it leaves what an
// order asks for as it is where one of them has it, or removes it there.
#pragma once

#include "../core/model/repair.h"
#include "../core/system/system_interface.h"

namespace cudnn_checked::repairs {

/// What has to be so before pip can be trusted with that step; empty: nothing that is known.
string condition_of_other_sites(const system_interface& os, const repair& step);

}  // namespace cudnn_checked::repairs
