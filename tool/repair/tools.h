// SPDX-License-Identifier: BSD-3-Clause
//
// Whether a command can be typed here at all, as far as that can be known without typing it.
#pragma once

#include "../core/model/finding.h"
#include "../core/system/system_interface.h"
#include "adviser.h"

namespace cudnn_checked::repairs {

/// The command with what has to come before it: variables that change what pip does, and links that
/// it would write through.
fix_line as_typed_here(const system_interface& os, const fix_line& line);

/// What a person has to see to before typing it, "by a user who may write to /opt"; empty: nothing
/// that is known.  Of what is typed in a container, permissions here say nothing.
arena_string condition_of(const system_interface& os, const fix_line& line, const checked& now);

/// False where what is to be fetched may not be there: apt, conda and indexes are not asked.
bool can_be_fetched(const system_interface& os, const fix_line& line);

/// Commands for a container are not for the machine on which they are printed.
void type_in_container(arena_vector<finding>& findings);

/// What to do instead, in words, where apt would install a package that it does not know; empty: it
/// knows all.
arena_string words_without_apt(const system_interface& os, const fix_line& line);

}  // namespace cudnn_checked::repairs
