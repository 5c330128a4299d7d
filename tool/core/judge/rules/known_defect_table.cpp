// SPDX-License-Identifier: BSD-3-Clause
//
// All known defects.
#define NARROW(id, first, last, gpu, last_gpu, set, operations, what, fixed, fix, source) \
  DEFECT(id, first, last, gpu, last_gpu, set, narrow, operations, what, fixed, fix, source)
#include "known_defect_rows.inc"
#undef NARROW
