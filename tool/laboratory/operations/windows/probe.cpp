// SPDX-License-Identifier: BSD-3-Clause
//
// The probe for Windows that computes operations as well, as one translation unit.
#include "../../../probe/windows/probe.cpp"
#include "../operations.cpp"
