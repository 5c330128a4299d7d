// SPDX-License-Identifier: BSD-3-Clause
//
// The CUDA that a package is for, where a library of it does not say.
#include <cstdlib>

#include "../../core/model/library_name.h"
#include "../../core/model/paths.h"
#include "../text/lists.h"
#include "unstamped.h"

namespace cudnn_checked::cli {

static constexpr int most_neighbours = 256;

// "cuda101", "cu112", "cuda12x": two digits of CUDA's major and, until CUDA 11, one of its minor.
// CUDA 9.2 is "cu92".
static int cuda_major_of_word(std::string_view word) {
  std::size_t at = 0;
  for (const std::string_view stem : {"cuda", "cu"}) {
    if (at == 0 && starts_with(word, stem)) at = stem.size();
  }
  if (!word.empty() && word.back() == 'x') word.remove_suffix(1);
  if (at == 0 || word.size() < at + 2 || word.size() > at + 3) return 0;
  for (const char c : word.substr(at)) {
    if (!is_digit(c)) return 0;
  }
  const int number = std::atoi(std::string(word.substr(at, 2)).c_str());
  return number < 30 ? number : number / 10;
}

static int cuda_major_of_package(const arena_string& name) {
  int major = 0;
  for (const arena_string& word : split_path_list(name, "-")) {
    if (major == 0) major = cuda_major_of_word(word);
  }
  return major;
}

/// The one that all of them NEED; nothing is filled in where they NEED several.
static void find_cuda_beside(loader& search, unstamped_program& program) {
  const arena_string directory = directory_part(search.program_path());
  unstamped_program found;
  int looked_at = 0;
  for (const arena_string& file : sorted_names_in(search.system(), directory)) {
    if (++looked_at > most_neighbours) break;
    if (is_cudnn_path(file)) continue;  // its cuBLAS says nothing of the package
    const arena_string path = join_path(directory, file);
    for (const arena_string& name : search.file(path).needed) {
      const int major = cuda_major_of_name(name);
      if (major == 0 || major == found.cuda_major) continue;
      if (found.cuda_major != 0) return;
      found.cuda_major = major;
      found.cuda_library = name;
      found.cuda_asker = path;
    }
  }
  program.cuda_major = found.cuda_major;
  program.cuda_library = found.cuda_library;
  program.cuda_asker = found.cuda_asker;
}

void find_cuda_of_package(loader& search, unstamped_program& program) {
  const arena_string& package = program.owner.name;
  const bool says = program.cuda_major != 0 || program.requirement.cuda_major != 0;
  if (says || package.empty() || program.use == cudnn_use::none) return;
  program.cuda_major = cuda_major_of_package(package);
  if (program.cuda_major == 0) return find_cuda_beside(search, program);
  program.cuda_library = "the name";
  program.cuda_asker = package;
}

}  // namespace cudnn_checked::cli
