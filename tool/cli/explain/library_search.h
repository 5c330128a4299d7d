// SPDX-License-Identifier: BSD-3-Clause
//
// Which libraries a program gets, and the search for one of them place by place.  The loader of
// core finds them; here its answers are only put side by side.
#pragma once

#include "../../core/json/json.h"
#include "../../core/library/library_file.h"
#include "../../core/loader/loader.h"
#include "../../core/model/finding.h"
#include "../../core/model/observation.h"
#include "../program/check_program.h"

namespace cudnn_checked::cli {

/// A place of the search, and what is there under the name.
struct search_step {
  enum class outcome { passed, taken, not_reached };

  choice chosen_by;        ///< none: ld.so.cache
  arena_string directory;  ///< empty: ld.so.cache
  arena_string path;       ///< of what is there; empty: nothing
  arena_string there;      ///< in words: "nothing", "no such directory", "a file for aarch64"
  outcome what = outcome::passed;

  arena_string place() const;  ///< "LD_LIBRARY_PATH[0]", "ld.so.cache"
};

/// A symbolic link, wherever it leads.
bool is_link(const arena_string& path);

/// The libraries that a program gets when it starts and calls cuDNN.
class program_libraries {
 public:
  /// For a program without a run path.
  explicit program_libraries(const system_interface& os);
  /// For that program or shared library.
  program_libraries(const system_interface& os, const arena_string& path);

  arena_string program() const { return search_.program_path(); }
  bool has_cudnn() const { return major_ != 0; }
  /// The files of cuDNN; `major` is used if the program itself asks for none.
  const arena_vector<cudnn_file>& files(int major);
  /// The file of that role; null if none is asked for.
  const cudnn_file* file_of(library_role role, int major);
  /// The file that is taken for a name: of cuDNN's set, of the program's start, or of a dlopen.
  found_file taken(const arena_string& name);
  /// The search for that name, which the program or one of its libraries asks for.
  arena_vector<search_step> steps(const arena_string& name);
  /// Path of the file that asks for the name; the program's where nothing else does.
  arena_string asker(const arena_string& name);

  loader& search() { return search_; }
  /// As observation::other_rules.
  arena_string other_rules() const { return search_.other_rules(); }

 private:
  const cudnn_file* cudnn_file_of(const arena_string& name);
  const start_library* start_library_of(const arena_string& name) const;
  arena_vector<arena_string> askers(const arena_string& name);
  arena_string asker_of_path(const arena_string& path) const;
  search_step step_of(const searched_place& place, const arena_string& name, const loader_hit& hit);

  started_view view_;
  loader search_;
  observation observed_;
  int major_ = 0;     ///< of the cuDNN that the program asks for
  int files_of_ = 0;  ///< the major of observed_.files; 0: not looked for
};

/// What is reported about a file or a name.
struct file_explanation {
  arena_string title;  ///< behind the name, without a full stop
  json library;        ///< what the file itself is; null where a name was asked for
  arena_string name;   ///< what the loader is asked for
  arena_string asker;  ///< path of the file that asks; empty: a program without a run path
  found_file taken;
  arena_string release;  ///< of what is taken, where it is one of cuDNN's
  arena_string why_not;  ///< a full sentence; empty where the file is taken
  arena_vector<search_step> steps;
  fix_lines fixes;
};

/// Why the library at `path` is not the one that is taken, as a full sentence.  `of_set` is what
/// the program has in its role; may be null.
arena_string why_not(const system_interface& os, const file_explanation& about,
                     const library_file& contents, const cudnn_file* of_set,
                     const arena_string& path);

/// The command with which the file is taken; empty where none is seen to help.  `program` is empty
/// for a program without a run path.
fix_lines fixes_for(const system_interface& os, const arena_string& program,
                    const arena_string& name, const arena_string& path);

}  // namespace cudnn_checked::cli
