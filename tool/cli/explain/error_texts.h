// SPDX-License-Identifier: BSD-3-Clause
//
// The rows of error_texts.def.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "../../core/model/finding.h"

namespace cudnn_checked::cli {

enum class error_kind { error, consequence, harmless };

/// What must be true of the words that a pattern has found.
enum class text_condition { always, older, newer, other_major, as_status, of_cuda };

struct error_cause {
  finding_id finding;
  const char* cause;  ///< a full sentence
  const char* tell;   ///< how to see that it is this cause; may be empty
};

struct error_fix {
  bool is_command;
  const char* text;
};

struct known_error {
  const char* name;
  error_kind kind;
  const char* summary;  ///< a full sentence
  std::vector<error_cause> causes;
  std::vector<const char*> checks;
  std::vector<error_fix> fixes;
};

struct known_text {
  std::size_t error;  ///< index into known_errors()
  text_condition condition;
  const char* pattern;
  const char* source;  ///< where it was seen
};

const std::vector<known_error>& known_errors();
/// In the order of the table: of those that match the same words the first one counts.
const std::vector<known_text>& known_texts();

}  // namespace cudnn_checked::cli
