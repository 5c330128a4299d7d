// SPDX-License-Identifier: BSD-3-Clause
//
// The catalogue of core, with a table that a test chooses; it is linked in the place of core's own.
#include "world_catalogue.h"

const cudnn_checked::catalogue_table* world_catalogue = nullptr;
#define CUDNN_CHECKED_CATALOGUE (world_catalogue != nullptr ? *world_catalogue : table)
#include "core/catalogue/catalogue.cpp"
