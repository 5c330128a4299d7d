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
