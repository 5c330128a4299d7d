// SPDX-License-Identifier: BSD-3-Clause
//
// What a wheel of NVIDIA's puts into site-packages, as far as a check looks at it.
#pragma once

#include "../core/library/symbol_versions.h"
#include "../core/model/arena_string.h"
#include "../core/model/arena_vector.h"
#include "../core/model/library_role.h"
#include "../core/model/version.h"

namespace cudnn_checked::repairs {

struct wheel_file {
  arena_string path;  ///< below site-packages
  arena_string contents;
};

struct wheel_contents {
  bool known = false;  ///< false: nothing here tells what the wheel has
  arena_string name;
  arena_string number;
  arena_vector<wheel_file> files;
  arena_vector<arena_string> requirements;  ///< "nvidia-cublas"
};

/// The files that are installed now.  A library that is installed again is assumed to be like the
/// present one where only the file itself could tell.
struct installed_files {
  const system_interface* os = nullptr;  ///< null: nothing is
  arena_string site;

  /// The versions of symbols that the file needs; none where it is of another release.
  arena_vector<needed_version> versions_of(const arena_string& path, const release& which) const;
};

/// The contents of the newest release that the requirement allows: "nvidia-cudnn-cu13==9.14.0.*".
wheel_contents contents_of_wheel(const arena_string& requirement,
                                 const installed_files& installed = {});

bool is_jit_only(const arena_string& wheel);

/// The newest release of cuDNN that the requirement of such a package allows; unknown if there is
/// none.
release release_of_wheel(const arena_string& requirement);

/// Is it a number that only the view has, of a wheel that was ordered without one?
bool is_assumed_number(const arena_string& number);

/// The sub-libraries that one of that release needs, by their names.
arena_vector<arena_string> sublibraries_needed_by(library_role role, const release& which);

// The folder of each platform (linux/, windows/) defines the rest.

/// A library of cuDNN of that release, at that path; `how` says whether it finds CUDA's libraries
/// as those of wheels do.
enum class laid_out { as_wheel, flat };
arena_string image_of_cudnn(const release& which, const arena_string& path, laid_out how,
                            const installed_files& installed = {});

/// The libraries in the wheel "nvidia-cublas" of that release of CUDA, first the one that cuDNN
/// opens, and their folder: `shares` where all parts of the toolkit have one, "nvidia/cu13".
arena_vector<arena_string> libraries_of_toolkit(const arena_string& wheel, const version& cuda);
const char* folder_of_toolkit_libraries(bool shares);

}  // namespace cudnn_checked::repairs
