// SPDX-License-Identifier: BSD-3-Clause
#include "pool.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "../judge/judge.h"
#include "gpu_roster.h"
#include "ledger.h"
#include "pool_member.h"
#include "stop_signals.h"
#include "worker_count.h"

namespace cudnn_checked::sweep {

// In a row, with nothing computed between them.  A worker that tells why it cannot is believed.
static constexpr int most_failed_starts = 2;
static constexpr int most_failed_restarts = 3;  ///< where a worker could compute before
static constexpr int most_fruitless_deaths = 16;
static constexpr int most_deaths_before_a_plan = 4;
static constexpr double longest_wait_seconds = 5;  ///< for killed processes
static constexpr int turn_milliseconds = 50;       ///< the clock is looked at that often
static constexpr int lost_milliseconds = 500;      ///< a turn that takes longer was none
static constexpr double seconds_between_shows = 0.1;

static double seconds_since(pool_clock::time_point begin) {
  return std::chrono::duration<double>(pool_clock::now() - begin).count();
}

namespace {

class sweep_pool {
 public:
  sweep_pool(const request& asked, const listener& watching, const pool_settings& settings)
      : asked_(asked),
        watching_(watching),
        settings_(settings),
        gpus_(asked),
        ledger_(asked, settings.most_results) {
    if (settings_.worker.empty()) settings_.worker = {"/proc/self/exe", worker_argument};
    // The first one tells which GPUs there are.
    if (asked.each_device) return;
    // Otherwise the first one tells how much memory its GPU has.
    if (asked.workers > 0) wanted_ = most_useful(static_cast<std::size_t>(asked.workers));
  }

  record run() {
    while (!stopping_ || (!members_.empty() && seconds_since(stopped_) < settings_.grace_seconds)) {
      start_workers();
      give_work();
      wait_for_files();
      forgive_lost_time();
      listen();
      look_at_signals();
      show();
      if (seconds_since(begin_) >= asked_.seconds) stop();
      if (ledger_.is_full()) stop_early("there are more defects than are kept in memory");
    }
    end_all();
    if (signals_.count() > 1) signals_.end_this_process();
    const std::size_t heard = ledger_.heard();
    record all = ledger_.take();
    all.asked.devices = asked_.devices;
    all.on = on_;
    all.gpus = gpus_.all();
    all.seconds = seconds_since(begin_);
    all.interrupted = interrupted_;
    const bool has_computed =
        heard != 0 || any_of(all.results, [](const result& one) { return one.with.engine >= 0; });
    if (!has_computed && why_ended_.empty()) {
      why_ended_ = interrupted_ ? "interrupted before the first plan was computed"
                                : "the time was over before the first plan was computed";
    }
    (has_computed ? all.ended_early : all.why_not) = why_ended_;
    set_defective_gpus_apart(all);
    return all;
  }

 private:
  std::size_t most_useful(std::size_t workers) const {
    const std::size_t most = asked_.only.empty() ? workers : std::min(workers, asked_.only.size());
    return std::max(most, gpus_.devices().size());
  }

  int idlest_device() const {
    int idlest = gpus_.devices().front();
    std::ptrdiff_t least = -1;
    for (const int device : gpus_.devices()) {
      const auto count = std::count_if(members_.begin(), members_.end(),
                                       [&](const auto& one) { return one->device == device; });
      if (least >= 0 && count >= least) continue;
      least = count;
      idlest = device;
    }
    return idlest;
  }

  /// If each GPU is asked for: which there are.
  void learn_of_devices(const pool_member& member) {
    if (!gpus_.learn_of_count(member.on.gpus)) return;
    asked_.devices = gpus_.devices();
    ledger_.learn_of_devices(asked_.devices);
  }

  void learn_of_gpu(const pool_member& member) {
    const std::string other = gpus_.learn_of_gpu(member.device, member.on);
    if (!other.empty()) stop_early(other);
  }

  /// A GPU on which no process can compute, if those on others can, or may.
  bool retire(const pool_member& member, const std::string& why) {
    learn_of_devices(member);
    const bool others = any_of(members_, [&](const auto& one) {
      return one->device != member.device && one->at != pool_member::stage::starting;
    });
    const bool has_computed = any_of(members_, [&](const auto& one) {
      return one->device == member.device && one->at != pool_member::stage::starting;
    });
    const bool may_others = !is_on_ && member.on.gpus > 0;
    if (!(others || may_others) || has_computed || gpus_.devices().size() < 2) return false;
    gpus_.retire(member.device, why);
    ledger_.retire(member.device);
    return true;
  }

  void start_workers() {
    while (!stopping_ && members_.size() < wanted_) {
      auto member = std::make_unique<pool_member>();
      std::string error;
      if (member->start(settings_, asked_, idlest_device(), error)) {
        members_.push_back(std::move(member));
      } else {
        bury_starting(*member, {}, error);
      }
    }
  }

  void give_work() {
    bool is_all_given = false;  // what the request stands for
    for (const auto& member : members_) {
      const bool waits = member->at == pool_member::stage::waiting &&
                         member->why == pool_member::end::by_itself &&
                         !member->process.answers_ended();
      assignment given;
      if (!waits || stopping_) continue;
      if (ledger_.next(member->device, given)) {
        member->give(given);
      } else {
        is_all_given = true;
      }
    }
    const bool is_busy = any_of(members_, [](const auto& one) { return one->is_busy(); });
    if (is_all_given && !is_busy) stop();
  }

  void wait_for_files() {
    std::vector<pollfd> files = {{signals_.file(), POLLIN, 0}};
    bool is_ending = false;
    for (const auto& member : members_) {
      const worker_process& process = member->process;
      files.push_back({process.answers(), POLLIN, 0});
      files.push_back({process.words(), POLLIN, 0});
      if (process.has_more_to_send()) files.push_back({process.commands(), POLLOUT, 0});
      is_ending =
          is_ending || process.answers_ended() || member->why != pool_member::end::by_itself;
    }
    // The end of a process is no file.
    ::poll(files.data(), files.size(), is_ending ? 2 : turn_milliseconds);
  }

  /// If this process did not run, the workers may not have run either (a frozen container, a
  /// machine that was paused): that time is none of their plans'.
  void forgive_lost_time() {
    const pool_clock::time_point now = pool_clock::now();
    const pool_clock::duration passed = now - turned_;
    turned_ = now;
    if (passed < std::chrono::milliseconds(lost_milliseconds)) return;
    for (const auto& member : members_) member->since += passed;
  }

  void listen() {
    for (auto& member : members_) {
      const bool was_starting = member->at == pool_member::stage::starting;
      member->process.send_more();
      member->hear(ledger_);
      if (was_starting && member->at != pool_member::stage::starting) learn_of_machine(*member);
      member->look_at_clock(asked_, settings_);
    }
    for (std::size_t i = 0; i < members_.size();) {
      pool_member& member = *members_[i];
      if (!member.process.has_exited()) {
        ++i;
        continue;
      }
      member.hear(ledger_);
      const std::unique_ptr<pool_member> ended = std::move(members_[i]);
      members_.erase(members_.begin() + static_cast<std::ptrdiff_t>(i));
      bury(*ended);
    }
  }

  void learn_of_machine(const pool_member& member) {
    failed_starts_ = 0;
    if (is_on_) return learn_of_gpu(member);
    is_on_ = true;
    on_ = member.on;
    learn_of_devices(member);
    learn_of_gpu(member);
    auto count = static_cast<std::size_t>(asked_.workers);
    if (count == 0) {
      resources found = resources_of_this_machine();
      found.gpu_memory = on_.memory_free * gpus_.devices().size();
      found.worker_bytes = asked_.worker_bytes;
      count = static_cast<std::size_t>(count_of_workers(found));
    }
    wanted_ = most_useful(count);
  }

  void bury(const pool_member& member) {
    if (member.why == pool_member::end::unwanted) return;
    const std::string died = member.how_it_died(asked_, settings_);
    if (member.at == pool_member::stage::starting) {
      if (!stopping_) bury_starting(member, died, member.cannot);
      return;
    }
    // It has seen that the sweep is over.
    if (stopping_ && member.has_left_in_order()) return;
    if (member.is_busy()) give_back(member, died);
    if (ledger_.heard() != in_vain_.heard) in_vain_ = {ledger_.heard(), 0, 0};
    ++in_vain_.deaths;
    if (!member.has_begun) ++in_vain_.before_a_plan;
    if (in_vain_.deaths >= most_fruitless_deaths + static_cast<int>(wanted_) ||
        in_vain_.before_a_plan >= most_deaths_before_a_plan) {
      stop_early("every worker process " + died);
    }
  }

  /// A start that failed.  If others compute, there is room for no more.
  void bury_starting(const pool_member& member, const std::string& died,
                     const std::string& cannot) {
    if (retire(member, cannot.empty() ? "a process " + died : cannot)) return;
    ++failed_starts_;
    if (!members_.empty()) {
      wanted_ = members_.size();
      return;
    }
    const int most = is_on_ ? most_failed_restarts : cannot.empty() ? most_failed_starts : 1;
    if (failed_starts_ >= most) stop_early(cannot.empty() ? "a process " + died : cannot);
  }

  /// What a worker that died was computing: who is to blame, and what is computed again.
  void give_back(const pool_member& member, const std::string& died) {
    using stage = pool_member::stage;
    const std::size_t problem = member.given.problem;
    if (member.at == stage::preparing) {
      // If the second try has no reference either, the problem is left and nobody is named.
      (void)ledger_.try_again(problem, member.given.first_plan);
      return;
    }
    const outcome what = member.why == pool_member::end::hung ? outcome::hung : outcome::died;
    // It has told of a lost context itself, or listed what is not supported.
    if (member.at == stage::between)
      return ledger_.lost(problem, member.number, nullptr, what, died);
    const bool is_innocent = member.lacked_memory();
    // What has not even asked which plans there are may be asked again, too.
    if ((is_innocent || !member.has_begun) && ledger_.try_again(problem, member.number)) return;
    if (is_innocent) return ledger_.leave_out(problem, member.number);
    const plan none;
    ledger_.lost(problem, member.number, member.has_begun ? &member.with : &none, what, died);
  }

  void stop_early(const std::string& why) {
    if (!stopping_) why_ended_ = why;
    stop();
  }

  void look_at_signals() {
    const int count = signals_.count();
    if (count == 0) return;
    interrupted_ = true;
    stop();
    if (count == 1) return;
    end_all();
    signals_.end_this_process();
  }

  /// Running plans come to their end, nothing else is begun.
  void stop() {
    if (stopping_) return;
    stopping_ = true;
    stopped_ = pool_clock::now();
    for (const auto& member : members_) {
      member->process.close_commands();
      if (member->at == pool_member::stage::starting) member->end_it(pool_member::end::unwanted);
    }
  }

  void end_all() {
    const pool_clock::time_point begin = pool_clock::now();
    for (const auto& member : members_) member->end_it(pool_member::end::unwanted);
    while (!members_.empty() && seconds_since(begin) < longest_wait_seconds) {
      wait_for_files();
      listen();
    }
    members_.clear();
  }

  void show() {
    if (seconds_since(shown_) < seconds_between_shows) return;
    shown_ = pool_clock::now();
    sweep_progress now;
    now.seconds = seconds_since(begin_);
    now.workers = static_cast<std::size_t>(
        std::count_if(members_.begin(), members_.end(),
                      [](const auto& one) { return one->at != pool_member::stage::starting; }));
    now.problems = ledger_.problems_done();
    now.plans = ledger_.plans();
    now.defects = ledger_.defects();
    watching_(now);
  }

  request asked_;
  const listener& watching_;
  pool_settings settings_;
  gpu_roster gpus_;
  ledger ledger_;
  stop_signals signals_;
  std::vector<std::unique_ptr<pool_member>> members_;
  machine on_;
  bool is_on_ = false;  ///< a worker could compute
  std::size_t wanted_ = 1;
  int failed_starts_ = 0;
  /// Workers that died, and nothing was heard between them.
  struct {
    std::size_t heard = 0;
    int deaths = 0;
    int before_a_plan = 0;
  } in_vain_;
  bool stopping_ = false;
  bool interrupted_ = false;
  std::string why_ended_;  ///< before the time
  pool_clock::time_point begin_ = pool_clock::now();
  pool_clock::time_point shown_ = begin_;
  pool_clock::time_point turned_ = begin_;  ///< when files were waited for last
  pool_clock::time_point stopped_;
};

}  // namespace

record run_pool(const request& asked, const listener& watching, const pool_settings& settings) {
  return sweep_pool(asked, watching, settings).run();
}

}  // namespace cudnn_checked::sweep
