// SPDX-License-Identifier: BSD-3-Clause
//
// What the configure program on Windows reaches of core.
#include "for_programs.cpp"

#include "../core.cpp"

#include "../pe/pe_asked_names.cpp"

#include "program_arguments.cpp"
#include "windows_library_outside.cpp"
#include "windows_outside.cpp"
#include "windows_outside_words.cpp"
#include "windows_python_places.cpp"
