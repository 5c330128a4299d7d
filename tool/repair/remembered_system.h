// SPDX-License-Identifier: BSD-3-Clause
//
// A system that is asked once for each answer.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "../core/model/arena.h"
#include "../core/system/system_view.h"

namespace cudnn_checked::repairs {

/// A view that keeps what was read, because trials look at the same files again and again and
/// nobody changes them meanwhile.  Of each file it keeps the pieces that were read, and does not
/// keep it open.  All that it keeps, and what the real system keeps meanwhile, lies in the arena in
/// which it was made (passing_memory.h).
class remembered_system final : public system_view {
 public:
  explicit remembered_system(const system_interface& real);

  open_result open(arena_string path, byte_source** source) const override;
  bool read_text(arena_string path, arena_string& text) const override;
  open_result list(arena_string path, const char* prefixes,
                   arena_vector<arena_string>& names) const override;
  bool may_be_mapped(arena_string path) const override;
  arena_string real_path(arena_string path) const override;
  arena_string loader_cache(arena_string soname) const override;
  arena_string working_directory() const override;
  int cuda_driver_version() const override;
  bool nvml_gpus(arena_vector<gpu>& gpus) const override;

 private:
  class remembered_file;

  struct piece {
    bool read = false;
    std::string bytes;
  };
  struct file {
    open_result result = open_result::missing;
    unsigned long long size = 0;
    std::map<std::pair<unsigned long long, std::size_t>, piece> pieces;
  };
  struct text_file {
    bool read = false;
    arena_string text;
  };
  struct listing {
    open_result result = open_result::missing;
    arena_vector<arena_string> names;
    std::map<std::string, arena_vector<arena_string>> chosen;  ///< by their prefixes
  };
  template <class Answer>
  struct remembered {
    bool known = false;
    Answer is = {};

    /// What `ask` answers, the first time.
    template <class Ask>
    Answer& or_else(const Ask& ask) {
      if (!known) is = ask();
      known = true;
      return is;
    }
  };
  const listing& listed(arena_string path, const char* prefixes) const;

  /// What was asked of one path, or of one name that the cache is asked for.
  struct answers {
    remembered<file> opened;
    remembered<text_file> text;
    remembered<listing> listed;
    remembered<bool> mappable;
    remembered<arena_string> real;
    remembered<arena_string> cached;
  };
  struct driver_answer {
    bool found = false;
    arena_vector<gpu> gpus;
  };

  arena& memory_;
  mutable std::map<std::string, answers> known_;
  mutable remembered<arena_string> working_directory_;
  mutable remembered<int> driver_version_;
  mutable remembered<driver_answer> gpus_;
};

}  // namespace cudnn_checked::repairs
