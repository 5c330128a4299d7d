// SPDX-License-Identifier: BSD-3-Clause
//
// Names of DLLs in the strings of the win_amd64 wheels of 8.9.7, 9.10.2 and 9.28.0.
#include "../model/cuda_major.h"
#include "../model/cudnn_major.h"
#include "../model/dependency_names.h"
#include "../model/format.h"
#include "../model/paths.h"
#include "../model/releases.h"
#include "dll_names.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

static constexpr struct {
  char stem[16];
  dependency_kind kind;
} dll_stems[] = {{"zlibwapi.dll", dependency_kind::libz},
                 {"cublas64_", dependency_kind::cublas},
                 {"cublaslt64_", dependency_kind::cublaslt},
                 {"cudart64_", dependency_kind::cudart},
                 {"nvrtc64_", dependency_kind::nvrtc},
                 {"nvrtc-builtins6", dependency_kind::nvrtc_builtins},
                 {"nvjitlink_", dependency_kind::nvjitlink}};

dependency_kind kind_of_dependency(arena_string name) {
  for (const auto& row : dll_stems) {
    if (starts_with(lower_case(name), row.stem)) return row.kind;
  }
  return dependency_kind::none;
}

enum class opened_dll : unsigned char { cublas, cublaslt, nvrtc, zlib };

struct opened_row {
  library_role::known role;
  opened_dll dll;
};

static constexpr opened_row opened_rows[] = {
#define OPENED(role, library) {library_role::role, opened_dll::library},
#include "../model/opened_on_windows.def"
#undef OPENED
};

arena_string name_of_nvrtc(int cuda_major) {
  return "nvrtc64_" + to_string(cuda_major) +
         (cuda_major == oldest_cuda_major ? "2_0.dll" : "0_0.dll");
}

static arena_string name_of_opened(opened_dll dll, int cuda_major) {
  const arena_string major = to_string(cuda_major);
  switch (dll) {
    case opened_dll::cublas:
      return "cublas64_" + major + ".dll";
    case opened_dll::cublaslt:
      return "cublasLt64_" + major + ".dll";
    case opened_dll::nvrtc:
      return name_of_nvrtc(cuda_major);
    default:
      return "zlibwapi.dll";
  }
}

arena_vector<arena_string> names_opened(library_role role, version number, int cuda_major) {
  arena_vector<arena_string> names;
  for (const opened_part::known part : parts_opened_by(role).parts) {
    if (part == opened_part::none || part == opened_part::nvrtc_on_linux) continue;
    const bool is_cublas = part == opened_part::cublaslt;
    names.push_back(
        name_of_opened(is_cublas ? opened_dll::cublaslt : opened_dll::nvrtc, cuda_major));
  }
  for (const opened_row& row : opened_rows) {
    const bool is_within =
        row.dll == opened_dll::zlib && number.known() && !(number < since::dlls_contain_zlib);
    const bool is_unknown = row.dll == opened_dll::zlib && !number.known();
    if (role != row.role || is_within || is_unknown) continue;
    names.push_back(name_of_opened(row.dll, cuda_major));
  }
  return names;
}

// A driver is no condition: a DLL lies beside the program that is given to somebody, or nowhere.
// cuDNN 8 ends the process without each of the four ("Could not locate zlibwapi.dll. Please make
// sure it is in your library path!"; NVIDIA cuDNN 8 Installation Guide, "Installing zlib"), cuDNN 9
// without cuBLASLt (docs/measurements.md) and, before 9.2, zlib.
bool must_be_there(dependency_kind kind, int cudnn_major) {
  switch (kind) {
    case dependency_kind::libz:
    case dependency_kind::cublaslt:
      return true;
    case dependency_kind::cublas:
    case dependency_kind::nvrtc:
      return !has_graph_library(cudnn_major);
    default:
      return false;
  }
}

// That of CUDA 11 has the number of its first release.
arena_string name_of_runtime(int cuda_major) {
  return "cudart64_" + to_string(cuda_major) + (cuda_major == oldest_cuda_major ? "0.dll" : ".dll");
}

arena_vector<arena_string> numbered_names_of(arena_string) { return {}; }

arena_vector<arena_string> folders_of_cuda_nearby(arena_string directory, int cuda_major) {
  arena_vector<arena_string> folders;
  for (const char* folder :
       {"", "/../../cublas/bin", "/../../cuda_nvrtc/bin", "/../../cuda_runtime/bin"}) {
    folders.push_back(directory + folder);
  }
  if (has_cuda_folder(cuda_major)) {
    folders.push_back(directory + format("/../../cu%d/bin/x86_64", cuda_major));
  }
  return folders;
}

// "nvrtc-builtins64_130.dll"; NVRTC looks for it beside itself first.
arena_string name_of_builtins(version) { return {}; }

arena_string prefix_of_builtins(int cuda_major) {
  return "nvrtc-builtins64_" + to_string(cuda_major);
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
