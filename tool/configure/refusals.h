// SPDX-License-Identifier: BSD-3-Clause
//
// Refusals that need no repairs: what is wrong with a value, with a cuDNN that was found, or with
// how a program of configure time ended.
#pragma once

#include "message.h"
#include "project.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace configure {

/// The message of one of these verbs (docs/configure.md); false where the verb is none of them.
bool refuse(const arena_string& verb, const request& asked, const system_interface& os,
            message& made);

}  // namespace configure
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
