// SPDX-License-Identifier: BSD-3-Clause
//
// How a program ended that calls cuDNN, and the last of what it printed.
#include "prove/run_program.h"

#include <doctest/doctest.h>

#include <string>

using namespace cudnn_checked;
using namespace cudnn_checked::prove;
using how = spawn::program_end::how;

static program_run printed(const std::string& text, unsigned long long dropped = 0) {
  return {{how::exited, 1}, text, dropped};
}

static std::string facts_of(how kind, int number, bool begun = true) {
  const end_of_program end = end_of({{kind, number}, {}, 0}, begun);
  const arena_string text = facts_of_end(end, {"the step", step_kind::operation});
  return std::string(text).substr(0, text.find("whole="));
}

TEST_CASE("run: the last 20 lines are kept, and what is left out is counted") {
  CHECK(last_words(printed("")).empty());
  CHECK(last_words(printed("one\ntwo\n\n")) == "one\ntwo");
  std::string lines;
  for (int i = 1; i <= 22; ++i) lines += "line " + std::to_string(i) + "\n";
  const std::string kept = last_words(printed(lines, 100));
  CHECK(kept.substr(0, kept.find('\n')) == "(114 bytes before this are left out)");
  CHECK(kept.substr(kept.find('\n') + 1, 7) == "line 3\n");
  CHECK(kept.substr(kept.size() - 7) == "line 22");
  CHECK(last_words(printed("x", 5)) == "(5 bytes before this are left out)\nx");
}

TEST_CASE("run: each end has its word, with a signal, a status or an error") {
  const std::string step = "\nproof_step=the step\nproof_step_kind=operation\n";
  CHECK(facts_of(how::timed_out, 20) == "proof_ended=timeout\nproof_signal=20 s" + step);
  CHECK(facts_of(how::exited, 3) == "proof_ended=ended\nproof_signal=3" + step);
#ifndef _WIN32
  CHECK(facts_of(how::signalled, 11) == "proof_ended=crashed\nproof_signal=SIGSEGV" + step);
  CHECK(facts_of(how::exited, 127) == "proof_ended=ended\nproof_signal=127" + step);
  CHECK(facts_of(how::exited, 127, false) == "proof_ended=not-loaded\nproof_signal=127" + step);
  CHECK(facts_of(how::not_started, 13) ==
        "proof_ended=not-started\nproof_signal=Permission denied" + step);
#endif
}
