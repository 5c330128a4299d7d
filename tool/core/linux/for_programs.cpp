// SPDX-License-Identifier: BSD-3-Clause
//
// What a guard and the configure program on Linux reach of core.
#include "../for_programs.cpp"

#include "../catalogue/elf_table.cpp"
#include "../elf/elf_file.cpp"
#include "../elf/elf_sections.cpp"
#include "../elf/symbol_hash.cpp"
#include "../elf/symbols.cpp"
#include "../elf/version_word.cpp"

#include "glibc_cpu.cpp"
#include "glibc_rules.cpp"
#include "glibc_tokens.cpp"
#include "linux_catalogue.cpp"
#include "linux_dependencies.cpp"
#include "linux_gpus.cpp"
#include "linux_library.cpp"
#include "linux_loader.cpp"
#include "linux_mapped.cpp"
#include "linux_process.cpp"
#include "linux_python.cpp"
#include "linux_spelling.cpp"
#include "linux_system.cpp"
#include "linux_words.cpp"
#include "loader_cache.cpp"
#include "replace_file.cpp"
#include "write_all.cpp"
