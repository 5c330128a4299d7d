// SPDX-License-Identifier: BSD-3-Clause
//
// Observations for tests of the judge: a sound machine, to which each test does one thing.
#pragma once

#include <string>
#include <vector>

#include "core/catalogue/catalogue.h"
#include "core/catalogue/measured_needs.h"
#include "core/judge/judge.h"
#include "core/report/report.h"

namespace test {

using namespace cudnn_checked;

/// Why the loader takes a file.
inline const choice by_runpath = {choice_reason::runpath, "app"};
inline const choice by_variable = {choice_reason::ld_library_path, 0};  // its first entry
inline const choice by_cache = choice_reason::ld_so_cache;

inline cudnn_file file_of(const std::string& role, const char* release,
                          const std::string& directory = "/opt/cudnn/lib") {
  cudnn_file file;
  file.role = role;
  const std::string stem = role == "shim" ? "libcudnn" : "libcudnn_" + role;
  const version v = parse_version(release);
  file.name = stem + ".so." + std::to_string(v.major);
  file.path = directory + "/" + file.name;
  file.real_path = directory + "/" + stem + ".so." + release;
  file.chosen_by = by_runpath;
  file.state = file_state::whole;
  file.name_version = v;
  return file;
}

inline std::vector<cudnn_file> full_set(const char* release) {
  std::vector<cudnn_file> files;
  for (const char* role : {"shim", "graph", "ops", "cnn", "adv", "engines_precompiled",
                           "engines_runtime_compiled", "heuristic"}) {
    files.push_back(file_of(role, release));
  }
  // What that release has besides, or a release that was not measured may have.
  const version number = parse_version(release);
  for (const library_role role : {library_role::engines_tensor_ir, library_role::ext}) {
    const bool shipped = contains(roles_of({number, 0}), role) ||
                         finalizes_without(number, false, {role}) == answer::unknown;
    if (shipped && major_of_role(role) == number.major) files.push_back(file_of(role, release));
  }
  return files;
}

/// "$ " before a command, "> " before advice, each in its line.
inline std::string fix_of(const fix_lines& lines) {
  std::string text;
  for (const fix_line& line : lines) {
    if (!text.empty()) text += '\n';
    text += line.what == fix_line::kind::command ? "$ " : "> ";
    text += line.text;
  }
  return text;
}

inline std::string fix_of(const finding& f) { return fix_of(f.fix); }

/// Names of the findings, worst first, separated by spaces.
inline std::string names_of(const arena_vector<finding>& findings) {
  std::string text;
  for (const finding& f : findings)
    text += (text.empty() ? "" : " ") + std::string(to_string(f.id));
  return text;
}

/// A machine with cuDNN `release`, a driver and one GPU, and a program that fits it.
struct machine {
  stamp stamped;
  observation observed;
  judge_options options;

  explicit machine(const char* built = "9.14.0", const char* installed = "9.14.0") {
    stamped.program = "app";
    stamped.package = "0.1.0";
    stamped.cudnn_header = stamped.cudnn_library = parse_version(built);
    stamped.toolkit = parse_version("13.0");
    stamped.sublibraries = {
        "graph",    "ops", "cnn", "adv", "engines_precompiled", "engines_runtime_compiled",
        "heuristic"};
    stamped.operations = {"conv/fp16/nhwc"};  // of no entry of known_defects.def
    observed.linked = true;
    observed.cudnn_major = stamped.cudnn_header.major;
    observed.files = full_set(installed);
    observed.driver.present = answer::yes;
    observed.driver.path = "/usr/lib/libcuda.so.580.65.06";
    observed.devices.visible = answer::yes;
    add_gpu("90", "NVIDIA H200");
  }

  cudnn_file& file(const std::string& role) {
    for (cudnn_file& f : observed.files.in_place()) {
      if (f.role == role) return f;
    }
    return observed.files.in_place()[0];
  }
  void lose(const std::string& role) {
    cudnn_file& f = file(role);
    f.state = file_state::missing;
    f.path.clear();
    f.real_path.clear();
    f.chosen_by = {};
    f.name_version = {};
  }
  /// What came with later releases.
  void lose_later() {
    for (const char* role : {"engines_tensor_ir", "ext"}) {
      if (file(role).role == role) lose(role);
    }
  }
  /// The files of a JIT-only set stay.
  void lose_precompiled() {
    for (const char* role : {"ops", "cnn", "adv", "engines_precompiled", "heuristic"}) lose(role);
    lose_later();
  }
  /// The same, of a program that needs no more.
  void make_jit_only() {
    lose_precompiled();
    stamped.sublibraries = {"graph", "engines_runtime_compiled"};
  }
  void take_from(const std::string& role, const char* release, const std::string& directory,
                 const choice& chosen_by) {
    file(role) = file_of(role, release, directory);
    file(role).chosen_by = chosen_by;
  }
  /// What the loader would take without LD_LIBRARY_PATH.
  void add_alternative(const std::string& role, const char* release, const std::string& path,
                       const choice& chosen_by = by_runpath) {
    alternative_file other;
    other.role = role;
    other.path = path;
    other.chosen_by = chosen_by;
    other.name_version = parse_version(release);
    observed.alternatives.push_back(other);
  }
  void add_alternatives(const char* release, const std::string& directory) {
    for (const cudnn_file& f : observed.files) {
      add_alternative(to_string(f.role), release, directory + "/" + f.name);
    }
  }
  void add_gpu(const char* capability, const char* name) {
    gpu device;
    device.index = static_cast<int>(observed.devices.gpus.size());
    device.name = name;
    device.capability = parse_architecture(capability);
    observed.devices.gpus.push_back(device);
  }
  void set_gpu(const char* capability) {
    observed.devices.gpus.in_place()[0].capability = parse_architecture(capability);
  }
  /// The program has code for these, as CUDA_ARCHITECTURES names them.
  void compile_for(const arena_vector<arena_string>& items) {
    observed.code.readable = answer::yes;
    observed.code.path = "/app/bin/app";
    observed.code.containers = {{parse_cuda_architectures(items)}};
  }

  virtual ~machine() = default;
  virtual arena_vector<finding> findings() const {
    return judge_program(stamped, observed, options).findings;
  }
  std::string names() const { return names_of(findings()); }
  verdict result() const { return verdict_of(findings()); }
  severity weight(std::size_t of = 0) const { return findings()[of].weight; }
  std::string fix(std::size_t of = 0) const { return fix_of(findings()[of]); }
  std::string message() const { return findings_message(findings(), "refused", severity::note); }
  std::string summary(std::size_t of = 0) const { return findings()[of].summary; }
  std::string because(std::size_t of = 0) const { return findings()[of].because; }
  /// The lines of the message with that label, without it: "9.14.0   /opt/cudnn/lib/libcudnn.so.9".
  std::string fact(const char* label) const {
    std::string text;
    for (const finding& f : findings()) {
      arena_vector<cudnn_checked::fact> all = {f.expected, f.found};
      all.insert(all.end(), f.more.begin(), f.more.end());
      for (const cudnn_checked::fact& line : all) {
        if (line.label != label) continue;
        text += text.empty() ? "" : "\n";
        text += line.value + (line.value.empty() || line.where.empty() ? "" : "   ") + line.where;
      }
    }
    return text;
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
    observed.answers.library = parse_version(installed);
    convolution c;
    c.api = convolution_api::graph;
    c.type = element::fp16;
    c.layout = tensor_layout::nchw;
    c.shape = "1x32x16x16 * 32x32x3x3";
    c.math = convolution_math::tensor_core;
    c.engine = 7;
    c.ran = true;
    c.products = 288;
    c.relative_error = 2.1e-4;
    c.element_error = 1e-5;
    observed.convolutions = {c};
  }
  arena_vector<finding> findings() const override {
    return judge_install(stamped, observed, options).findings;
  }
};

/// A program of which the loader's part is judged, before it starts.
struct starting : machine {
  starting() {
    observed.program_path = "/srv/app";
    observed.start.stamped = answer::yes;
    observed.start.known_loader = answer::yes;
  }
  arena_vector<finding> findings() const override {
    return judge_start(stamped, observed, options).findings;
  }
  bool ends() const { return start_ends_program(observed.start); }
};

}  // namespace test
