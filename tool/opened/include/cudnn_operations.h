// SPDX-License-Identifier: BSD-3-Clause
//
// What is used of operations of the legacy API, as cudnn.h has the rest.
#pragma once

enum cudnnBatchNormMode_t : int {
  CUDNN_BATCHNORM_PER_ACTIVATION = 0,
  CUDNN_BATCHNORM_SPATIAL = 1,
  CUDNN_BATCHNORM_SPATIAL_PERSISTENT = 2,
};

enum cudnnBatchNormOps_t : int { CUDNN_BATCHNORM_OPS_BN = 0 };

enum cudnnSoftmaxAlgorithm_t : int {
  CUDNN_SOFTMAX_FAST = 0,
  CUDNN_SOFTMAX_ACCURATE = 1,
  CUDNN_SOFTMAX_LOG = 2,
};

enum cudnnSoftmaxMode_t : int { CUDNN_SOFTMAX_MODE_INSTANCE = 0, CUDNN_SOFTMAX_MODE_CHANNEL = 1 };

enum cudnnPoolingMode_t : int {
  CUDNN_POOLING_MAX = 0,
  CUDNN_POOLING_AVERAGE_COUNT_INCLUDE_PADDING = 1,
  CUDNN_POOLING_AVERAGE_COUNT_EXCLUDE_PADDING = 2,
  CUDNN_POOLING_MAX_DETERMINISTIC = 3,
};

enum cudnnNanPropagation_t : int { CUDNN_NOT_PROPAGATE_NAN = 0, CUDNN_PROPAGATE_NAN = 1 };

enum cudnnConvolutionBwdDataAlgo_t : int { CUDNN_CONVOLUTION_BWD_DATA_ALGO_1 = 1 };

enum cudnnConvolutionBwdFilterAlgo_t : int {
  CUDNN_CONVOLUTION_BWD_FILTER_ALGO_3 = 3,
  CUDNN_CONVOLUTION_BWD_FILTER_ALGO_FFT_TILING = 6,
};

enum cudnnActivationMode_t : int {
  CUDNN_ACTIVATION_SIGMOID = 0,
  CUDNN_ACTIVATION_RELU = 1,
  CUDNN_ACTIVATION_TANH = 2,
  CUDNN_ACTIVATION_CLIPPED_RELU = 3,
  CUDNN_ACTIVATION_ELU = 4,
  CUDNN_ACTIVATION_IDENTITY = 5,
  CUDNN_ACTIVATION_SWISH = 6,
};

enum cudnnOpTensorOp_t : int {
  CUDNN_OP_TENSOR_ADD = 0,
  CUDNN_OP_TENSOR_MUL = 1,
  CUDNN_OP_TENSOR_MIN = 2,
  CUDNN_OP_TENSOR_MAX = 3,
  CUDNN_OP_TENSOR_SQRT = 4,
  CUDNN_OP_TENSOR_NOT = 5,
};

enum cudnnReduceTensorIndices_t : int { CUDNN_REDUCE_TENSOR_NO_INDICES = 0 };

enum cudnnIndicesType_t : int { CUDNN_32BIT_INDICES = 0 };

enum cudnnLRNMode_t : int { CUDNN_LRN_CROSS_CHANNEL_DIM1 = 0 };

enum cudnnSamplerType_t : int { CUDNN_SAMPLER_BILINEAR = 0 };

enum cudnnCTCLossAlgo_t : int {
  CUDNN_CTC_LOSS_ALGO_DETERMINISTIC = 0,
  CUDNN_CTC_LOSS_ALGO_NON_DETERMINISTIC = 1
};

enum cudnnLossNormalizationMode_t : int {
  CUDNN_LOSS_NORMALIZATION_NONE = 0,
  CUDNN_LOSS_NORMALIZATION_SOFTMAX = 1
};

using cudnnActivationDescriptor_t = struct cudnnActivationStruct*;
using cudnnPoolingDescriptor_t = struct cudnnPoolingStruct*;
using cudnnOpTensorDescriptor_t = struct cudnnOpTensorStruct*;
using cudnnReduceTensorDescriptor_t = struct cudnnReduceTensorStruct*;
using cudnnLRNDescriptor_t = struct cudnnLRNStruct*;
using cudnnSpatialTransformerDescriptor_t = struct cudnnSpatialTransformerStruct*;
using cudnnCTCLossDescriptor_t = struct cudnnCTCLossStruct*;
