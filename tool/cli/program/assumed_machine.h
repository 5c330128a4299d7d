// SPDX-License-Identifier: BSD-3-Clause
//
// The driver and the GPUs of another machine than this one: for login nodes and CI, which have
// none.
#pragma once

#include <string>

#include "../../core/judge/judge.h"
#include "../../core/system/system_view.h"

namespace cudnn_checked::cli {

struct assumed_machine {
  bool given = false;  ///< else it is this machine
  arena_string text;   ///< "sm_86,driver=580"; empty where driver and GPUs are not checked at all
  arena_vector<gpu> gpus;
  arena_string driver;  ///< "580.65.06"; empty where it is not known
};

/// Reads "sm_86,driver=580".  On failure returns false and says why in `error`.
bool read_assumed_machine(const std::string& text, assumed_machine& result, std::string& error);

/// The system with that driver and those GPUs in the place of its own.  Where none is given, it
/// changes nothing.
class assumed_view final : public system_view {
 public:
  assumed_view(const system_interface& real, const assumed_machine& machine)
      : system_view(real), machine_(machine) {}

  bool variable(const char* name, arena_string& value) const override;
  bool read_text(arena_string path, arena_string& text) const override;
  open_result list(arena_string path, const char* prefixes,
                   arena_vector<arena_string>& names) const override;
  arena_string real_path(arena_string path) const override;
  arena_string loader_platform(int machine) const override;
  int cuda_driver_version() const override;
  bool nvml_gpus(arena_vector<gpu>& gpus) const override;

  /// Its libcuda, as an object of the process.
  mapped_object libcuda() const;

 private:
  const assumed_machine& machine_;
};

/// The findings without those about the driver and the GPUs, which are not checked.
arena_vector<finding> without_gpu_findings(const arena_vector<finding>& findings);

/// The driver of that machine is there, whether this one has it or not.
void add_driver_libraries(program_start& start);

}  // namespace cudnn_checked::cli
