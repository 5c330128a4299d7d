// SPDX-License-Identifier: BSD-3-Clause
#include "sound_user.h"

#include "../../repair/faults.h"

namespace cudnn_checked::cli {

static bool is_sound(const cudnn_user& user) {
  return none_of(user.findings, [](const finding& f) {
    return repairs::is_grave(f) && !repairs::is_of_machine(f.id);
  });
}

void add_sound_user(const arena_string& site, const cudnn_user& user, repairs::sound_users& all) {
  if (user.takes.release.empty() || !is_sound(user)) return;
  repairs::sound_user one;
  one.package = user.package.empty() ? user.libraries.front() : user.package;
  one.site = site;
  one.release = user.takes.release;
  one.directory = user.takes.directory;
  one.number = user.takes.number;
  one.cuda_major = user.takes.cuda_major;
  all.emplace(one.site + "\n" + std::string(user.libraries.front()), one);
}

}  // namespace cudnn_checked::cli
