// SPDX-License-Identifier: BSD-3-Clause
//
// The options that several commands share.
#include "command_line.h"

namespace cudnn_checked::cli {

const std::vector<option_entry>& common_options() {
  static const std::vector<option_entry> table = {
      {"--json", "", "the result, or the error, as JSON on standard output", &command_line::json},
      {"--help", "", "this text", &command_line::help}};
  return table;
}

option_entry strict_option() {
  return {"--strict", "", "refuse a warning too, and a result that is not known",
          &command_line::strict};
}

option_entry format_option() {
  return {"--format",
          "FORMAT",
          "text (this), json, or what others read: junit, github (annotations of a workflow), "
          "prometheus (metrics)",
          &command_line::format,
          "a format: text, json, junit, github or prometheus",
          format_names};
}

const std::vector<option_entry>& program_options() {
  static const std::vector<option_entry> table = {
      {"--version", "", "the release of this program", &command_line::version},
      {"--cmakedir", "", "where the CMake package of this program lies, for CuDNNChecked_DIR",
       &command_line::cmakedir},
      {"--provider", "", "the file by which a project that is not edited gets a checked cuDNN",
       &command_line::provider}};
  return table;
}

const std::vector<status_entry>& common_statuses() {
  static const std::vector<status_entry> table = {
      {"0", "no error; there may be warnings"},
      {"1", "refused, or something is damaged"},
      {"2", "wrong usage, or the result could not be written"},
      {"3", "the result is not known"},
      {"78", "only from run: the program was not started"}};
  return table;
}

const std::vector<status_entry>& variable_table() {
  static const std::vector<status_entry> table = {
      {"CUDNN_CHECKED", "enforce, warn or off: obeyed by run, as by a guarded program"},
      {"CUDNN_CHECKED_REPORT", "run writes the report as JSON into that file"},
      {"NO_COLOR", "no colours; CLICOLOR_FORCE=1 sets them where there is no terminal"},
      {"COLUMNS", "the width of help texts"}};
  return table;
}

}  // namespace cudnn_checked::cli
