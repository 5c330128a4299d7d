// SPDX-License-Identifier: BSD-3-Clause
//
// Facts about a program or library without a stamp: how it comes to its cuDNN, and which one its
// package and its own NEEDED entries require.
#pragma once

#include "../../core/loader/loader.h"
#include "../../core/model/observation.h"
#include "../../core/model/unstamped_program.h"
#include "../../core/system/system_view.h"

namespace cudnn_checked::cli {

/// The system as it is in a process that has loaded what lies in the same site-packages.
class preloading_view final : public system_view {
 public:
  preloading_view(const system_interface& real, arena_string program);

  arena_string program_path() const override { return program_; }
  arena_vector<mapped_object> mapped_objects() const override { return {}; }
  /// The library of a package comes before that of the loader's cache.
  arena_string loader_cache(arena_string soname) const override;
  /// Its path; empty where no package has it.
  arena_string package_library(const arena_string& soname) const;
  /// The first whose name begins so and ends in a number; empty likewise.
  arena_string numbered_library(const char* stem) const;

 private:
  arena_string program_;
  arena_vector<arena_string> directories_;  ///< lib folders of the packages
};

/// Looks at the program of that loader, whose start is known.  Where a library finds what it NEEDs
/// only if others have loaded it, `start` becomes that of such a process.
unstamped_program look_at_unstamped(loader& search, program_start& start);

/// The CUDA major of a library of CUDA whose number says it; 0 of others.
int cuda_major_of_name(const arena_string& name);

/// If neither its NEEDED entries nor a requirement of its package says for which CUDA it is: the
/// name of the package decides, else what the libraries beside it NEED.
void find_cuda_of_package(loader& search, unstamped_program& program);

struct opened_cudnn {
  answer found = answer::unknown;
  arena_string path;  ///< of the file that it opens; where it finds none, the name that it asks for
  arena_vector<arena_string> others;  ///< paths of the sub-libraries that it opens as well
  bool alone = false;                 ///< it opens none of those that lie beside it
  bool by_path = false;               ///< so what is in memory under its name does not serve
  arena_string
      told_by;  ///< what leads there: "CUDA_HOME, as transformer_engine/common/__init__.py does"
};

/// Reads the names in its data, if nothing else shows how it comes to its cuDNN, or if it opens
/// cuDNN itself.  How a package searches that is in no table is not known, so nothing is concluded
/// about the cuDNN that it could open.
void look_into_data(loader& search, const program_start& start, unstamped_program& program);

/// Does a package open cuDNN itself for that library?
bool is_opener(const package_release& package, const arena_string& library);

/// Does it open the name that it makes of what its package requires (OPENS_REQUIRED)?
bool opens_what_it_requires(const package_release& package, const arena_string& library);

/// The library that opens for that one what it opens (OPENED_BY); empty: itself.
arena_string opener_beside(const system_interface& os, const arena_string& library);

/// The cuDNN that its package opens for the program of that loader, if the package is_opener().
opened_cudnn open_as_package(loader& search, const package_release& package);

}  // namespace cudnn_checked::cli
