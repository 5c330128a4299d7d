// SPDX-License-Identifier: BSD-3-Clause
#include "teller.h"

#include "platform.h"

namespace cudnn_checked::probe {

// Of standard output and error, which somebody reads who has started the probe by hand.
static constexpr int last_standard_file = 2;

void teller::tell(const facts::line_writer& line) const {
  const char* const before = file_ > last_standard_file ? "\n" : "";
  write_all(file_, before + line.whole());
}

facts::line_writer teller::line_of_part(const char* name) const {
  facts::line_writer line(name);
  line.add_whole("part", part_);
  return line;
}

void teller::add_kind(step_kind of, facts::line_writer& line) {
  if (of != step_kind::other) line.add("of", to_string(of));
}

void teller::step(const std::string& what, step_kind of) const {
  facts::line_writer line = line_of_part("step");
  line.add("what", what);
  add_kind(of, line);
  tell(line);
}

void teller::run(computed_by who, const run_facts& run) const {
  facts::line_writer line = line_of_part("run");
  line.add("by", who == computed_by::kernel ? "kernel" : "cudnn")
      .add("operation", to_string(run.operation))
      .add("api", to_string(run.api))
      .add("type", to_string(run.type))
      .add("layout", to_string(run.layout))
      .add("math", to_string(run.math));
#define FIELD_TEXT(name) line.add(#name, run.name);
#define FIELD_WHOLE(name) line.add_whole(#name, run.name);
#define FIELD_REAL(name) line.add_real(#name, run.name);
#include "../facts/run_fields.def"
#undef FIELD_TEXT
#undef FIELD_WHOLE
#undef FIELD_REAL
  tell(line);
}

void teller::skipped(const std::string& what, const std::string& why, step_kind of) const {
  facts::line_writer line = line_of_part("skipped");
  line.add("what", what).add("why", why);
  add_kind(of, line);
  tell(line);
}

void teller::forget() const { tell(line_of_part("forget")); }

void teller::died() const { tell(line_of_part("died")); }

}  // namespace cudnn_checked::probe
