// SPDX-License-Identifier: BSD-3-Clause
#include "found_file.h"

#include "format.h"
#include "machine.h"
#include "paths.h"
#include "platform_words.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

arena_string to_string(const choice& c) {
  switch (c.reason) {
    case choice_reason::none:
      return {};
    case choice_reason::ld_library_path:
      return "LD_LIBRARY_PATH[" + to_string(c.index) + "]";
    case choice_reason::rpath:
      return "RPATH of " + c.origin;
    case choice_reason::runpath:
      return "RUNPATH of " + c.origin;
    case choice_reason::probe_runpath:
      return place_of_probe();
    case choice_reason::ld_preload:
      return "LD_PRELOAD";
    case choice_reason::ld_so_preload:
      return "/etc/ld.so.preload";
    case choice_reason::ld_so_cache:
      return "ld.so.cache";
    case choice_reason::default_path:
      return "default path";
    case choice_reason::already_loaded:
      return "already loaded";
    case choice_reason::package_import:
      return "the import of its package";
    case choice_reason::own_path:
      return "its path";
    case choice_reason::dlmopen:
      return "dlmopen";
    case choice_reason::program_directory:
      return "the program's directory";
    case choice_reason::named_directory:
      return "SetDllDirectory";
    case choice_reason::system_directory:
      return "the system directory";
    case choice_reason::windows_directory:
      return "the Windows directory";
    case choice_reason::working_directory:
      return "the current directory";
    case choice_reason::path:
      return "PATH[" + to_string(c.index) + "]";
  }
  return {};
}

const char* describe(file_state state) {
  switch (state) {
    case file_state::empty:
      return "an empty file";
    case file_state::overlong:
      return "a file that is longer than its headers say";
    case file_state::unwritten:
      return "a file of full length whose end holds only zeros";
    case file_state::altered:
      return "a file with other contents than recorded (SHA-256)";
    case file_state::not_elf:
      return not_a_library();
    case file_state::directory:
      return "a directory";
    case file_state::fifo:
      return "a FIFO";
    case file_state::socket:
      return "a socket";
    case file_state::device:
      return "a device";
    case file_state::no_exec:
      return "a file on a file system that is mounted noexec";
    case file_state::refused:
      return "an ELF file with a header that the loader refuses";
    case file_state::foreign:
      return "a file for another machine";
    case file_state::unreadable:
      return "a file without read permission";
    default:
      return "whole";
  }
}

static arena_string describe_foreign(int machine) {
  return format("a file for %s", machine_name(machine));
}

arena_string describe_state(const found_file& file) {
  if (file.state == file_state::foreign) return describe_foreign(file.machine);
  if (file.state == file_state::overlong) {
    return format("%s bytes, and its headers say %s", to_string(file.size),
                  to_string(file.size_expected));
  }
  if (file.state != file_state::truncated) return describe(file.state);
  return to_string(file.size) + " bytes of " + to_string(file.size_expected);
}

arena_string where_of(const found_file& file) {
  const bool loaded = file.chosen_by.reason == choice_reason::already_loaded;
  if (!file.chosen_by.known()) return file.path;
  return format("%s   %s%s", file.path, loaded ? "" : "chosen by ", to_string(file.chosen_by));
}

arena_string describe_reason(const passed_file& file) {
  const arena_string asker = base_name(file.asker);
  switch (file.reason) {
    case passed_reason::its_state:
      if (file.state == file_state::foreign) return describe_foreign(file.machine);
      return describe(file.state);
    case passed_reason::broken_link:
      return "a broken symbolic link";
    case passed_reason::stale_cache:
      return "listed in ld.so.cache, but it does not exist";
    case passed_reason::no_run_path:
      return asker + " has no RUNPATH";
    case passed_reason::link_directory:
      return asker + " was opened through a link in " + file.place +
             "; $ORIGIN is the link's directory";
    case passed_reason::other_directory:
      return asker + " is taken from " + file.place + " and looks beside itself";
    case passed_reason::other_rpath:
      return asker + " has the RPATH " + file.place;
    case passed_reason::not_searched:
      return "Windows does not look in " + file.place;
    case passed_reason::other_runpath:
      return asker + " has the RUNPATH " + file.place;
  }
  return {};
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
