// SPDX-License-Identifier: BSD-3-Clause
//
// doctor --paste: Markdown for a bug report.
#pragma once

#include "paste_facts.h"

namespace cudnn_checked::cli {

/// What doctor prints without --paste, in its parts.
struct doctor_text {
  string overview;  ///< what is there
  string messages;  ///< what is wrong
  string summary;   ///< the last line
};

/// A short code block, and a long one that is folded.  All text is redacted.  Nothing in it ends a
/// code block, and it has at most 60,000 bytes: GitHub takes 65,536 characters.
string paste_text(const system_interface& os, const survey& all, const doctor_text& doctor,
                  const vector<string>& directories);

}  // namespace cudnn_checked::cli
