// SPDX-License-Identifier: BSD-3-Clause
#include "reproduce.h"

#include "../../sweep/model/fields.h"
#include "../../sweep/reproduce/reproduce.h"

namespace cudnn_checked::cli {

static bool read_row(const std::string& text, std::int64_t& number) {
  return sweep::read_whole(text, 1, 1000000, number);
}

bool can_reproduce(const command_line& given, std::string& wrong) {
  if (given.reproduce.empty()) return true;
  std::int64_t number = 0;
  if (!read_row(given.reproduce, number)) {
    wrong = "--reproduce " + given.reproduce + ": not the number of a row, which is 1 or more";
  } else if (given.json) {
    wrong = "--reproduce prints a program, which is no JSON";
  } else if (!given.errata.empty() || !given.against.empty() || !given.plot.empty()) {
    const char* const other = !given.errata.empty()    ? "--errata"
                              : !given.against.empty() ? "--against"
                                                       : "--plot";
    wrong = std::string("--reproduce prints a program and does nothing else; leave out ") + other;
  }
  return wrong.empty();
}

exit_status print_reproduction(const command_line& given, const sweep::record& of,
                               const sweep::sweep_judgement& judged) {
  if (!of.why_not.empty() && judged.rows.empty()) {
    return error("sweep: nothing was computed: " + of.why_not, exit_unknown);
  }
  std::int64_t number = 0;
  (void)read_row(given.reproduce, number);
  const std::size_t count = judged.rows.size();
  if (static_cast<std::size_t>(number) > count) {
    const std::string there = count == 0   ? "no engine failed"
                              : count == 1 ? "there is 1 row"
                                           : "there are " + std::to_string(count) + " rows";
    return error("sweep: --reproduce " + given.reproduce + ": " + there);
  }
  print_json(sweep::reproducing_program(of, judged.rows[static_cast<std::size_t>(number) - 1]));
  return exit_fine;
}

}  // namespace cudnn_checked::cli
