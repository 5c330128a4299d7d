// SPDX-License-Identifier: BSD-3-Clause
#include "wheel_contents.h"

#include "../core/catalogue/catalogue.h"
#include "../core/judge/advice/wheel_commands.h"
#include "../core/judge/cudnn_set.h"
#include "../core/library/library_file.h"
#include "../core/model/cuda_major.h"
#include "../core/model/cudnn_major.h"
#include "../core/model/format.h"
#include "../core/model/library_name.h"
#include "../core/model/library_spelling.h"
#include "../core/model/paths.h"
#include "../core/model/releases.h"
#include "../core/system/platform.h"
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

arena_vector<arena_string> sublibraries_needed_by(library_role role, const release& which) {
  arena_vector<arena_string> needed;
  const auto need = [&](const library_role& other) {
    needed.push_back(name_of_library(other, which.number.major));
  };
  if (role == library_role::other && has_graph_library(which.number.major)) {
    need(library_role::graph);
  }
  for (const library_role& other : linked_with(role)) need(other);
  return needed;
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

bool is_jit_only(const arena_string& name) {
  return share_a_folder(name, wheel_of_cudnn(newest_cudnn, 0, cudnn_kind::jit_only));
}

release release_of_wheel(const arena_string& requirement) {
  const arena_string name = name_of_order(requirement);
  const int cuda = cuda_of_name(name);
  const package_set which = is_jit_only(name) ? package_set::all : package_set::full;
  return {newest_allowed(specifiers_of_order(requirement), cuda, which), cuda};
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

arena_vector<needed_version> installed_files::versions_of(const arena_string& path,
                                                          const release& which) const {
  if (os == nullptr) return {};
  const arena_string there = is_absolute(path) ? path : join_path(site, path);
  const file_identity identity = identify_build_id(read_library(*os, there, 0).build_id);
  const bool same = identity.role == role_of_name(base_name(path)) && can_be(identity, which);
  return same ? read_versions(*os, there).needed : arena_vector<needed_version>();
}

static void add_cudnn(const arena_string& requirement, const installed_files& installed,
                      wheel_contents& wheel) {
  const bool jit = is_jit_only(wheel.name);
  const release which = release_of_wheel(requirement);
  const version& number = which.number;
  if (!number.known()) return;
  const arena_string exact = exact_number(specifiers_of_order(requirement));
  wheel.number = exact.empty() ? format("%s.%s", number, any_build) : exact;
  arena_vector<library_role> roles = roles_of(which);
  if (jit) roles = jit_roles();  // of all releases
  const arena_string folder = jit ? "nvidia/cudnn_jit" : "nvidia/cudnn";
  for (const library_role& role : roles) {
    const arena_string name = name_of_library(role, number.major);
    const arena_string path = folder + "/" + folder_of_wheel_libraries() + "/" + name;
    wheel.files.push_back({path, image_of_cudnn(which, path, laid_out::as_wheel, installed)});
  }
  add_headers(number, folder, wheel);
  wheel.requirements.push_back(wheel_for_cuda(cublas_wheel, which.cuda_major));
  if (jit) wheel.requirements.push_back(wheel_for_cuda(nvrtc_wheel, which.cuda_major));
  wheel.known = true;
}

/// A wheel of a part of CUDA's toolkit: its own folder, and a header.
struct toolkit_wheel {
  const char* wheel;
  const char* folder;
  const char* header;
};

static constexpr toolkit_wheel toolkit_wheels[] = {
    {cublas_wheel, "cublas", nullptr},
    {nvrtc_wheel, "cuda_nvrtc", nullptr},
    {cudart_wheel, "cuda_runtime", "cuda_runtime_api.h"},
    {crt_wheel, "", "crt/host_defines.h"},
    {nvcc_wheel, "cuda_nvcc", "crt/host_defines.h"},
    {nvjitlink_wheel, "nvjitlink", nullptr},
    {cufft_wheel, "cufft", nullptr},
    {curand_wheel, "curand", nullptr}};

/// 13.0 of "==13.0.*"; unknown where there is no number.
static version number_told(const arena_string& specifiers) {
  const std::size_t begin = specifiers.find_first_of("0123456789");
  if (begin == arena_string::npos) return {};
  arena_string number = specifiers.substr(begin, specifiers.find_first_of("*,", begin) - begin);
  while (!number.empty() && number.back() == '.') number.pop_back();
  return parse_version(number);
}

/// 13.0 of "==13.0.*"; 13.0 if only the major release is given.
static version toolkit_of(const arena_string& specifiers, int cuda_major) {
  const version told = number_told(specifiers);
  return told.major == cuda_major ? told : version::of(cuda_major, 0, 0);
}

/// The name or the number has the major; the newest is assumed where neither has one.
static int cuda_of_toolkit_part(const arena_string& name, const arena_string& specifiers) {
  const int named = cuda_of_name(name);
  if (named != 0) return named;
  const bool own_numbers = name == cufft_wheel || name == curand_wheel;
  const int told = own_numbers ? 0 : number_told(specifiers).major;
  return known_cuda(has_cuda_folder(told) ? told : 0);
}

static void add_toolkit_part(const arena_string& requirement, wheel_contents& wheel) {
  const arena_string specifiers = specifiers_of_order(requirement);
  const int cuda = cuda_of_toolkit_part(wheel.name, specifiers);
  const version toolkit = toolkit_of(specifiers, cuda);
  for (const toolkit_wheel& part : toolkit_wheels) {
    if (wheel.name != wheel_for_cuda(part.wheel, cuda)) continue;
    const bool shares = has_cuda_folder(cuda);
    const arena_string folder =
        shares ? format("nvidia/cu%d", cuda) : format("nvidia/%s", part.folder);
    for (const arena_string& name : libraries_of_toolkit(part.wheel, toolkit)) {
      assumed_library library;
      library.soname = name;
      library.run_path = "$ORIGIN";
      wheel.files.push_back({folder + "/" + folder_of_toolkit_libraries(shares) + "/" + name,
                             library_image(library)});
    }
    if (part.header != nullptr) {
      wheel.files.push_back({folder + "/include/" + part.header, arena_string("\n")});
    }
    wheel.known = true;
  }
  wheel.number = exact_number(specifiers);
  if (wheel.number.empty()) wheel.number = format("%s.%s", as_cuda(toolkit), any_build);
}

wheel_contents contents_of_wheel(const arena_string& requirement,
                                 const installed_files& installed) {
  wheel_contents wheel;
  wheel.name = name_of_order(requirement);
  if (is_cudnn_wheel(wheel.name)) {
    add_cudnn(requirement, installed, wheel);
  } else {
    add_toolkit_part(requirement, wheel);
  }
  return wheel;
}

}  // namespace cudnn_checked::repairs
