// SPDX-License-Identifier: BSD-3-Clause
//
// The object that carries the stamp of one target.  What is in it is generated, in a directory of
// each target's own.  It is included because Ninja Multi-Config cannot build a source that
// file(GENERATE) writes: it waits for another configuration's dependencies (seen in 3.25).
#include "stamp_object.h"

#include "stamp_of_target.inc"
