// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "../core/json/json.h"
#include "../core/model/finding.h"

namespace cudnn_checked::cli {

/// What the program answers to who called it; 78 is the guard's own, for `run` alone.
enum exit_status : int {
  exit_fine = 0,
  exit_refused = 1,
  exit_usage = 2,
  exit_unknown = 3,
  exit_not_started = 78
};

/// Refused, unknown, or no error: a warning is no error.
exit_status status_of(verdict v);

void print(const string& text);  ///< on stdout

/// "cudnn-checked: error: ..." on stderr; returns exit_usage.
exit_status usage_error(const string& text);

/// "1 cuDNN", "2 cuDNNs".
string counted(std::size_t count, const string& word);

/// Strings as an array of JSON.
json list_of(const vector<string>& words);

/// Rows as lines whose columns are aligned, two spaces in front and three between.
string aligned(const vector<vector<string>>& rows);

}  // namespace cudnn_checked::cli
