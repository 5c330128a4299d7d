// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/catalogue/catalogue.h"

/// What the catalogue is while a test judges; null: the shipped one.
extern const cudnn_checked::catalogue_table* world_catalogue;
