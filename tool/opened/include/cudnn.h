// SPDX-License-Identifier: BSD-3-Clause
//
// What is used of cuDNN, under the names of its own header.  The functions call the library that
// open_cudnn() opened (../opened.h), so that no header of cuDNN is needed and nothing is linked
// with it.  They have C++ linkage: cuDNN's libraries never find them in place of their own.
//
// A test compares the numbers with those of the real headers that the machine has.  Those of the
// statuses are cuDNN 9's: in cuDNN 8 only CUDNN_STATUS_SUCCESS is the same.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cuda_runtime_api.h"

enum cudnnStatus_t : int { CUDNN_STATUS_SUCCESS = 0 };

/// That of the library that is open.
#define CUDNN_STATUS_NOT_SUPPORTED (::cudnn_checked::opened::status_not_supported())

enum cudnnDataType_t : int {
  CUDNN_DATA_FLOAT = 0,
  CUDNN_DATA_HALF = 2,
  CUDNN_DATA_INT32 = 4,
  CUDNN_DATA_BFLOAT16 = 9,
  CUDNN_DATA_BOOLEAN = 11,
  CUDNN_DATA_FP8_E4M3 = 12,
  CUDNN_DATA_FP8_E5M2 = 13,
};

enum cudnnTensorFormat_t : int { CUDNN_TENSOR_NCHW = 0, CUDNN_TENSOR_NHWC = 1 };

enum cudnnReduceTensorOp_t : int {
  CUDNN_REDUCE_TENSOR_ADD = 0,
  CUDNN_REDUCE_TENSOR_MAX = 3,
  CUDNN_REDUCE_TENSOR_AMAX = 4,
};

enum cudnnMathType_t : int {
  CUDNN_DEFAULT_MATH = 0,
  CUDNN_TENSOR_OP_MATH = 1,
  CUDNN_TENSOR_OP_MATH_ALLOW_CONVERSION = 2,
  CUDNN_FMA_MATH = 3,
};

enum cudnnConvolutionMode_t : int { CUDNN_CROSS_CORRELATION = 1 };

enum cudnnConvolutionFwdAlgo_t : int {
  CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM = 0,
  CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM = 1,
};

using cudnnHandle_t = struct cudnnContext*;
using cudnnTensorDescriptor_t = struct cudnnTensorStruct*;
using cudnnFilterDescriptor_t = struct cudnnFilterStruct*;
using cudnnConvolutionDescriptor_t = struct cudnnConvolutionStruct*;

#include "cudnn_backend.h"
#include "cudnn_operations.h"
#include "cudnn_recurrent.h"

namespace cudnn_checked::opened {

cudnnStatus_t status_not_supported();

}  // namespace cudnn_checked::opened

/// Since cuDNN 9.0; of an older one the text is empty.
void cudnnGetLastErrorString(char* text, std::size_t room);

#define CUDNN_CHECKED_FUNCTION(result, name, parameters, arguments) result name parameters;
/// Not supported where the library lacks it.
#define CUDNN_CHECKED_OPERATION(name, parameters, arguments) cudnnStatus_t name parameters;
#include "../cudnn_functions.def"
#undef CUDNN_CHECKED_OPERATION
#undef CUDNN_CHECKED_FUNCTION
