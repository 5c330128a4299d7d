// SPDX-License-Identifier: BSD-3-Clause
#include "../core/catalogue/catalogue.h"
#include "../core/check/cudnn_check.h"
#include "../core/model/library_name.h"
#include "../core/model/library_spelling.h"
#include "../core/model/paths.h"
#include "../core/observe/cudnn_search.h"
#include "../core/system/system_view.h"
#include "bundle.h"
#include "licenses.h"

namespace cudnn_checked::bundles {

namespace {

/// The system as if there were no other cuDNN: files that another one lends are no part of a
/// bundle.
class alone_view final : public system_view {
 public:
  alone_view(const system_interface& real, const arena_string& library)
      : system_view(real),
        library_(library),
        directory_(directory_part(library)),
        own_(real.real_path(directory_)) {}

  /// The library, because its machine counts: in a cross build that is not this one.
  arena_string program_path() const override { return library_; }

  bool variable(const char* name, arena_string& value) const override {
    const bool hidden =
        arena_string(name) == "LD_LIBRARY_PATH" || arena_string(name) == "LD_PRELOAD";
    return !hidden && system_view::variable(name, value);
  }
  arena_string loader_cache(arena_string soname) const override {
    if (!is_cudnn_name(soname)) return system_view::loader_cache(soname);
    const arena_string path = join_path(directory_, soname);
    return real_path(path).empty() ? arena_string() : path;
  }
  open_result list(arena_string path, const char* prefixes,
                   arena_vector<arena_string>& names) const override {
    arena_vector<arena_string> all;
    const open_result result = system_view::list(path, prefixes, all);
    const bool is_other = real_path(path) != own_;
    for (const arena_string& name : all) {
      if (!is_other || !is_cudnn_name(name)) names.push_back(name);
    }
    return result;
  }
  arena_vector<mapped_object> mapped_objects() const override { return {}; }

 private:
  arena_string library_;
  arena_string directory_;
  arena_string own_;
};

}  // namespace

static bool has(const arena_vector<arena_string>& all, const arena_string& one) {
  return contains(all, one);
}

static void add_cudnn(const observation& observed, int major, bundle& chosen) {
  for (const cudnn_file& file : observed.files) {
    if (file.state != file_state::whole || file.path.empty()) continue;
    const arena_string soname = name_of_library(file.role, major);
    const arena_string first = file.role == library_role::shim
                                   ? soname
                                   : names_asked(file.role, major, chosen.number).front();
    chosen.files.push_back({file.real_path, first, first == soname ? arena_string() : soname, true,
                            file.size, file.build_id});
  }
}

// Adds the names that graph library and shim ask for and that no file of the bundle has.
static void add_open_names(int major, bundle& chosen) {
  arena_vector<library_role> roles = asked_by(library_role::shim, major, chosen.number);
  for (const library_role& role : asked_by(library_role::graph, major, chosen.number)) {
    roles.push_back(role);
  }
  for (const library_role& role : roles) {
    const arena_string name = names_asked(role, major, chosen.number).front();
    bool known = role == library_role::none || has(chosen.open_names, name);
    for (const bundled_file& file : chosen.files) known = known || file.name == name;
    if (!known) chosen.open_names.push_back(name);
  }
}

static bool is_of_cuda(dependency_kind kind) {
  return kind != dependency_kind::libz && kind != dependency_kind::driver;
}

// Found or not: cuDNN 9.14 has a run path that does not lead to the NVRTC of its wheels.
static void add_dependencies(const system_interface& os, const observation& observed,
                             cuda_libraries cuda, bundle& chosen) {
  arena_vector<arena_string> done;
  for (const dependency& d : observed.dependencies) {
    if (has(done, d.name)) continue;
    done.push_back(d.name);
    const arena_string path = d.path.empty() ? d.near_miss.path : d.path;
    if (cuda == cuda_libraries::copied && is_of_cuda(d.kind) && !path.empty()) {
      const library_file contents = read_library(os, path, 0);
      chosen.files.push_back(
          {os.real_path(path), d.name, {}, false, contents.size, contents.build_id});
    } else {
      chosen.left.push_back({d.name, path});
    }
  }
}

bundle choose_bundle(const system_interface& os, const arena_string& library,
                     const arena_vector<arena_string>& components, cuda_libraries cuda) {
  const alone_view alone(os, library);
  loader search(alone);
  const int major = major_of_name(base_name(library));
  bundle chosen;
  observation observed;
  look_at_install(search, major, observed);
  observed.linked = true;
  stamp headers;
  headers.components = components;
  judge_options options;
  options.install_named = true;
  const judgement judged = judge_install_files(headers, observed, options);
  if (judged.result == verdict::refused) {
    chosen.findings = judged.findings;
    return chosen;
  }
  chosen.number = judged.set.effective;
  if (!judged.set.common.empty()) chosen.cuda_major = judged.set.common.front().cuda_major;
  add_cudnn(observed, major, chosen);
  add_open_names(major, chosen);
  add_dependencies(os, observed, cuda, chosen);
  find_licenses(os, observed, chosen);
  return chosen;
}

}  // namespace cudnn_checked::bundles
