// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <utility>

#include "../core/library/library_file.h"
#include "../core/system/system_view.h"

namespace cudnn_checked::prove {

/// The name by which a loader serves later requests with that library (linux/, windows/).
arena_string mapped_name(const library_file& contents, const arena_string& path);

/// The system as seen by a probe that runs as the program `program` and has mapped the libraries
/// that it reported.  Their identities are read from their files, which were mapped just before.
class told_system final : public system_view {
 public:
  told_system(const system_interface& real, arena_string program)
      : system_view(real), program_(std::move(program)) {}

  void set_mapped(const arena_vector<arena_string>& paths);

  arena_string program_path() const override { return program_; }
  arena_vector<mapped_object> mapped_objects() const override { return mapped_; }

 private:
  arena_string program_;
  arena_vector<mapped_object> mapped_;
};

}  // namespace cudnn_checked::prove
