// SPDX-License-Identifier: BSD-3-Clause
#include "file_error.h"

#include <sys/stat.h>

#include "../../core/elf/elf_file.h"
#include "../../core/model/machine.h"

namespace cudnn_checked::cli {

static bool is_directory(const string& path) {
  struct stat status;
  return ::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

file_error look_at_file(const system_interface& os, const string& path, machines wanted,
                        const string& host_path) {
  if (is_directory(host_path.empty() ? path : host_path)) return {path + ": a directory"};
  const elf_file contents = read_elf(os, path, 0);
  switch (contents.state) {
    case file_state::missing:
      return {path + ": no such file"};
    case file_state::unreadable:
      return {path + ": no permission to read it"};
    case file_state::empty:
      return {path + ": an empty file"};
    case file_state::not_elf:
      return {path + ": not an ELF file; for a script, check the program that runs it"};
    case file_state::directory:
    case file_state::fifo:
    case file_state::socket:
    case file_state::device:
      return {path + ": " + describe(contents.state)};
    case file_state::refused:
      return {path + ": " + describe(contents.state), false};
    case file_state::foreign:
    case file_state::truncated:
    case file_state::unwritten:
    case file_state::altered:
    case file_state::no_exec:
    case file_state::whole:
      break;
  }
  if (wanted == machines::own && own_machine != 0 && contents.machine != own_machine) {
    return {path + ": for " + machine_name(contents.machine) + ", and this machine is " +
                machine_name(own_machine),
            false};
  }
  return {};
}

}  // namespace cudnn_checked::cli
