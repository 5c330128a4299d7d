// SPDX-License-Identifier: BSD-3-Clause
#include "verbs.h"

#include <cstdio>
#include <cstring>

#include "../core/model/one_line.h"
#include "../core/system/own_system.h"
#include "../prove/judge.h"
#include "import_library.h"
#include "message.h"
#include "opened_libraries.h"
#include "platform.h"
#include "project.h"
#include "refusals.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace configure {

verb_function verbs_of_repairs = nullptr;

bool is_asked(int count, const char* const* arguments) {
  return count > 1 && std::strcmp(arguments[1], "configure") == 0;
}

int answer(int count, const char* const* arguments, const char* identity, verb_function more) {
  const arena_string verb = count > 2 ? arguments[2] : "";
  const request asked(count - 3, arguments + 3);
  keep_line_feeds();
  int status = 0;
  if (verb == "identity") {
    std::printf("%s\n", identity);
  } else if (verb == "judge") {
    status = prove::judge_probe(count - 3, arguments + 3, own_system());
  } else if (verb == "watch") {
    status = prove::watch_program(count - 3, arguments + 3);
  } else if (verb == "message") {
    std::fputs(text_of(message_of(asked, own_system())).c_str(), stdout);
  } else if (verb == "fix") {
    for (const fix_line& line : project(asked, own_system()).lines("fix"))
      std::printf("%s\n", one_line(line.text).c_str());
  } else if (verb == "opened") {
    for (const arena_string& file : libraries_to_bring(asked, own_system()))
      std::printf("%s\n", file.c_str());
  } else if (verb == "import-library") {
    const module_definition made = definition_of(own_system(), asked["dll"], asked["machine"]);
    std::fputs(made.text.c_str(), stdout);
    status = made.status;
  } else {
    message made;
    const bool is_refusal = refuse(verb, asked, own_system(), made);
    if (is_refusal) std::fputs(text_of(made).c_str(), stdout);
    if (!is_refusal) status = more == nullptr ? -1 : more(verb, asked);
  }
  if (status == -1) {
    std::fprintf(stderr, "cudnn-checked: error: configure: unknown verb %s\n",
                 one_line(verb).c_str());
    return 2;
  }
  return std::fflush(stdout) == 0 ? status : 2;
}

}  // namespace configure
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
