// SPDX-License-Identifier: BSD-3-Clause
#include "dll_rules.h"

#include "../model/library_name.h"
#include "../model/machine.h"
#include "../model/paths.h"
#include "../system/platform.h"
#include "other_rules.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

dll_rules::dll_rules(loader& of) : loader_(of) {
  // The first letters of the names of cuDNN, CUDA and NVRTC.  File systems that distinguish upper
  // and lower case are the exception.
  prefixes = "cu|CU|Cu|nv|NV|Nv|z|Z";
  directories = value_of(of.system(), variable_of_search);
}

void dll_rules::change(arena_string variable, arena_string value) {
  if (variable == variable_of_search) directories = value;
}

// A DLL is loaded by some program, in whose directories Windows looks.  A library of cuDNN stands
// for a program beside it.
void dll_rules::look_at_process() {
  const arena_string path = loader_.program_path();
  const bool is_dll = !loader_.file(path).is_program && loader_.file(path).dynamic;
  if (loader_.mapped().empty() && is_dll && !is_cudnn_path(path)) {
    other_rules = rules_of_user;
  }
}

// An API set is a name that the system itself resolves: Microsoft, "Windows API sets".
static bool is_api_set(arena_string name) {
  return starts_with(name, "api-ms-") || starts_with(name, "ext-ms-");
}

// The needs of the system's own DLLs are not looked at.  A loaded DLL is found by the name of its
// file, not by the name in its table of exports.
void dll_rules::complete(library_file& file, arena_string path) const {
  file.soname = lower_case(base_name(path));
  arena_vector<arena_string> needed;
  const arena_string directory = lower_case(directory_part(path));
  for (const arena_string system : loader_.system().default_directories()) {
    if (directory == lower_case(system)) file.needed.clear();
  }
  for (const arena_string name : file.needed) {
    if (!is_api_set(lower_case(name))) needed.push_back(name);
  }
  file.needed = needed;
}

void dll_rules::sort_names(loader::listing& l, const arena_vector<arena_string>& names) const {
  for (const arena_string name : names) l.names.push_back(lower_case(name));
}

bool dll_rules::is_called(const mapped_object& object, arena_string name) const {
  return object.soname == lower_case(name);
}

// The directories of the system are those of system_interface::default_directories, in this order.
static constexpr choice_reason system_reasons[] = {choice_reason::system_directory,
                                                   choice_reason::windows_directory,
                                                   choice_reason::windows_directory};

arena_string directory_of_entry(const system_interface& os, arena_string entry) {
  return entry.find('"') == arena_string::npos ? absolute_path(os, entry) : entry;
}

arena_vector<dll_rules::place> dll_rules::places(loader::view mode) const {
  arena_vector<place> all;
  all.push_back({directory_part(loader_.program_path()), choice_reason::program_directory});
  // It stands in the place of the working directory, and earlier (Microsoft, SetDllDirectoryW).
  const arena_string named = directory_of_process();
  if (!named.empty()) all.push_back({named, choice_reason::named_directory});
  std::size_t i = 0;
  for (const arena_string directory : loader_.system().default_directories()) {
    all.push_back({directory, system_reasons[i < 2 ? i : 2]});
    ++i;
  }
  if (named.empty()) {
    all.push_back({loader_.system().working_directory(), choice_reason::working_directory});
  }
  if (mode == loader::view::without_ld_library_path) return all;
  choice of_path(choice_reason::path, 0);
  for (const arena_string entry : split_path_list(directories, ";")) {
    if (!entry.empty()) all.push_back({directory_of_entry(loader_.system(), entry), of_path});
    ++of_path.index;
  }
  return all;
}

// Directories of the system hold thousands of files: there a name is opened.
bool dll_rules::is_listed(arena_string directory, arena_string name) {
  if (!starts_with_one(name, prefixes)) return true;
  const loader::listing& l = loader_.list(directory);
  if (l.result == open_result::missing) return false;
  if (l.result != open_result::opened) return true;
  for (const arena_string n : l.names) {
    if (n == name) return true;
  }
  return false;
}

// A DLL for another machine is passed over by ReactOS (LdrpMapDllSearchPath) and, where it is of 32
// bits, by wine 8.0 (load_dll); one for ARM64 ends wine's search.  What Windows does with either is
// documented nowhere: "Dynamic-link library search order" does not name it, and its status is "The
// image file %hs is valid, but is for a machine type other than the current machine. Select OK to
// continue, or CANCEL to fail the DLL load." (MS-ERREF, STATUS_IMAGE_MACHINE_TYPE_MISMATCH).  So it
// is not known what comes of a whole one behind it.
// Anything else that has the name ends the search.  So does what cannot be opened (Microsoft,
// Q155793, "access denied"); that a directory does was seen under wine 8.0 (open_dll_file).
loader_hit dll_rules::find(arena_string name, const arena_vector<arena_string>&,
                           loader::view mode) {
  const arena_string wanted = lower_case(name);
  loader_hit passed;
  for (const place& p : places(mode)) {
    loader_.tell_place({p.directory, p.chosen_by});
    if (!is_listed(p.directory, wanted)) continue;
    const arena_string path = join_path(p.directory, wanted);
    const library_file& file = loader_.file(path);
    if (file.state == file_state::missing) continue;
    loader_hit hit;
    hit.path = path;
    hit.chosen_by = p.chosen_by;
    hit.state = file.state;
    hit.machine = file.machine;
    if (file.state == file_state::foreign) {
      if (passed.state == file_state::missing) passed = hit;
      continue;
    }
    if (passed.state != file_state::missing) {
      if (other_rules.empty()) {
        other_rules = path + " comes behind one for " + machine_name(passed.machine);
      }
      hit.near_miss = {passed.path, passed_reason::its_state, passed.state, {}, {}, passed.machine};
    }
    return hit;
  }
  return passed;
}

passed_file dll_rules::passed_over_by(arena_string asker, arena_string path) {
  passed_file passed;
  passed.path = path;
  passed.asker = asker;
  passed.place = directory_part(path);
  passed.reason = passed_reason::not_searched;
  return passed;
}

loader_rules* rules_of_platform(loader& of) { return make_in_arena<dll_rules>(of); }

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
