// SPDX-License-Identifier: BSD-3-Clause
#include "opened_libraries.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "../core/library/library_file.h"
#include "../core/model/dependency_names.h"
#include "../core/model/library_name.h"
#include "../core/model/library_role.h"
#include "../core/model/library_spelling.h"
#include "../core/model/paths.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace configure {

namespace {

/// What the run path of a library leads to on every machine: no variable and no cache counts.
class run_path {
 public:
  run_path(const system_interface& os, const arena_string& library);

  /// The file of that name in one of its directories; empty without one.
  arena_string file_of(const arena_string& name) const;
  bool has(const arena_string& directory) const { return contains(directories_, directory); }

 private:
  const system_interface& os_;
  arena_vector<arena_string> directories_;
};

}  // namespace

static void replace_all(std::string& text, const char* token, const arena_string& value) {
  for (std::size_t at = text.find(token); at != std::string::npos; at = text.find(token, at))
    text.replace(at, std::char_traits<char>::length(token), value.c_str());
}

run_path::run_path(const system_interface& os, const arena_string& library) : os_(os) {
  const library_file file = read_library(os, library, 0);
  std::string rest = file.has_runpath ? file.runpath : file.rpath;
  replace_all(rest, "${ORIGIN}", directory_part(library));
  replace_all(rest, "$ORIGIN", directory_part(library));
  while (!rest.empty()) {
    const std::size_t end = rest.find(':');
    if (end != 0) directories_.push_back(arena_string(rest.substr(0, end)));
    rest = end == std::string::npos ? std::string() : rest.substr(end + 1);
  }
}

arena_string run_path::file_of(const arena_string& name) const {
  for (const arena_string& directory : directories_) {
    const arena_string path = join_path(directory, name);
    if (exists(os_, path)) return path;
  }
  return {};
}

/// NVRTC opens its builtins by a name with its own release.  Since 13.1 it has a run path that
/// finds them beside it; 13.0 has none.
static arena_vector<arena_string> builtins_of(const system_interface& os,
                                              const arena_string& nvrtc) {
  const arena_string directory = directory_part(nvrtc);
  if (run_path(os, nvrtc).has(directory)) return {};
  const arena_string start = prefix_of_builtins(major_of_name(base_name(nvrtc)));
  arena_vector<arena_string> builtins;
  for (const arena_string& name : sorted_names_in(os, directory, start.c_str())) {
    // A toolkit has the file by its full release as well.
    const bool full = name.find('.', start.size()) != arena_string::npos;
    if (!full) builtins.push_back(join_path(directory, name));
  }
  return builtins;
}

/// The files that are linked for that NVRTC.
static arena_vector<arena_string> files_of_nvrtc(const system_interface& os,
                                                 const arena_string& file, arena_string reached,
                                                 bool of_toolkit) {
  if (of_toolkit && !reached.empty()) {
    if (builtins_of(os, reached).empty()) return {};
    reached = "";
  }
  arena_vector<arena_string> files;
  if (reached.empty()) files.push_back(file);
  files.append(builtins_of(os, file));
  return files;
}

static bool opens_cublas(library_role role) {
  const opened_parts opened = parts_opened_by(role);
  return std::find(std::begin(opened.parts), std::end(opened.parts), opened_part::cublaslt) !=
         std::end(opened.parts);
}

arena_vector<arena_string> libraries_to_bring(const request& asked, const system_interface& os) {
  const int major = major_of_name(base_name(asked["library"]));
  arena_string asker;
  bool uses_cublas = false;
  for (const library_role role : sublibraries_of(major)) {
    const arena_string file =
        join_path(directory_part(asked["library"]), name_of_library(role, major));
    if (!exists(os, file)) continue;
    // All sub-libraries of a release have one run path.
    if (asker.empty()) asker = file;
    // cuDNN 8 names cuBLAS among what it needs, and finds it; a JIT-only cuDNN does not use it.
    uses_cublas = uses_cublas || opens_cublas(role);
  }
  const run_path own(os, asker);
  arena_vector<arena_string> all;
  for (const arena_string& file : asked.all("file")) {
    const arena_string reached = own.file_of(base_name(file));
    if (kind_of_dependency(base_name(file)) == dependency_kind::nvrtc) {
      all.append(files_of_nvrtc(os, file, reached, asked["toolkit"] == "yes"));
    } else if (uses_cublas && reached.empty()) {
      all.push_back(file);
    }
  }
  return all;
}

}  // namespace configure
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
