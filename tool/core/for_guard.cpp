// SPDX-License-Identifier: BSD-3-Clause
//
// The part of core that a guard reaches, and no program of configure time: a stamped program at its
// start, and what it calls.  Included by guard/linux/guard.cpp and windows/for_guard.cpp, after
// for_programs.cpp.
#include "catalogue/function_homes.cpp"
#include "check/program_check.cpp"
#include "check/tried_fixes.cpp"
#include "judge/judge_program.cpp"
#include "judge/rules/called_rules.cpp"
#include "judge/rules/version_rules.cpp"
#include "model/stamp.cpp"
#include "observe/called_functions.cpp"
#include "report/report.cpp"
