// SPDX-License-Identifier: BSD-3-Clause
#include "program_check.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "../core/catalogue/catalogue.h"
#include "../core/elf/stamp_note.h"
#include "../core/elf/symbols.h"
#include "../core/loader/program_start.h"
#include "../core/model/paths.h"
#include "../core/observe/observe.h"
#include "../core/report/report.h"
#include "../guard/check.h"
#include "survey.h"

namespace cudnn_checked::cli {

// $ORIGIN of a program is the directory of its real path, which the kernel tells the loader; that
// of a shared library is the one by which it is opened.
static std::string path_for_loader(const system_interface& os, const std::string& path) {
  const std::string absolute = path[0] == '/' ? path : join_path(os.working_directory(), path);
  const std::string real = os.real_path(absolute);
  const bool is_library = base_name(absolute).find(".so") != std::string::npos;
  return is_library || real.empty() ? absolute : real;
}

bool starts_with_other_rights(const std::string& path) {
  struct stat status;
  if (::stat(path.c_str(), &status) != 0) return false;
  return ((status.st_mode & S_ISUID) != 0 && status.st_uid != ::getuid()) ||
         ((status.st_mode & S_ISGID) != 0 && status.st_gid != ::getgid());
}

static bool exports_all(const system_interface& os, const cudnn_place& place,
                        const std::vector<missing_symbol>& symbols) {
  const std::string shim = join_path(place.directory, "libcudnn.so.");
  const std::vector<std::string> defined =
      read_symbols(os, shim + std::to_string(place.number.major), "cudnn").defined;
  for (const missing_symbol& symbol : symbols) {
    if (std::find(defined.begin(), defined.end(), symbol.name) == defined.end()) return false;
  }
  return true;
}

/// The cuDNNs of this machine that have what is missing.
static std::vector<cudnn_place> helpful_places(const system_interface& os,
                                               const program_start& start) {
  std::vector<cudnn_place> places;
  for (const cudnn_place& place : places_of_cudnn(os)) {
    if (exports_all(os, place, start.missing_symbols)) places.push_back(place);
  }
  return places;
}

static bool lacks_cudnn(const program_start& start) {
  for (const start_library& library : start.libraries) {
    if (library.state == file_state::missing && role_of_name(library.name) == "shim") return true;
  }
  return !start.missing_symbols.empty();
}

static finding* find_same(std::vector<finding>& findings, finding_id id) {
  for (finding& f : findings) {
    if (f.id == id) return &f;
  }
  return nullptr;
}

// Where both say that cuDNN is too old, the functions that are missing are evidence for the one
// message.
static std::vector<finding> merged(const std::vector<finding>& start,
                                   std::vector<finding> program) {
  std::vector<finding> all;
  for (const finding& f : start) {
    const bool joined = row_of(f.id).evidence == merging::joined;
    finding* same = joined ? find_same(program, f.id) : nullptr;
    if (same == nullptr) {
      all.push_back(f);
      continue;
    }
    same->more.push_back(f.expected);
    same->more.insert(same->more.end(), f.more.begin(), f.more.end());
    same->because += " " + f.because;
  }
  all.insert(all.end(), program.begin(), program.end());
  sort_by_weight(all);
  return all;
}

/// What one stamp, or none, makes of the program.
struct judged_stamp {
  stamp stamped;
  observation observed;
  std::vector<finding> findings;
};

static judged_stamp judge_unstamped(loader& search, const program_start& start) {
  judged_stamp result;
  result.stamped.package = CUDNN_CHECKED_PACKAGE_VERSION;
  observe_files(search, 0, result.observed);
  if (!result.observed.linked) result.observed.files.clear();
  result.observed.start = start;
  result.findings = judge_start(result.stamped, result.observed, {});
  if (!result.observed.linked || start_ends_program(start)) return result;
  observe_dependencies(search, result.observed);
  observe_driver(search, result.observed);
  const std::vector<finding> more = judge_unstamped(result.observed, {});
  result.findings.insert(result.findings.end(), more.begin(), more.end());
  return result;
}

static judged_stamp judge_stamp(loader& search, const program_start& start,
                                const std::string& note) {
  guard_check guard(search, note.c_str(), search.program_path());
  guard.look_at_files();
  const bool ends = start_ends_program(start);
  if (!ends) guard.look_at_machine();
  judged_stamp result{guard.stamped(), guard.observed(), {}};
  result.observed.start = start;
  judge_options options;
  options.gpu_optional = result.stamped.gpu_optional;
  result.findings = judge_start(result.stamped, result.observed, options);
  if (!ends) result.findings = merged(result.findings, guard.findings());
  return result;
}

static void add_new(const std::vector<finding>& more, std::vector<finding>& findings) {
  for (const finding& f : more) {
    bool known = false;
    for (const finding& other : findings) {
      known = known || (other.id == f.id && other.summary == f.summary);
    }
    if (!known) findings.push_back(f);
  }
}

program_check check_program(const system_interface& os, const std::string& path) {
  started_view view(os, path_for_loader(os, path));
  const std::vector<std::string> notes = read_stamp_notes(os, view.program_path());
  observation first;
  first.start.stamped = notes.empty() ? answer::no : answer::yes;
  loader search(view);
  observe_start(search, first);
  if (lacks_cudnn(first.start)) first.start.elsewhere = helpful_places(os, first.start);
  view.set_mapped(objects_of_start(first.start));
  search.look_at_process();

  judged_stamp rule_input = notes.empty() ? judge_unstamped(search, first.start)
                                          : judge_stamp(search, first.start, notes.front());
  for (std::size_t i = 1; i < notes.size(); ++i) {
    add_new(judge_stamp(search, first.start, notes[i]).findings, rule_input.findings);
  }
  rule_input.findings = merged(rule_input.findings, {});
  program_check result;
  result.stamped = !notes.empty();
  result.guard_speaks = result.stamped && !start_ends_program(first.start);
  result.result = verdict_of(rule_input.findings);
  const std::string escape = read_guard_environment(os).escape;
  result.report = report_of(rule_input.stamped, rule_input.observed, rule_input.findings, escape);
  return result;
}

}  // namespace cudnn_checked::cli
