// SPDX-License-Identifier: BSD-3-Clause
//
// A sweep while it runs, and the second one under an errata file.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "../../cli/text/progress.h"
#include "../../core/judge/advice/advice.h"
#include "../../core/report/report.h"
#include "../sweep/disk/problem_list.h"
#include "../sweep/pool/pool.h"
#include "../sweep/shrink/shrink.h"
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

/// The failures of random problems, computed again, and at smaller ones.
static void shrink(const sweep::request& asked, sweep::record& seen) {
  using clock = std::chrono::steady_clock;
  const clock::time_point begin = clock::now();
  const auto left = [&] {
    return asked.seconds - std::chrono::duration<double>(clock::now() - begin).count();
  };
  const auto run = [&](const std::vector<sweep::problem>& problems) {
    sweep::request again = asked;
    again.listed = problems;
    again.seconds = std::max(left(), 0.1);
    return run_watched(again, "sweep: smaller problems", [&](const sweep::sweep_progress& now) {
      show_line("sweep: smaller problems: " + done_by(now));
    });
  };
  sweep::confirm_failures(run, seen);
  const std::vector<sweep::row> rows = sweep::judge_record(seen, {}).rows;
  sweep::shrink_failures(
      rows, run, [&] { return left() > 0; }, seen);
}

sweep::record run_sweep(const sweep::request& asked) {
  sweep::record seen = run_watched(asked, "sweep: starting", [&](const sweep::sweep_progress& now) {
    show_line("sweep: " + progress_of(now, asked.seconds));
  });
  if (asked.random && !seen.interrupted) shrink(asked, seen);
  return seen;
}

bool add_to_list(const std::string& path, const sweep::record& seen,
                 const sweep::sweep_judgement& judged, std::string& error) {
  std::vector<sweep::problem> found;
  for (const sweep::row& row : judged.rows) {
    const std::size_t number = seen.results[row.example].problem;
    // A program takes another plan where one returns an error.
    if (row.worst == sweep::outcome::failed) continue;
    if (sweep::is_refuted(seen, number, row.engine)) found.push_back(seen.problems[number]);
  }
  std::size_t added = 0;
  return sweep::add_to_problem_list(path, found, added, error);
}

static sweep::record run_again_under(const sweep::record& seen, const std::string& errata,
                                     const std::vector<std::size_t>& problems) {
  sweep::request again = seen.asked;
  again.errata = errata;
  // Smaller ones that were found are not among those that the seed stands for.
  if (again.random) {
    for (const std::size_t number : problems) again.listed.push_back(seen.problems[number]);
  } else {
    again.only = problems;
  }
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
        return run_again_under(seen, errata, problems);
      });
}

}  // namespace cudnn_checked::cli
