// SPDX-License-Identifier: BSD-3-Clause
#include "kept_users.h"

#include "faults.h"

namespace cudnn_checked::repairs {

static bool is_inside(const sound_user& user) {
  return user.directory.rfind(user.site + "/", 0) == 0;
}

static bool is_harmed(const sound_user& before, const sound_user& after) {
  const bool other = before.number.major != after.number.major ||
                     before.cuda_major != after.cuda_major || after.number < before.number;
  return other || (is_inside(before) && !is_inside(after));
}

// Two that ask for different releases cannot share an environment.
static std::string elsewhere(const fix_line& line) {
  for (const repair& step : line.steps) {
    if (step.what != repair_kind::wheels) continue;
    return "install " + std::string(step.order.requirements.front()) + " in another environment: ";
  }
  return {};
}

std::string elsewhere(const fix_line& line, const held_requirement& broken) {
  const std::string words = elsewhere(line);
  if (words.empty()) return words;
  return words + broken.package + " in " + broken.site + " requires " + broken.name +
         broken.specifiers;
}

std::string elsewhere(const fix_line& line, const sound_user& harmed) {
  const std::string words = elsewhere(line);
  if (words.empty()) return words;
  return words + harmed.package + " in " + harmed.site + " takes cuDNN " + harmed.release;
}

static bool changes_files(const fix_line& line) {
  return any_of(line.steps, [](const repair& step) { return step.what != repair_kind::variable; });
}

const sound_user* kept_users::find_harmed(const fix_line& line, const system_interface& view,
                                          const checked& after) {
  // If the check does not look at all users, a variable concerns one program only.
  if (now_.users.empty() && !changes_files(line)) return nullptr;
  if (!before_) before_ = check_.users_of(real_, now_.own_sites, now_);
  if (before_->empty()) return nullptr;
  const sound_users users = check_.users_of(view, now_.own_sites, after);
  for (const auto& [name, user] : *before_) {
    const auto same = users.find(name);
    if (same == users.end() || is_harmed(user, same->second)) return &user;
  }
  return nullptr;
}

}  // namespace cudnn_checked::repairs
