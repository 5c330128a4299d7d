// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../model/arena_string.h"
#include "../model/arena_vector.h"
#include "../model/finding.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// What a person is told, in the order of its lines.
struct message {
  arena_string lead = "cudnn_checked: refused";
  arena_string summary;                ///< what is wrong
  arena_vector<fact> facts;            ///< in columns; without a label, more of the fact above
  arena_vector<arena_string> because;  ///< what would happen
  fix_lines fixes;      ///< what to type; "try" where nothing has shown that it helps
  arena_string name;    ///< of the finding
  arena_string quoted;  ///< the output of another program
};

/// The message of one finding; its lead is for the caller to set.
message message_of(const finding& f);

/// Appends its lines without what is quoted.  `commands` are those of the messages above: none is
/// printed twice, and a message that the first of its commands mends there has no fixes.
void append_message(const message& what, arena_vector<arena_string>& commands, string_builder& out);

/// All of its lines (message.cpp).
arena_string text_of(const message& what);

/// Each line of another program's output, set off by a bar.
arena_string quoted_lines(const arena_string& output);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
