// SPDX-License-Identifier: BSD-3-Clause
#include "library_search.h"

#include <filesystem>
#include <system_error>

#include "../../core/judge/advice/advice.h"
#include "../../core/loader/program_start.h"
#include "../../core/model/library_name.h"
#include "../../core/model/paths.h"
#include "../../core/model/platform_words.h"
#include "../../core/observe/observe.h"
#include "searched_name.h"

namespace cudnn_checked::cli {

// Nothing is called so: the search for it goes through every place.
static constexpr const char* absent_name = "libcudnn.so.which_nothing_is_called";

// Askers of askers: no program has as many.
static constexpr std::size_t most_askers = 64;

arena_string search_step::place() const {
  return directory.empty() ? arena_string("ld.so.cache") : to_string(chosen_by);
}

program_libraries::program_libraries(const system_interface& os)
    : view_(os, os.program_path()), search_(view_) {}

program_libraries::program_libraries(const system_interface& os, const arena_string& path)
    : view_(os, path_for_loader(os, path)), search_(view_) {
  observe_start(search_, observed_);
  view_.set_mapped(objects_of_start(observed_.start));
  search_.look_at_process();
  for (const start_library& library : observed_.start.libraries) {
    if (role_of_name(library.name) != library_role::shim || is_renamed(library.name)) continue;
    major_ = major_of_name(library.name);
    return;
  }
}

const arena_vector<cudnn_file>& program_libraries::files(int major) {
  if (major_ != 0) major = major_;
  if (files_of_ != major) {
    observed_.files.clear();
    observe_files(search_, major, observed_);
    files_of_ = major;
  }
  return observed_.files;
}

const cudnn_file* program_libraries::file_of(library_role role, int major) {
  return find_where(files(major), [&](const cudnn_file& file) { return file.role == role; });
}

const start_library* program_libraries::start_library_of(const arena_string& name) const {
  return find_where(observed_.start.libraries, [&](const start_library& library) {
    return searched_name(library.name) == searched_name(name);
  });
}

// The member of the set that has the name, by its number or in full.
const cudnn_file* program_libraries::cudnn_file_of(const arena_string& name) {
  const library_role role = role_of_name(name);
  const int major = major_of_name(name);
  if (role == library_role::none || is_renamed(name) || major == 0) return nullptr;
  if (major_ != 0 && major != major_) return nullptr;
  return file_of(role, major);
}

found_file program_libraries::taken(const arena_string& name) {
  const cudnn_file* const of_set = cudnn_file_of(name);
  if (of_set != nullptr) return *of_set;
  const start_library* const library = start_library_of(name);
  if (library != nullptr) return *library;
  return search_.find(name, {}, loader::view::afresh);
}

arena_string program_libraries::asker_of_path(const arena_string& path) const {
  for (const cudnn_file& file : observed_.files) {
    if (file.path == path) return file.asked_by;
  }
  for (const start_library& library : observed_.start.libraries) {
    if (library.path == path) return library.asked_by;
  }
  return {};
}

arena_vector<arena_string> program_libraries::askers(const arena_string& name) {
  arena_vector<arena_string> chain;
  const cudnn_file* const of_set = cudnn_file_of(name);
  const start_library* const library = start_library_of(name);
  arena_string path = of_set != nullptr ? of_set->asked_by : arena_string();
  if (path.empty() && library != nullptr) path = library->asked_by;
  while (!path.empty() && path != program() && chain.size() < most_askers) {
    chain.push_back(path);
    path = asker_of_path(path);
  }
  return chain;
}

arena_string program_libraries::asker(const arena_string& name) {
  const arena_vector<arena_string> chain = askers(name);
  return chain.empty() ? program() : chain.front();
}

bool is_link(const arena_string& path) {
  std::error_code absent;
  return std::filesystem::is_symlink(std::filesystem::symlink_status(std::string(path), absent));
}

search_step program_libraries::step_of(const searched_place& place, const arena_string& name,
                                       const loader_hit& hit) {
  search_step step;
  step.chosen_by = place.chosen_by;
  const bool is_cache = !place.chosen_by.known();
  if (!is_cache) step.directory = place.directory;
  arena_string path = is_cache ? view_.loader_cache(name) : join_path(place.directory, name);
  // One for this CPU, in a directory of that directory.
  const bool is_special = !is_cache && base_name(hit.path) == name &&
                          any_of(view_.hwcap_directories(), [&](const arena_string& folder) {
                            return directory_part(hit.path) == join_path(place.directory, folder);
                          });
  if (is_special) path = hit.path;
  const found_file there = path.empty() ? found_file() : search_.open_path(path);
  if (there.state != file_state::missing) {
    step.path = path;
    step.there =
        there.state == file_state::whole ? arena_string("a library") : describe_state(there);
  } else if (!path.empty() && is_link(path)) {
    step.path = path;
    step.there = "a link that leads to no file";
  } else if (is_cache && !path.empty()) {
    step.path = path;
    step.there = "listed, and does not exist";
  } else if (!is_cache && view_.real_path(place.directory).empty()) {
    step.there = "no such directory";
  } else {
    step.there = "nothing";
  }
  return step;
}

arena_vector<search_step> program_libraries::steps(const arena_string& typed) {
  const arena_string name = searched_name(typed);
  const arena_vector<arena_string> chain = askers(name);
  const loader_hit hit = search_.find(name, chain, loader::view::afresh);
  const bool found = hit.taken() || ends_search(hit.state);
  arena_vector<search_step> all;
  bool done = false;
  for (const searched_place& place : search_.places(absent_name, chain, loader::view::afresh)) {
    search_step step = step_of(place, name, hit);
    const bool is_it = found && !done && step.path == hit.path &&
                       step.chosen_by.reason == (hit.chosen_by.reason == choice_reason::ld_so_cache
                                                     ? choice_reason::none
                                                     : hit.chosen_by.reason);
    if (done) step.what = search_step::outcome::not_reached;
    if (is_it) step.what = search_step::outcome::taken;
    done = done || is_it;
    all.push_back(step);
  }
  return all;
}

// --- Why not -------------------------------------------------------------------------------------

static bool same_directory(const system_interface& os, const arena_string& a,
                           const arena_string& b) {
  const arena_string real = os.real_path(a);
  return !real.empty() && real == os.real_path(b);
}

static const search_step* step_with(const system_interface& os, const file_explanation& about,
                                    const arena_string& directory) {
  for (const search_step& step : about.steps) {
    if (same_directory(os, step.directory, directory)) return &step;
    if (step.directory.empty() && same_directory(os, directory_part(step.path), directory)) {
      return &step;
    }
  }
  return nullptr;
}

static arena_string place_of_taken(const file_explanation& about) {
  const arena_string chosen_by = to_string(about.taken.chosen_by);
  return chosen_by.empty() ? arena_string("another place") : chosen_by;
}

// It lies in a place of the search, and yet another file is taken, or none.
static arena_string why_not_here(const system_interface& os, const file_explanation& about,
                                 const search_step& step, const arena_string& path) {
  const arena_string named =
      step.directory.empty() ? step.path : join_path(step.directory, about.name);
  const arena_string target = os.real_path(named);
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

arena_string why_not(const system_interface& os, const file_explanation& about,
                     const library_file& contents, const cudnn_file* of_set,
                     const arena_string& path) {
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
           arena_string(contents.state == file_state::truncated ? "cut off, " : "") +
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

/// The system with another value of the variable that the loader searches.
class other_path_view final : public system_view {
 public:
  other_path_view(const system_interface& real, arena_string value)
      : system_view(real), value_(std::move(value)) {}

  bool variable(const char* name, arena_string& value) const override {
    if (arena_string(name) != search_variable()) return system_view::variable(name, value);
    value = value_;
    return true;
  }

 private:
  arena_string value_;
};

fix_lines fixes_for(const system_interface& os, const arena_string& program,
                    const arena_string& name, const arena_string& path) {
  fix_lines fixes;
  arena_string value;
  if (!os.variable(search_variable(), value)) value.clear();
  const arena_string directory = directory_part(path);
  const other_path_view view(os,
                             value.empty() ? directory : directory + search_separator() + value);
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
