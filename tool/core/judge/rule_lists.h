// SPDX-License-Identifier: BSD-3-Clause
//
// Which rules a judgement consists of.
#pragma once

#include "rules/rules.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// What is judged: an install at configure time, or a program.
enum class subject : unsigned char { install, program };

/// Applies the rules that rest on what is new; what the others found before stays.  A list of rules
/// is a function that names them: a table of their addresses would have to be relocated.
class rule_run {
 public:
  rule_run(const rule_input& input, look newest, const arena_vector<finding>& before)
      : input_(input), newest_(newest), before_(before) {}

  /// `rests_on` is the last look whose facts they read.
  template <class... rules>
  void apply(look rests_on, rules... all) {
    (apply_one(all, rests_on), ...);
  }
  const arena_vector<finding>& findings() const { return findings_; }
  const rule_input& input() const { return input_; }

 private:
  void apply_one(rule which, look rests_on);

  const rule_input& input_;
  look newest_;
  const arena_vector<finding>& before_;
  arena_vector<finding> findings_;
  int index_ = 0;
};

using rule_list = void (*)(rule_run&);

/// The order of the rules is the order of findings of equal weight.
judgement judged(rule_list rules, subject who, const stamp& stamped, const observation& observed,
                 const judge_options& options);

/// The rules of a program's start (judge_start.cpp).  Without a stamp they come before the others.
void apply_start_rules(rule_run& run);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
