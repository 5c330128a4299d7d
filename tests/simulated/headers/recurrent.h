// SPDX-License-Identifier: BSD-3-Clause
typedef enum {
  CUDNN_RNN_ALGO_STANDARD = 0,
  CUDNN_RNN_ALGO_PERSIST_STATIC = 1,
  CUDNN_RNN_ALGO_PERSIST_DYNAMIC = 2,
  CUDNN_RNN_ALGO_PERSIST_STATIC_SMALL_H = 3,
  CUDNN_RNN_ALGO_COUNT = 4
} cudnnRNNAlgo_t;

typedef enum { CUDNN_FWD_MODE_INFERENCE = 0, CUDNN_FWD_MODE_TRAINING = 1 } cudnnForwardMode_t;

typedef enum {
  CUDNN_RNN_RELU = 0,
  CUDNN_RNN_TANH = 1,
  CUDNN_LSTM = 2,
  CUDNN_GRU = 3
} cudnnRNNMode_t;

typedef enum {
  CUDNN_RNN_NO_BIAS = 0,
  CUDNN_RNN_SINGLE_INP_BIAS = 1,
  CUDNN_RNN_DOUBLE_BIAS = 2,
  CUDNN_RNN_SINGLE_REC_BIAS = 3
} cudnnRNNBiasMode_t;

typedef enum { CUDNN_UNIDIRECTIONAL = 0, CUDNN_BIDIRECTIONAL = 1 } cudnnDirectionMode_t;
typedef enum { CUDNN_LINEAR_INPUT = 0, CUDNN_SKIP_INPUT = 1 } cudnnRNNInputMode_t;

typedef enum {
  CUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_UNPACKED = 0,
  CUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_PACKED = 1,
  CUDNN_RNN_DATA_LAYOUT_BATCH_MAJOR_UNPACKED = 2
} cudnnRNNDataLayout_t;

typedef enum { CUDNN_WGRAD_MODE_ADD = 0, CUDNN_WGRAD_MODE_SET = 1 } cudnnWgradMode_t;

#define CUDNN_RNN_PADDED_IO_DISABLED 0
#define CUDNN_RNN_PADDED_IO_ENABLED (1U << 0)

typedef struct cudnnRNNStruct* cudnnRNNDescriptor_t;
typedef struct cudnnRNNDataStruct* cudnnRNNDataDescriptor_t;

cudnnStatus_t CUDNNWINAPI cudnnCreateRNNDescriptor(cudnnRNNDescriptor_t* descriptor);
cudnnStatus_t CUDNNWINAPI cudnnDestroyRNNDescriptor(cudnnRNNDescriptor_t descriptor);
cudnnStatus_t CUDNNWINAPI cudnnSetRNNDescriptor_v8(
    cudnnRNNDescriptor_t descriptor, cudnnRNNAlgo_t algorithm, cudnnRNNMode_t cell,
    cudnnRNNBiasMode_t bias, cudnnDirectionMode_t directions, cudnnRNNInputMode_t input,
    cudnnDataType_t type, cudnnDataType_t precision, cudnnMathType_t math, int32_t inputs,
    int32_t hidden, int32_t projection, int32_t layers, cudnnDropoutDescriptor_t dropout,
    uint32_t flags);
cudnnStatus_t CUDNNWINAPI cudnnBuildRNNDynamic(cudnnHandle_t handle,
                                               cudnnRNNDescriptor_t descriptor, int batch);
cudnnStatus_t CUDNNWINAPI cudnnGetRNNTempSpaceSizes(cudnnHandle_t handle,
                                                    cudnnRNNDescriptor_t descriptor,
                                                    cudnnForwardMode_t mode,
                                                    cudnnRNNDataDescriptor_t x, size_t* workspace,
                                                    size_t* reserve);
cudnnStatus_t CUDNNWINAPI cudnnGetRNNWeightSpaceSize(cudnnHandle_t handle,
                                                     cudnnRNNDescriptor_t descriptor,
                                                     size_t* bytes);
cudnnStatus_t CUDNNWINAPI cudnnGetRNNWeightParams(
    cudnnHandle_t handle, cudnnRNNDescriptor_t descriptor, int32_t pseudo_layer, size_t bytes,
    const void* weights, int32_t id, cudnnTensorDescriptor_t matrix, void** matrix_data,
    cudnnTensorDescriptor_t bias, void** bias_data);
cudnnStatus_t CUDNNWINAPI cudnnCreateRNNDataDescriptor(cudnnRNNDataDescriptor_t* descriptor);
cudnnStatus_t CUDNNWINAPI cudnnDestroyRNNDataDescriptor(cudnnRNNDataDescriptor_t descriptor);
cudnnStatus_t CUDNNWINAPI cudnnSetRNNDataDescriptor(cudnnRNNDataDescriptor_t descriptor,
                                                    cudnnDataType_t type,
                                                    cudnnRNNDataLayout_t layout, int steps,
                                                    int batch, int size, const int lengths[],
                                                    void* padding);
cudnnStatus_t CUDNNWINAPI cudnnRNNForward(
    cudnnHandle_t handle, cudnnRNNDescriptor_t descriptor, cudnnForwardMode_t mode,
    const int32_t lengths[], cudnnRNNDataDescriptor_t x, const void* x_data,
    cudnnRNNDataDescriptor_t y, void* y_data, cudnnTensorDescriptor_t h, const void* hx, void* hy,
    cudnnTensorDescriptor_t c, const void* cx, void* cy, size_t weight_bytes, const void* weights,
    size_t workspace_bytes, void* workspace, size_t reserve_bytes, void* reserve);
cudnnStatus_t CUDNNWINAPI cudnnRNNBackwardData_v8(
    cudnnHandle_t handle, cudnnRNNDescriptor_t descriptor, const int32_t lengths[],
    cudnnRNNDataDescriptor_t y, const void* y_data, const void* dy, cudnnRNNDataDescriptor_t x,
    void* dx, cudnnTensorDescriptor_t h, const void* hx, const void* dhy, void* dhx,
    cudnnTensorDescriptor_t c, const void* cx, const void* dcy, void* dcx, size_t weight_bytes,
    const void* weights, size_t workspace_bytes, void* workspace, size_t reserve_bytes,
    void* reserve);
cudnnStatus_t CUDNNWINAPI cudnnRNNBackwardWeights_v8(
    cudnnHandle_t handle, cudnnRNNDescriptor_t descriptor, cudnnWgradMode_t mode,
    const int32_t lengths[], cudnnRNNDataDescriptor_t x, const void* x_data,
    cudnnTensorDescriptor_t h, const void* hx, cudnnRNNDataDescriptor_t y, const void* y_data,
    size_t weight_bytes, void* weights, size_t workspace_bytes, void* workspace,
    size_t reserve_bytes, void* reserve);
