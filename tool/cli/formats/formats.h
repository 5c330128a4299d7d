// SPDX-License-Identifier: BSD-3-Clause
//
// --format: the result of a command in a form that other programs read.  Each writer has a file of
// its own.
#pragma once

#include <string>

#include "../words/command_line.h"
#include "outcome.h"

namespace cudnn_checked::cli {

/// Whether the result is written by one of the writers below.
bool is_written_for_others(const command_line& given);

/// Prints the result in the format that was asked for.
void print_outcome(const command_line& given, outcome told);

/// From now on an error is printed in that format, and in JSON if that was asked for.
void report_errors_in_format(const command_line& given);

/// A document of JUnit: of each subject a suite, in it a case for each aspect.
std::string junit_text(const outcome& told);
/// Commands of a workflow on GitHub: each finding is an annotation.
std::string github_text(const outcome& told);
/// Metrics for the textfile collector of Prometheus' node_exporter.
std::string prometheus_text(const outcome& told);

}  // namespace cudnn_checked::cli
