// SPDX-License-Identifier: BSD-3-Clause
#include "file_explanation.h"

#include "../../core/judge/advice/advice.h"
#include "../../core/model/library_name.h"
#include "../../core/model/paths.h"

namespace cudnn_checked::cli {

// --- Why not -------------------------------------------------------------------------------------

static bool same_directory(const system_interface& os, const string& a, const string& b) {
  const string real = os.real_path(a);
  return !real.empty() && real == os.real_path(b);
}

static const search_step* step_with(const system_interface& os, const file_explanation& about,
                                    const string& directory) {
  for (const search_step& step : about.steps) {
    if (same_directory(os, step.directory, directory)) return &step;
    if (step.directory.empty() && same_directory(os, directory_part(step.path), directory)) {
      return &step;
    }
  }
  return nullptr;
}

static string place_of_taken(const file_explanation& about) {
  const string chosen_by = to_string(about.taken.chosen_by);
  return chosen_by.empty() ? string("another place") : chosen_by;
}

// It lies in a place of the search, and yet another file is taken, or none.
static string why_not_here(const system_interface& os, const file_explanation& about,
                           const search_step& step, const string& path) {
  const string named = step.directory.empty() ? step.path : join_path(step.directory, about.name);
  const string target = os.real_path(named);
  if (target.empty()) {
    return "Its directory is searched (" + step.place() + "), and has no file of the name " +
           about.name + ".";
  }
  if (target != os.real_path(path)) {
    return "Its directory is searched (" + step.place() + "), and the name " + about.name +
           " leads to another file there: " + target + ".";
  }
  if (step.what == search_step::outcome::not_reached) {
    return place_of_taken(about) + " comes before " + step.place() + ", in which it lies.";
  }
  return "It is passed over: " + step.there + ".";
}

string why_not(const system_interface& os, const file_explanation& about, const elf_file& contents,
               const cudnn_file* of_set, const string& path) {
  if (is_renamed(base_name(path))) {
    return "Its package has renamed it: only libraries of that package ask for " + base_name(path) +
           ".";
  }
  if (contents.state != file_state::whole) {
    found_file file;
    file.state = contents.state;
    file.machine = contents.machine;
    file.size = contents.size;
    file.size_expected = contents.size_expected;
    return "It cannot be loaded: it is " +
           string(contents.state == file_state::truncated ? "cut off, " : "") +
           describe_state(file) + ".";
  }
  if (of_set != nullptr && of_set->near_miss.path == path) {
    return "The loader does not look there: " + describe_reason(of_set->near_miss) + ".";
  }
  passed_file behind;
  behind.reason = passed_reason::link_directory;
  behind.asker = about.asker;
  behind.place = directory_part(about.asker);
  const bool is_linked =
      !about.asker.empty() && !same_directory(os, behind.place, directory_part(path)) &&
      directory_part(os.real_path(about.asker)) == directory_part(os.real_path(path));
  if (is_linked) return "The loader does not look there: " + describe_reason(behind) + ".";
  const search_step* const step = step_with(os, about, directory_part(path));
  if (step != nullptr) return why_not_here(os, about, *step, path);
  if (about.taken.state == file_state::missing) return "No place of the search has its directory.";
  return "No place of the search has its directory, and " + place_of_taken(about) +
         " has another file.";
}

// --- What to type --------------------------------------------------------------------------------

/// The system with another LD_LIBRARY_PATH.
class other_path_view final : public system_view {
 public:
  other_path_view(const system_interface& real, string value)
      : system_view(real), value_(std::move(value)) {}

  bool variable(const char* name, string& value) const override {
    if (string(name) != "LD_LIBRARY_PATH") return system_view::variable(name, value);
    value = value_;
    return true;
  }

 private:
  string value_;
};

fix_lines fixes_for(const system_interface& os, const string& program, const string& name,
                    const string& path) {
  fix_lines fixes;
  string value;
  if (!os.variable("LD_LIBRARY_PATH", value)) value.clear();
  const string directory = directory_part(path);
  const other_path_view view(os, value.empty() ? directory : directory + ":" + value);
  program_libraries changed =
      program.empty() ? program_libraries(view) : program_libraries(view, program);
  const found_file taken = changed.taken(name);
  if (taken.state != file_state::whole || os.real_path(taken.path) != os.real_path(path)) {
    return fixes;
  }
  fixes.push_back(prepend_library_path(directory, value));
  return fixes;
}

}  // namespace cudnn_checked::cli
