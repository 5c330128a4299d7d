// SPDX-License-Identifier: BSD-3-Clause
#include "against.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include "../../sweep/compare/compare.h"
#include "../../sweep/disk/replace_file.h"
#include "../../sweep/plot/plot.h"

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

bool can_plot(const command_line& given, std::string& error) {
  const bool is_report = !given.arguments.empty() && is_report_file(given.file());
  const std::pair<const char*, std::string> others[] = {
      {"the report", is_report ? std::string(given.file()) : std::string()},
      {"the report of --against", given.against},
      {"the file of --errata", given.errata}};
  for (const auto& [name, other] : others) {
    std::error_code absent;
    const bool is_same =
        given.plot == other || std::filesystem::equivalent(given.plot, other, absent);
    if (other.empty() || !is_same) continue;
    error = given.plot + ": it is " + name + ", which a picture would replace";
    return false;
  }
  return sweep::can_replace_file(given.plot, error);
}

bool plot_sweep(const std::string& path, const swept* then, const swept& now, std::string& error) {
  const std::string picture = then == nullptr
                                  ? sweep::plot_of(side_of(now))
                                  : sweep::plot_of(sweep::compare(side_of(*then), side_of(now)));
  return sweep::replace_file(path, picture, error);
}

}  // namespace cudnn_checked::cli
