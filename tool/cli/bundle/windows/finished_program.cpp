// SPDX-License-Identifier: BSD-3-Clause
//
// A program takes the DLLs that lie beside it: Microsoft, "Dynamic-link library search order".  The
// command asks before it overwrites a file, in a batch file, too.
#include "../finished_program.h"

#include "../../../core/judge/advice/advice.h"

namespace cudnn_checked::cli {

std::string command_for(const system_interface&, const bundles::bundle&,
                        const std::string& directory, const std::string& app) {
  return "copy /-y " + std::string(cudnn_checked::quoted(app)) + " " +
         std::string(cudnn_checked::quoted(directory));
}

}  // namespace cudnn_checked::cli
