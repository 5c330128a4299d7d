// SPDX-License-Identifier: BSD-3-Clause
#include "wheel_contents.h"

#include "../core/catalogue/catalogue.h"
#include "../core/judge/advice/wheel_commands.h"
#include "../core/model/cuda_major.h"
#include "../core/model/cudnn_major.h"
#include "../core/model/format.h"
#include "../core/model/library_name.h"
#include "../core/model/library_spelling.h"
#include "../core/model/paths.h"
#include "../core/model/releases.h"
#include "library_image.h"
#include "python_metadata.h"

namespace cudnn_checked::repairs {

// Stands for the fourth component of a wheel's number, which the catalogue does not keep: NVIDIA
// has published each release once.
static constexpr const char* any_build = "99999";

bool is_assumed_number(const arena_string& number) {
  const std::size_t at = number.rfind('.');
  return at != arena_string::npos && number.substr(at + 1) == any_build;
}

/// 13 of "nvidia-cudnn-cu13"; 0 where the name says none.
static int cuda_of_name(const arena_string& name) {
  const std::size_t at = name.rfind("-cu");
  return at == arena_string::npos ? 0 : parse_version(name.substr(at + 3)).major;
}

/// "9.14.0.64" of "==9.14.0.64"; empty where more than one number is allowed.
static arena_string exact_number(const arena_string& specifiers) {
  const bool one =
      starts_with(specifiers, "==") && specifiers.find_first_of(",*") == arena_string::npos;
  return one ? specifiers.substr(specifiers.find_first_not_of("=")) : arena_string();
}

static bool is_before(const release& which, const version& number) { return which.number < number; }

static void add_needed_by_8(library_role role, const release& which,
                            arena_vector<arena_string>& needed) {
  const auto is = [role](library_role::known other) { return role.which() == other; };
  const bool trains =
      is(library_role::ops_train) || is(library_role::cnn_train) || is(library_role::adv_train);
  const auto need = [&](library_role::known other) {
    needed.push_back(name_of_library(other, which.number.major));
  };
  if (is(library_role::adv_train)) need(library_role::adv_infer);
  if (is(library_role::cnn_train)) need(library_role::cnn_infer);
  if (trains && !is(library_role::ops_train)) need(library_role::ops_train);
  if (!is(library_role::ops_infer)) need(library_role::ops_infer);
  const bool computes =
      is(library_role::ops_infer) || is(library_role::cnn_infer) || is(library_role::cnn_train);
  if (computes && is_before(which, since::cudnn_opens_cublas)) {
    needed.push_back(format("libcublas.so.%d", which.cuda_major));
    needed.push_back(format("libcublasLt.so.%d", which.cuda_major));
  }
  if (is(library_role::cnn_infer)) needed.push_back("libz.so.1");
}

static arena_vector<arena_string> needed_by(library_role role, const release& which) {
  arena_vector<arena_string> needed;
  if (role == library_role::shim) return needed;
  if (!has_graph_library(which.number.major)) {
    add_needed_by_8(role, which, needed);
    return needed;
  }
  const bool graph = role == library_role::graph;
  const bool ext = role == library_role::ext;
  const auto need = [&](library_role::known other) {
    needed.push_back(name_of_library(other, which.number.major));
  };
  if (role == library_role::cnn || role == library_role::adv) need(library_role::ops);
  if (!graph && !ext) need(library_role::graph);
  const bool driver = role == library_role::engines_runtime_compiled &&
                      !is_before(which, since::engines_need_driver);
  if (driver) needed.push_back("libcuda.so.1");
  if (graph || !is_before(which, ext ? since::ext_needs_libz : since::all_need_libz))
    needed.push_back("libz.so.1");
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

arena_string image_of_cudnn(const release& which, const arena_string& name, laid_out how) {
  const library_role role = role_of_name(name);
  assumed_library library;
  library.soname = name_of_library(role, which.number.major);
  // Ids of several CUDAs would be those of a mixed set.
  if (which.cuda_major != 0) library.build_id = build_id_of(which, role);
  library.needed = needed_by(role, which);
  library.run_path = "$ORIGIN";
  if (how == laid_out::as_wheel) set_run_path(role, which, library);
  return library_image(library);
}

static version newest_allowed(const arena_string& specifiers, int cuda_major, package_set which) {
  const arena_string exact = exact_number(specifiers);
  version newest;
  for (const version& number : catalogued_releases(cuda_major, which)) {
    const bool allowed = exact.empty()
                             ? allows(specifiers, format("%s.%s", number, any_build)) == answer::yes
                             : parse_version(exact) == number;
    if (allowed && newest < number) newest = number;
  }
  return newest;
}

static void add_headers(const version& number, const arena_string& folder, wheel_contents& wheel) {
  wheel.files.push_back({folder + "/include/cudnn_version.h",
                         format("#define CUDNN_MAJOR %d\n#define CUDNN_MINOR %d\n"
                                "#define CUDNN_PATCHLEVEL %d\n",
                                number.major, number.minor, number.patch)});
  wheel.files.push_back({folder + "/include/cudnn.h", "#include \"cudnn_version.h\"\n"});
}

static arena_vector<library_role> jit_roles() {
  arena_vector<library_role> roles;
  for (int i = library_role::shim; i < library_role::none; ++i) {
    const auto role = static_cast<library_role::known>(i);
    if (is_jit_role(role)) roles.push_back(role);
  }
  return roles;
}

static void add_cudnn(const arena_string& requirement, wheel_contents& wheel) {
  const bool jit =
      share_a_folder(wheel.name, wheel_of_cudnn(newest_cudnn, 0, cudnn_kind::jit_only));
  const int cuda = cuda_of_name(wheel.name);
  const arena_string specifiers = specifiers_of_order(requirement);
  const version number =
      newest_allowed(specifiers, cuda, jit ? package_set::all : package_set::full);
  if (!number.known()) return;
  const arena_string exact = exact_number(specifiers);
  wheel.number = exact.empty() ? format("%s.%s", number, any_build) : exact;
  const release which{number, cuda};
  arena_vector<library_role> roles = roles_of(which);
  if (jit) roles = jit_roles();  // of all releases
  const arena_string folder = jit ? "nvidia/cudnn_jit" : "nvidia/cudnn";
  for (const library_role& role : roles) {
    const arena_string name = name_of_library(role, number.major);
    wheel.files.push_back(
        {folder + "/lib/" + name, image_of_cudnn(which, name, laid_out::as_wheel)});
  }
  add_headers(number, folder, wheel);
  wheel.requirements.push_back(wheel_for_cuda(cublas_wheel, cuda));
  if (jit) wheel.requirements.push_back(wheel_for_cuda(nvrtc_wheel, cuda));
  wheel.known = true;
}

/// A wheel of a part of CUDA's toolkit: its own folder, its libraries, and a header.
struct toolkit_wheel {
  const char* wheel;
  const char* folder;
  const char* libraries[2];
  const char* header;
};

static constexpr toolkit_wheel toolkit_wheels[] = {
    {cublas_wheel, "cublas", {"libcublas.so.", "libcublasLt.so."}, nullptr},
    {nvrtc_wheel, "cuda_nvrtc", {"libnvrtc.so.", "libnvrtc-builtins.so."}, nullptr},
    {cudart_wheel, "cuda_runtime", {"libcudart.so.", nullptr}, "cuda_runtime_api.h"},
    {crt_wheel, "", {nullptr, nullptr}, "crt/host_defines.h"},
    {nvcc_wheel, "cuda_nvcc", {nullptr, nullptr}, "crt/host_defines.h"},
    {nvjitlink_wheel, "nvjitlink", {"libnvJitLink.so.", nullptr}, nullptr}};

// libnvrtc-builtins.so.X.Y: the name has the toolkit's release.
static constexpr const char* nvrtc_builtins = "libnvrtc-builtins.so.";

/// 13.0 of "==13.0.*"; 13.0 where only the major is told.
static version toolkit_of(const arena_string& specifiers, int cuda_major) {
  const std::size_t begin = specifiers.find_first_of("0123456789");
  version told;
  if (begin != arena_string::npos) {
    arena_string number = specifiers.substr(begin, specifiers.find_first_of("*,", begin) - begin);
    while (!number.empty() && number.back() == '.') number.pop_back();
    told = parse_version(number);
  }
  return told.major == cuda_major ? told : version::of(cuda_major, 0, 0);
}

// The name or the number has the major; the newest is assumed where neither has one.
static void add_toolkit_part(const arena_string& requirement, wheel_contents& wheel) {
  const int named = cuda_of_name(wheel.name);
  const int cuda = known_cuda(named);
  const arena_string specifiers = specifiers_of_order(requirement);
  const arena_string of_toolkit = format("%s", as_cuda(toolkit_of(specifiers, cuda)));
  for (const toolkit_wheel& part : toolkit_wheels) {
    if (wheel.name != wheel_for_cuda(part.wheel, cuda)) continue;
    const arena_string folder =
        named == 0 ? format("nvidia/cu%d", cuda) : format("nvidia/%s", part.folder);
    for (const char* const stem : part.libraries) {
      if (stem == nullptr) continue;
      assumed_library library;
      library.soname = stem + (arena_string(stem) == nvrtc_builtins ? of_toolkit : to_string(cuda));
      library.run_path = "$ORIGIN";
      wheel.files.push_back({folder + "/lib/" + library.soname, library_image(library)});
    }
    if (part.header != nullptr) {
      wheel.files.push_back({folder + "/include/" + part.header, arena_string("\n")});
    }
    wheel.known = true;
  }
  wheel.number = exact_number(specifiers);
  if (wheel.number.empty()) wheel.number = of_toolkit + "." + any_build;
}

wheel_contents contents_of_wheel(const arena_string& requirement) {
  wheel_contents wheel;
  wheel.name = name_of_order(requirement);
  if (is_cudnn_wheel(wheel.name)) {
    add_cudnn(requirement, wheel);
  } else {
    add_toolkit_part(requirement, wheel);
  }
  return wheel;
}

}  // namespace cudnn_checked::repairs
