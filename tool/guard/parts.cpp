// SPDX-License-Identifier: BSD-3-Clause
//
// The guard's own parts on every platform.  linux/guard.cpp and windows/guard.cpp, which projects
// compile, include them behind what a guard reaches of core.
#include "check.cpp"
#include "environment.cpp"
#include "left_out.cpp"
#include "own_environments.cpp"
#include "said_before.cpp"

#include "c_api.cpp"
#include "startup.cpp"
