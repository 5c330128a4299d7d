// SPDX-License-Identifier: BSD-3-Clause
//
// Commands that install something, tried on a view of the system where that can be done.
#pragma once

#include "../core/judge/advice/wheel_commands.h"
#include "../core/system/system_interface.h"
#include "request.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace configure {

/// Commands that install the cuDNN which find_package asks for, of release `floor` or newer unless
/// that is empty, and without a suitable toolkit also CUDA's headers and runtime: into the
/// environment where the next configure finds them, otherwise into a folder of the build tree.
fix_lines install_cudnn_of_request(const request& asked, const system_interface& os,
                                   const arena_string& floor = {});

/// The command that reinstalls the package of a file, in the same release: a Python package, the
/// packages of conda, or one of Debian.  The file need not exist any more.  `part` is "headers" or
/// "libraries" if Debian's other package is missing.  Empty if no package is recorded.
fix_lines reinstall_package_of(const request& asked, const system_interface& os,
                               const arena_string& file, const arena_string& part);

/// The result of reinstall_package_of, or if that is empty, of install_cudnn_of_request.
fix_lines again_or_new(const request& asked, const system_interface& os, const arena_string& file);

/// Commands that install a CUDA runtime, and other missing parts of CUDA, for a cuDNN without one:
/// into the environment of that cuDNN, otherwise into a folder of the build tree.  What takes
/// CUDAToolkit_ROOT away (`named_toolkit`) is typed behind a command, or else stands in front of
/// the lines.
fix_lines install_runtime(const request& asked, const system_interface& os);

/// Commands that install into a folder of the build tree (own), and configure again with `variable`
/// set to that folder.
fix_lines install_below(const request& asked, const system_interface& os, const wheel_order& order);

/// The advice in words, if no installer is here or a name cannot be part of a command.
fix_line say_in_words(const request& asked, const wheel_order& order);

/// Tries each command on a view of the system.  Marks it as green if the next configure would find
/// the cuDNN that it installs, without an error; otherwise as untried.
void try_cudnn(const request& asked, const system_interface& os, fix_lines& lines);

/// The same for the parts of CUDA that belong to the cuDNN in nvidia/<folder>.
void try_runtime(const system_interface& os, const arena_string& folder, int cuda_major,
                 fix_lines& lines);

}  // namespace configure
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
