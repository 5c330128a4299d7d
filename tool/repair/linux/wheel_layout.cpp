// SPDX-License-Identifier: BSD-3-Clause
#include <iterator>

#include "../../core/catalogue/catalogue.h"
#include "../../core/judge/advice/advice.h"
#include "../../core/model/cuda_major.h"
#include "../../core/model/cudnn_major.h"
#include "../../core/model/format.h"
#include "../../core/model/library_name.h"
#include "../../core/model/library_spelling.h"
#include "../../core/model/releases.h"
#include "../library_image.h"
#include "../wheel_contents.h"

namespace cudnn_checked::repairs {

static bool is_before(const release& which, const version& number) { return which.number < number; }

/// For the names of its enumerators.  Behind the last of a row comes the shim, which is in none.
struct needed_library : library_role {
  struct row {
    known roles[library_role::none];
    const char* name;
    version first, end;
  };
  static constexpr row rows[] = {
#define NEEDED(roles, library, first, end) {{LISTED roles}, library, since::first, since::end},
#define LISTED(...) __VA_ARGS__
#include "../../core/model/needed_on_linux.def"
#undef LISTED
#undef NEEDED
  };
};

static arena_vector<arena_string> needed_by(library_role role, const release& which) {
  arena_vector<arena_string> needed = sublibraries_needed_by(role, which);
  if (role == library_role::shim) return needed;
  for (const needed_library::row& row : needed_library::rows) {
    const bool within =
        !is_before(which, row.first) && (!row.end.known() || is_before(which, row.end));
    if (within && contains(row.roles, role)) needed.push_back(format(row.name, which.cuda_major));
  }
  // One of tomorrow is linked as all others are.
  if (role == library_role::other && !is_before(which, since::all_need_libz)) {
    needed.push_back("libz.so.1");
  }
  return needed;
}

// Only the shim of later releases has a DT_RPATH, which comes before LD_LIBRARY_PATH.
static void set_run_path(library_role role, const release& which, assumed_library& library) {
  library.run_path = "$ORIGIN";
  library.before_library_path =
      role == library_role::shim && !is_before(which, since::shim_has_rpath);
  if (role == library_role::shim) return;
  library.run_path += ":$ORIGIN/../../cublas/lib";
  if (!is_before(which, since::run_path_to_nvrtc)) {
    library.run_path += is_before(which, since::run_path_to_cuda_nvrtc)
                            ? ":$ORIGIN/../../nvrtc/lib"
                            : ":$ORIGIN/../../cuda_nvrtc/lib";
  }
  if (has_cuda_folder(which.cuda_major) && !is_before(which, since::run_path_to_cuda_folder)) {
    library.run_path += format(":$ORIGIN/../../cu%d/lib", which.cuda_major);
  }
}

arena_string image_of_cudnn(const release& which, const arena_string& path, laid_out how,
                            const installed_files& installed) {
  const library_role role = role_of_name(base_name(path));
  assumed_library library;
  library.soname = name_of_library(role, which.number.major);
  // Ids of several CUDAs would be those of a mixed set.
  if (which.cuda_major != 0) library.build_id = build_id_of(which, role);
  library.needed = needed_by(role, which);
  library.run_path = "$ORIGIN";
  if (how == laid_out::as_wheel) set_run_path(role, which, library);
  library.versions = installed.versions_of(path, which);
  for (const needed_version& version : library.versions) add_once(version.library, library.needed);
  return library_image(library);
}

struct toolkit_libraries {
  const char* wheel;
  const char* stems[2];
  /// Behind the stems, for each row of cuda_majors.def; 0: CUDA's own.
  int numbers[std::size(cuda_majors)];
};

static constexpr toolkit_libraries libraries_of_wheels[] = {
    {cublas_wheel, {"libcublasLt.so.", "libcublas.so."}, {}},
    {nvrtc_wheel, {"libnvrtc.so.", "libnvrtc-builtins.so."}, {}},
    {cudart_wheel, {"libcudart.so.", nullptr}, {}},
    {nvjitlink_wheel, {"libnvJitLink.so.", nullptr}, {}},
    {cufft_wheel, {"libcufft.so.", "libcufftw.so."}, {10, 11, 12}},
    {curand_wheel, {"libcurand.so.", nullptr}, {10, 10, 10}}};

// libnvrtc-builtins.so.X.Y: the name has the toolkit's release.
static constexpr const char* nvrtc_builtins = "libnvrtc-builtins.so.";

/// Libraries of CUDA 11 whose names have more than the major release (CUDA Toolkit 11, "NVRTC":
/// libnvrtc.so.11.2 since 11.2).
static const char* number_in_11(const arena_string& stem) {
  return stem == "libcudart.so." ? "11.0" : stem == "libnvrtc.so." ? "11.2" : "11";
}

arena_vector<arena_string> libraries_of_toolkit(const arena_string& wheel, const version& cuda) {
  arena_vector<arena_string> names;
  for (const toolkit_libraries& row : libraries_of_wheels) {
    for (const char* const stem : row.stems) {
      if (wheel != row.wheel || stem == nullptr) continue;
      const bool is_long = arena_string(stem) == nvrtc_builtins;
      const cuda_major_row* const known = find_cuda_major(cuda.major);
      const int own = known == nullptr ? 0 : row.numbers[known - cuda_majors];
      names.push_back(own != 0                          ? stem + to_string(own)
                      : is_long                         ? format("%s%s", stem, as_cuda(cuda))
                      : cuda.major == oldest_cuda_major ? arena_string(stem) + number_in_11(stem)
                                                        : stem + to_string(cuda.major));
    }
  }
  return names;
}

const char* folder_of_toolkit_libraries(bool) { return "lib"; }

}  // namespace cudnn_checked::repairs
