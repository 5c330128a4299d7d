// SPDX-License-Identifier: BSD-3-Clause
//
// What a command has found, for the formats that other programs read.  It has memory of its own.
#pragma once

#include <string>
#include <vector>

#include "../../core/model/finding.h"
#include "../text/output.h"

namespace cudnn_checked::cli {

struct told_finding {
  std::string name;    ///< "cudnn-older"
  std::string aspect;  ///< "files": what it is about
  severity weight = severity::note;
  std::string summary;  ///< one line
  std::string text;     ///< the message for a person
};

/// A library, a program, a machine.
struct checked_subject {
  std::string name;
  std::vector<std::string> aspects;  ///< those that were looked at
  std::vector<told_finding> findings;
  std::string error;  ///< why it could not be checked; empty: it was
};

struct outcome {
  std::string command;
  exit_status status = exit_fine;
  std::vector<checked_subject> subjects = {};
  severity fails_from = severity::error;  ///< a finding of that weight is a failure
};

/// "files", "CUDA libraries", "driver": the words for what findings are about, in their order.
std::string aspect_word(subject_of_finding about);

checked_subject subject_of(const std::string& name, const std::vector<subject_of_finding>& aspects,
                           const arena_vector<finding>& findings);

/// The aspects that were looked at, and those of the findings, each once.
std::vector<std::string> all_aspects(const checked_subject& subject);

/// "ok", "unknown", "warning", "refused", or "not checked".
std::string verdict_word(const checked_subject& subject);

}  // namespace cudnn_checked::cli
