// SPDX-License-Identifier: BSD-3-Clause
//
// All of core as one translation unit with internal names: what other people's programs compile.
// The guard and the probe include it; this project's own tests link the files one by one.
#ifndef CUDNN_CHECKED_ONE_UNIT
#define CUDNN_CHECKED_ONE_UNIT
#endif

#if defined(__GNUC__)
// What a program does not use of core stays uncompiled; that is the point, not a mistake.
#pragma GCC diagnostic ignored "-Wunused-function"
#endif
#if defined(__GNUC__) && !defined(__clang__)
// A C struct of the guard holds types of core, and is defined in this one unit only.
#pragma GCC diagnostic ignored "-Wsubobject-linkage"
#endif
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wunused-member-function"
#pragma clang diagnostic ignored "-Wunused-template"
#endif

#include "catalogue/catalogue.cpp"
#include "catalogue/gpu_table.cpp"
#include "check/install_check.cpp"
#include "check/program_check.cpp"
#include "elf/elf_file.cpp"
#include "elf/elf_sections.cpp"
#include "elf/read_window.cpp"
#include "elf/run_path.cpp"
#include "elf/stamp_note.cpp"
#include "elf/symbols.cpp"
#include "elf/version_word.cpp"
#include "json/json.cpp"
#include "json/json_parser.cpp"
#include "judge/advice/advice.cpp"
#include "judge/cudnn_set.cpp"
#include "judge/identity.cpp"
#include "judge/judge.cpp"
#include "judge/rules/convolution_rules.cpp"
#include "judge/rules/coverage.cpp"
#include "judge/rules/cuda_drivers.cpp"
#include "judge/rules/cuda_rules.cpp"
#include "judge/rules/cudnn_gpu_rules.cpp"
#include "judge/rules/dependency_rules.cpp"
#include "judge/rules/driver_rules.cpp"
#include "judge/rules/gpu_rules.cpp"
#include "judge/rules/identity_rules.cpp"
#include "judge/rules/known_defects.cpp"
#include "judge/rules/process_rules.cpp"
#include "judge/rules/set_rules.cpp"
#include "judge/rules/start_rules.cpp"
#include "judge/rules/survey_rules.cpp"
#include "judge/rules/tolerance.cpp"
#include "judge/rules/version_rules.cpp"
#include "linux/linux_gpus.cpp"
#include "linux/linux_mapped.cpp"
#include "linux/linux_process.cpp"
#include "linux/linux_system.cpp"
#include "linux/loader_cache.cpp"
#include "loader/closure.cpp"
#include "loader/loader.cpp"
#include "loader/program_start.cpp"
#include "model/architecture.cpp"
#include "model/arena.cpp"
#include "model/finding.cpp"
#include "model/format.cpp"
#include "model/found_file.cpp"
#include "model/level.cpp"
#include "model/library_name.cpp"
#include "model/library_role.cpp"
#include "model/observation.cpp"
#include "model/paths.cpp"
#include "model/stamp.cpp"
#include "model/string.cpp"
#include "model/vector.cpp"
#include "model/version.cpp"
#include "observe/cuda_visible_devices.cpp"
#include "observe/cudnn_describe.cpp"
#include "observe/cudnn_files.cpp"
#include "observe/cudnn_search.cpp"
#include "observe/dependencies.cpp"
#include "observe/devices.cpp"
#include "observe/driver.cpp"
#include "observe/fatbinary.cpp"
#include "observe/header_version.cpp"
#include "observe/near_miss.cpp"
#include "observe/packages.cpp"
#include "report/report.cpp"
#include "report/text.cpp"
