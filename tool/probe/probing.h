// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../core/check/cudnn_check.h"
#include "../core/json/json.h"
#include "options.h"

namespace cudnn_checked::probe {

/// What the report is made of.
struct probing {
  const options& given;
  cudnn_check install;  ///< its stamp is what the headers say

  probing(const options& arguments, loader& search);
  /// `stage` is the step that is running; empty: it is finished.
  json report(const arena_string& stage = {}) const;
};

/// Is told before each step that can end the process.  A class, because GCC 13 crashes on a member
/// that is a pointer to a function with parameters of an unnamed namespace, as in a program of one
/// unit.
class report_keeper {
 public:
  virtual ~report_keeper() = default;
  /// `stage` is the step; p.install.judged is what the files say.
  virtual void keep(const probing& p, const arena_string& stage) = 0;
};

/// Looks at the files of the cuDNN that is loaded, asks it, lets it compute, and judges.  False
/// where the options name what is not here: `error` says what.
bool prove(probing& p, int cudnn_major, report_keeper& keeper, arena_string& error);

}  // namespace cudnn_checked::probe
