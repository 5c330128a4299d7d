// SPDX-License-Identifier: BSD-3-Clause
//
// Looks at what of cuDNN and CUDA lies on this machine, and which of it the loader takes: for
// `doctor`, and for advice that points to a copy that is already there.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "../core/elf/elf_file.h"
#include "../core/model/survey.h"
#include "../core/system/system_view.h"

namespace cudnn_checked::cli {

/// Looks at everything.
survey survey_machine(const system_interface& os);

/// Looks at the cuDNNs of one directory only, and at nothing else of the machine.
survey survey_directory(const system_interface& os, const string& directory);

/// What a file of cuDNN is, as far as the file itself says it.
cudnn_file describe_file(const system_interface& os, const string& path, const elf_file& contents);

/// The cuDNNs of this machine that could be used as they are.
vector<cudnn_place> places_of_cudnn(const system_interface& os);

/// The system as a program would see it that was linked with one install and is started without
/// LD_LIBRARY_PATH.
class install_view final : public system_view {
 public:
  install_view(const system_interface& real, string library)
      : system_view(real), library_(std::move(library)) {}

  string loader_cache(const string& soname) const override {
    return soname.compare(0, 12, "libcudnn.so.") == 0 ? library_
                                                      : system_view::loader_cache(soname);
  }
  bool variable(const char* name, string& value) const override {
    const string asked = name;
    return asked != "LD_LIBRARY_PATH" && asked != "LD_PRELOAD" &&
           system_view::variable(name, value);
  }
  vector<mapped_object> mapped_objects() const override { return {}; }

 private:
  string library_;
};

}  // namespace cudnn_checked::cli
