// SPDX-License-Identifier: BSD-3-Clause
#ifndef SIMULATED_HOST_DEFINES_H
#define SIMULATED_HOST_DEFINES_H

#define CUDARTAPI

#endif
