// SPDX-License-Identifier: BSD-3-Clause
//
// What else is made of a sweep: a comparison, a program.
#include "../sweep/compare/compare.h"
#include "../sweep/model/fields.h"
#include "../sweep/reproduce/reproduce.h"
#include "sweep.h"

namespace cudnn_checked::cli {

static sweep::side side_of(const swept& one) { return {&one.seen, one.name, one.package}; }

exit_status print_comparison(const command_line& given, const swept& then, const swept& now,
                             const std::string& report) {
  const sweep::comparison all = sweep::compare(side_of(then), side_of(now));
  if (given.json) {
    print_json(sweep::json_text_of(all, report));
  } else {
    if (!report.empty()) print(report + "\n");
    print(sweep::text_of(all));
  }
  if (all.compared == 0) return exit_unknown;
  return sweep::got_worse(all) ? exit_refused : exit_fine;
}

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
  } else if (!given.errata.empty() || !given.against.empty()) {
    const char* const other = given.errata.empty() ? "--against" : "--errata";
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
  const sweep::row& row = judged.rows[static_cast<std::size_t>(number) - 1];
  const sweep::problem& p = of.problems[of.results[row.example].problem];
  if (sweep::has_algorithms(p.what) && !sweep::is_network(p.what)) {
    return error("sweep: --reproduce " + given.reproduce + ": there is no program for " +
                 to_string(p.what) + "; --problem '" + to_string(p) + "' computes it again");
  }
  const std::string program = sweep::reproducing_program(of, row);
  if (program.empty()) {
    return error("sweep: --reproduce " + given.reproduce + ": this cudnn-checked has no problem " +
                 to_string(p) + "; the release that computed it has");
  }
  print_json(program);
  return exit_fine;
}

}  // namespace cudnn_checked::cli
