// SPDX-License-Identifier: BSD-3-Clause
//
// What is known of the problems of a sweep while it runs: which is next, which was begun and not
// ended, which goes on behind a plan that ended its worker.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "../model/line.h"

namespace cudnn_checked::sweep {

class ledger {
 public:
  ledger(const request& asked, std::size_t most_results);

  /// What a free worker computes next: what was given back first, then the next of the list.
  /// False: nothing is left of those that the request names.
  bool next(assignment& given);

  void add(const result& told);
  void add_counts(const message& counts);
  void finish(std::size_t problem);

  /// The worker of an assignment ended while it computed plan `number`, which is named where
  /// `with` is not null; `what` and `detail` say how.  The plan is recorded, and the rest of the
  /// problem is computed by another worker; not where plans of it have ended too many workers.
  void lost(std::size_t problem, std::size_t number, const plan* with, outcome what,
            const std::string& detail);
  /// The same where the plan may not be the culprit: it gets a second try.  False: it has had it.
  bool try_again(std::size_t problem, std::size_t number);
  /// The plan ended its worker for want of memory, and again: it is counted as too large.
  void leave_out(std::size_t problem, std::size_t number);
  /// An assignment that nobody has begun.
  void give_back(const assignment& given);

  const record& now() const { return record_; }
  /// Grows with each result and each end of a problem that a worker tells.
  std::size_t heard() const { return heard_; }
  std::size_t problems_done() const { return done_; }
  std::size_t plans() const { return plans_; }
  std::size_t defects() const { return defects_; }
  /// No more defects fit into memory.
  bool is_full() const;

  /// The whole of it; this is empty after it.
  record take();

 private:
  struct entry {
    std::size_t index = 0;    ///< in the record; the key is its number in the list
    int deaths = 0;           ///< workers that it has ended
    bool thinned = false;     ///< right results of it were dropped
    std::size_t retried = 0;  ///< the plan that had a second try, and one more
  };

  void keep(const result& came);

  std::size_t most_results_;
  record record_;
  std::vector<assignment> given_back_;
  std::map<std::size_t, entry> open_;  ///< problems that are not done
  std::size_t heard_ = 0;
  std::size_t done_ = 0;
  std::size_t plans_ = 0;
  std::size_t defects_ = 0;
};

}  // namespace cudnn_checked::sweep
