// SPDX-License-Identifier: BSD-3-Clause
#include "process_check.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>

#include "../core/elf/stamp_note.h"
#include "../core/model/library_name.h"
#include "../core/model/paths.h"
#include "../core/model/unstamped_program.h"
#include "../guard/check.h"

namespace cudnn_checked::cli {

/// proc(5), "/proc/[pid]/maps": the path is the sixth field, and what was deleted or replaced on
/// the disk since has " (deleted)" behind it.
static vector<mapped_object> objects_of(const system_interface& os, const string& maps) {
  constexpr std::string_view deleted = " (deleted)";
  vector<string> known;
  vector<mapped_object> objects;
  for (const string& line : split_path_list(maps, "\n")) {
    const std::size_t at = line.find('/');
    if (at == string::npos || line.find(".so", at) == string::npos) continue;
    string path = line.substr(at);
    const bool is_gone =
        path.size() > deleted.size() && path.substr(path.size() - deleted.size()) == deleted;
    if (is_gone) path.shorten(path.size() - deleted.size());
    if (std::find(known.begin(), known.end(), path) != known.end()) continue;
    known.push_back(path);
    mapped_object object;
    object.path = path;
    const elf_file contents = is_gone ? elf_file() : read_elf(os, path, 0);
    if (!is_gone && contents.state != file_state::whole) continue;
    object.soname = contents.soname.empty() ? base_name(path) : contents.soname;
    object.build_id = contents.build_id;
    objects.push_back(object);
  }
  return objects;
}

static string link_target(const string& path) {
  char target[PATH_MAX];
  const ssize_t length = ::readlink(path.c_str(), target, sizeof target);
  return length > 0 ? string(target, static_cast<std::size_t>(length)) : string();
}

/// "libcudnn.so.9": the shim that it has mapped; empty where it has none.
static string mapped_shim(const vector<mapped_object>& objects) {
  for (const mapped_object& object : objects) {
    if (role_of_name(object.soname) == library_role::shim) return object.soname;
  }
  return {};
}

static void check_unstamped(cudnn_check& check, const string& shim, const string& program,
                            const assumed_machine& machine) {
  unstamped_program facts;
  facts.use = cudnn_use::opened;
  facts.asker = program;
  facts.opened = shim;
  facts.told_by = "its memory";
  check.stamped.package = CUDNN_CHECKED_PACKAGE_VERSION;
  check.observed.unstamped = &facts;
  program_start start;
  start.stamped = answer::no;
  check_unstamped_program(check, start);
  if (machine.given) check.judged.conclude(without_gpu_findings(check.judged.findings));
}

bool check_process(const std::string& pid, const assumed_machine& machine, program_check& result,
                   std::string& error) {
  const string proc = "/proc/" + string(pid);
  const linux_system own(environ, execution_mode::ordinary);
  string variables;
  string maps;
  const string program = link_target(proc + "/exe");
  if (program.empty() || !own.read_text(proc + "/maps", maps) ||
      !own.read_text(proc + "/environ", variables)) {
    error =
        "process " + pid +
        (::access(proc.c_str(), F_OK) == 0 ? ": no permission to look at it" : ": no such process");
    return false;
  }
  vector<char*> environment;
  for (std::size_t at = 0; at < variables.size(); at += std::strlen(variables.data() + at) + 1) {
    environment.push_back(const_cast<char*>(variables.c_str()) + at);
  }
  environment.push_back(nullptr);
  const string initial = proc + "/environ";
  const linux_system os(environment.data(), execution_mode::ordinary, initial.c_str());
  const assumed_view machine_view(os, machine);
  started_view view(machine_view, program);
  const vector<mapped_object> mapped = objects_of(own, maps);
  const string shim = mapped_shim(mapped);
  view.set_mapped(mapped);
  loader search(view);
  search.look_at_process();
  const vector<string> notes = read_stamp_notes(own, program);
  result.stamped = !notes.empty();
  if (shim.empty()) {
    error = "process " + pid + " (" + std::string(base_name(program)) +
            "): it has no cuDNN in its memory at this moment";
    return false;
  }
  if (notes.empty()) {
    cudnn_check check(search);
    check_unstamped(check, shim, program, machine);
    tell_result(check.stamped, check.observed, check.judged, os, machine, result);
    return true;
  }
  guard_check guard(search, notes.front().c_str(), program);
  guard.look_at_files();
  guard.look_at_machine();
  judgement judged = guard.judged();
  if (machine.given && machine.text.empty()) {
    judged.conclude(without_gpu_findings(judged.findings));
  }
  tell_result(guard.stamped(), guard.observed(), judged, os, machine, result);
  return true;
}

}  // namespace cudnn_checked::cli
