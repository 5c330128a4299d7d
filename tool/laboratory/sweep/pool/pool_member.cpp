// SPDX-License-Identifier: BSD-3-Clause
#include "pool_member.h"

#include <signal.h>
#include <sys/wait.h>

#include <algorithm>

#include "../text/text.h"

namespace cudnn_checked::sweep {

static constexpr double longest_exit_seconds = 2;  ///< after its pipe was closed

bool pool_member::start(const pool_settings& settings, const request& asked, int on_device,
                        std::string& error) {
  device = on_device;
  if (!process.start(settings.worker, error)) return false;
  since = pool_clock::now();
  message first(message::kind::request);
  first.asked = asked;
  first.asked.devices = {device};
  process.send(to_line(first));
  return true;
}

void pool_member::give(const assignment& what) {
  given = what;
  at = stage::given;
  has_begun = false;
  number = given.first_plan;
  since = pool_clock::now();
  process.send(to_line(message(message::kind::compute, given.problem, given.first_plan)));
}

/// A worker begins with plans in their order.
bool pool_member::hear_of_plan(const message& said, ledger& known) {
  switch (said.what) {
    case message::kind::begin:
      if (said.number < number || (has_begun && said.number == number)) return false;
      has_begun = true;
      number = said.number;
      with = said.came.with;
      at = stage::building;
      return true;
    case message::kind::built:
      if (!is_in_plan() || said.number != number) return false;
      at = stage::running;
      return true;
    case message::kind::prepares:
      if (has_begun && number != 0) return false;
      at = stage::preparing;
      return true;
    case message::kind::result:
      if (!is_in_plan()) return false;
      known.add(said.came);
      at = stage::between;
      return true;
    case message::kind::counts:
      known.add_counts(said);
      return true;
    case message::kind::end:
      known.finish(said.problem);
      at = stage::waiting;
      return true;
    default:
      return false;
  }
}

/// False if a worker does not say this, or not now.
bool pool_member::hear_line(const std::string& line, ledger& known) {
  message said;
  if (!read_line(line, said)) return false;
  if (at != stage::starting) {
    return is_busy() && said.problem == given.problem && hear_of_plan(said, known);
  }
  on = said.on;
  cannot = said.why;
  if (said.what == message::kind::machine) at = stage::waiting;
  return at == stage::waiting || said.what == message::kind::cannot;
}

void pool_member::hear(ledger& known) {
  process.read_words();
  process.read_answers();
  std::string line;
  while (why == end::by_itself && process.next_line(line)) {
    since = pool_clock::now();
    if (!hear_line(line, known)) end_it(end::foreign);
  }
  if (why == end::by_itself && process.is_flooded()) end_it(end::foreign);
}

void pool_member::end_it(end reason) {
  if (why == end::by_itself) why = reason;
  process.kill_all();
}

double pool_member::limit_of(const request& asked, const pool_settings& settings) const {
  if (at == stage::starting) return settings.start_seconds;
  if (at == stage::preparing) return settings.prepare_seconds;
  return asked.plan_seconds * (is_compiling() ? settings.build_factor : 1);
}

void pool_member::look_at_clock(const request& asked, const pool_settings& settings) {
  if (why != end::by_itself) return;
  const bool silent = process.answers_ended();
  if (at == stage::waiting && !silent) return;
  double limit = limit_of(asked, settings);
  if (silent) limit = std::min(limit, longest_exit_seconds);
  const std::chrono::duration<double> passed = pool_clock::now() - since;
  if (passed.count() >= limit) end_it(end::hung);
}

std::string pool_member::how_it_died(const request& asked, const pool_settings& settings) const {
  std::string text = end_text(process.how_it_ended());
  if (why == end::foreign) text = "wrote what is not of a worker, and was ended";
  if (why == end::hung) {
    const char* const missed = at == stage::starting    ? "was not ready"
                               : at == stage::preparing ? "had no reference"
                               : is_compiling()         ? "not built"
                                                        : "not finished";
    text = missed + std::string(" after ") + formatted("%g s", limit_of(asked, settings));
  } else if (at == stage::starting) {
    text += " before it could compute";
  }
  const std::string words = process.last_words();
  return words.empty() ? text : text + ": " + words;
}

bool pool_member::has_left_in_order() const {
  const int status = process.how_it_ended();
  return why == end::by_itself && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool pool_member::lacked_memory() const {
  const int status = process.how_it_ended();
  if (why != end::by_itself) return false;
  if (WIFEXITED(status)) return WEXITSTATUS(status) == no_memory_status;
  const int by = WTERMSIG(status);
  return by == SIGKILL || by == SIGTERM || by == SIGINT || by == SIGHUP;
}

}  // namespace cudnn_checked::sweep
