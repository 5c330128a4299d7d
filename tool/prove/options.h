// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

#include "../core/model/arena_string.h"
#include "../core/model/arena_vector.h"
#include "../core/model/level.h"
#include "../core/model/observation.h"

namespace cudnn_checked::prove {

/// The options of a proof, from the key=value arguments of the find module.
struct options {
  arena_string report;          ///< file that the report goes to
  bool level_required = false;  ///< false: require=auto
  level required = level::none;
  arena_vector<arena_string> components;  ///< empty: all that the release ships
  arena_vector<const convolution_kind*>
      convolutions;                          ///< all of them where the argument is missing
  arena_vector<fused_operation> operations;  ///< besides the convolutions; none by default
  arena_vector<arena_string> devices;  ///< indices and UUIDs, each of which computes; empty: one of
                                       ///< each architecture
  bool each_device = false;            ///< devices=all
  bool named = false;                  ///< named=CuDNNChecked_ROOT: that names the install
  arena_string header;                 ///< path of cudnn_version.h
  version found;                       ///< its release, as the search has read it
  arena_string linked;                 ///< the library of cuDNN that the probe is linked with
  arena_string flags;                  ///< of the project, with which the probe was compiled
  arena_string sweep;    ///< seconds of the sweep that follows, "60"; empty: there is none
  arena_string cmake;    ///< path of the CMake that configures the project, for commands
  arena_string build;    ///< the build directory of the project, for commands
  arena_string library;  ///< of the command line alone: the shim that is opened
};

/// Reads the arguments after the program's name.  Returns false on an unknown, repeated or missing
/// key and on an unknown value; `error` names it and lists the possible ones.
bool parse_options(int count, const char* const* arguments, options& result, arena_string& error);

/// The key of the first of these arguments that has an unknown value; empty if none has.
const char* wrong_option(int count, const char* const* arguments);

/// Is the argument one that parse_options knows?
bool is_option(std::string_view argument);

/// Reads names of operations, separated by commas, in the order of the table.  "conv" stands for
/// the convolutions and adds no operation.  `where` names the option for the error.
bool read_operations(std::string_view names, const char* where,
                     arena_vector<fused_operation>& result, arena_string& error);

}  // namespace cudnn_checked::prove
