// SPDX-License-Identifier: BSD-3-Clause
//
// What a guard on Windows reaches of core.
#include "../for_programs.cpp"

#include "../catalogue/dll_table.cpp"
#include "../elf/elf_sections.cpp"
#include "../judge/judge_start.cpp"
#include "../judge/rules/loader_rules.cpp"
#include "../judge/rules/start_rules.cpp"
#include "../loader/program_start.cpp"
#include "../pe/pe_file.cpp"
#include "../pe/pe_identity.cpp"
#include "../pe/pe_image.cpp"
#include "../pe/pe_symbols.cpp"
#include "../pe/pe_tables.cpp"

#include "dll_rules.cpp"
#include "wide_text.cpp"
#include "windows_catalogue.cpp"
#include "windows_dependencies.cpp"
#include "windows_gpus.cpp"
#include "windows_library.cpp"
#include "windows_mapped.cpp"
#include "windows_process.cpp"
#include "windows_python.cpp"
#include "windows_spelling.cpp"
#include "windows_system.cpp"
#include "windows_words.cpp"
