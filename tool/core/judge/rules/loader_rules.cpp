// SPDX-License-Identifier: BSD-3-Clause
//
// What ends a program before the loader has found its libraries: execve(2), glibc's
// elf/dl-version.c.
#include "../../model/format.h"
#include "../../model/paths.h"
#include "../../model/platform_words.h"
#include "../../model/unstamped_program.h"
#include "../advice/advice.h"
#include "rules.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

static constexpr std::size_t loader_most_versions = 8;

static void tell_missing_versions(const rule_input& input, arena_vector<finding>& findings) {
  const arena_vector<missing_version>& missing = input.observed.start.missing_versions;
  if (missing.empty() || !input.observed.other_rules.empty()) return;
  const missing_version& first = missing.front();
  finding& f = append_finding(findings, finding_id::cannot_start);
  const arena_string library = base_name(first.library);
  const bool by_variable = first.chosen_by.reason == choice_reason::ld_library_path;
  found_file taken;
  taken.path = first.library;
  if (by_variable) taken.chosen_by = first.chosen_by;
  tell(f, "=needs|%s|by %s\n:found|%s|%s", first.name, first.asked_by,
       first.newest.empty() ? arena_string("none") : first.newest, taken);
  if (by_variable) {
    f.fix.push_back(
        remove_from_library_path(first.chosen_by.index, input.observed.ld_library_path));
  }
  const unstamped_program* const program = input.unstamped();
  if (program != nullptr && program->is_library) {
    tell(f,
         "%s needs %s, which the %s that it gets lacks\n"
         ".%s of it fails: \"version `%s' not found\".\n"
         ">let the process load a %s that has it first\n"
         ">use a system that has it",
         base_name(input.observed.program_path), first.name, library, call_that_opens(), first.name,
         library);
  } else {
    tell(f,
         "this program needs %s, which the %s that it gets lacks\n"
         ".The loader ends it before main(): \"version `%s' not found\".",
         first.name, library, first.name);
    if (!by_variable) tell(f, ">run it on a system that has it\n>build it on this machine");
  }
  for (std::size_t i = 1; i < missing.size() && i < loader_most_versions; ++i) {
    tell(f, "+needs|%s|by %s", missing[i].name, missing[i].asked_by);
  }
}

void rule_cannot_start(const rule_input& input, arena_vector<finding>& findings) {
  const program_start& start = input.observed.start;
  const arena_string program = input.observed.program_path;
  if (start.executable == answer::no) {
    tell(append_finding(findings, finding_id::cannot_start),
         "this program may not be executed\n"
         "=expected|permission to execute|%s\n"
         ":found|none\n"
         ".The kernel does not start it: \"Permission denied\".\n"
         "$chmod +x %s",
         program, quoted(program));
  }
  if (!start.missing_interpreter.empty()) {
    tell(append_finding(findings, finding_id::cannot_start),
         "the loader that this program asks for does not exist\n"
         "=asks for|%s|%s\n"
         ":found|none\n"
         ".The kernel does not start it: \"No such file or directory\", although the program is "
         "there.\n"
         ">run it where that loader is installed\n"
         ">build it on this machine",
         start.missing_interpreter, program);
  }
  tell_missing_versions(input, findings);
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
