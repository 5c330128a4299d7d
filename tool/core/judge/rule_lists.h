// SPDX-License-Identifier: BSD-3-Clause
//
// Which rules a judgement consists of.
#pragma once

#include "rules/rules.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// What is judged: an install at configure time, or a program.
enum class subject : unsigned char { install, program };

/// Applies rules.  A list of rules is a function that names them: a table of their addresses would
/// have to be relocated.
class rule_run {
 public:
  explicit rule_run(const rule_input& input) : input_(input) {}

  template <class... rules>
  void apply(rules... all) {
    (all(input_, findings_), ...);
  }
  const arena_vector<finding>& findings() const { return findings_; }
  const rule_input& input() const { return input_; }

 private:
  const rule_input& input_;
  arena_vector<finding> findings_;
};

using rule_list = void (*)(rule_run&);

/// The order of the rules is the order of findings of equal weight.
judgement judged(rule_list rules, subject who, const stamp& stamped, const observation& observed,
                 const judge_options& options);

/// The rules of a program's start (judge_start.cpp).  Without a stamp they come before the others.
void apply_start_rules(rule_run& run);

/// The rules of an install's files and of what they need (judge_install.cpp).
void apply_installed_rules(rule_run& run);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
