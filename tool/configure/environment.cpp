// SPDX-License-Identifier: BSD-3-Clause
#include "environment.h"

#include <cstring>
#include <string>

#include "../core/installers/installers.h"
#include "../core/model/cuda_major.h"
#include "../core/model/format.h"
#include "../core/model/paths.h"
#include "../core/observe/observe.h"
#include "../core/observe/site_packages.h"
#include "../core/report/report.h"
#include "../core/system/python_layout.h"
#include "../repair/python_metadata.h"
#include "../repair/wheel_contents.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace configure {

bool has_pip(const request& asked, const system_interface& os) {
  if (!exists(os, asked["python"])) return false;
  return any_of(asked.all("imports"),
                [&](const arena_string& directory) { return exists(os, directory + "/pip"); });
}

fix_lines typed(const arena_string& line) {
  if (one_line(line) != line) return {};
  return {command(line)};
}

fix_lines typed(const fix_line& line) {
  if (one_line(line.text) != line.text) return {};
  return {line};
}

python_environment environment_at(const request& asked, const system_interface& os,
                                  const arena_string& site) {
  const auto known = python_environments_of(os, {site + "/nvidia/cudnn/"});
  python_environment e;
  e.installer = &installers::pip_target();
  if (!known.empty()) e = known.front();
  e.site = site;
  const bool folder =
      effect_of_installer(e).replaces_folder || (e.installer == nullptr && e.python.empty());
  if (folder) {
    // From outside: with the Python that is known to have pip.
    if (has_pip(asked, os)) {
      e.python = asked["python"];
      e.installer = &installers::pip_target();
    } else if (e.wheels.empty() && has_program(os, "uv")) {
      e.installer = &installers::uv_target();
    }
  }
  return e;
}

static arena_string site_of_root(const system_interface& os, const arena_string& root) {
  const arena_string plain = plain_directory(root);
  const arena_string place = plain.substr(0, plain.size() - 1);
  for (const char* wheel : {"/nvidia", "/nvidia/cudnn", "/nvidia/cudnn_jit"}) {
    if (ends_with(place, wheel)) return place.substr(0, place.size() - std::strlen(wheel));
  }
  if (ends_with(place, "-packages") || exists(os, place + "/nvidia")) return place;
  for (const arena_string& site : sites_below(os, place, "site-packages")) {
    if (exists(os, site)) return site;
  }
  return {};
}

// An environment is one where its own Python imports from it, and nobody manages it.
static arena_string site_of_python(const request& asked, const system_interface& os) {
  const arena_string prefix = prefix_of_programs(directory_part(asked["python"]));
  const bool own = exists(os, prefix + "/pyvenv.cfg") || exists(os, prefix + "/conda-meta");
  if (!own || !exists(os, asked["python"])) return {};
  for (const arena_string& directory : asked.all("imports")) {
    if (starts_with(directory, (prefix + "/").c_str()) && ends_with(directory, "-packages")) {
      return directory;
    }
  }
  return {};
}

arena_string site_to_install(const request& asked, const system_interface& os) {
  if (!asked["root"].empty()) return site_of_root(os, asked["root"]);
  return asked["roots_only"] == "yes" ? arena_string() : site_of_python(asked, os);
}

bool has_cudnn(const python_environment& e) {
  return any_of(e.wheels, [&](const installed_wheel& wheel) { return is_cudnn_wheel(wheel.name); });
}

bool needs_its_cudnn(const system_interface& os, const python_environment& e) {
  if (!has_cudnn(e)) return false;
  for (const std::string& info : repairs::infos_of(os, e.site, "")) {
    const repairs::distribution other = repairs::read_distribution(os, e.site, info);
    if (!is_cudnn_wheel(other.name) && !repairs::requirement_of(other).text.empty()) return true;
  }
  return false;
}

arena_string library_in_wheel(const char* wheel, int cuda_major) {
  const arena_vector<arena_string> names =
      repairs::libraries_of_toolkit(wheel, version::of(cuda_major, 0, 0));
  const char* const folder = repairs::folder_of_toolkit_libraries(has_cuda_folder(cuda_major));
  return format("%s/%s", folder, names.front());
}

/// A part of CUDA: its wheel, wheel and folder where each part has its own, and a header of it;
/// none: its library counts.
struct cuda_part {
  const char* wheel;
  const char* own_wheel;
  const char* own_folder;
  const char* header;
};

static constexpr cuda_part parts_to_compile[] = {
    {cudart_wheel, cudart_wheel, "cuda_runtime", "include/cuda_runtime_api.h"},
    {crt_wheel, nvcc_wheel, "cuda_nvcc", "include/crt/host_defines.h"}};
static constexpr cuda_part parts_to_compute[] = {{nvrtc_wheel, nvrtc_wheel, "cuda_nvrtc", nullptr},
                                                 {cublas_wheel, cublas_wheel, "cublas", nullptr}};

template <std::size_t count>
static arena_vector<arena_string> missing_of(const system_interface& os,
                                             const python_environment& e, int cuda_major,
                                             const cuda_part (&parts)[count]) {
  arena_vector<arena_string> missing;
  for (const cuda_part& part : parts) {
    const bool before = !has_cuda_folder(cuda_major);
    const arena_string folder = before ? arena_string(part.own_folder) : format("cu%d", cuda_major);
    const arena_string file = part.header != nullptr ? arena_string(part.header)
                                                     : library_in_wheel(part.wheel, cuda_major);
    if (exists(os, format("%s/nvidia/%s/%s", e.site, folder, file))) continue;
    missing.push_back(requirement_of_cuda(e, before ? part.own_wheel : part.wheel, cuda_major));
  }
  return missing;
}

cuda_parts missing_parts(const system_interface& os, const python_environment& e,
                         const arena_string& folder, int cuda_major) {
  cuda_parts parts;
  parts.to_compile = missing_of(os, e, cuda_major, parts_to_compile);
  parts.to_compute = missing_of(os, e, cuda_major, parts_to_compute);
  const bool cublas =
      !parts.to_compute.empty() && starts_with(parts.to_compute.back(), cublas_wheel);
  if (folder == "cudnn_jit" && cublas) parts.to_compute.pop_back();
  return parts;
}

arena_vector<arena_string> cuda_parts::all() const {
  arena_vector<arena_string> both = to_compile;
  both.insert(both.end(), to_compute.begin(), to_compute.end());
  return both;
}

// "nvidia-cudnn-cu" of "nvidia-cudnn-cu13==9.14.0.*": the stem of all that have the same folder.
wheel_order order_of(const python_environment& e, const arena_string& requirement) {
  wheel_order order;
  order.requirements.push_back(requirement);
  const arena_string name = name_of_order(requirement);
  const std::size_t digits = name.rfind("-cu") + 3;
  for (const installed_wheel& other : e.wheels) {
    const bool same_stem = other.name.size() > digits && other.name != name &&
                           other.name.compare(0, digits, name.substr(0, digits)) == 0;
    if (same_stem && is_cudnn_wheel(other.name)) order.conflicting.push_back(other.name);
  }
  return order;
}

}  // namespace configure
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
