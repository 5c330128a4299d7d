// SPDX-License-Identifier: BSD-3-Clause
//
// All of core for Linux.
#include "for_programs.cpp"

#include "../core.cpp"

#include "../elf/asked_names.cpp"
#include "../elf/stamp_note.cpp"
#include "../elf/symbol_versions.cpp"
#include "../judge/advice/way_to_wheel.cpp"
#include "../judge/judge_start.cpp"
#include "../judge/rules/loader_rules.cpp"
#include "../judge/rules/other_build.cpp"
#include "../judge/rules/start_rules.cpp"
#include "../library/version_family.cpp"
#include "../loader/program_start.cpp"
#include "../loader/versions.cpp"

#include "linux_outside.cpp"
#include "linux_outside_words.cpp"
#include "linux_python_places.cpp"
#include "program_arguments.cpp"
