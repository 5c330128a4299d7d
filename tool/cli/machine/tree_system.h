// SPDX-License-Identifier: BSD-3-Clause
//
// The tree of a container on the disk, as its own processes see it: "/" is the tree's root, links
// stay inside, and the loader is the tree's.
#pragma once

#include "../../core/linux/linux_system.h"

namespace cudnn_checked::cli {

class tree_system final : public linux_system {
 public:
  /// `root` is the real path of a directory; `environment` is that of the program in the tree, and
  /// must outlive the object.  `program` is in the tree.  Its machine may be another than this one.
  tree_system(string root, const string& program, char** environment, execution_mode mode);

  /// Where a path of the tree is on this machine, links resolved inside the tree; empty where there
  /// is no such file.
  string host_path(const string& path) const;
  bool is_directory(const string& path) const;

  /// PATH and VIRTUAL_ENV name programs of the tree, which must not be started here.
  bool variable(const char* name, string& value) const override;
  open_result open(string path, byte_source** source) const override;
  bool read_text(string path, string& text) const override;
  open_result list(string path, const char* prefixes, vector<string>& names) const override;
  /// The driver and the GPUs are those of the machine on which the container will run.
  bool may_be_written(string) const override { return false; }
  int cuda_driver_version() const override { return 0; }
  bool nvml_gpus(vector<gpu>&) const override { return false; }
  string working_directory() const override { return "/"; }
  vector<mapped_object> mapped_objects() const override { return {}; }

 protected:
  path_component look_at_component(string path) const override;
  const loader_build& build() const override { return *build_; }
  version glibc() const override { return glibc_; }

 private:
  string root_;
  const loader_build* build_;
  version glibc_;
};

/// The path in the tree of a file that somebody names: as it is in the tree, or as it is on this
/// machine.
string path_in_tree(const string& root, const string& file);

}  // namespace cudnn_checked::cli
