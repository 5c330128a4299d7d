// SPDX-License-Identifier: BSD-3-Clause
#include "wheel_contents.h"

#include "../core/catalogue/catalogue.h"
#include "../core/judge/advice/advice.h"
#include "../core/model/format.h"
#include "../core/model/library_name.h"
#include "../core/model/paths.h"
#include "library_image.h"
#include "version_specifier.h"

namespace cudnn_checked::repairs {

// Stands for the fourth component of a wheel's number, which the catalogue does not keep: NVIDIA
// has published each release once.
static constexpr const char* any_build = "99999";

bool is_assumed_number(const string& number) {
  const std::size_t at = number.rfind('.');
  return at != string::npos && number.substr(at + 1) == any_build;
}

string name_of_order(const string& requirement) {
  return requirement.substr(0, requirement.find_first_of("=<>~! "));
}

string specifiers_of_order(const string& requirement) {
  return requirement.substr(name_of_order(requirement).size());
}

/// 13 of "nvidia-cudnn-cu13"; 0 where the name says none.
static int cuda_of_name(const string& name) {
  const std::size_t at = name.rfind("-cu");
  return at == string::npos ? 0 : parse_version(name.substr(at + 3)).major;
}

/// "9.14.0.64" of "==9.14.0.64"; empty where more than one number is allowed.
static string exact_number(const string& specifiers) {
  const bool one = starts_with(specifiers, "==") && specifiers.find_first_of(",*") == string::npos;
  return one ? specifiers.substr(specifiers.find_first_not_of("=")) : string();
}

static bool is_before(const release& which, int major, int minor) {
  return which.number < version{major, minor, 0};
}

// What follows is readelf -d on all wheels of 8.5 to 9.28 for x86_64: an own library, those of
// CUDA, and libz.
static void add_needed_by_8(library_role role, const release& which, vector<string>& needed) {
  const auto is = [role](library_role::known other) { return role.which() == other; };
  const bool trains =
      is(library_role::ops_train) || is(library_role::cnn_train) || is(library_role::adv_train);
  if (is(library_role::adv_train)) needed.push_back("libcudnn_adv_infer.so.8");
  if (is(library_role::cnn_train)) needed.push_back("libcudnn_cnn_infer.so.8");
  if (trains && !is(library_role::ops_train)) needed.push_back("libcudnn_ops_train.so.8");
  if (!is(library_role::ops_infer)) needed.push_back("libcudnn_ops_infer.so.8");
  const bool computes =
      is(library_role::ops_infer) || is(library_role::cnn_infer) || is(library_role::cnn_train);
  if (computes && is_before(which, 8, 8)) {
    needed.push_back(format("libcublas.so.%d", which.cuda_major));
    needed.push_back(format("libcublasLt.so.%d", which.cuda_major));
  }
  if (is(library_role::cnn_infer)) needed.push_back("libz.so.1");
}

static vector<string> needed_by(library_role role, const release& which) {
  vector<string> needed;
  if (role == library_role::shim) return needed;
  if (which.number.major < 9) {
    add_needed_by_8(role, which, needed);
    return needed;
  }
  const bool graph = role == library_role::graph;
  const bool ext = role == library_role::ext;
  if (role == library_role::cnn || role == library_role::adv) needed.push_back("libcudnn_ops.so.9");
  if (!graph && !ext) needed.push_back("libcudnn_graph.so.9");
  const bool driver = role == library_role::engines_runtime_compiled && !is_before(which, 9, 27);
  if (driver) needed.push_back("libcuda.so.1");
  if (graph || !is_before(which, 9, ext ? 24 : 8)) needed.push_back("libz.so.1");
  return needed;
}

// Only the shim of later releases has a DT_RPATH, which comes before LD_LIBRARY_PATH.
static void set_run_path(library_role role, const release& which, assumed_library& library) {
  library.run_path = "$ORIGIN";
  library.before_library_path = role == library_role::shim && !(which.number < version{9, 21, 1});
  if (role == library_role::shim) return;
  library.run_path += ":$ORIGIN/../../cublas/lib";
  if (!is_before(which, 8, 9)) {
    library.run_path +=
        is_before(which, 9, 11) ? ":$ORIGIN/../../nvrtc/lib" : ":$ORIGIN/../../cuda_nvrtc/lib";
  }
  const bool thirteen = which.cuda_major >= 13 && !is_before(which, 9, 17);
  if (thirteen) library.run_path += ":$ORIGIN/../../cu13/lib";
}

string image_of_cudnn(const release& which, const string& name, laid_out how) {
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

static version newest_allowed(const string& specifiers, int cuda_major, package_set which) {
  const string exact = exact_number(specifiers);
  version newest;
  for (const version& number : catalogued_releases(cuda_major, which)) {
    const bool allowed = exact.empty()
                             ? allows(specifiers, format("%s.%s", number, any_build)) == answer::yes
                             : parse_version(exact) == number;
    if (allowed && newest < number) newest = number;
  }
  return newest;
}

static void add_headers(const version& number, const string& folder, wheel_contents& wheel) {
  wheel.files.push_back({folder + "/include/cudnn_version.h",
                         format("#define CUDNN_MAJOR %d\n#define CUDNN_MINOR %d\n"
                                "#define CUDNN_PATCHLEVEL %d\n",
                                number.major, number.minor, number.patch)});
  wheel.files.push_back({folder + "/include/cudnn.h", "#include \"cudnn_version.h\"\n"});
}

static void add_cudnn(const string& requirement, wheel_contents& wheel) {
  const bool jit = share_a_folder(wheel.name, wheel_of_cudnn(9, 0, cudnn_kind::jit_only));
  const int cuda = cuda_of_name(wheel.name);
  const string specifiers = specifiers_of_order(requirement);
  const version number =
      newest_allowed(specifiers, cuda, jit ? package_set::all : package_set::full);
  if (!number.known()) return;
  const string exact = exact_number(specifiers);
  wheel.number = exact.empty() ? format("%s.%s", number, any_build) : exact;
  const release which{number, cuda};
  vector<library_role> roles = roles_of(which);
  // The JIT-only packages of all releases have these (build_ids.csv, set "jit").
  if (jit) {
    roles = {library_role::shim, library_role::graph, library_role::engines_runtime_compiled};
  }
  const string folder = jit ? "nvidia/cudnn_jit" : "nvidia/cudnn";
  for (const library_role& role : roles) {
    const string name = name_of_library(role, number.major);
    wheel.files.push_back(
        {folder + "/lib/" + name, image_of_cudnn(which, name, laid_out::as_wheel)});
  }
  add_headers(number, folder, wheel);
  wheel.requirements.push_back(wheel_for_cuda(cublas_wheel, cuda));
  if (jit) wheel.requirements.push_back(wheel_for_cuda(nvrtc_wheel, cuda));
  wheel.known = true;
}

/// A wheel of a part of CUDA's toolkit: its folder before CUDA 13, its libraries, and a header.
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
static version toolkit_of(const string& specifiers, int cuda_major) {
  const std::size_t begin = specifiers.find_first_of("0123456789");
  version told;
  if (begin != string::npos) {
    string number = specifiers.substr(begin, specifiers.find_first_of("*,", begin) - begin);
    while (!number.empty() && number.back() == '.') number.pop_back();
    told = parse_version(number);
  }
  return told.major == cuda_major ? told : version{cuda_major, 0, 0};
}

// Before CUDA 13 the name has the major; since then the number, and there is no other than 13 yet.
static void add_toolkit_part(const string& requirement, wheel_contents& wheel) {
  const int named = cuda_of_name(wheel.name);
  const int cuda = named == 0 ? 13 : named;
  const string specifiers = specifiers_of_order(requirement);
  const string of_toolkit = format("%s", as_cuda(toolkit_of(specifiers, cuda)));
  for (const toolkit_wheel& part : toolkit_wheels) {
    if (wheel.name != wheel_for_cuda(part.wheel, cuda)) continue;
    const string folder = named == 0 ? string("nvidia/cu13") : format("nvidia/%s", part.folder);
    for (const char* const stem : part.libraries) {
      if (stem == nullptr) continue;
      assumed_library library;
      library.soname = stem + (string(stem) == nvrtc_builtins ? of_toolkit : to_string(cuda));
      library.run_path = "$ORIGIN";
      wheel.files.push_back({folder + "/lib/" + library.soname, library_image(library)});
    }
    if (part.header != nullptr) {
      wheel.files.push_back({folder + "/include/" + part.header, string("\n")});
    }
    wheel.known = true;
  }
  wheel.number = exact_number(specifiers);
  if (wheel.number.empty()) wheel.number = of_toolkit + "." + any_build;
}

wheel_contents contents_of_wheel(const string& requirement) {
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
