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
#include "json/json.cpp"
#include "json/json_parser.cpp"
#include "judge/convolution_rules.cpp"
#include "judge/coverage.cpp"
#include "judge/cuda_drivers.cpp"
#include "judge/cuda_rules.cpp"
#include "judge/cudnn_gpu_rules.cpp"
#include "judge/cudnn_set.cpp"
#include "judge/dependency_rules.cpp"
#include "judge/driver_rules.cpp"
#include "judge/gpu_rules.cpp"
#include "judge/identity_rules.cpp"
#include "judge/judge.cpp"
#include "judge/known_defects.cpp"
#include "judge/process_rules.cpp"
#include "judge/set_rules.cpp"
#include "judge/start_rules.cpp"
#include "judge/tolerance.cpp"
#include "judge/version_rules.cpp"
#include "model/architecture.cpp"
#include "model/finding.cpp"
#include "model/format.cpp"
#include "model/level.cpp"
#include "model/stamp.cpp"
#include "model/version.cpp"
#include "observe/closure.cpp"
#include "observe/cuda_visible_devices.cpp"
#include "observe/cudnn_describe.cpp"
#include "observe/cudnn_files.cpp"
#include "observe/cudnn_search.cpp"
#include "observe/dependencies.cpp"
#include "observe/devices_nvml.cpp"
#include "observe/devices_pci.cpp"
#include "observe/driver.cpp"
#include "observe/elf_file.cpp"
#include "observe/elf_sections.cpp"
#include "observe/fatbinary.cpp"
#include "observe/linux_mapped.cpp"
#include "observe/linux_process.cpp"
#include "observe/linux_system.cpp"
#include "observe/loader.cpp"
#include "observe/loader_cache.cpp"
#include "observe/near_miss.cpp"
#include "observe/packages.cpp"
#include "observe/paths.cpp"
#include "observe/program_start.cpp"
#include "observe/stamp_note.cpp"
#include "observe/symbols.cpp"
#include "observe/version_word.cpp"
#include "report/report.cpp"
#include "report/text.cpp"
