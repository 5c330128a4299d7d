// SPDX-License-Identifier: BSD-3-Clause
//
// What the configure program on Linux reaches of core.
#include "for_programs.cpp"

#include "../core.cpp"

#include "../elf/asked_names.cpp"
#include "../elf/symbol_versions.cpp"
#include "../judge/advice/way_to_wheel.cpp"
#include "../library/version_family.cpp"
#include "../loader/versions.cpp"

#include "linux_library_outside.cpp"
#include "linux_outside.cpp"
#include "linux_outside_words.cpp"
#include "linux_python_places.cpp"
#include "program_arguments.cpp"
