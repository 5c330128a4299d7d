// SPDX-License-Identifier: BSD-3-Clause
typedef enum {
  CUDNN_BATCHNORM_PER_ACTIVATION = 0,
  CUDNN_BATCHNORM_SPATIAL = 1,
  CUDNN_BATCHNORM_SPATIAL_PERSISTENT = 2
} cudnnBatchNormMode_t;
typedef enum {
  CUDNN_BATCHNORM_OPS_BN = 0,
  CUDNN_BATCHNORM_OPS_BN_ACTIVATION = 1,
  CUDNN_BATCHNORM_OPS_BN_ADD_ACTIVATION = 2
} cudnnBatchNormOps_t;
typedef enum {
  CUDNN_SOFTMAX_FAST = 0,
  CUDNN_SOFTMAX_ACCURATE = 1,
  CUDNN_SOFTMAX_LOG = 2
} cudnnSoftmaxAlgorithm_t;
typedef enum { CUDNN_SOFTMAX_MODE_INSTANCE = 0, CUDNN_SOFTMAX_MODE_CHANNEL = 1 } cudnnSoftmaxMode_t;
typedef enum {
  CUDNN_POOLING_MAX = 0,
  CUDNN_POOLING_AVERAGE_COUNT_INCLUDE_PADDING = 1,
  CUDNN_POOLING_AVERAGE_COUNT_EXCLUDE_PADDING = 2,
  CUDNN_POOLING_MAX_DETERMINISTIC = 3
} cudnnPoolingMode_t;
typedef enum { CUDNN_NOT_PROPAGATE_NAN = 0, CUDNN_PROPAGATE_NAN = 1 } cudnnNanPropagation_t;
typedef enum {
  CUDNN_ACTIVATION_SIGMOID = 0,
  CUDNN_ACTIVATION_RELU = 1,
  CUDNN_ACTIVATION_TANH = 2,
  CUDNN_ACTIVATION_CLIPPED_RELU = 3,
  CUDNN_ACTIVATION_ELU = 4,
  CUDNN_ACTIVATION_IDENTITY = 5,
  CUDNN_ACTIVATION_SWISH = 6
} cudnnActivationMode_t;
typedef enum {
  CUDNN_OP_TENSOR_ADD = 0,
  CUDNN_OP_TENSOR_MUL = 1,
  CUDNN_OP_TENSOR_MIN = 2,
  CUDNN_OP_TENSOR_MAX = 3,
  CUDNN_OP_TENSOR_SQRT = 4,
  CUDNN_OP_TENSOR_NOT = 5
} cudnnOpTensorOp_t;
typedef enum { CUDNN_REDUCE_TENSOR_NO_INDICES = 0 } cudnnReduceTensorIndices_t;
typedef enum { CUDNN_32BIT_INDICES = 0 } cudnnIndicesType_t;
typedef enum { CUDNN_LRN_CROSS_CHANNEL_DIM1 = 0 } cudnnLRNMode_t;
typedef enum { CUDNN_SAMPLER_BILINEAR = 0 } cudnnSamplerType_t;
typedef enum {
  CUDNN_CTC_LOSS_ALGO_DETERMINISTIC = 0,
  CUDNN_CTC_LOSS_ALGO_NON_DETERMINISTIC = 1
} cudnnCTCLossAlgo_t;
typedef enum {
  CUDNN_LOSS_NORMALIZATION_NONE = 0,
  CUDNN_LOSS_NORMALIZATION_SOFTMAX = 1
} cudnnLossNormalizationMode_t;
typedef struct cudnnOpTensorStruct* cudnnOpTensorDescriptor_t;
typedef struct cudnnReduceTensorStruct* cudnnReduceTensorDescriptor_t;
typedef struct cudnnLRNStruct* cudnnLRNDescriptor_t;
typedef struct cudnnSpatialTransformerStruct* cudnnSpatialTransformerDescriptor_t;
typedef struct cudnnCTCLossStruct* cudnnCTCLossDescriptor_t;
typedef struct cudnnActivationStruct* cudnnActivationDescriptor_t;
typedef struct cudnnPoolingStruct* cudnnPoolingDescriptor_t;

cudnnStatus_t CUDNNWINAPI cudnnCreatePoolingDescriptor(cudnnPoolingDescriptor_t* descriptor);
cudnnStatus_t CUDNNWINAPI cudnnDestroyPoolingDescriptor(cudnnPoolingDescriptor_t descriptor);
cudnnStatus_t CUDNNWINAPI cudnnSetPooling2dDescriptor(cudnnPoolingDescriptor_t descriptor,
                                                      cudnnPoolingMode_t mode,
                                                      cudnnNanPropagation_t nan, int height,
                                                      int width, int padding_h, int padding_w,
                                                      int stride_h, int stride_w);
cudnnStatus_t CUDNNWINAPI cudnnPoolingForward(cudnnHandle_t handle,
                                              cudnnPoolingDescriptor_t pooling, const void* alpha,
                                              cudnnTensorDescriptor_t x, const void* x_data,
                                              const void* beta, cudnnTensorDescriptor_t y,
                                              void* y_data);
cudnnStatus_t CUDNNWINAPI cudnnPoolingBackward(cudnnHandle_t handle,
                                               cudnnPoolingDescriptor_t pooling, const void* alpha,
                                               cudnnTensorDescriptor_t y, const void* y_data,
                                               cudnnTensorDescriptor_t dy, const void* dy_data,
                                               cudnnTensorDescriptor_t x, const void* x_data,
                                               const void* beta, cudnnTensorDescriptor_t dx,
                                               void* dx_data);
cudnnStatus_t CUDNNWINAPI cudnnSoftmaxForward(cudnnHandle_t handle,
                                              cudnnSoftmaxAlgorithm_t algorithm,
                                              cudnnSoftmaxMode_t mode, const void* alpha,
                                              cudnnTensorDescriptor_t x, const void* x_data,
                                              const void* beta, cudnnTensorDescriptor_t y,
                                              void* y_data);
cudnnStatus_t CUDNNWINAPI cudnnSoftmaxBackward(
    cudnnHandle_t handle, cudnnSoftmaxAlgorithm_t algorithm, cudnnSoftmaxMode_t mode,
    const void* alpha, cudnnTensorDescriptor_t y, const void* y_data, cudnnTensorDescriptor_t dy,
    const void* dy_data, const void* beta, cudnnTensorDescriptor_t dx, void* dx_data);
cudnnStatus_t CUDNNWINAPI cudnnBatchNormalizationForwardInference(
    cudnnHandle_t handle, cudnnBatchNormMode_t mode, const void* alpha, const void* beta,
    cudnnTensorDescriptor_t x, const void* x_data, cudnnTensorDescriptor_t y, void* y_data,
    cudnnTensorDescriptor_t channels, const void* scale, const void* bias, const void* mean,
    const void* variance, double epsilon);
cudnnStatus_t CUDNNWINAPI cudnnBatchNormalizationForwardTraining(
    cudnnHandle_t handle, cudnnBatchNormMode_t mode, const void* alpha, const void* beta,
    cudnnTensorDescriptor_t x, const void* x_data, cudnnTensorDescriptor_t y, void* y_data,
    cudnnTensorDescriptor_t channels, const void* scale, const void* bias, double factor,
    void* running_mean, void* running_variance, double epsilon, void* mean, void* inverse);
cudnnStatus_t CUDNNWINAPI cudnnBatchNormalizationBackward(
    cudnnHandle_t handle, cudnnBatchNormMode_t mode, const void* alpha, const void* beta,
    const void* alpha_of_parameters, const void* beta_of_parameters, cudnnTensorDescriptor_t x,
    const void* x_data, cudnnTensorDescriptor_t dy, const void* dy_data, cudnnTensorDescriptor_t dx,
    void* dx_data, cudnnTensorDescriptor_t channels, const void* scale, void* dscale, void* dbias,
    double epsilon, const void* mean, const void* inverse);
cudnnStatus_t CUDNNWINAPI cudnnGetBatchNormalizationForwardTrainingExWorkspaceSize(
    cudnnHandle_t handle, cudnnBatchNormMode_t mode, cudnnBatchNormOps_t ops,
    cudnnTensorDescriptor_t x, cudnnTensorDescriptor_t z, cudnnTensorDescriptor_t y,
    cudnnTensorDescriptor_t channels, cudnnActivationDescriptor_t activation, size_t* bytes);
cudnnStatus_t CUDNNWINAPI cudnnGetBatchNormalizationBackwardExWorkspaceSize(
    cudnnHandle_t handle, cudnnBatchNormMode_t mode, cudnnBatchNormOps_t ops,
    cudnnTensorDescriptor_t x, cudnnTensorDescriptor_t y, cudnnTensorDescriptor_t dy,
    cudnnTensorDescriptor_t dz, cudnnTensorDescriptor_t dx, cudnnTensorDescriptor_t channels,
    cudnnActivationDescriptor_t activation, size_t* bytes);
cudnnStatus_t CUDNNWINAPI cudnnGetBatchNormalizationTrainingExReserveSpaceSize(
    cudnnHandle_t handle, cudnnBatchNormMode_t mode, cudnnBatchNormOps_t ops,
    cudnnActivationDescriptor_t activation, cudnnTensorDescriptor_t x, size_t* bytes);
cudnnStatus_t CUDNNWINAPI cudnnBatchNormalizationForwardTrainingEx(
    cudnnHandle_t handle, cudnnBatchNormMode_t mode, cudnnBatchNormOps_t ops, const void* alpha,
    const void* beta, cudnnTensorDescriptor_t x, const void* x_data, cudnnTensorDescriptor_t z,
    const void* z_data, cudnnTensorDescriptor_t y, void* y_data, cudnnTensorDescriptor_t channels,
    const void* scale, const void* bias, double factor, void* running_mean, void* running_variance,
    double epsilon, void* mean, void* inverse, cudnnActivationDescriptor_t activation,
    void* workspace, size_t workspace_bytes, void* reserve, size_t reserve_bytes);
cudnnStatus_t CUDNNWINAPI cudnnBatchNormalizationBackwardEx(
    cudnnHandle_t handle, cudnnBatchNormMode_t mode, cudnnBatchNormOps_t ops, const void* alpha,
    const void* beta, const void* alpha_of_parameters, const void* beta_of_parameters,
    cudnnTensorDescriptor_t x, const void* x_data, cudnnTensorDescriptor_t y, const void* y_data,
    cudnnTensorDescriptor_t dy, const void* dy_data, cudnnTensorDescriptor_t dz, void* dz_data,
    cudnnTensorDescriptor_t dx, void* dx_data, cudnnTensorDescriptor_t channels, const void* scale,
    const void* bias, void* dscale, void* dbias, double epsilon, const void* mean,
    const void* inverse, cudnnActivationDescriptor_t activation, void* workspace,
    size_t workspace_bytes, void* reserve, size_t reserve_bytes);
cudnnStatus_t CUDNNWINAPI cudnnCreateActivationDescriptor(cudnnActivationDescriptor_t* descriptor);
cudnnStatus_t CUDNNWINAPI cudnnDestroyActivationDescriptor(cudnnActivationDescriptor_t descriptor);
cudnnStatus_t CUDNNWINAPI cudnnSetActivationDescriptor(cudnnActivationDescriptor_t descriptor,
                                                       cudnnActivationMode_t mode,
                                                       cudnnNanPropagation_t nan,
                                                       double coefficient);
cudnnStatus_t CUDNNWINAPI
cudnnSetActivationDescriptorSwishBeta(cudnnActivationDescriptor_t descriptor, double beta);
cudnnStatus_t CUDNNWINAPI cudnnActivationForward(cudnnHandle_t handle,
                                                 cudnnActivationDescriptor_t activation,
                                                 const void* alpha, cudnnTensorDescriptor_t x,
                                                 const void* x_data, const void* beta,
                                                 cudnnTensorDescriptor_t y, void* y_data);
cudnnStatus_t CUDNNWINAPI cudnnActivationBackward(cudnnHandle_t handle,
                                                  cudnnActivationDescriptor_t activation,
                                                  const void* alpha, cudnnTensorDescriptor_t y,
                                                  const void* y_data, cudnnTensorDescriptor_t dy,
                                                  const void* dy_data, cudnnTensorDescriptor_t x,
                                                  const void* x_data, const void* beta,
                                                  cudnnTensorDescriptor_t dx, void* dx_data);
cudnnStatus_t CUDNNWINAPI cudnnTransformTensor(cudnnHandle_t handle, const void* alpha,
                                               cudnnTensorDescriptor_t x, const void* x_data,
                                               const void* beta, cudnnTensorDescriptor_t y,
                                               void* y_data);
cudnnStatus_t CUDNNWINAPI cudnnAddTensor(cudnnHandle_t handle, const void* alpha,
                                         cudnnTensorDescriptor_t a, const void* a_data,
                                         const void* beta, cudnnTensorDescriptor_t c, void* c_data);
cudnnStatus_t CUDNNWINAPI cudnnCreateOpTensorDescriptor(cudnnOpTensorDescriptor_t* descriptor);
cudnnStatus_t CUDNNWINAPI cudnnDestroyOpTensorDescriptor(cudnnOpTensorDescriptor_t descriptor);
cudnnStatus_t CUDNNWINAPI cudnnSetOpTensorDescriptor(cudnnOpTensorDescriptor_t descriptor,
                                                     cudnnOpTensorOp_t operation,
                                                     cudnnDataType_t type,
                                                     cudnnNanPropagation_t nan);
cudnnStatus_t CUDNNWINAPI cudnnOpTensor(cudnnHandle_t handle, cudnnOpTensorDescriptor_t descriptor,
                                        const void* alpha_a, cudnnTensorDescriptor_t a,
                                        const void* a_data, const void* alpha_b,
                                        cudnnTensorDescriptor_t b, const void* b_data,
                                        const void* beta, cudnnTensorDescriptor_t c, void* c_data);
cudnnStatus_t CUDNNWINAPI
cudnnCreateReduceTensorDescriptor(cudnnReduceTensorDescriptor_t* descriptor);
cudnnStatus_t CUDNNWINAPI
cudnnDestroyReduceTensorDescriptor(cudnnReduceTensorDescriptor_t descriptor);
cudnnStatus_t CUDNNWINAPI cudnnSetReduceTensorDescriptor(
    cudnnReduceTensorDescriptor_t descriptor, cudnnReduceTensorOp_t operation, cudnnDataType_t type,
    cudnnNanPropagation_t nan, cudnnReduceTensorIndices_t indices, cudnnIndicesType_t index_type);
cudnnStatus_t CUDNNWINAPI cudnnGetReductionWorkspaceSize(cudnnHandle_t handle,
                                                         cudnnReduceTensorDescriptor_t descriptor,
                                                         cudnnTensorDescriptor_t a,
                                                         cudnnTensorDescriptor_t c, size_t* bytes);
cudnnStatus_t CUDNNWINAPI cudnnReduceTensor(cudnnHandle_t handle,
                                            cudnnReduceTensorDescriptor_t descriptor, void* indices,
                                            size_t index_bytes, void* workspace,
                                            size_t workspace_bytes, const void* alpha,
                                            cudnnTensorDescriptor_t a, const void* a_data,
                                            const void* beta, cudnnTensorDescriptor_t c,
                                            void* c_data);
cudnnStatus_t CUDNNWINAPI cudnnCreateLRNDescriptor(cudnnLRNDescriptor_t* descriptor);
cudnnStatus_t CUDNNWINAPI cudnnDestroyLRNDescriptor(cudnnLRNDescriptor_t descriptor);
cudnnStatus_t CUDNNWINAPI cudnnSetLRNDescriptor(cudnnLRNDescriptor_t descriptor, unsigned width,
                                                double alpha, double beta, double k);
cudnnStatus_t CUDNNWINAPI cudnnLRNCrossChannelForward(cudnnHandle_t handle,
                                                      cudnnLRNDescriptor_t descriptor,
                                                      cudnnLRNMode_t mode, const void* alpha,
                                                      cudnnTensorDescriptor_t x, const void* x_data,
                                                      const void* beta, cudnnTensorDescriptor_t y,
                                                      void* y_data);
cudnnStatus_t CUDNNWINAPI cudnnLRNCrossChannelBackward(
    cudnnHandle_t handle, cudnnLRNDescriptor_t descriptor, cudnnLRNMode_t mode, const void* alpha,
    cudnnTensorDescriptor_t y, const void* y_data, cudnnTensorDescriptor_t dy, const void* dy_data,
    cudnnTensorDescriptor_t x, const void* x_data, const void* beta, cudnnTensorDescriptor_t dx,
    void* dx_data);
cudnnStatus_t CUDNNWINAPI
cudnnCreateSpatialTransformerDescriptor(cudnnSpatialTransformerDescriptor_t* descriptor);
cudnnStatus_t CUDNNWINAPI
cudnnDestroySpatialTransformerDescriptor(cudnnSpatialTransformerDescriptor_t descriptor);
cudnnStatus_t CUDNNWINAPI cudnnSetSpatialTransformerNdDescriptor(
    cudnnSpatialTransformerDescriptor_t descriptor, cudnnSamplerType_t sampler,
    cudnnDataType_t type, const int dimensions, const int extents[]);
cudnnStatus_t CUDNNWINAPI cudnnSpatialTfGridGeneratorForward(
    cudnnHandle_t handle, cudnnSpatialTransformerDescriptor_t descriptor, const void* theta,
    void* grid);
cudnnStatus_t CUDNNWINAPI cudnnSpatialTfGridGeneratorBackward(
    cudnnHandle_t handle, cudnnSpatialTransformerDescriptor_t descriptor, const void* dgrid,
    void* dtheta);
cudnnStatus_t CUDNNWINAPI cudnnSpatialTfSamplerForward(
    cudnnHandle_t handle, cudnnSpatialTransformerDescriptor_t descriptor, const void* alpha,
    cudnnTensorDescriptor_t x, const void* x_data, const void* grid, const void* beta,
    cudnnTensorDescriptor_t y, void* y_data);
cudnnStatus_t CUDNNWINAPI cudnnSpatialTfSamplerBackward(
    cudnnHandle_t handle, cudnnSpatialTransformerDescriptor_t descriptor, const void* alpha,
    cudnnTensorDescriptor_t x, const void* x_data, const void* beta, cudnnTensorDescriptor_t dx,
    void* dx_data, const void* alpha_of_grid, cudnnTensorDescriptor_t dy, const void* dy_data,
    const void* grid, const void* beta_of_grid, void* dgrid);
cudnnStatus_t CUDNNWINAPI cudnnCreateCTCLossDescriptor(cudnnCTCLossDescriptor_t* descriptor);
cudnnStatus_t CUDNNWINAPI cudnnDestroyCTCLossDescriptor(cudnnCTCLossDescriptor_t descriptor);
cudnnStatus_t CUDNNWINAPI cudnnSetCTCLossDescriptorEx(cudnnCTCLossDescriptor_t descriptor,
                                                      cudnnDataType_t type,
                                                      cudnnLossNormalizationMode_t normalization,
                                                      cudnnNanPropagation_t nan);
cudnnStatus_t CUDNNWINAPI cudnnSetCTCLossDescriptor_v8(cudnnCTCLossDescriptor_t descriptor,
                                                       cudnnDataType_t type,
                                                       cudnnLossNormalizationMode_t normalization,
                                                       cudnnNanPropagation_t nan, int longest);
cudnnStatus_t CUDNNWINAPI cudnnGetCTCLossWorkspaceSize(
    cudnnHandle_t handle, cudnnTensorDescriptor_t x, cudnnTensorDescriptor_t dx, const int* labels,
    const int* label_lengths, const int* lengths, cudnnCTCLossAlgo_t algorithm,
    cudnnCTCLossDescriptor_t descriptor, size_t* bytes);
cudnnStatus_t CUDNNWINAPI cudnnCTCLoss(cudnnHandle_t handle, cudnnTensorDescriptor_t x,
                                       const void* x_data, const int labels[],
                                       const int label_lengths[], const int lengths[], void* costs,
                                       cudnnTensorDescriptor_t dx, void* dx_data,
                                       cudnnCTCLossAlgo_t algorithm,
                                       cudnnCTCLossDescriptor_t descriptor, void* workspace,
                                       size_t workspace_bytes);
cudnnStatus_t CUDNNWINAPI cudnnGetCTCLossWorkspaceSize_v8(
    cudnnHandle_t handle, cudnnCTCLossAlgo_t algorithm, cudnnCTCLossDescriptor_t descriptor,
    cudnnTensorDescriptor_t x, cudnnTensorDescriptor_t dx, size_t* bytes);
cudnnStatus_t CUDNNWINAPI cudnnCTCLoss_v8(cudnnHandle_t handle, cudnnCTCLossAlgo_t algorithm,
                                          cudnnCTCLossDescriptor_t descriptor,
                                          cudnnTensorDescriptor_t x, const void* x_data,
                                          const int labels[], const int label_lengths[],
                                          const int lengths[], void* costs,
                                          cudnnTensorDescriptor_t dx, void* dx_data,
                                          size_t workspace_bytes, void* workspace);
cudnnStatus_t CUDNNWINAPI cudnnDropoutGetStatesSize(cudnnHandle_t handle, size_t* bytes);
cudnnStatus_t CUDNNWINAPI cudnnDropoutGetReserveSpaceSize(cudnnTensorDescriptor_t x, size_t* bytes);
cudnnStatus_t CUDNNWINAPI cudnnDropoutForward(cudnnHandle_t handle,
                                              cudnnDropoutDescriptor_t dropout,
                                              cudnnTensorDescriptor_t x, const void* x_data,
                                              cudnnTensorDescriptor_t y, void* y_data,
                                              void* reserve, size_t reserve_bytes);
cudnnStatus_t CUDNNWINAPI cudnnDropoutBackward(cudnnHandle_t handle,
                                               cudnnDropoutDescriptor_t dropout,
                                               cudnnTensorDescriptor_t dy, const void* dy_data,
                                               cudnnTensorDescriptor_t dx, void* dx_data,
                                               void* reserve, size_t reserve_bytes);
