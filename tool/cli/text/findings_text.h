// SPDX-License-Identifier: BSD-3-Clause
//
// docs/findings.md and docs/glossary.md, which are part of the program: what is known of a finding
// or a word needs no network and no installed file.
#pragma once

#include <string>
#include <vector>

#include "../../core/model/finding.h"

namespace cudnn_checked::cli {

/// The entry of that finding or word as lines for a terminal, without its heading; empty if there
/// is none.
std::string finding_entry(const std::string& name, std::size_t width);

struct finding_sentence {
  finding_id id;
  const char* why;
};

/// All findings, in the order of the document.
std::vector<finding_sentence> finding_sentences();
std::vector<std::string> finding_names();

/// All words of the glossary, in the order of the document.
std::vector<std::string> glossary_words();

/// The name of the finding or of the entry of the glossary that is meant, without case, with a
/// space as a hyphen, and one or several: "run-path" for RPATHs.  Empty: there is none.
std::string explained_name(const std::string& asked);

}  // namespace cudnn_checked::cli
