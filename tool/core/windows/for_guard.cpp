// SPDX-License-Identifier: BSD-3-Clause
//
// What a guard on Windows alone reaches of core: it loads cuDNN late, so it can say what the loader
// would make of the start.
#include "../for_guard.cpp"

#include "../judge/judge_start.cpp"
#include "../judge/rules/loader_rules.cpp"
#include "../judge/rules/other_build.cpp"
#include "../judge/rules/start_rules.cpp"
#include "../loader/program_start.cpp"
