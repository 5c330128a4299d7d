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
  json report(const string& stage = {}) const;
};

/// Called before each step that can end the process: `stage`; p.install.judged is what the files
/// say.
using report_keeper = void (*)(const probing& p, const string& stage);

/// Looks at the files of the cuDNN that is loaded, asks it, lets it compute, and judges.  False
/// where the options name what is not here: `error` says what.
bool prove(probing& p, int cudnn_major, report_keeper keep, string& error);

}  // namespace cudnn_checked::probe
