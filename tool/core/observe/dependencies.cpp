// SPDX-License-Identifier: BSD-3-Clause
//
// What the files of cuDNN need of others, and which files the loader would take for it.
#include "../catalogue/catalogue.h"
#include "../loader/loader.h"
#include "../model/dependency_names.h"
#include "../model/library_name.h"
#include "../model/paths.h"
#include "observe.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

// The one CUDA major of all releases; 0 where they are of several, or one is not known.
static int one_cuda_major(const arena_vector<release>& releases) {
  int major = releases.empty() ? 0 : releases.front().cuda_major;
  for (const release& r : releases) major = r.cuda_major == major ? major : 0;
  return major;
}

/// By a NEEDED entry, or with dlopen.
enum class asked_as : unsigned char { needed, opened };

class dependency_search {
 public:
  dependency_search(loader& search, observation& observed) : loader_(search), observed_(observed) {}

  void run();

 private:
  /// `cuda_major` is that of what asks.
  void add(arena_string name, const arena_vector<arena_string>& askers, asked_as how,
           int cuda_major);
  void explain_mapped(dependency& d, const arena_vector<arena_string>& askers);
  bool is_needed_by(const arena_string& path, dependency& d);
  void look_nearby(dependency& d, const arena_vector<arena_string>& askers, int cuda_major);
  void add_needed(const cudnn_file& file, const arena_vector<arena_string>& askers);
  void add_opened(const cudnn_file& file, const arena_vector<arena_string>& askers);
  void add_builtins(const dependency& nvrtc);
  int cuda_major_of(const cudnn_file& file) const;
  void note_cudart(arena_string name);

  loader& loader_;
  observation& observed_;
  int set_major_ = 0;  ///< of all files that are identified
};

// Has that file brought it?  Then its own search says how.
bool dependency_search::is_needed_by(const arena_string& path, dependency& d) {
  if (!contains(loader_.file(path).needed, d.name)) return false;
  arena_vector<arena_string> askers;
  if (path != loader_.program_path()) askers.push_back(path);
  const loader_hit hit = loader_.find(d.name, askers, loader::view::afresh);
  if (!hit.taken() || loader_.real_path(hit.path) != d.real_path) return false;
  d.chosen_by = hit.chosen_by;
  return true;
}

// A loaded library serves every later request for its SONAME, whichever file brought it.
void dependency_search::explain_mapped(dependency& d, const arena_vector<arena_string>& askers) {
  const loader_hit own = loader_.find(d.name, askers, loader::view::afresh);
  const arena_string own_path = own.taken() ? loader_.real_path(own.path) : arena_string();
  if (own.taken() && own_path == d.real_path) {
    d.chosen_by = own.chosen_by;
    return;
  }
  bool known = is_needed_by(loader_.program_path(), d);
  for (const mapped_object& object : loader_.mapped()) {
    known = known || (!object.other_namespace && is_needed_by(object.path, d));
  }
  if (!own.taken()) return;
  const arena_string id = loader_.file(d.path).build_id;
  const arena_string own_id = loader_.file(own.path).build_id;
  const version own_release = release_of_name(base_name(own_path));
  const bool same_id = id == own_id && !id.empty();
  // A library that only ld.so.cache or a default directory has was not chosen for this cuDNN.  A
  // program that brings another one, for example by being linked with a wheel's NVRTC, is no mix
  // unless that one is older.
  if (own.chosen_by.by_default() && !(d.release.known() && own_release.known())) return;
  const bool told = (!id.empty() && !own_id.empty()) || (d.release.known() && own_release.known());
  if (same_id || !told || (d.release.known() && d.release == own_release)) return;
  d.search_path = own.path;
  d.search_release = own_release;
}

void dependency_search::look_nearby(dependency& d, const arena_vector<arena_string>& askers,
                                    int cuda_major) {
  arena_vector<arena_string> names = {d.name};
  for (const arena_string name : numbered_names_of(d.name)) {
    const loader_hit hit = loader_.find(name, askers, loader::view::as_is);
    if (hit.state == file_state::whole) d.near_miss.path = hit.path;
    if (hit.state == file_state::whole) return;
    names.push_back(name);
  }
  const int named = major_of_name(d.name);
  const int major = named == 0 ? cuda_major : named;
  for (const arena_string folder : folders_of_cuda_nearby(directory_part(d.asked_by), major)) {
    for (const arena_string name : names) {
      const arena_string path = join_path(folder, name);
      if (loader_.file(path).state != file_state::whole) continue;
      d.near_miss.path = loader_.real_path(directory_part(path)) + "/" + name;
      return;
    }
  }
}

void dependency_search::add(arena_string name, const arena_vector<arena_string>& askers,
                            asked_as how, int cuda_major) {
  const dependency_kind kind = kind_of_dependency(name);
  if (kind == dependency_kind::none && how == asked_as::opened) return;
  dependency d;
  d.kind = kind;
  d.name = name;
  d.asked_by = askers.front();
  d.needed = how == asked_as::needed;
  const loader_hit hit = loader_.find(name, askers, loader::view::as_is);
  d.state = hit.state;
  d.machine = hit.machine;
  d.mapped = hit.mapped;
  // Of the system's own libraries only a damaged one is reported.  Those that a program starts with
  // are mapped.
  const bool damaged =
      !hit.mapped && (hit.state == file_state::truncated || hit.state == file_state::unwritten ||
                      ends_search(hit.state));
  if (kind == dependency_kind::none && (!damaged || is_cudnn_name(name))) return;
  if (hit.state == file_state::missing) {
    look_nearby(d, askers, cuda_major);
    // Without a driver there is none for cuDNN either.
    if (kind == dependency_kind::driver && d.near_miss.path.empty()) return;
    observed_.dependencies.push_back(d);
    return;
  }
  d.path = hit.path;
  d.chosen_by = hit.chosen_by;
  d.size = loader_.file(d.path).size;
  d.size_expected = loader_.file(d.path).size_expected;
  d.real_path = loader_.real_path(hit.path);
  d.release = release_of_name(base_name(d.real_path));
  // zlib's major is none of CUDA.
  if (d.kind != dependency_kind::libz) {
    d.cuda_major = d.release.major;
    if (d.cuda_major == 0) d.cuda_major = major_of_name(loader_.file(d.path).soname);
    if (d.cuda_major == 0) d.cuda_major = major_of_name(name);
  }
  if (d.mapped) explain_mapped(d, askers);
  observed_.dependencies.push_back(d);
}

void dependency_search::add_needed(const cudnn_file& file,
                                   const arena_vector<arena_string>& askers) {
  const int major = cuda_major_of(file);
  for (const arena_string name : loader_.file(file.path).needed)
    add(name, askers, asked_as::needed, major);
}

// The file's own identity comes first, because a mixed set has files for two CUDA majors.
int dependency_search::cuda_major_of(const cudnn_file& file) const {
  const int own = one_cuda_major(identify(file).releases);
  if (own != 0) return own;
  return file.run_path_cuda_major != 0 ? file.run_path_cuda_major : set_major_;
}

void dependency_search::add_opened(const cudnn_file& file,
                                   const arena_vector<arena_string>& askers) {
  const int major = cuda_major_of(file);
  if (major == 0) return;
  const arena_vector<release> releases = identify(file).releases;
  const version number = releases.empty() ? version{} : releases.front().number;
  for (const arena_string name : names_opened(file.role, number, major)) {
    add(name, askers, asked_as::opened, major);
  }
}

// Adds the builtins that NVRTC needs beside it.  In a wheel the name has no number, but the wheel
// has only one copy.
void dependency_search::add_builtins(const dependency& nvrtc) {
  arena_string name = name_of_builtins(nvrtc.release);
  if (name.empty()) {
    arena_vector<arena_string> names;
    const arena_string prefix = prefix_of_builtins(nvrtc.cuda_major);
    (void)loader_.system().list(directory_part(nvrtc.real_path), prefix.c_str(), names);
    if (names.size() == 1) name = names.front();
  }
  if (name.empty()) return;
  add(name, {nvrtc.path, nvrtc.asked_by}, asked_as::opened, nvrtc.cuda_major);
}

void dependency_search::note_cudart(arena_string name) {
  if (kind_of_dependency(name) != dependency_kind::cudart) return;
  const int major = major_of_name(name);
  for (const int known : observed_.cudart_majors) {
    if (known == major) return;
  }
  if (major != 0) observed_.cudart_majors.push_back(major);
}

void dependency_search::run() {
  arena_vector<file_identity> identities;
  for (const cudnn_file& file : observed_.files) identities.push_back(identify(file));
  bool known = false;
  set_major_ = one_cuda_major(intersect(identities, known));
  for (const cudnn_file& file : observed_.files) {
    if (file.state != file_state::whole || file.path.empty() || file.other_namespace) continue;
    arena_vector<arena_string> askers = {file.path};
    if (!file.asked_by.empty()) askers.push_back(file.asked_by);
    add_needed(file, askers);
    add_opened(file, askers);
  }
  arena_vector<arena_string> done;
  const std::size_t count = observed_.dependencies.size();
  for (std::size_t i = 0; i < count; ++i) {
    const dependency nvrtc = observed_.dependencies[i];
    if (nvrtc.kind != dependency_kind::nvrtc || nvrtc.path.empty()) continue;
    bool again = false;
    for (const arena_string path : done) again = again || path == nvrtc.path;
    if (!again) add_builtins(nvrtc);
    done.push_back(nvrtc.path);
  }
  for (const mapped_object& object : loader_.mapped()) note_cudart(object.soname);
  for (const arena_string name : loader_.file(loader_.program_path()).needed) note_cudart(name);
}

void observe_dependencies(loader& search, observation& observed) {
  observed.dependencies.clear();
  observed.cudart_majors.clear();
  dependency_search(search, observed).run();
  // The search may have met what it cannot know.
  observed.other_rules = search.other_rules();
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
