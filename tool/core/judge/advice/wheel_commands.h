// SPDX-License-Identifier: BSD-3-Clause
//
// Commands for the Python environment that a file lies in.
#pragma once

#include "../../model/finding.h"
#include "../../model/observation.h"
#include "../../model/package_installer.h"
#include "../../model/python_environment.h"
#include "../../model/version.h"
#include "advice.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// The Python environment that the file lies in; null where it lies in none.
const python_environment* environment_of(const observation& observed, arena_string path);

/// " a=1 'b c'": each in quotes where a shell needs them.
arena_string quoted_words(const arena_vector<arena_string>& words);

/// "nvidia-cudnn-cu13" of a requirement, and what stands behind it.
arena_string name_of_order(const arena_string& requirement);
arena_string specifiers_of_order(const arena_string& requirement);

/// What the order brings: a package that is asked for by its extras is there.
arena_vector<arena_string> brought_by(const wheel_order& order);

/// The requirement of cuDNN's package among them; empty: none.
arena_string cudnn_in(const wheel_order& order);

/// Does the order install or remove the package of that name?
bool is_ordered(const wheel_order& order, const arena_string& name);

/// "/venv/bin/python -m pip"; "python3 -m pip" if its interpreter is not known.
arena_string pip_of(const python_environment& environment);

/// "PIP install OPTIONS B && PIP uninstall REMOVAL A && PIP install OPTIONS AGAIN B", or the last
/// of the three if nothing is to be removed.
arena_string pip_commands(const arena_string& pip, const arena_string& removal,
                          const arena_string& options, const char* again, const wheel_order& order);
inline constexpr char pip_again[] = " --force-reinstall --no-deps";
inline constexpr char pip_over[] = " --ignore-installed --no-deps";

/// "/venv/bin/python -m pip install B", by whichever installer is there.
fix_line install_wheels(const python_environment& environment, const wheel_order& order);

/// The command that installs the same release of a package again: of a wheel in its environment,
/// where that is known; of the others by whoever has recorded it.  `unrecorded`: it lacks a RECORD.
fix_line reinstall(const package_record& package, const python_environment* environment,
                   bool unrecorded = false);

/// The same in words, where none is there.
fix_line install_by_nobody(const python_environment& environment, const wheel_order& order);

/// Does the order bring that very number?  "==9.14.0.64" and "==9.14.0.*" bring 9.14.0.64, since
/// NVIDIA publishes each release once; "==9.14.0.70" does not, and ">=9.14" may.
answer brings_again(const wheel_order& order, const installed_wheel& wheel);

/// Is its metadata removed for the order, since pip would leave it beside that of what comes?
bool is_stale(const wheel_order& order, const installed_wheel& wheel);

/// Its folder of metadata.
arena_string metadata_of(const python_environment& environment, const installed_wheel& wheel);

/// The package of that name; null where the environment has none.
const installed_wheel* find_wheel(const python_environment& environment, const arena_string& name);

/// A requirement without a number with that of the newest major of cuDNN: "nvidia-cudnn-cu13==9.*".
arena_string of_newest_cudnn(const arena_string& requirement);

/// "nvidia-cublas==13.*", "nvidia-cuda-nvrtc-cu12==12.9.*": of the release of CUDA that the
/// environment has, else of the major.  cuBLAS has numbers of its own, with CUDA's major.
arena_string requirement_of_cuda(const python_environment& environment, const char* wheel,
                                 int cuda_major);

/// Below site-packages: "/nvidia/cublas/lib" of "nvidia-cublas-cu12", "/nvidia/cu13/lib" of
/// "nvidia-cublas" for CUDA 13.
arena_string folder_of_toolkit_wheel(const arena_string& requirement, int cuda_major);

/// The directory, and those of CUDA's libraries in its environment, before the entries of
/// LD_LIBRARY_PATH.
fix_line prepend_environment(const python_environment& environment, const arena_string& directory,
                             const arena_string& value);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
