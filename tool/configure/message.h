// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "request.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace configure {

/// What a message says.  What is quoted is the output of another program.
struct message {
  arena_string name;
  arena_string verdict = "refused";
  arena_string summary;
  arena_vector<fact> facts;
  arena_vector<arena_string> because;
  fix_lines fixes;
  arena_string quoted;
};

/// As the reports of the tool have it: what is wrong, the facts in columns, what would happen, what
/// to type, the finding's name, and what is quoted.
arena_string text_of(const message& what);

/// "label|value|where"; `where` may be absent, and may have a "|".
fact fact_of(const arena_string& text);

/// The message of one finding.
message message_of(const finding& f);

/// The message of a request: name, verdict, summary, fact, because, fix, quoted.
message message_of(const request& asked);

/// The lines that the request gives for a key.
fix_lines given_fixes(const request& asked, const char* key);

/// Each line of another program's output, set off by a bar.
arena_string quoted_lines(const arena_string& output);

}  // namespace configure
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
