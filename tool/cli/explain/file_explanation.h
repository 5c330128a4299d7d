// SPDX-License-Identifier: BSD-3-Clause
//
// What `explain` tells of a library of cuDNN, or of a name: what is taken, and why not another.
#pragma once

#include "../../core/elf/elf_file.h"
#include "../../core/json/json.h"
#include "../../core/model/finding.h"
#include "library_search.h"

namespace cudnn_checked::cli {

/// What is told of a file or a name.
struct file_explanation {
  string title;  ///< behind the name, without a full stop
  json library;  ///< what the file itself is; null where a name was asked for
  string name;   ///< what the loader is asked for
  string asker;  ///< path of the file that asks; empty: a program without a run path
  found_file taken;
  string release;  ///< of what is taken, where it is one of cuDNN's
  string why_not;  ///< a full sentence; empty where the file is taken
  vector<search_step> steps;
  fix_lines fixes;
};

/// Why the library at `path` is not the one that is taken, as a full sentence.  `of_set` is what
/// the program has in its role; may be null.
string why_not(const system_interface& os, const file_explanation& about, const elf_file& contents,
               const cudnn_file* of_set, const string& path);

/// The command with which the file is taken; empty where none is seen to help.  `program` is empty
/// for a program without a run path.
fix_lines fixes_for(const system_interface& os, const string& program, const string& name,
                    const string& path);

}  // namespace cudnn_checked::cli
