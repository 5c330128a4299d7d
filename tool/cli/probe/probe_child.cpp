// SPDX-License-Identifier: BSD-3-Clause
#include "probe_child.h"

#include <cstring>

#include "../../opened/opened.h"
#include "../../probe/tell.h"

namespace cudnn_checked::cli {

bool is_probe_child(int count, char** arguments) {
  return count > 1 && std::strcmp(arguments[1], probe_child_word) == 0;
}

int probe_child(int count, char** arguments) {
  probe::order given;
  std::string wrong;
  if (count < 3 || !probe::read_order(count - 3, arguments + 3, given, wrong)) return 2;
  const probe::teller tell(given.file);
  tell.tell(facts::line_writer("probe").add_whole("format", facts::line_format));
  tell.step("loading the libraries");
  arena_string error;
  if (opened::open_cudnn(arguments[2], error)) {
    probe::tell_all(given, tell);
  } else {
    tell.tell(facts::line_writer("not-opened").add("text", error.c_str()));
    probe::tell_end(tell);
  }
  return 0;
}

}  // namespace cudnn_checked::cli
