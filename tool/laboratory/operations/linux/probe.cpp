// SPDX-License-Identifier: BSD-3-Clause
//
// The probe for Linux that computes operations as well, as one translation unit.
#include "../../../probe/linux/probe.cpp"
#include "../operations.cpp"
