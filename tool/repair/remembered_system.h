// SPDX-License-Identifier: BSD-3-Clause
//
// A system that is asked once for each answer.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "../core/system/system_view.h"

namespace cudnn_checked::repairs {

/// Trials look at the same files again and again, and nobody changes them meanwhile.  Of a file
/// the pieces that were read are kept, and it is not kept open.
class remembered_system final : public system_view {
 public:
  explicit remembered_system(const system_interface& real) : system_view(real) {}

  open_result open(string path, byte_source** source) const override;
  bool read_text(string path, string& text) const override;
  open_result list(string path, const char* prefixes, vector<string>& names) const override;
  bool may_be_mapped(string path) const override;
  string real_path(string path) const override;
  string loader_cache(string soname) const override;
  string working_directory() const override;
  int cuda_driver_version() const override;
  bool nvml_gpus(vector<gpu>& gpus) const override;

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
    string text;
  };
  struct listing {
    open_result result = open_result::missing;
    vector<string> names;
    std::map<std::string, vector<string>> chosen;  ///< by their prefixes
  };
  template <class Answer>
  struct remembered {
    bool known = false;
    Answer is = {};
  };
  /// What was asked of one path, or of one name that the cache is asked for.
  struct answers {
    remembered<file> opened;
    remembered<text_file> text;
    remembered<listing> listed;
    remembered<bool> mappable;
    remembered<string> real;
    remembered<string> cached;
  };
  struct driver_answer {
    bool found = false;
    vector<gpu> gpus;
  };

  mutable std::map<std::string, answers> known_;
  mutable string working_directory_;
  mutable int driver_version_ = -1;
  mutable remembered<driver_answer> gpus_;
};

}  // namespace cudnn_checked::repairs
