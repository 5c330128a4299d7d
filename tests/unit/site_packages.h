// SPDX-License-Identifier: BSD-3-Clause
//
// A Python environment with frameworks and a cuDNN, and verify on a library of it.
#pragma once

#include <doctest/doctest.h>

#include "catalogue_ids.h"
#include "cli/program/unstamped.h"
#include "core/check/cudnn_check.h"
#include "core/judge/survey/survey_rules.h"
#include "core/loader/loader.h"
#include "core/loader/program_start.h"
#include "core/report/report.h"
#include "cudnn_installs.h"
#include "observation_builder.h"

namespace test {

using namespace cudnn_checked;

inline const std::string site = "/venv/lib/python3.12/site-packages";
inline const std::string wheel = site + "/nvidia/cudnn/lib";

/// A text with <site> and <wheel> for these two.
inline std::string shown(std::string text) {
  for (const auto& [path, name] : {std::pair(wheel, "<wheel>"), std::pair(site, "<site>")}) {
    for (std::size_t at = text.find(path); at != std::string::npos; at = text.find(path)) {
      text.replace(at, path.size(), name);
    }
  }
  return text;
}

/// A site-packages with frameworks and a cuDNN.
struct venv {
  fake_system os;
  std::string import_lacks;  ///< unstamped_program::import_lacks

  void add_cudnn(const char* release, const char* major, const std::string& directory = wheel) {
    for (const std::string& role : roles_9) {
      elf_builder b;
      b.soname = soname_of(role, 9);
      b.build_id = id_of(b.soname, release, major);
      REQUIRE(b.build_id.size() == 40);
      b.needed = needed_by(role);
      b.runpath = "$ORIGIN";
      os.files[directory + "/" + b.soname] = b.build();
    }
  }

  /// Of the package, with the path below site-packages.
  void add_library(const std::string& path, const std::vector<std::string>& needed,
                   const std::string& rpath = "", const std::string& runpath = "") {
    elf_builder b;
    b.soname = path.substr(path.rfind('/') + 1);
    b.needed = needed;
    b.rpath = rpath;
    b.runpath = runpath;
    os.files[site + "/" + path] = b.build();
  }

  void add_package(const std::string& name, const std::string& number,
                   const std::vector<std::string>& requirements, const std::string& listed) {
    const std::string info = site + "/" + name + "-" + number + ".dist-info/";
    std::string metadata = "Metadata-Version: 2.1\nName: " + name + "\nVersion: " + number + "\n";
    for (const std::string& r : requirements) metadata += "Requires-Dist: " + r + "\n";
    os.files[info + "METADATA"] = metadata + "\nRequires-Dist: nvidia-cudnn-cu11==1.0\n";
    os.files[info + "RECORD"] = listed + ",sha256=x,1\n";
  }

  /// PyTorch as it lies on PyPI, in short.
  void add_torch(const std::string& number = "2.7.1",
                 const std::string& requirement = "nvidia-cudnn-cu12==9.5.1.17") {
    add_library("torch/lib/libtorch_cuda.so", {"libcudart.so.12", "libcudnn.so.9"},
                "$ORIGIN/../../nvidia/cuda_runtime/lib:$ORIGIN/../../nvidia/cudnn/lib:$ORIGIN");
    add_library("nvidia/cuda_runtime/lib/libcudart.so.12", {});
    add_package("torch", number,
                {"filelock", requirement + "; platform_system == \"Linux\" and "
                                           "platform_machine != \"riscv64\""},
                "torch/lib/libtorch_cuda.so");
  }

  /// A driver, and GPUs that NVML names.
  void add_gpus(const std::vector<std::string>& capabilities) {
    elf_builder b;
    b.soname = "libcuda.so.1";
    os.files["/usr/lib/libcuda.so.580.65.06"] = b.build();
    os.links["/usr/lib/libcuda.so.1"] = "libcuda.so.580.65.06";
    os.has_nvml = true;
    os.gpus.clear();
    for (const std::string& capability : capabilities) {
      gpu device;
      device.index = static_cast<int>(os.gpus.size());
      device.name = "NVIDIA GPU";
      device.capability = parse_architecture(capability);
      os.gpus.push_back(device);
    }
  }

  struct outcome {
    verdict result;
    std::string message;
    unstamped_program program;
    taken_cudnn takes;
    cudnn_checked::arena_vector<finding> findings;
  };

  /// As verify looks at it.
  outcome look(const std::string& path) {
    os.program = site + "/" + path;
    outcome done;
    loader search(os);
    observation first;
    first.start.stamped = answer::no;
    observe_start(search, first);
    done.program = cli::look_at_unstamped(search, first.start);
    cli::find_cuda_of_package(search, done.program);
    done.program.import_lacks = import_lacks;
    os.mapped.clear();
    for (const mapped_object& object : objects_of_start(first.start)) os.mapped.push_back(object);
    search.look_at_process();
    os.mapped.clear();
    cudnn_check check(search);
    check.observed.unstamped = &done.program;
    check_unstamped_program(check, first.start);
    done.result = check.judged.result;
    done.findings = check.judged.findings;
    done.takes = taken_by(check.judged, check.observed.cudnn_major);
    if (done.result != verdict::ok) {
      done.message =
          shown(findings_message(check.judged.findings, to_string(done.result), severity::unknown));
      return done;
    }
    for (const finding& f : check.judged.findings) {
      if (f.id == finding_id::not_stamped)
        done.message = shown(findings_message({f}, "ok", severity::note));
    }
    return done;
  }
};

}  // namespace test
