// SPDX-License-Identifier: BSD-3-Clause
//
// The search for one whole cuDNN.
#pragma once

#include <utility>

#include "../loader/closure.h"
#include "../loader/loader.h"
#include "../model/arena_string.h"
#include "../model/arena_vector.h"
#include "../model/observation.h"
#include "../namespace.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// A mapped object that is part of some cuDNN.
struct mapped_cudnn {
  const mapped_object* object = nullptr;
  library_role role;
  int major = 0;  ///< of its SONAME; 0 where that has none
};

/// The release that a file is; unknown where it is not identified, or can be several.
version only_release(const cudnn_file& file);

/// Describes a file that was asked for first and is not taken.
void tell_not_taken(const loader_hit& failed, cudnn_file& file);

/// The roles whose functions a program calls first; the second can be none.
struct first_calls {
  library_role::known roles[2];
};

/// Seen one way: in this process, in a new one, without LD_LIBRARY_PATH.  `opener` as of `closure`.
class cudnn_search {
 public:
  cudnn_search(loader& search, loader::view mode, int major,
               const arena_vector<mapped_cudnn>& mapped, arena_vector<preload> preloaded,
               arena_string opener = {})
      : loader_(search),
        major_(major),
        mapped_(mapped),
        preloaded_(std::move(preloaded)),
        mode_(mode),
        libraries_(search, mode, opener) {}

  /// For a program that uses no shim: the libraries that a shim would ask for are not looked at.
  void leave_out_shim() { asks_shim_ = false; }
  /// The files, where the shim's functions are called in the usual order after those of `first`.
  arena_vector<cudnn_file> run(const first_calls* first);
  /// After run(): could another order lead to other files?
  bool order_matters();
  /// After run(), of cuDNN 8: as observation::not_reached.
  arena_vector<cudnn_file> not_reached();
  /// After run(): libraries beside the graph library that were not looked at.
  int left_out() const { return left_out_; }

 private:
  struct request {
    library_role role;
    arena_vector<arena_string> names;
    int asker;
    loader_hit failed;  ///< what could not be taken
  };

  struct known_release {
    bool known = false;
    version number;
  };

  bool is_mapped(library_role role) const;
  bool is_requested(library_role role) const;
  bool is_asked_by_graph(library_role role) const;
  bool is_of_major(const closure::library& l) const;
  choice_reason preloaded_by(const cudnn_file& file);
  void fill_from_disk(cudnn_file& file);
  void ask(library_role role, int asker);
  arena_vector<library_role> asked_roles(int library, int graph);
  bool finds_its_symbols(int library, int graph);
  void ask_later_roles(int asker, int graph);
  void ask_all(int shim, const first_calls* first);
  version release_of(int library);
  arena_vector<arena_string> names_of(library_role role, int asker);
  cudnn_file describe_library(const closure::library& l);
  cudnn_file describe_missing(const request& r);
  cudnn_file describe_other_namespace(const mapped_cudnn& m);
  bool is_needed_by_program(cudnn_file& file);
  bool is_named_by_program(cudnn_file& file);
  void explain_mapped(cudnn_file& file, const request& r);
  void find_who_loaded(cudnn_file& file);

  loader& loader_;
  int major_;
  const arena_vector<mapped_cudnn>& mapped_;
  arena_vector<preload> preloaded_;
  loader::view mode_;
  bool asks_shim_ = true;
  closure libraries_;
  arena_vector<request> requests_;
  int left_out_ = 0;
  arena_vector<known_release> releases_;  ///< of libraries_, as far as they were asked for
};

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
