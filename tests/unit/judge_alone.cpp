// SPDX-License-Identifier: BSD-3-Clause
//
// A program that links the judge and nothing of the platform layer: what a rule needs is in its
// arguments.  Judges a sound machine and a faulty one.
#include <cstdio>

#include "observation_builder.h"

using namespace cudnn_checked;

int main() {
  const test::machine sound;
  test::machine faulty;
  faulty.take_from("heuristic", "9.19.0", "/other/lib", choice_reason::ld_so_cache);
  const std::string names = sound.names() + "|" + faulty.names();
  if (names == "|mixed-sublibraries") return 0;
  std::printf("judged: %s\n", names.c_str());
  return 1;
}
