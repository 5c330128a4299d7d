// SPDX-License-Identifier: BSD-3-Clause
//
// What is known of the problems of a sweep while it runs: which is next, which was begun and not
// ended, which goes on behind a plan that ended its worker.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "../model/line.h"

namespace cudnn_checked::sweep {

/// A problem, by its number in the list that each worker makes from the request, and the plan to
/// begin with.
struct assignment {
  std::size_t problem = 0;
  std::size_t first_plan = 0;
};

class ledger {
 public:
  ledger(const request& asked, std::size_t most_results);

  /// The next assignment for a free worker of that GPU: first one that was given back there, then a
  /// problem that another GPU did not compute right, then the next problem of the list.  False if
  /// no problem of the request is left.
  bool next(int device, assignment& given);
  /// If the request asks for each GPU: these are all.
  void learn_of_devices(const std::vector<int>& devices) { record_.asked.devices = devices; }
  /// That GPU computes no more: others go on with its problems.
  void retire(int device);

  void add(const result& told);
  void add_counts(const message& counts);
  void finish(std::size_t problem);

  /// The worker of an assignment ended while it computed plan `number`, which is named where
  /// `with` is not null; `what` and `detail` say how.  The plan is recorded, and the rest of the
  /// problem is computed by another worker; not where plans of it have ended too many workers.
  void lost(std::size_t problem, std::size_t number, const plan* with, outcome what,
            const std::string& detail);
  /// Gives a plan that may not be the cause a second try.  False if it already had one.
  bool try_again(std::size_t problem, std::size_t number);
  /// The plan ended its worker twice because memory was short: it is counted as too large.
  void leave_out(std::size_t problem, std::size_t number);

  const record& now() const { return record_; }
  /// Grows with each result and each end of a problem that a worker tells.
  std::size_t heard() const { return heard_; }
  std::size_t problems_done() const { return done_; }
  std::size_t plans() const { return plans_; }
  std::size_t defects() const { return defects_; }
  /// No more defects fit into memory.
  bool is_full() const;

  /// Returns the whole record, and leaves this one empty.
  record take();

 private:
  struct entry {
    std::size_t index = 0;    ///< in the record; the key is its number in the list
    int deaths = 0;           ///< workers that it has ended
    bool thinned = false;     ///< right results of it were dropped
    std::size_t retried = 0;  ///< the plan that had a second try, and one more
    int device = 0;
    bool again = false;          ///< it is computed on a second GPU
    bool wants_another = false;  ///< GPU's opinion
  };
  /// What is to be computed, and where: on that GPU, or for `again` on another one.
  struct order {
    assignment what;
    int device = 0;
    std::size_t index = 0;  ///< in the record
  };

  void keep(const result& came);
  void give_back(const assignment& rest, const entry& of);
  bool asks_another(const result& came, const entry& of);

  std::size_t most_results_;
  record record_;
  std::vector<order> given_back_;
  std::vector<order> again_;
  /// Engine, operation, layout, type and GPU of failures about which another GPU was asked.
  std::set<std::tuple<std::int64_t, int, int, int, int>> asked_about_;
  std::map<std::size_t, entry> open_;  ///< problems that are not done
  std::size_t heard_ = 0;
  std::size_t done_ = 0;
  std::size_t plans_ = 0;
  std::size_t defects_ = 0;
};

}  // namespace cudnn_checked::sweep
