// SPDX-License-Identifier: BSD-3-Clause
//
// A sweep while it runs, and the second one under an errata file.
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "../../cli/text/progress.h"
#include "../../core/judge/advice/advice.h"
#include "../../core/report/report.h"
#include "../sweep/pool/pool.h"
#include "sweep.h"

namespace cudnn_checked::cli {

// A few problems, which take a few seconds; a GPU that others use as well takes longer.
static constexpr double most_seconds_again = 300;

static sweep::record run_watched(const sweep::request& asked, const char* starting,
                                 const sweep::listener& watching) {
  show_line(starting);
  sweep::record seen = sweep::run_pool(asked, watching);
  end_progress();
  return seen;
}

/// "12 problems, 3456 plans".
static std::string done_by(const sweep::sweep_progress& now) {
  return std::string(counted(now.problems, "problem")) + ", " +
         std::string(counted(now.plans, "plan"));
}

/// "12 problems, 3456 plans (580 a second), 2 failed; 43 s left".
static std::string progress_of(const sweep::sweep_progress& now, double seconds) {
  std::string text;
  if (now.plans == 0) {
    text = now.workers == 0 ? std::string("starting")
                            : std::string(counted(now.workers, "process")) + " started";
  } else {
    const auto speed = static_cast<long>(static_cast<double>(now.plans) / now.seconds);
    text = done_by(now) + " (" + std::to_string(speed) + " a second), " +
           std::to_string(now.defects) + " failed";
  }
  const double left = std::ceil(seconds - now.seconds);
  if (left <= 0) return text + "; waiting for the last ones";
  return text + "; " + std::to_string(static_cast<long>(left)) + " s left";
}

sweep::record run_sweep(const sweep::request& asked) {
  return run_watched(asked, "sweep: starting", [&](const sweep::sweep_progress& now) {
    show_line("sweep: " + progress_of(now, asked.seconds));
  });
}

static sweep::record run_again_under(const sweep::request& asked, const std::string& errata,
                                     const std::vector<std::size_t>& problems) {
  sweep::request again = asked;
  again.errata = errata;
  again.only = problems;
  again.seconds = most_seconds_again;
  return run_watched(again, "sweep: under the errata file", [](const sweep::sweep_progress& now) {
    show_line("sweep: under the errata file: " + done_by(now));
  });
}

std::string note_of_errata(const std::string& path) {
  const char* const other = std::getenv("CUDNN_ERRATA_JSON_FILE");
  std::error_code absent;
  const bool is_there = other != nullptr && std::filesystem::exists(other, absent);
  if (!is_there || std::filesystem::equivalent(other, path, absent)) return {};
  const std::string typed = quoted(arena_string(other)).c_str();
  return std::string(one_line(("CUDNN_ERRATA_JSON_FILE names another file, and programs read one; "
                               "to add to it: --errata " +
                               typed)
                                  .c_str()));
}

sweep::errata_outcome write_errata(const std::string& path, const sweep::record& seen,
                                   const sweep::sweep_judgement& judged) {
  sweep::errata_evidence evidence = {seen, {}};
  for (const sweep::row& row : judged.rows) {
    if (row.shown != sweep::proof::disputed) continue;
    evidence.disputed.push_back({row.what, row.layout, row.type, row.engine});
  }
  return sweep::finish_errata(
      path, evidence, [&](const std::string& errata, const std::vector<std::size_t>& problems) {
        return run_again_under(seen.asked, errata, problems);
      });
}

}  // namespace cudnn_checked::cli
