// SPDX-License-Identifier: BSD-3-Clause
//
// A package that is built for another CUDA than its own name says.
#include "../../model/format.h"
#include "../../model/unstamped_program.h"
#include "rules.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// 12 of "transformer-engine-cu12"; 0 where the name says none.
static int cuda_of_package(arena_string name) {
  const std::size_t at = name.rfind("-cu");
  return at == arena_string::npos ? 0 : parse_version(name.substr(at + 3)).major;
}

bool tell_other_build(const rule_input& input, int built, int around, finding& f) {
  const unstamped_program* const program = input.unstamped();
  if (program == nullptr || built == around) return false;
  const package_release& owner = program->owner;
  if (cuda_of_package(owner.name) != around) return false;
  f.by_words = true;
  f.fix.clear();
  tell(f,
       "+called|for CUDA %d|%s %s\n"
       ".This build of it is for CUDA %d, and its name and what is around it for CUDA %d.\n"
       ">install another build of %s than %s",
       around, owner.name, owner.number, built, around, owner.name, owner.number);
  return true;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
