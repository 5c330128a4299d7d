// SPDX-License-Identifier: BSD-3-Clause
//
// Which files of cuDNN are in this process, or would come into it.
#include "../catalogue/catalogue.h"
#include "loader.h"
#include "observe.h"
#include "paths.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

// A mapped object that is part of some cuDNN.
struct mapped_cudnn {
  const mapped_object* object = nullptr;
  std::string role;
  int major = 0;  ///< of its SONAME; 0 where that has none
};

// The text behind ".so.": "9" or "9.14.0"; empty where there is none.
static std::string_view numbers_of_name(std::string_view name) {
  const std::size_t at = name.find(".so.");
  return at == std::string_view::npos ? std::string_view() : name.substr(at + 4);
}

static int major_of_name(const std::string& name) {
  return parse_version(numbers_of_name(name)).major;
}

// Only x.y.z says which release a file is: "libcudnn.so.9" is none.
static version release_of_name(const std::string& name) {
  const std::string_view numbers = numbers_of_name(name);
  std::size_t points = 0;
  for (const char c : numbers) points += c == '.' ? 1 : 0;
  return points >= 2 ? parse_version(numbers) : version{};
}

static std::vector<mapped_cudnn> mapped_cudnn_files(const loader& search) {
  std::vector<mapped_cudnn> found;
  for (const mapped_object& object : search.mapped()) {
    mapped_cudnn m;
    m.object = &object;
    m.role = identify_build_id(object.build_id).role;
    if (m.role.empty()) m.role = role_of_name(object.soname);
    if (m.role.empty()) m.role = role_of_name(base_name(object.path));
    if (m.role.empty()) continue;
    m.major = major_of_name(object.soname);
    if (m.major == 0) m.major = major_of_name(base_name(object.path));
    found.push_back(m);
  }
  return found;
}

// The search for one whole cuDNN, seen one way.
class cudnn_search {
 public:
  cudnn_search(const system_interface& os, loader& search, loader::view how, int major)
      : os_(os), loader_(search), how_(how), major_(major) {}

  std::vector<cudnn_file> run(const std::vector<mapped_cudnn>& mapped);

 private:
  cudnn_file look_up(const std::string& role, const std::vector<std::string>& names,
                     const std::vector<std::string>& askers);
  cudnn_file record_mapped(const mapped_cudnn& m);
  bool is_preloaded(const cudnn_file& file) const;
  void fill_from_disk(cudnn_file& file);
  bool take_mapped(const std::string& role, const std::vector<std::string>& names,
                   const std::vector<std::string>& askers);
  void explain_mapped(cudnn_file& file, const std::vector<std::string>& names,
                      const std::vector<std::string>& askers);
  void add_role(const std::string& role, const cudnn_file& asker);
  void add_roles_beside(const cudnn_file& graph);
  const cudnn_file* usable(const std::string& role) const;
  std::vector<std::string> names_asked(const std::string& role, const cudnn_file& asker) const;
  std::vector<std::string> askers_of(const cudnn_file& asker) const;

  const system_interface& os_;
  loader& loader_;
  loader::view how_;
  int major_;
  std::vector<mapped_cudnn> mapped_;
  std::vector<std::string> preloaded_;  ///< entries of LD_PRELOAD: paths and names
  std::vector<const mapped_object*> recorded_;
  std::vector<cudnn_file> files_;
};

void cudnn_search::fill_from_disk(cudnn_file& file) {
  const elf_file& contents = loader_.file(file.path);
  file.real_path = os_.real_path(file.path);
  file.size = contents.size;
  file.size_expected = contents.size_expected;
  file.name_version = release_of_name(base_name(file.real_path));
  if (!file.name_version.known()) file.name_version = release_of_name(base_name(file.path));
  if (!file.mapped) {
    file.state = contents.state;
    file.soname = contents.soname;
    file.build_id = contents.build_id;
    file.word = contents.word;
    file.run_path_cuda_major = run_path_cuda_major(contents);
    return;
  }
  // What is in memory counts, and a file that was replaced since says nothing about it.  But pages
  // of a cut file cannot be read in either, once they are needed.
  const bool cut = contents.state == file_state::truncated || contents.state == file_state::empty;
  file.state = cut ? contents.state : file_state::whole;
  if (contents.build_id == file.build_id) file.word = contents.word;
}

// Entries with a slash are paths, others names that the loader looked up.
bool cudnn_search::is_preloaded(const cudnn_file& file) const {
  for (const std::string& entry : preloaded_) {
    if (entry.empty()) continue;
    if (entry == file.path || entry == file.soname) return true;
    const bool is_path = entry.find('/') != std::string::npos;
    if (is_path ? os_.real_path(entry) == file.real_path && !file.real_path.empty()
                : entry == base_name(file.path)) {
      return true;
    }
  }
  return false;
}

cudnn_file cudnn_search::record_mapped(const mapped_cudnn& m) {
  cudnn_file file;
  file.role = m.role;
  file.name = m.object->soname.empty() ? base_name(m.object->path) : m.object->soname;
  file.path = m.object->path;
  file.chosen_by = "already loaded";
  file.mapped = true;
  file.soname = m.object->soname;
  file.build_id = m.object->build_id;
  fill_from_disk(file);
  if (is_preloaded(file)) file.chosen_by = "LD_PRELOAD";
  recorded_.push_back(m.object);
  return file;
}

// The first name that leads to a file which can be loaded.  A name whose file cannot is passed
// over, as cuDNN does; it is recorded where no other name helps.
cudnn_file cudnn_search::look_up(const std::string& role, const std::vector<std::string>& names,
                                 const std::vector<std::string>& askers) {
  cudnn_file file;
  file.role = role;
  file.name = "libcudnn" + (role == "shim" ? "" : "_" + role) + ".so." + std::to_string(major_);
  if (!askers.empty()) file.asked_by = askers.front();
  loader_hit chosen;
  for (const std::string& name : names) {
    const loader_hit hit = loader_.find(name, askers, how_);
    if (!hit.taken() && (chosen.state != file_state::missing || hit.state == file_state::missing)) {
      continue;
    }
    chosen = hit;
    file.name = name;
    if (hit.taken()) break;
  }
  if (chosen.state == file_state::missing) return file;
  file.path = chosen.path;
  file.chosen_by = chosen.chosen_by;
  fill_from_disk(file);
  return file;
}

const cudnn_file* cudnn_search::usable(const std::string& role) const {
  for (const cudnn_file& file : files_) {
    if (file.role == role && !file.path.empty()) return &file;
  }
  return nullptr;
}

// cuDNN 9 asks for its own x.y.z first, then x.y, then the major, then none (seen: 9.1, 9.10, 9.14,
// 9.19, 9.27, 9.28); cuDNN 8 only for the major.
std::vector<std::string> cudnn_search::names_asked(const std::string& role,
                                                   const cudnn_file& asker) const {
  const std::string stem = "libcudnn_" + role + ".so";
  const std::string by_major = stem + "." + std::to_string(major_);
  if (major_ < 9) return {by_major};
  std::vector<std::string> names;
  const std::vector<release> releases = identify(asker).releases;
  bool one = !releases.empty();
  for (const release& r : releases) one = one && r.number == releases.front().number;
  if (one) {
    const version& v = releases.front().number;
    const std::string minor = by_major + "." + std::to_string(v.minor);
    names.push_back(minor + "." + std::to_string(v.patch));
    names.push_back(minor);
  }
  names.push_back(by_major);
  names.push_back(stem);
  return names;
}

// The asker and those who asked for it: shim, or graph and shim.
std::vector<std::string> cudnn_search::askers_of(const cudnn_file& asker) const {
  std::vector<std::string> askers;
  if (!asker.path.empty()) askers.push_back(asker.path);
  if (!asker.asked_by.empty()) askers.push_back(asker.asked_by);
  return askers;
}

// Why a mapped file was taken: where a search that starts afresh leads to the same file, its
// reason.
void cudnn_search::explain_mapped(cudnn_file& file, const std::vector<std::string>& names,
                                  const std::vector<std::string>& askers) {
  if (file.chosen_by == "LD_PRELOAD") return;
  for (const std::string& name : names) {
    const loader_hit hit = loader_.find(name, askers, loader::view::afresh);
    if (!hit.taken()) continue;
    if (hit.path == file.path || os_.real_path(hit.path) == file.real_path) {
      file.path = hit.path;  // absolute, where the loader's own name for it is relative
      file.chosen_by = hit.chosen_by;
    }
    return;
  }
}

bool cudnn_search::take_mapped(const std::string& role, const std::vector<std::string>& names,
                               const std::vector<std::string>& askers) {
  bool found = false;
  for (const mapped_cudnn& m : mapped_) {
    if (m.role != role || (m.major != 0 && m.major != major_)) continue;
    files_.push_back(record_mapped(m));
    explain_mapped(files_.back(), names, askers);
    found = true;
  }
  return found;
}

void cudnn_search::add_role(const std::string& role, const cudnn_file& asker) {
  const std::vector<std::string> names = names_asked(role, asker);
  const std::vector<std::string> askers = askers_of(asker);
  if (take_mapped(role, names, askers)) return;
  files_.push_back(look_up(role, names, askers));
}

// Roles that came with later releases: what lies beside the graph library can be asked for.
void cudnn_search::add_roles_beside(const cudnn_file& graph) {
  if (graph.path.empty()) return;
  const std::string ending = ".so." + std::to_string(major_);
  for (const std::string& name : loader_.names_in(directory_part(graph.path))) {
    const std::string role = role_of_name(name);
    if (role.empty() || role == "shim") continue;
    if (name != "libcudnn_" + role + ending) continue;
    bool known = false;
    for (const cudnn_file& file : files_) known = known || file.role == role;
    if (!known) add_role(role, graph);
  }
}

std::vector<cudnn_file> cudnn_search::run(const std::vector<mapped_cudnn>& mapped) {
  static constexpr const char* asked_by_shim_9[] = {"ops", "cnn", "adv"};
  static constexpr const char* asked_by_graph_9[] = {"engines_precompiled",
                                                     "engines_runtime_compiled", "heuristic"};
  static constexpr const char* asked_by_shim_8[] = {"ops_infer", "ops_train", "cnn_infer",
                                                    "cnn_train", "adv_infer", "adv_train"};
  mapped_ = mapped;
  std::string preload;
  if (os_.variable("LD_PRELOAD", preload)) preloaded_ = split_path_list(preload, " :");
  const std::vector<std::string> shim_names = {"libcudnn.so." + std::to_string(major_)};
  if (!take_mapped("shim", shim_names, {})) files_.push_back(look_up("shim", shim_names, {}));
  const cudnn_file shim = files_.front();
  // Without a shim nobody asks: a program may bring its sub-libraries itself, or load cuDNN later.
  const bool asked = !shim.path.empty() || !mapped_.empty();
  if (asked && major_ >= 9) {
    add_role("graph", shim);
    const cudnn_file* const found = usable("graph");
    const cudnn_file graph = found == nullptr ? cudnn_file() : *found;
    for (const char* role : asked_by_shim_9) add_role(role, shim);
    for (const char* role : asked_by_graph_9) add_role(role, graph.path.empty() ? shim : graph);
    add_roles_beside(graph);
  } else if (asked) {
    for (const char* role : asked_by_shim_8) add_role(role, shim);
  }
  // Whatever else of cuDNN is in the process: another major, a role that no list has.
  for (const mapped_cudnn& m : mapped_) {
    bool recorded = false;
    for (const mapped_object* object : recorded_) recorded = recorded || object == m.object;
    if (!recorded) files_.push_back(record_mapped(m));
  }
  return files_;
}

static int needed_major(const system_interface& os, const std::string& program) {
  for (const std::string& name : read_needed(os, program)) {
    if (role_of_name(name) == "shim") return major_of_name(name);
  }
  return 0;
}

// A mapped shim decides; of several, the one that the program was built for.
static int choose_major(const std::vector<mapped_cudnn>& mapped, int needed, int wanted) {
  int major = needed;
  bool found = false;
  for (const mapped_cudnn& m : mapped) {
    if (m.role != "shim" || m.major == 0) continue;
    if (m.major == wanted) return wanted;
    if (!found) major = m.major;
    found = true;
  }
  if (major == 0) major = wanted;
  return major == 0 ? 9 : major;
}

static void note_alternatives(const std::vector<cudnn_file>& others, observation& seen) {
  for (const cudnn_file& other : others) {
    if (other.path.empty()) continue;
    seen.alternatives.push_back(
        {other.role, other.path, other.chosen_by, other.build_id, other.word, other.name_version});
  }
}

void observe_files(const system_interface& os, int cudnn_major, observation& seen) {
  loader search(os);
  seen.program_path = search.program_path();
  seen.ld_library_path = search.ld_library_path();
  const std::vector<mapped_cudnn> mapped = mapped_cudnn_files(search);
  const int needed = needed_major(os, seen.program_path);
  seen.cudnn_major = choose_major(mapped, needed, cudnn_major);
  seen.linked = needed != 0;
  for (const mapped_cudnn& m : mapped) seen.linked = seen.linked || m.role == "shim";
  seen.files = cudnn_search(os, search, loader::view::as_is, seen.cudnn_major).run(mapped);
  seen.alternatives.clear();
  if (seen.ld_library_path.empty()) return;
  note_alternatives(
      cudnn_search(os, search, loader::view::without_ld_library_path, seen.cudnn_major).run({}),
      seen);
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
