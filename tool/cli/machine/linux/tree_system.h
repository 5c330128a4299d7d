// SPDX-License-Identifier: BSD-3-Clause
//
// The tree of a container on the disk, as its own processes see it: "/" is the tree's root, links
// stay inside, and the loader is the tree's.
#pragma once

#include "../../../core/linux/linux_system.h"

namespace cudnn_checked::cli {

class tree_system final : public linux_system {
 public:
  /// `root` is a directory, of path_of_tree(); `environment` is that of the program in the tree,
  /// and must outlive the object.  `program` is in the tree.  Its machine may be another than this
  /// one.
  tree_system(arena_string root, const arena_string& program, char** environment,
              execution_mode mode);

  /// Where a path of the tree is on this machine, links resolved inside the tree; empty where there
  /// is no such file.
  arena_string host_path(const arena_string& path) const;

  /// PATH and VIRTUAL_ENV name programs of the tree, which must not be started here.
  bool variable(const char* name, arena_string& value) const override;
  open_result open(arena_string path, byte_source** source) const override;
  bool read_text(arena_string path, arena_string& text) const override;
  open_result list(arena_string path, const char* prefixes,
                   arena_vector<arena_string>& names) const override;
  /// The driver and the GPUs are those of the machine on which the container will run.
  bool may_be_written(arena_string) const override { return false; }
  int cuda_driver_version() const override { return 0; }
  bool nvml_gpus(arena_vector<gpu>&) const override { return false; }
  arena_string working_directory() const override { return "/"; }
  arena_vector<mapped_object> mapped_objects() const override { return {}; }

 protected:
  path_component look_at_component(arena_string path) const override;
  const loader_build& build() const override { return *build_; }
  version glibc() const override { return glibc_; }

 private:
  arena_string root_;
  const loader_build* build_;
  version glibc_;
};

}  // namespace cudnn_checked::cli
