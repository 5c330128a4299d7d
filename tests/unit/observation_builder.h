// SPDX-License-Identifier: BSD-3-Clause
//
// Observations for tests of the judge: a sound machine, to which each test does one thing.
#pragma once

#include <string>
#include <vector>

#include "core/judge/judge.h"
#include "core/report/report.h"

namespace test {

inline cudnn_checked::cudnn_file file_of(const std::string& role, const char* release,
                                         const std::string& directory = "/opt/cudnn/lib") {
  cudnn_checked::cudnn_file file;
  file.role = role;
  const std::string stem = role == "shim" ? "libcudnn" : "libcudnn_" + role;
  const cudnn_checked::version v = cudnn_checked::parse_version(release);
  file.name = stem + ".so." + std::to_string(v.major);
  file.path = directory + "/" + file.name;
  file.real_path = directory + "/" + stem + ".so." + release;
  file.chosen_by = {cudnn_checked::choice_reason::runpath, "app"};
  file.state = cudnn_checked::file_state::whole;
  file.name_version = v;
  return file;
}

inline std::vector<cudnn_checked::cudnn_file> full_set(const char* release) {
  std::vector<cudnn_checked::cudnn_file> files;
  for (const char* role : {"shim", "graph", "ops", "cnn", "adv", "engines_precompiled",
                           "engines_runtime_compiled", "heuristic"}) {
    files.push_back(file_of(role, release));
  }
  // Without it, those cannot compute.
  if (!(cudnn_checked::parse_version(release) < cudnn_checked::version{9, 27, 0})) {
    files.push_back(file_of("engines_tensor_ir", release));
  }
  return files;
}

/// "$ " before a command, "> " before advice, each in its line.
inline std::string fix_of(const cudnn_checked::fix_lines& lines) {
  std::string text;
  for (const cudnn_checked::fix_line& line : lines) {
    if (!text.empty()) text += '\n';
    text += line.what == cudnn_checked::fix_line::kind::command ? "$ " : "> ";
    text += line.text;
  }
  return text;
}

inline std::string fix_of(const cudnn_checked::finding& f) { return fix_of(f.fix); }

/// What is found in a program that looks as the guard does: at files, then at the machine, then at
/// the GPUs.  A rule that rests on facts which a later look brings would miss them.
inline std::vector<cudnn_checked::finding> judged_in_steps(
    const cudnn_checked::stamp& stamped, const cudnn_checked::observation& all,
    const cudnn_checked::judge_options& options) {
  cudnn_checked::observation seen = all;
  seen.dependencies.clear();
  seen.cudart_majors.clear();
  seen.driver = {};
  seen.devices = {};
  seen.code = {};
  cudnn_checked::judgement judged = judge_program_files(stamped, seen, options);
  seen.dependencies = all.dependencies;
  seen.cudart_majors = all.cudart_majors;
  seen.driver = all.driver;
  judge_program_further(cudnn_checked::look::machine, stamped, seen, options, judged);
  seen.devices = all.devices;
  seen.code = all.code;
  judge_program_further(cudnn_checked::look::gpus, stamped, seen, options, judged);
  return judged.findings;
}

/// A machine with cuDNN `release`, a driver and one GPU, and a program that fits it.
struct machine {
  cudnn_checked::stamp stamped;
  cudnn_checked::observation observed;
  cudnn_checked::judge_options options;

  explicit machine(const char* built = "9.14.0", const char* installed = "9.14.0") {
    stamped.program = "app";
    stamped.package = "0.1.0";
    stamped.cudnn_header = stamped.cudnn_library = cudnn_checked::parse_version(built);
    stamped.toolkit = cudnn_checked::parse_version("13.0");
    stamped.sublibraries = {
        "graph",    "ops", "cnn", "adv", "engines_precompiled", "engines_runtime_compiled",
        "heuristic"};
    stamped.operations = {"conv/fp16/nhwc"};  // of no entry of known_defects.def
    observed.linked = true;
    observed.cudnn_major = stamped.cudnn_header.major;
    observed.files = full_set(installed);
    observed.driver.present = cudnn_checked::answer::yes;
    observed.driver.path = "/usr/lib/libcuda.so.580.65.06";
    observed.devices.visible = cudnn_checked::answer::yes;
    cudnn_checked::gpu device;
    device.name = "NVIDIA H200";
    device.capability = cudnn_checked::parse_architecture("90");
    observed.devices.gpus = {device};
  }

  cudnn_checked::cudnn_file& file(const std::string& role) {
    for (cudnn_checked::cudnn_file& f : observed.files) {
      if (f.role == role) return f;
    }
    return observed.files.front();
  }
  void lose(const std::string& role) {
    cudnn_checked::cudnn_file& f = file(role);
    f.state = cudnn_checked::file_state::missing;
    f.path.clear();
    f.real_path.clear();
    f.chosen_by = {};
    f.name_version = {};
  }
  void take_from(const std::string& role, const char* release, const std::string& directory,
                 const cudnn_checked::choice& chosen_by) {
    file(role) = file_of(role, release, directory);
    file(role).chosen_by = chosen_by;
  }

  virtual ~machine() = default;
  virtual cudnn_checked::vector<cudnn_checked::finding> findings() const {
    return judged_in_steps(stamped, observed, options);
  }
  /// Names of the findings, worst first, separated by spaces.
  std::string names() const {
    std::string text;
    for (const cudnn_checked::finding& f : findings())
      text += std::string(text.empty() ? "" : " ") + to_string(f.id);
    return text;
  }
  std::string message() const {
    return cudnn_checked::findings_message(findings(), "cudnn_checked: refused",
                                           cudnn_checked::severity::note);
  }
};

/// The same at configure time, before anything was asked.
struct configuration : machine {
  explicit configuration(const char* header = "9.14.0", const char* installed = "9.14.0")
      : machine(header, installed) {
    options.gpu_optional = true;
    stamped.sublibraries.clear();
    observed.header_path = "/opt/cudnn/include/cudnn_version.h";
    observed.answers.asked = true;
    observed.answers.library = cudnn_checked::parse_version(installed);
    cudnn_checked::convolution c;
    c.api = cudnn_checked::convolution_api::graph;
    c.type = cudnn_checked::element::fp16;
    c.layout = cudnn_checked::tensor_layout::nchw;
    c.shape = "1x32x16x16 * 32x32x3x3";
    c.math = cudnn_checked::convolution_math::tensor_core;
    c.engine = 7;
    c.ran = true;
    c.products = 288;
    c.relative_error = 2.1e-4;
    c.element_error = 1e-5;
    observed.convolutions = {c};
  }
  cudnn_checked::vector<cudnn_checked::finding> findings() const override {
    return cudnn_checked::judge_install(stamped, observed, options).findings;
  }
};

}  // namespace test
