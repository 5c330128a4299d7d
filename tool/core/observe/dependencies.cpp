// SPDX-License-Identifier: BSD-3-Clause
//
// What the files of cuDNN need of others, and which files the loader would take for it.
#include "../catalogue/catalogue.h"
#include "../loader/loader.h"
#include "../model/cuda_major.h"
#include "../model/format.h"
#include "../model/library_name.h"
#include "../model/paths.h"
#include "../model/releases.h"
#include "observe.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

struct dependency_name {
  char stem[22];
  dependency_kind kind;
};

// NEEDED entries that may be absent (readelf on 8.5.0, 9.14.0, 9.19.0, 9.27.0 and 9.28.0): libz in
// every sub-library of 9 and in cnn_infer of 8; libcublas and libcublasLt in ops_infer, cnn_infer
// and cnn_train of 8.  libcuda.so.1, which the runtime-compiled engines of 9.27 need, is the
// driver's matter.  A stem without a dot at its end is the whole name.
static constexpr dependency_name dependency_names[] = {
    {"libz.so.", dependency_kind::libz},
    {"libcublas.so.", dependency_kind::cublas},
    {"libcublasLt.so.", dependency_kind::cublaslt},
    {"libcudart.so.", dependency_kind::cudart},
    {"libnvrtc.so.", dependency_kind::nvrtc},
    {"libnvrtc-builtins.so.", dependency_kind::nvrtc_builtins},
    {"libnvJitLink.so.", dependency_kind::nvjitlink},
    {"libnvrtc.so", dependency_kind::nvrtc},
    {"libcuda.so", dependency_kind::driver}};

struct opened_library {
  library_role::known role;
  char stem[16];
  version first = {};  ///< releases that open it; unknown: all
  version end = {};    ///< and the first that no longer does; unknown: none
};

// What cuDNN opens by name when it computes; behind a dot comes its own CUDA major.  From the
// strings of the libraries ("libnvrtc.so.%d" in graph) and LD_DEBUG on a GPU: docs/measurements.md,
// "Libraries that cuDNN uses".  The search is that of the library that opens: its RUNPATH counts.
static constexpr opened_library opened_libraries[] = {
    {library_role::adv, "libcublasLt.so."},
    {library_role::engines_precompiled, "libcublasLt.so."},
    {library_role::engines_precompiled, "libnvrtc.so."},
    {library_role::engines_tensor_ir, "libnvrtc.so."},
    {library_role::graph, "libnvrtc.so."},
    {library_role::cnn_infer, "libnvrtc.so", since::opens_plain_nvrtc, since::cudnn_opens_cublas},
    {library_role::cnn_infer, "libcuda.so", since::opens_plain_nvrtc, since::cudnn_opens_cublas},
    {library_role::ops_infer, "libcublasLt.so.", since::cudnn_opens_cublas}};

// The files that a name without a number leads to.
static constexpr char numbered_names[][17] = {"libcuda.so.1", "libnvrtc.so.11.2",
                                              "libnvrtc.so.11.1", "libnvrtc.so.11.0"};

// Folders of wheels in which CUDA's libraries lie, seen from cuDNN's.
static constexpr char wheel_folders[][22] = {"", "/../../cu%d/lib", "/../../cublas/lib",
                                             "/../../cuda_nvrtc/lib"};

static dependency_kind kind_of_dependency(arena_string name) {
  for (const dependency_name& known : dependency_names) {
    const arena_string stem = known.stem;
    if (stem.back() == '.' ? starts_with(name, stem) : name == stem) return known.kind;
  }
  return dependency_kind::none;
}

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
  void add(arena_string name, const arena_vector<arena_string>& askers, asked_as how);
  void explain_mapped(dependency& d, const arena_vector<arena_string>& askers);
  void look_nearby(dependency& d, const arena_vector<arena_string>& askers);
  void add_needed(const cudnn_file& file, const arena_vector<arena_string>& askers);
  void add_opened(const cudnn_file& file, const arena_vector<arena_string>& askers);
  void add_builtins(const dependency& nvrtc);
  int cuda_major_of(const cudnn_file& file) const;
  void note_cudart(arena_string name);

  loader& loader_;
  observation& observed_;
  int set_major_ = 0;  ///< of all files that are identified
};

// What is resident serves every later request for its SONAME, whoever brought it.
void dependency_search::explain_mapped(dependency& d, const arena_vector<arena_string>& askers) {
  const loader_hit own = loader_.find(d.name, askers, loader::view::afresh);
  if (!own.taken()) return;
  const arena_string own_path = loader_.real_path(own.path);
  if (own_path == d.real_path) {
    d.chosen_by = own.chosen_by;
    return;
  }
  const arena_string id = loader_.file(d.path).build_id;
  const arena_string own_id = loader_.file(own.path).build_id;
  const version own_release = release_of_name(base_name(own_path));
  const bool same_id = id == own_id && !id.empty();
  // What only ld.so.cache or a default directory has is nobody's choice for this cuDNN: a program
  // that brings another one, as one linked with a wheel's NVRTC, is no mix unless it is older.
  if (own.chosen_by.by_default() && !(d.release.known() && own_release.known())) return;
  const bool told = (!id.empty() && !own_id.empty()) || (d.release.known() && own_release.known());
  if (same_id || !told || (d.release.known() && d.release == own_release)) return;
  d.search_path = own.path;
  d.search_release = own_release;
}

void dependency_search::look_nearby(dependency& d, const arena_vector<arena_string>& askers) {
  arena_vector<arena_string> names = {d.name};
  for (const char* name : numbered_names) {
    if (!starts_with(name, d.name + ".")) continue;
    const loader_hit hit = loader_.find(name, askers, loader::view::as_is);
    if (hit.state == file_state::whole) d.near_miss.path = hit.path;
    if (hit.state == file_state::whole) return;
    names.push_back(name);
  }
  for (const char* folder : wheel_folders) {
    for (const arena_string name : names) {
      const arena_string path =
          join_path(directory_part(d.asked_by) + format(folder, newest_cuda_major), name);
      if (loader_.file(path).state != file_state::whole) continue;
      d.near_miss.path = loader_.real_path(directory_part(path)) + "/" + name;
      return;
    }
  }
}

void dependency_search::add(arena_string name, const arena_vector<arena_string>& askers,
                            asked_as how) {
  const dependency_kind kind = kind_of_dependency(name);
  if (kind == dependency_kind::none) return;
  dependency d;
  d.kind = kind;
  d.name = name;
  d.asked_by = askers.front();
  d.needed = how == asked_as::needed;
  const loader_hit hit = loader_.find(name, askers, loader::view::as_is);
  d.state = hit.state;
  d.machine = hit.machine;
  d.mapped = hit.mapped;
  if (hit.state == file_state::missing) {
    look_nearby(d, askers);
    // Without a driver there is none for cuDNN either.
    if (kind == dependency_kind::driver && d.near_miss.path.empty()) return;
    observed_.dependencies.push_back(d);
    return;
  }
  d.path = hit.path;
  d.chosen_by = hit.chosen_by;
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
  for (const arena_string name : loader_.file(file.path).needed)
    add(name, askers, asked_as::needed);
}

// What the file itself says comes first: a mixed set has files for two CUDA majors.
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
  for (const opened_library& opened : opened_libraries) {
    const bool is_before = number < opened.first;
    const bool is_after = opened.end.known() && !(number < opened.end);
    if (file.role != opened.role || is_before || is_after) continue;
    const arena_string name = opened.stem;
    add(name.back() == '.' ? name + to_string(major) : name, askers, asked_as::opened);
  }
}

// NVRTC opens libnvrtc-builtins.so.X.Y, its own release, by that name when it compiles, and has no
// run path (13.0.88, toolkit and wheel): a copy beside it is not found.  Its versioned name has
// X.Y; a wheel has none, but brings the builtins along.
void dependency_search::add_builtins(const dependency& nvrtc) {
  const arena_string stem = "libnvrtc-builtins.so.";
  if (nvrtc.release.known()) {
    add(stem + to_cuda_string(nvrtc.release), {nvrtc.path, nvrtc.asked_by}, asked_as::opened);
    return;
  }
  arena_vector<arena_string> names;
  const arena_string prefix = stem + to_string(nvrtc.cuda_major) + ".";
  (void)loader_.system().list(directory_part(nvrtc.real_path), prefix.c_str(), names);
  if (names.size() == 1) add(names.front(), {nvrtc.path, nvrtc.asked_by}, asked_as::opened);
}

void dependency_search::note_cudart(arena_string name) {
  if (!starts_with(name, "libcudart.so.")) return;
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
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
