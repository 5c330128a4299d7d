// SPDX-License-Identifier: BSD-3-Clause
//
// The texts of the files of a program, from program_text.cpp.in.
#pragma once

struct cudnn_checked_file {
  const char* name;
  const char* contents;
};

extern const char* const cudnn_checked_program;
extern const char* const cudnn_checked_graph_program;
extern const char* const cudnn_checked_network_program;
/// The files that they include.  Each file stands before those that it includes.
extern const cudnn_checked_file cudnn_checked_program_files[12];
