// SPDX-License-Identifier: BSD-3-Clause
#ifndef SIMULATED_LIBRARY_TYPES_H
#define SIMULATED_LIBRARY_TYPES_H

typedef enum cudaDataType_t { CUDA_R_32F = 0, CUDA_R_64F = 1, CUDA_R_16F = 2 } cudaDataType;

#endif
