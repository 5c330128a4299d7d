// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "../../sweep/model/record.h"
#include "../words/command_line.h"

namespace cudnn_checked::cli {

/// What was swept, by this command or by an earlier one.
struct swept {
  sweep::record seen;
  std::string directory;  ///< of the cuDNN
  std::string name;       ///< the report or the directory, as it was typed
  std::string package;    ///< the release of cudnn-checked that computed it
  bool is_read = false;   ///< from a report: nothing was computed
};

/// A file that is no library: to be read as a report.
bool is_report_file(const std::string& path);

/// Reads a report of `sweep --json`.  On failure says why in `error`, behind the path.
bool read_swept(const std::string& path, swept& result, std::string& error);

/// An option that asks for a computation: "--seconds"; empty where there is none.
std::string computing_option(const command_line& given);

}  // namespace cudnn_checked::cli
