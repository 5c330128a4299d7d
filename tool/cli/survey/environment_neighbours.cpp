// SPDX-License-Identifier: BSD-3-Clause
#include "environment_neighbours.h"

#include "environment_users.h"
#include "sound_user.h"

namespace cudnn_checked::cli {

repairs::sound_users environment_neighbours::of(const system_interface& os,
                                                const arena_string& site) const {
  const auto [known, is_new] = known_.try_emplace(std::string(site));
  if (is_new) {
    const arena_block here(memory_);
    known->second.directory = arena_string(std::string(site));
    find_users(os, read_records(os, site), {}, known->second);
  }
  environment now;
  find_users_again(os, known->second, now);
  repairs::sound_users all;
  for (const cudnn_user& user : now.users) add_sound_user(site, user, all);
  return all;
}

}  // namespace cudnn_checked::cli
