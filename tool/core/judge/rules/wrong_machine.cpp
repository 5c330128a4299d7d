// SPDX-License-Identifier: BSD-3-Clause
//
// Files for another machine than the program's.  The loader passes over them and searches on
// (glibc, elf/dl-load.c, open_verify), so they count only where nothing else serves.  The find
// module says the same of a cuDNN that cannot be linked with
// (cmake/CuDNNChecked/say/not_found.cmake).
#include "../../model/format.h"
#include "../../model/machine.h"
#include "rules.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

void tell_wrong_machine(const found_file& file, arena_string of_whom, bool first, finding& f) {
  if (first) tell(f, "=needed|a file for %s|%s", machine_name(own_machine), of_whom);
  tell(f, first ? ":found|%s|%s" : "+found|%s|%s", describe_state(file), file);
}

// One message of all files: most often it is the whole package that is another machine's.
void rule_wrong_machine(const rule_input& input, arena_vector<finding>& findings) {
  const cudnn_file* file = nullptr;
  int count = 0;
  finding f(finding_id::wrong_machine);
  for (const cudnn_set::member& m : input.set.members) {
    if (!m.member_of_set || m.file->state != file_state::foreign) continue;
    if (++count == 1) file = m.file;
    tell_wrong_machine(*m.file, {}, count == 1, f);
  }
  if (count == 0) return;
  if (count == 1) {
    tell(f, "a library of cuDNN is for another machine: %s", base_name(file->path));
  } else {
    tell(f, "%d libraries of cuDNN are for another machine", count);
  }
  f.because = why<finding_id::wrong_machine>();
  // pip and apt-get take the package of the machine on which they run.
  if (file->package.manager != package_manager::none && fix_by_environment(input).empty()) {
    f.fix.push_back(reinstall_package(input, file->package));
  } else {
    f.fix = reinstall_fix(input, file->path);
  }
  findings.push_back(f);
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
