// SPDX-License-Identifier: BSD-3-Clause
#include "../model/cuda_major.h"
#include "../model/dependency_names.h"
#include "../model/format.h"
#include "../model/paths.h"
#include "../model/releases.h"

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
  version first;     ///< releases that open it
  version end = {};  ///< and the first that no longer does; unknown: none
};

static constexpr opened_library opened_libraries[] = {
#define OPENED(role, library, first, end) {library_role::role, library, since::first, since::end},
#include "../model/opened_on_linux.def"
#undef OPENED
};

// The files that a name without a number leads to.
static constexpr char numbered_names[][17] = {"libcuda.so.1", "libnvrtc.so.11.2",
                                              "libnvrtc.so.11.1", "libnvrtc.so.11.0"};

// Folders of wheels in which CUDA's libraries lie, seen from cuDNN's: where those of a CUDA share
// one, and where each has its own.
static constexpr char shared_folder[] = "/../../cu%d/lib";
static constexpr char wheel_folders[][22] = {"/../../cublas/lib", "/../../cuda_nvrtc/lib"};

dependency_kind kind_of_dependency(arena_string name) {
  for (const dependency_name& known : dependency_names) {
    const arena_string stem = known.stem;
    if (stem.back() == '.' ? starts_with(name, stem) : name == stem) return known.kind;
  }
  return dependency_kind::none;
}

// Behind a dot comes cuDNN's own CUDA major.  The search is that of the library that opens: its
// RUNPATH counts.
arena_vector<arena_string> names_opened(library_role role, version number, int cuda_major) {
  arena_vector<arena_string> names;
  for (const opened_part::known part : parts_opened_by(role).parts) {
    if (part == opened_part::none) continue;
    const char* stem = part == opened_part::cublaslt ? "libcublasLt.so." : "libnvrtc.so.";
    names.push_back(stem + to_string(cuda_major));
  }
  for (const opened_library& opened : opened_libraries) {
    const bool is_before = number < opened.first;
    const bool is_after = opened.end.known() && !(number < opened.end);
    if (role != opened.role || is_before || is_after) continue;
    const arena_string name = opened.stem;
    names.push_back(name.back() == '.' ? name + to_string(cuda_major) : name);
  }
  return names;
}

// Containers in which programs are built have cuDNN, and neither a driver nor the rest of CUDA.
bool must_be_there(dependency_kind, int) { return false; }

arena_string name_of_runtime(int cuda_major) { return "libcudart.so." + to_string(cuda_major); }

arena_vector<arena_string> numbered_names_of(arena_string name) {
  arena_vector<arena_string> names;
  for (const char* numbered : numbered_names) {
    if (starts_with(numbered, name + ".")) names.emplace_back(numbered);
  }
  return names;
}

arena_vector<arena_string> folders_of_cuda_nearby(arena_string directory, int cuda_major) {
  arena_vector<arena_string> folders = {directory};
  if (has_cuda_folder(cuda_major)) folders.push_back(directory + format(shared_folder, cuda_major));
  for (const char* folder : wheel_folders) folders.push_back(directory + folder);
  return folders;
}

// NVRTC opens libnvrtc-builtins.so.X.Y, its own release, by that name when it compiles, and has no
// run path (13.0.88, toolkit and wheel): a copy beside it is not found.  Its versioned name has
// X.Y; a wheel has none, but brings the builtins along.
static constexpr const char* builtins_stem = "libnvrtc-builtins.so.";

arena_string name_of_builtins(version nvrtc) {
  return nvrtc.known() ? builtins_stem + to_cuda_string(nvrtc) : arena_string();
}

arena_string prefix_of_builtins(int cuda_major) {
  return builtins_stem + to_string(cuda_major) + ".";
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
