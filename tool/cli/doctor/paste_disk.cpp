// SPDX-License-Identifier: BSD-3-Clause
//
// The functions of doctor.h about the disk and the environment.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "../../core/model/library_spelling.h"
#include "../../core/model/paths.h"
#include "../../core/observe/package_records.h"
#include "../../core/system/platform.h"
#include "../../repair/python_metadata.h"
#include "../machine/candidates.h"
#include "../machine/search_places.h"
#include "../system/own_process.h"
#include "doctor.h"

namespace cudnn_checked::cli {

static constexpr std::size_t most_rows = 200;

// ---- libraries of CUDA

static arena_vector<arena_string> directories_of_cuda(const system_interface& os,
                                                      const paste_place& place,
                                                      const arena_vector<cuda_toolkit>& toolkits) {
  arena_vector<arena_string> all;
  for (const candidate& entry : ld_library_path_entries(os)) add_once(entry.directory, all);
  for (const arena_string& site : place.sites) {
    for (const arena_string& name : sorted_names_in(os, site + "/nvidia")) {
      add_once(site + "/nvidia/" + name + "/" + folder_of_wheel_libraries(), all);
    }
    add_once(site + "/torch/lib", all);
  }
  for (const cuda_toolkit& toolkit : toolkits) {
    for (const arena_string& directory : library_directories(os, toolkit.directory))
      add_once(directory, all);
  }
  for (const char* const stem : {"libcublas", "libcudart", "libnvrtc", "libcuda.so"}) {
    for (const cached_file& entry : cache_entries(os, stem)) {
      add_once(directory_part(entry.path), all);
    }
  }
  return all;
}

/// "libcublas 12.8.4.1, libcudart 12.8": each library of a directory once, by its longest number.
static arena_string libraries_text(const arena_vector<arena_string>& names) {
  std::vector<std::pair<std::string, std::string>> all;
  for (const std::string name : names) {
    const std::size_t at = std::min(name.find(".so"), name.find(".dll"));
    if (at == std::string::npos ||
        (name[at + 1] == 's' && name.size() > at + 3 && name[at + 3] != '.')) {
      continue;
    }
    const std::string stem = name.substr(0, at);
    const bool numbered = name[at + 1] == 's' && name.size() > at + 4;
    const std::string number = numbered ? name.substr(at + 4) : std::string();
    auto* const known = find_where(all, [&](const auto& one) { return one.first == stem; });
    if (known == nullptr) {
      all.emplace_back(stem, number);
    } else if (number.size() > known->second.size()) {
      known->second = number;
    }
  }
  std::string text;
  for (const auto& [stem, number] : all) {
    text += (text.empty() ? "" : ", ") + stem + (number.empty() ? "" : " ") + number;
  }
  return text;
}

text_rows cuda_library_rows(const system_interface& os, const paste_place& place,
                            const arena_vector<cuda_toolkit>& toolkits) {
  text_rows rows;
  arena_vector<arena_string> known;
  for (const arena_string& directory : directories_of_cuda(os, place, toolkits)) {
    const arena_string real = os.real_path(directory);
    const char* const wanted =
        "libcublas|libcudart|libnvrtc|libcuda.so|libnvidia-ml.so|cublas|cudart|nvrtc|nvcuda|nvml";
    if (real.empty() || !add_once(real, known)) continue;
    const arena_string text = libraries_text(sorted_names_in(os, directory, wanted));
    if (!text.empty() && rows.size() < most_rows) rows.push_back({directory, text});
  }
  return rows;
}

// ---- packages

static bool is_about_cudnn(std::string name) {
  static const arena_vector<arena_string> beginnings = split_path_list(
      "nvidia- cuda- cudnn libcudnn libcublas libnvrtc libnvidia cupy torch pytorch triton "
      "tensorflow jax onnxruntime paddle tensorrt ctranslate2 faster-whisper transformer-engine "
      "flashinfer flash-attn xformers mxnet",
      " ");
  static const arena_vector<arena_string> whole =
      split_path_list("numpy ninja nanobind looseversion keras", " ");
  name = repairs::normalized(name);
  return any_of(beginnings, [&name](const arena_string& one) { return starts_with(name, one); }) ||
         contains(whole, arena_string(name));
}

/// "requires nvidia-cudnn-cu12==9.5.1.17": what the metadata of a package asks of cuDNN.
static arena_string requirements_shown(const repairs::distribution& package) {
  arena_string found;
  for (const std::string& line : package.requirements) {
    if (line.find("cudnn") == std::string::npos) continue;
    found += (found.empty() ? "requires " : ", ") + line.substr(0, line.find(';'));
  }
  return found;
}

static void add_wheels(const system_interface& os, const arena_string& site, text_rows& rows) {
  for (const std::string& info : repairs::infos_of(os, site, "")) {
    const arena_string name = info.substr(0, info.find('-'));
    if (!is_about_cudnn(name)) continue;
    if (rows.size() >= most_rows) return;
    rows.push_back({name, repairs::number_of_info(info), "wheel",
                    requirements_shown(repairs::read_distribution(os, site, info))});
  }
}

/// "cudnn-9.10.1.4-h7d33bf5_0.json" of conda-meta.
static void add_conda(const system_interface& os, text_rows& rows) {
  const arena_string prefix = path_in_variable(os, "CONDA_PREFIX");
  if (prefix.empty()) return;
  for (const arena_string& name : sorted_names_in(os, prefix + "/conda-meta")) {
    const package_record package = package_of_conda(name);
    if (!package.name.empty() && is_about_cudnn(package.name) && rows.size() < most_rows) {
      rows.push_back({package.name, package.number, "conda"});
    }
  }
}

/// deb-control(5): paragraphs of "Package:", "Status:" and "Version:".
static void add_debian(const system_interface& os, text_rows& rows) {
  arena_string text;
  if (!os.read_text("/var/lib/dpkg/status", text)) return;
  arena_string name;
  bool is_installed = false;
  for (const arena_string& line : split_path_list(text, "\n")) {
    if (starts_with(line, "Package: ")) {
      name = line.substr(9);
      is_installed = false;
    } else if (starts_with(line, "Status: ")) {
      is_installed = line == "Status: install ok installed" || line == "Status: hold ok installed";
    } else if (starts_with(line, "Version: ") && is_installed && is_about_cudnn(name) &&
               rows.size() < most_rows) {
      rows.push_back({name, line.substr(9), "dpkg"});
    }
  }
}

text_rows package_rows(const system_interface& os, const paste_place& place) {
  text_rows rows;
  for (const arena_string& site : place.sites) add_wheels(os, site, rows);
  add_conda(os, rows);
  add_debian(os, rows);
  return rows;
}

// ---- variables

static constexpr const char* known_variables =
    "CONDA_DEFAULT_ENV CONDA_PREFIX CUDAToolkit_ROOT CUDA_CACHE_DISABLE CUDA_CACHE_MAXSIZE "
    "CUDA_CACHE_PATH CUDA_DEVICE_ORDER CUDA_FORCE_PTX_JIT CUDA_HOME CUDA_LAUNCH_BLOCKING "
    "CUDA_MODULE_LOADING CUDA_PATH CUDA_VISIBLE_DEVICES CUDNN_CHECKED CUDNN_CHECKED_REPORT "
    "CUDNN_ERRATA_JSON_FILE CUDNN_FRONTEND_LOG_FILE CUDNN_FRONTEND_LOG_INFO CUDNN_LOGDEST_DBG "
    "CUDNN_LOGERR_DBG CUDNN_LOGINFO_DBG CUDNN_LOGLEVEL_DBG CUDNN_LOGWARN_DBG GLIBC_TUNABLES "
    "JAX_PLATFORMS LD_AUDIT LD_BIND_NOW LD_LIBRARY_PATH LD_PRELOAD NVIDIA_DISABLE_REQUIRE "
    "NVIDIA_DRIVER_CAPABILITIES NVIDIA_REQUIRE_CUDA NVIDIA_TF32_OVERRIDE "
    "NVIDIA_VISIBLE_DEVICES NVTE_CUDA_ARCHS NVTE_FLASH_ATTN NVTE_FRAMEWORK NVTE_FUSED_ATTN "
    "PATH PYTHONHOME PYTHONNOUSERSITE PYTHONPATH PYTORCH_CUDA_ALLOC_CONF "
    "TF_CUDNN_DETERMINISTIC TF_CUDNN_USE_AUTOTUNE TF_CUDNN_USE_FRONTEND "
    "TORCH_ALLOW_TF32_CUBLAS_OVERRIDE TORCH_CUDA_ARCH_LIST TORCH_CUDNN_USE_HEURISTIC_MODE_B "
    "TORCH_CUDNN_V8_API_DEBUG TORCH_CUDNN_V8_API_DISABLED TORCH_CUDNN_V8_API_LRU_CACHE_LIMIT "
    "VIRTUAL_ENV XLA_FLAGS";

/// Whether the name can only be that of a variable.
static bool is_plain_name(std::string_view name) {
  return !name.empty() && name.size() <= 64 && all_of(name, [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

/// Names of variables that begin as those of CUDA, cuDNN and their frameworks do.
static arena_string other_names(const arena_vector<arena_string>& shown) {
  arena_vector<arena_string> names;
  for (char** entry = own_environment(); *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::string_view name = text.substr(0, text.find('='));
    if (!is_plain_name(name) || is_secret_name(name)) continue;
    for (const char* const begin : {"CUDNN_", "CUDA_", "NVIDIA_", "TORCH_", "PYTORCH_", "NVTE_",
                                    "TF_", "XLA_", "JAX_", "ORT_"}) {
      const std::string_view stem = begin;
      if (name.substr(0, stem.size()) == stem) names.push_back(arena_string(name));
    }
  }
  sort(names);
  arena_string text;
  for (const arena_string& name : names) {
    if (!contains(shown, name) && text.size() < 2000) {
      text += (text.empty() ? "" : ", ") + name;
    }
  }
  return text;
}

text_rows variable_rows(const private_words& own) {
  text_rows rows;
  arena_vector<arena_string> shown;
  arena_vector<arena_string> names = searched_variables(search_stage::hint);
  for (const arena_string& name : split_path_list(known_variables, " ")) names.push_back(name);
  for (const arena_string& name : names) {
    const char* const value = std::getenv(name.c_str());
    if (value == nullptr || !add_once(name, shown)) continue;
    rows.push_back({name, redacted_value(value, own)});
  }
  std::sort(rows.begin(), rows.end(),
            [](const auto& one, const auto& other) { return one[0] < other[0]; });
  const arena_string others = other_names(shown);
  if (!others.empty()) rows.push_back({"also set", others});
  return rows;
}

}  // namespace cudnn_checked::cli
