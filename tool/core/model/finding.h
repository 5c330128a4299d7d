// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../namespace.h"
#include "arena_string.h"
#include "arena_vector.h"
#include "level.h"
#include "repair.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

enum class severity : unsigned char { note, unknown, warning, error };

/// "note", "unknown", "warning", "error".
const char* to_string(severity s);

/// What can be found: the rows of findings.def.
enum class finding_id : unsigned char {
#define FINDING(identifier, ...) identifier,
#include "findings.def"
#undef FINDING
};

/// What a finding is about.
enum class subject_of_finding : unsigned char {
  place,
  files,
  dependency,
  program,
  driver,
  gpu,
  convolution,
  configure
};

/// Whether a finding rests on which GPUs there are.
enum class basis : unsigned char { any, gpus };

/// Whether what the loader and what the guard find belong into one message.
enum class merging : unsigned char { apart, joined };

/// What the table says of a finding.
struct finding_row {
  severity weight;  ///< where its rule says nothing else
  subject_of_finding about;
  level leaves;  ///< proved nonetheless, where it is an error at configure time
  basis rests_on;
  merging evidence;
};

const finding_row& row_of(finding_id id);

/// Its name, which is stable: "cudnn-older".
const char* to_string(finding_id id);

/// The sentence of the table that says why a finding matters.  Only those that are used become part
/// of a program.
template <finding_id id>
constexpr const char* why() {
  constexpr const char* sentences[] = {
#define FINDING(identifier, name, weight, about, leaves, rests_on, evidence, sentence, ...) \
  sentence,
#include "findings.def"
#undef FINDING
  };
  return sentences[static_cast<int>(id)];
}

/// A line of evidence: what it is, its value, and the file or variable that it came from.
struct fact {
  arena_string label;
  arena_string value;
  arena_string where;
};

/// What a trial on a view of the system showed of a command.
enum class trial_result : unsigned char {
  none,     ///< it was not tried
  unknown,  ///< it cannot be tried: what it does here is not known
  green     ///< nothing of its message is left, and nothing new is wrong
};

/// One thing to do: a line that a shell runs as it stands, or a decision in words.
struct fix_line {
  enum class kind : unsigned char { command, advice };

  /// `words` is passed by value: most are made for this line, and a copy shares their characters.
  fix_line(kind sort, arena_string words) : what(sort), text(words) {}

  kind what;
  trial_result tried = trial_result::none;
  arena_string text;
  int megabytes = 0;           ///< of cuDNN that it downloads, where that is much and known
  arena_vector<repair> steps;  ///< what the command does; empty where its effect is not known
};
using fix_lines = arena_vector<fix_line>;

/// "command", "advice".
const char* to_string(fix_line::kind what);

/// All of them in one text: "unset X, or: export X=/a".
arena_string in_one_line(const fix_lines& lines);

/// Turns a command with a control character, or with a byte that is not UTF-8, into advice: the
/// form in which a message shows such a byte is not what a shell needs.
void keep_what_can_be_pasted(fix_lines& lines);

/// A command that nobody has tried is marked so.
void mark_untried(fix_line& line);

/// One thing that a rule found.
struct finding {
  explicit finding(finding_id which) : id(which), weight(row_of(which).weight) {}

  finding_id id;
  severity weight;
  arena_string summary;  ///< what is wrong, without a full stop
  fact expected;         ///< an empty label means that there is none
  fact found;
  arena_vector<fact> more;  ///< further evidence
  arena_string because;     ///< what would happen, or the promise that is broken; a full sentence
  fix_lines fix;            ///< what to do: the best first
  bool by_words = false;    ///< no command mends it: what to do is a decision
};

/// Appends a finding, with the sentence of its row, for the rule to fill in: that is the last one
/// until the next is added.
finding& append_finding(arena_vector<finding>& findings, finding_id id, const char* because = "");
template <finding_id id>
finding& add_finding(arena_vector<finding>& findings) {
  return append_finding(findings, id, why<id>());
}

/// The same for all commands that change something.
void mark_untried(arena_vector<finding>& findings);

/// The worst of the findings decides: an error refuses, then a warning, then unknown.
enum class verdict : unsigned char { ok, unknown, warning, refused };

/// "ok", "unknown", "warning", "refused".
const char* to_string(verdict v);

/// Worst first; findings of equal weight stay in the order in which they were found.
void sort_by_weight(arena_vector<finding>& findings);

verdict verdict_of(const arena_vector<finding>& findings);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
