// SPDX-License-Identifier: BSD-3-Clause
//
// The rows of error_texts.def.
#pragma once

#include <vector>

#include "../../core/model/finding.h"

namespace cudnn_checked::cli {

enum class error_kind { error, releases, consequence, harmless, silent };

struct error_text {
  const char* pattern;
  const char* source;  ///< where it was seen
};

struct error_cause {
  finding_id finding;
  const char* cause;  ///< a full sentence
  const char* tell;   ///< how to see that it is this cause; may be empty
};

struct known_error {
  const char* name;
  error_kind kind;
  const char* summary;  ///< a full sentence
  std::vector<error_text> texts;
  std::vector<error_cause> causes;
  std::vector<const char*> fixes = {};  ///< a command begins with "$ "
  std::vector<const char*> checks = {"cudnn-checked doctor"};
};

/// Of those that match the same words the first one counts.
const std::vector<known_error>& known_errors();

}  // namespace cudnn_checked::cli
