// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "../../core/json/json.h"
#include "../../core/model/finding.h"
#include "../../core/model/observation.h"
#include "status.h"

namespace cudnn_checked::cli {

/// On standard output, with colours and lines as the terminal has them.
void print(std::string_view text);
/// The same as it is: JSON, Markdown.
void print_json(std::string_view text);
/// On standard error.
void print_error(std::string_view text);

/// Called first.  Where a standard stream is closed, no file that is opened later takes its place.
void open_streams();
/// Each byte of what a line cannot have in its form "\x0a", but for line breaks and tabs.
std::string printable(std::string_view text);

/// What a command prints on standard output in place of its result.
using error_writer = std::function<std::string(const std::string& text, exit_status status)>;
/// From now on an error is printed so as well.
void report_errors_by(error_writer writer);

/// "cudnn-checked: error: ..." on standard error; also on standard output if there is a writer.
/// Returns `status`, as --strict has it.
exit_status error(std::string_view text, exit_status status = exit_usage);

/// If something could not be printed, says so and returns exit_usage; else returns `status`.
int status_after_printing(int status);

/// "1 cuDNN", "2 cuDNNs".
std::string counted(std::size_t count, const std::string& word);

/// Strings as an array of JSON.
json list_of(const arena_vector<arena_string>& words);

/// Rows as lines whose columns are aligned, two spaces in front and three between.
using text_rows = std::vector<std::vector<std::string>>;
std::string aligned(const text_rows& rows);

/// Each finding as a message of its own, opened by its weight, with an empty line before it.
std::string messages_of(const arena_vector<finding>& findings);

/// Each GPU as a line.
std::string gpus_text(const gpu_facts& devices);

/// "; did you mean verify?" where one of the known words is near to that one; else empty.
std::string did_you_mean(const std::string& word, const std::vector<std::string>& known);

}  // namespace cudnn_checked::cli
