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

/// A cuDNN that find_package asks for, from release `floor` on where that is not empty, with what a
/// program is compiled with where there is no toolkit for it: into the environment in which the
/// next configure finds it, otherwise into a folder of the build tree.
fix_lines install_cudnn_of_request(const request& asked, const system_interface& os,
                                   const arena_string& floor = {});

/// The command that installs the package again to which the file belongs, which need not be there
/// any more, in the same release: a Python package, those of conda, or one of Debian.  `part` is
/// "headers" or "libraries" where Debian's other package lacks.  Empty where no package is
/// recorded.
fix_lines install_again(const request& asked, const system_interface& os, const arena_string& file,
                        const arena_string& part);

/// The same, or what installs a cuDNN that find_package asks for.
fix_lines again_or_new(const request& asked, const system_interface& os, const arena_string& file);

/// What installs a CUDA runtime, and what else is missing, for a cuDNN that has none: into the
/// environment that it lies in, otherwise into a folder of the build tree.
fix_lines install_runtime(const request& asked, const system_interface& os);

/// Installs into a folder of the build tree (own), and configures again with `variable` as its
/// name.
fix_lines install_below(const request& asked, const system_interface& os, const wheel_order& order);

/// In words, where there is nothing here that installs, or no command can have the names.
fix_line say_in_words(const request& asked, const wheel_order& order);

/// Marks each command as green where the cuDNN that it installs would be found and is without an
/// error, else as untried.
void try_cudnn(const request& asked, const system_interface& os, fix_lines& lines);

/// The same for the parts of CUDA that belong to the cuDNN in nvidia/<folder>.
void try_runtime(const system_interface& os, const arena_string& folder, int cuda_major,
                 fix_lines& lines);

}  // namespace configure
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
