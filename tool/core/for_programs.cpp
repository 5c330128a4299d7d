// SPDX-License-Identifier: BSD-3-Clause
//
// The part of core that both a guard and the configure program reach, as one translation unit; a
// guard reaches every function of it (tests/unit/programs_are_whole.py).  What it leaves out is
// defined in guard/left_out.cpp, and what it alone has is in for_guard.cpp.
// The files of each platform are in linux/for_programs.cpp and windows/for_programs.cpp, which
// include this file.
#if defined(__GNUC__)
// Headers declare more than a program uses.
#pragma GCC diagnostic ignored "-Wunused-function"
#endif
#if defined(__GNUC__) && !defined(__clang__)
// A C struct of the guard holds types of core, and is defined in this one unit only.
#pragma GCC diagnostic ignored "-Wsubobject-linkage"
#endif
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wunused-member-function"
#pragma clang diagnostic ignored "-Wunused-template"
#elif defined(_MSC_VER)
// The project's options count for a guard; one that took them back would be answered by D9025.
#pragma warning(push, 0)
#pragma warning(disable : 4996)  // an error with /sdl
#endif

#include "catalogue/catalogue.cpp"
#include "catalogue/gpu_table.cpp"
#include "catalogue/measured_needs.cpp"
#include "json/json_writer.cpp"
#include "judge/advice/advice.cpp"
#include "judge/advice/wheel_commands.cpp"
#include "judge/cudnn_set.cpp"
#include "judge/identity.cpp"
#include "judge/judge.cpp"
#include "judge/rules/absent_rules.cpp"
#include "judge/rules/coverage.cpp"
#include "judge/rules/cuda_drivers.cpp"
#include "judge/rules/cuda_rules.cpp"
#include "judge/rules/cudnn_gpu_rules.cpp"
#include "judge/rules/damaged_rules.cpp"
#include "judge/rules/dependency_rules.cpp"
#include "judge/rules/driver_rules.cpp"
#include "judge/rules/gpu_rules.cpp"
#include "judge/rules/identity_rules.cpp"
#include "judge/rules/known_defects.cpp"
#include "judge/rules/left_out_rules.cpp"
#include "judge/rules/package_fix.cpp"
#include "judge/rules/process_rules.cpp"
#include "judge/rules/set_rules.cpp"
#include "judge/rules/wrong_machine.cpp"
#include "library/library_file.cpp"
#include "library/read_window.cpp"
#include "library/run_path.cpp"
#include "loader/closure.cpp"
#include "loader/loader.cpp"
#include "model/architecture.cpp"
#include "model/arena.cpp"
#include "model/arena_string.cpp"
#include "model/arena_vector.cpp"
#include "model/finding.cpp"
#include "model/format.cpp"
#include "model/found_file.cpp"
#include "model/level.cpp"
#include "model/library_name.cpp"
#include "model/library_role.cpp"
#include "model/machine.cpp"
#include "model/nearest_word.cpp"
#include "model/observation.cpp"
#include "model/one_line.cpp"
#include "model/path_table.cpp"
#include "model/paths.cpp"
#include "model/python_environment.cpp"
#include "model/version.cpp"
#include "observe/cuda_visible_devices.cpp"
#include "observe/cudnn_describe.cpp"
#include "observe/cudnn_files.cpp"
#include "observe/cudnn_search.cpp"
#include "observe/dependencies.cpp"
#include "observe/devices.cpp"
#include "observe/driver.cpp"
#include "observe/fatbinary.cpp"
#include "observe/near_miss.cpp"
#include "observe/site_packages.cpp"
#include "observe/wheel_records.cpp"
#include "report/text.cpp"
#include "system/nvml.cpp"
