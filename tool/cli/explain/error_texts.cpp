// SPDX-License-Identifier: BSD-3-Clause
#include "error_texts.h"

namespace cudnn_checked::cli {

// The table is read once for each kind of row.
#define ERROR(...)
#define ERROR_TEXT(...)
#define ERROR_CAUSE(...)
#define ERROR_CHECK(...)
#define ERROR_FIX(...)

enum class error_index : std::size_t {
#undef ERROR
#define ERROR(identifier, ...) identifier,
#include "error_texts.def"
#undef ERROR
#define ERROR(...)
};

static known_error& row(std::vector<known_error>& all, error_index which) {
  return all[static_cast<std::size_t>(which)];
}

static void add_causes(std::vector<known_error>& all) {
  using finding_row_id = finding_id;
#undef ERROR_CAUSE
#define ERROR_CAUSE(identifier, finding, cause, tell) \
  row(all, error_index::identifier).causes.push_back({finding_row_id::finding, cause, tell});
#include "error_texts.def"
#undef ERROR_CAUSE
#define ERROR_CAUSE(...)
}

static void add_commands(std::vector<known_error>& all) {
  constexpr bool command = true;
  constexpr bool advice = false;
#undef ERROR_CHECK
#undef ERROR_FIX
#define ERROR_CHECK(identifier, text) row(all, error_index::identifier).checks.push_back(text);
#define ERROR_FIX(identifier, kind, text) \
  row(all, error_index::identifier).fixes.push_back({kind, text});
#include "error_texts.def"
#undef ERROR_CHECK
#undef ERROR_FIX
#define ERROR_CHECK(...)
#define ERROR_FIX(...)
}

static std::vector<known_error> make_errors() {
  std::vector<known_error> all = {
#undef ERROR
#define ERROR(identifier, kind, summary) {#identifier, error_kind::kind, summary, {}, {}, {}},
#include "error_texts.def"
#undef ERROR
#define ERROR(...)
  };
  add_causes(all);
  add_commands(all);
  return all;
}

const std::vector<known_error>& known_errors() {
  static const std::vector<known_error> all = make_errors();
  return all;
}

const std::vector<known_text>& known_texts() {
  static const std::vector<known_text> all = {
#undef ERROR_TEXT
#define ERROR_TEXT(identifier, condition, pattern, source) \
  {static_cast<std::size_t>(error_index::identifier), text_condition::condition, pattern, source},
#include "error_texts.def"
  };
  return all;
}

#undef ERROR
#undef ERROR_TEXT
#undef ERROR_CAUSE
#undef ERROR_CHECK
#undef ERROR_FIX

}  // namespace cudnn_checked::cli
