// SPDX-License-Identifier: BSD-3-Clause
#include "remembered_system.h"

#include <cstring>
#include <memory>

#include "../core/model/paths.h"

namespace cudnn_checked::repairs {

/// The file is opened when a piece is requested that was not read before.
class remembered_system::remembered_file final : public byte_source {
 public:
  remembered_file(const remembered_system& os, const arena_string& path, file& own)
      : os_(os), path_(path), own_(own) {}

  unsigned long long size() const override { return own_.size; }

  bool read(unsigned long long offset, void* target, std::size_t count) const override {
    // If a file is read from end to end, no piece of it is requested again.
    constexpr std::size_t most = std::size_t{1} << 19;
    if (count > most) return read_now(offset, target, count);
    const auto [at, is_new] = own_.pieces.try_emplace({offset, count});
    piece& known = at->second;
    if (is_new) {
      known.bytes.resize(count);
      known.read = read_now(offset, known.bytes.data(), count);
    }
    if (known.read) std::memcpy(target, known.bytes.data(), count);
    return known.read;
  }

  void keep_open(byte_source* source) { source_.reset(source); }

 private:
  bool read_now(unsigned long long offset, void* target, std::size_t count) const {
    byte_source* source = nullptr;
    if (source_ == nullptr && os_.system_view::open(path_, &source) == open_result::opened) {
      source_.reset(source);
    }
    return source_ != nullptr && source_->read(offset, target, count);
  }

  const remembered_system& os_;
  const arena_string path_;
  file& own_;
  mutable std::unique_ptr<byte_source> source_;
};

// The real system reads these facts once and keeps them.  They are read now, so that they lie in
// memory that lasts.
remembered_system::remembered_system(const system_interface& real)
    : system_view(real), memory_(current_arena()) {
  arena_string ignored;
  (void)variable("LD_LIBRARY_PATH", ignored);
  (void)program_path();
  (void)default_directories();
}

open_result remembered_system::open(arena_string path, byte_source** source) const {
  const arena_block kept(memory_);
  auto& [known, own] = known_[path].opened;
  byte_source* opened = nullptr;
  if (!known) {
    own.result = system_view::open(path, &opened);
    own.size = opened == nullptr ? 0 : opened->size();
  }
  known = true;
  if (own.result != open_result::opened) return own.result;
  auto* const again = new remembered_file(*this, path, own);
  again->keep_open(opened);
  *source = again;
  return own.result;
}

bool remembered_system::read_text(arena_string path, arena_string& text) const {
  // A long one is read again: the records of all packages are many megabytes.
  constexpr std::size_t most = std::size_t{1} << 14;
  auto& [known, own] = known_[path].text;
  if (known) {
    if (own.read) text = own.text;
    return own.read;
  }
  const bool read = system_view::read_text(path, text);
  if (read && text.size() > most) return true;
  const arena_block kept(memory_);
  own.read = read;
  if (read) own.text = arena_string(std::string_view(text));
  known = true;
  return read;
}

const remembered_system::listing& remembered_system::listed(arena_string path,
                                                            const char* prefixes) const {
  const arena_block kept(memory_);
  auto& [known, all] = known_[path].listed;
  if (!known) all.result = system_view::list(path, "", all.names);
  known = true;
  const auto [chosen, is_other] = all.chosen.try_emplace(prefixes);
  if (is_other) {
    for (const arena_string& name : all.names) {
      if (starts_with_one(name, prefixes)) chosen->second.push_back(name);
    }
  }
  return all;
}

open_result remembered_system::list(arena_string path, const char* prefixes,
                                    arena_vector<arena_string>& names) const {
  const listing& all = listed(path, prefixes);
  for (const arena_string& name : all.chosen.find(prefixes)->second) names.push_back(name);
  return all.result;
}

bool remembered_system::may_be_mapped(arena_string path) const {
  const arena_block kept(memory_);
  return known_[path].mappable.or_else([&] { return system_view::may_be_mapped(path); });
}

arena_string remembered_system::real_path(arena_string path) const {
  const arena_block kept(memory_);
  return known_[path].real.or_else([&] { return system_view::real_path(path); });
}

arena_string remembered_system::loader_cache(arena_string soname) const {
  const arena_block kept(memory_);
  return known_[soname].cached.or_else([&] { return system_view::loader_cache(soname); });
}

arena_string remembered_system::working_directory() const {
  const arena_block kept(memory_);
  return working_directory_.or_else([&] { return system_view::working_directory(); });
}

int remembered_system::cuda_driver_version() const {
  const arena_block kept(memory_);
  return driver_version_.or_else([&] { return system_view::cuda_driver_version(); });
}

bool remembered_system::nvml_gpus(arena_vector<gpu>& gpus) const {
  const arena_block kept(memory_);
  auto& [known, own] = gpus_;
  if (!known) own.found = system_view::nvml_gpus(own.gpus);
  known = true;
  if (own.found) gpus = own.gpus;
  return own.found;
}

}  // namespace cudnn_checked::repairs
