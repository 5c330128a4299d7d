// SPDX-License-Identifier: BSD-3-Clause
//
// libcudnn: forwards every function to the sub-library that has it, which it asks the loader for at
// the first call.
#include <cstdlib>
#include <cstring>

#include "load.h"

namespace simulated {

#if CUDNN_MAJOR >= 9
static void* load(const char* role) { return load_sublibrary(role); }
#else
static void* load(const char* role) {
  const std::string name = std::string("libcudnn_") + role + ".so.8";
  void* const library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library != nullptr) return library;
  std::fprintf(stderr,
               "Could not load library %s. Error: %s\n"
               "Please make sure %s is in your library path!\n",
               name.c_str(), dlerror(), name.c_str());
  std::abort();
}
#endif

struct sublibrary {
  const char* role;
  void* library;
};

static void* library_of(const char* role) {
  static sublibrary all[10];
  for (sublibrary& known : all) {
    if (known.role == nullptr) known.role = role;
    if (std::strcmp(known.role, role) != 0) continue;
    // Not remembered where it failed: the real one asks again each time.
    if (known.library == nullptr) known.library = load(role);
    return known.library;
  }
  return nullptr;
}

static void* find_function(const char* role, const char* name) {
  void* const library = library_of(role);
  void* const address = library == nullptr ? nullptr : dlsym(library, name);
  if (address == nullptr) {
    std::fprintf(stderr, "Invalid handle. Cannot load symbol %s\n", name);
  }
  return address;
}

// 9.14 aborts whatever is missing, 9.19 only without graph (both tried); between them nobody
// looked.
template <typename Result>
static Result unreachable(const char*) {
  std::abort();
}

#if CUDNN_MAJOR >= 9
template <>
cudnnStatus_t unreachable<cudnnStatus_t>(const char* role) {
  if (own_release.minor < 19 || std::strcmp(role, "graph") == 0) std::abort();
  return CUDNN_STATUS_NOT_SUPPORTED_SUBLIBRARY_UNAVAILABLE;
}
#endif

}  // namespace simulated

#define SIMULATED_FORWARD(type, role, name, parameters, arguments)           \
  SIMULATED_EXPORT type name parameters {                                    \
    static void* address = nullptr;                                          \
    if (address == nullptr) address = simulated::find_function(role, #name); \
    if (address == nullptr) return simulated::unreachable<type>(role);       \
    return reinterpret_cast<type(*) parameters>(address) arguments;          \
  }

#define SIMULATED_CHECK_OF(role, name) SIMULATED_FORWARD(cudnnStatus_t, role, name, (), ())

#if CUDNN_MAJOR >= 9
#define BASE "graph"
#define GRAPH "graph"
#define OPS "ops"
#define CNN "cnn"
#define ADV "adv"
SIMULATED_CHECK_OF("graph", cudnnGraphVersionCheck)
SIMULATED_CHECK_OF("ops", cudnnOpsVersionCheck)
SIMULATED_CHECK_OF("cnn", cudnnCnnVersionCheck)
SIMULATED_CHECK_OF("adv", cudnnAdvVersionCheck)
SIMULATED_FORWARD(void, "graph", cudnnGetLastErrorString, (char* message, size_t size),
                  (message, size))
#else
#define BASE "ops_infer"
#define GRAPH "cnn_infer"
#define OPS "ops_infer"
#define CNN "cnn_infer"
SIMULATED_CHECK_OF("ops_infer", cudnnOpsInferVersionCheck)
SIMULATED_CHECK_OF("ops_train", cudnnOpsTrainVersionCheck)
SIMULATED_CHECK_OF("cnn_infer", cudnnCnnInferVersionCheck)
SIMULATED_CHECK_OF("cnn_train", cudnnCnnTrainVersionCheck)
SIMULATED_CHECK_OF("adv_infer", cudnnAdvInferVersionCheck)
SIMULATED_CHECK_OF("adv_train", cudnnAdvTrainVersionCheck)
#endif

SIMULATED_FORWARD(size_t, BASE, cudnnGetVersion, (), ())
SIMULATED_FORWARD(size_t, BASE, cudnnGetCudartVersion, (), ())
#ifdef SIMULATED_GIVES_MAX_DEVICE
SIMULATED_FORWARD(size_t, BASE, cudnnGetMaxDeviceVersion, (), ())
#endif
SIMULATED_FORWARD(const char*, BASE, cudnnGetErrorString, (cudnnStatus_t status), (status))
SIMULATED_FORWARD(cudnnStatus_t, BASE, cudnnCreate, (cudnnHandle_t * handle), (handle))
SIMULATED_FORWARD(cudnnStatus_t, BASE, cudnnDestroy, (cudnnHandle_t handle), (handle))

SIMULATED_FORWARD(cudnnStatus_t, GRAPH, cudnnBackendCreateDescriptor,
                  (cudnnBackendDescriptorType_t type, cudnnBackendDescriptor_t* made), (type, made))
SIMULATED_FORWARD(cudnnStatus_t, GRAPH, cudnnBackendDestroyDescriptor,
                  (cudnnBackendDescriptor_t descriptor), (descriptor))
SIMULATED_FORWARD(cudnnStatus_t, GRAPH, cudnnBackendInitialize,
                  (cudnnBackendDescriptor_t descriptor), (descriptor))
SIMULATED_FORWARD(cudnnStatus_t, GRAPH, cudnnBackendFinalize, (cudnnBackendDescriptor_t descriptor),
                  (descriptor))
SIMULATED_FORWARD(cudnnStatus_t, GRAPH, cudnnBackendSetAttribute,
                  (cudnnBackendDescriptor_t descriptor, cudnnBackendAttributeName_t name,
                   cudnnBackendAttributeType_t type, int64_t count, const void* elements),
                  (descriptor, name, type, count, elements))
SIMULATED_FORWARD(cudnnStatus_t, GRAPH, cudnnBackendGetAttribute,
                  (cudnnBackendDescriptor_t const descriptor, cudnnBackendAttributeName_t name,
                   cudnnBackendAttributeType_t type, int64_t room, int64_t* count, void* elements),
                  (descriptor, name, type, room, count, elements))
SIMULATED_FORWARD(cudnnStatus_t, GRAPH, cudnnBackendExecute,
                  (cudnnHandle_t handle, cudnnBackendDescriptor_t plan,
                   cudnnBackendDescriptor_t pack),
                  (handle, plan, pack))

SIMULATED_FORWARD(cudnnStatus_t, OPS, cudnnCreateTensorDescriptor,
                  (cudnnTensorDescriptor_t * descriptor), (descriptor))
SIMULATED_FORWARD(cudnnStatus_t, OPS, cudnnSetTensor4dDescriptor,
                  (cudnnTensorDescriptor_t descriptor, cudnnTensorFormat_t format,
                   cudnnDataType_t type, int n, int c, int h, int w),
                  (descriptor, format, type, n, c, h, w))
SIMULATED_FORWARD(cudnnStatus_t, OPS, cudnnDestroyTensorDescriptor,
                  (cudnnTensorDescriptor_t descriptor), (descriptor))
SIMULATED_FORWARD(cudnnStatus_t, OPS, cudnnCreateFilterDescriptor,
                  (cudnnFilterDescriptor_t * descriptor), (descriptor))
SIMULATED_FORWARD(cudnnStatus_t, OPS, cudnnSetFilter4dDescriptor,
                  (cudnnFilterDescriptor_t descriptor, cudnnDataType_t type,
                   cudnnTensorFormat_t format, int k, int c, int h, int w),
                  (descriptor, type, format, k, c, h, w))
SIMULATED_FORWARD(cudnnStatus_t, OPS, cudnnDestroyFilterDescriptor,
                  (cudnnFilterDescriptor_t descriptor), (descriptor))

SIMULATED_FORWARD(cudnnStatus_t, CNN, cudnnCreateConvolutionDescriptor,
                  (cudnnConvolutionDescriptor_t * descriptor), (descriptor))
SIMULATED_FORWARD(cudnnStatus_t, CNN, cudnnSetConvolution2dDescriptor,
                  (cudnnConvolutionDescriptor_t descriptor, int pad_h, int pad_w, int stride_h,
                   int stride_w, int dilation_h, int dilation_w, cudnnConvolutionMode_t mode,
                   cudnnDataType_t compute_type),
                  (descriptor, pad_h, pad_w, stride_h, stride_w, dilation_h, dilation_w, mode,
                   compute_type))
SIMULATED_FORWARD(cudnnStatus_t, CNN, cudnnSetConvolutionMathType,
                  (cudnnConvolutionDescriptor_t descriptor, cudnnMathType_t math),
                  (descriptor, math))
SIMULATED_FORWARD(cudnnStatus_t, CNN, cudnnDestroyConvolutionDescriptor,
                  (cudnnConvolutionDescriptor_t descriptor), (descriptor))
SIMULATED_FORWARD(cudnnStatus_t, CNN, cudnnGetConvolutionForwardWorkspaceSize,
                  (cudnnHandle_t handle, const cudnnTensorDescriptor_t x,
                   const cudnnFilterDescriptor_t w, const cudnnConvolutionDescriptor_t convolution,
                   const cudnnTensorDescriptor_t y, cudnnConvolutionFwdAlgo_t algorithm,
                   size_t* bytes),
                  (handle, x, w, convolution, y, algorithm, bytes))
SIMULATED_FORWARD(cudnnStatus_t, CNN, cudnnConvolutionForward,
                  (cudnnHandle_t handle, const void* alpha, const cudnnTensorDescriptor_t x,
                   const void* x_data, const cudnnFilterDescriptor_t w, const void* w_data,
                   const cudnnConvolutionDescriptor_t convolution,
                   cudnnConvolutionFwdAlgo_t algorithm, void* workspace, size_t workspace_bytes,
                   const void* beta, const cudnnTensorDescriptor_t y, void* y_data),
                  (handle, alpha, x, x_data, w, w_data, convolution, algorithm, workspace,
                   workspace_bytes, beta, y, y_data))

#if CUDNN_MAJOR >= 9
SIMULATED_FORWARD(cudnnStatus_t, OPS, cudnnSetTensorNdDescriptor,
                  (cudnnTensorDescriptor_t descriptor, cudnnDataType_t type, int count,
                   const int extents[], const int strides[]),
                  (descriptor, type, count, extents, strides))
SIMULATED_FORWARD(cudnnStatus_t, OPS, cudnnCreateDropoutDescriptor,
                  (cudnnDropoutDescriptor_t * descriptor), (descriptor))
SIMULATED_FORWARD(cudnnStatus_t, OPS, cudnnDestroyDropoutDescriptor,
                  (cudnnDropoutDescriptor_t descriptor), (descriptor))
SIMULATED_FORWARD(cudnnStatus_t, OPS, cudnnSetDropoutDescriptor,
                  (cudnnDropoutDescriptor_t descriptor, cudnnHandle_t handle, float dropout,
                   void* states, size_t bytes, unsigned long long seed),
                  (descriptor, handle, dropout, states, bytes, seed))
SIMULATED_FORWARD(cudnnStatus_t, ADV, cudnnCreateRNNDescriptor, (cudnnRNNDescriptor_t * descriptor),
                  (descriptor))
SIMULATED_FORWARD(cudnnStatus_t, ADV, cudnnDestroyRNNDescriptor, (cudnnRNNDescriptor_t descriptor),
                  (descriptor))
SIMULATED_FORWARD(cudnnStatus_t, ADV, cudnnSetRNNDescriptor_v8,
                  (cudnnRNNDescriptor_t descriptor, cudnnRNNAlgo_t algorithm, cudnnRNNMode_t cell,
                   cudnnRNNBiasMode_t bias, cudnnDirectionMode_t directions,
                   cudnnRNNInputMode_t input, cudnnDataType_t type, cudnnDataType_t precision,
                   cudnnMathType_t math, int32_t inputs, int32_t hidden, int32_t projection,
                   int32_t layers, cudnnDropoutDescriptor_t dropout, uint32_t flags),
                  (descriptor, algorithm, cell, bias, directions, input, type, precision, math,
                   inputs, hidden, projection, layers, dropout, flags))
SIMULATED_FORWARD(cudnnStatus_t, ADV, cudnnBuildRNNDynamic,
                  (cudnnHandle_t handle, cudnnRNNDescriptor_t descriptor, int batch),
                  (handle, descriptor, batch))
SIMULATED_FORWARD(cudnnStatus_t, ADV, cudnnGetRNNTempSpaceSizes,
                  (cudnnHandle_t handle, cudnnRNNDescriptor_t descriptor, cudnnForwardMode_t mode,
                   cudnnRNNDataDescriptor_t x, size_t* workspace, size_t* reserve),
                  (handle, descriptor, mode, x, workspace, reserve))
SIMULATED_FORWARD(cudnnStatus_t, ADV, cudnnGetRNNWeightSpaceSize,
                  (cudnnHandle_t handle, cudnnRNNDescriptor_t descriptor, size_t* bytes),
                  (handle, descriptor, bytes))
SIMULATED_FORWARD(cudnnStatus_t, ADV, cudnnGetRNNWeightParams,
                  (cudnnHandle_t handle, cudnnRNNDescriptor_t descriptor, int32_t pseudo_layer,
                   size_t bytes, const void* weights, int32_t id, cudnnTensorDescriptor_t matrix,
                   void** matrix_data, cudnnTensorDescriptor_t bias, void** bias_data),
                  (handle, descriptor, pseudo_layer, bytes, weights, id, matrix, matrix_data, bias,
                   bias_data))
SIMULATED_FORWARD(cudnnStatus_t, ADV, cudnnCreateRNNDataDescriptor,
                  (cudnnRNNDataDescriptor_t * descriptor), (descriptor))
SIMULATED_FORWARD(cudnnStatus_t, ADV, cudnnDestroyRNNDataDescriptor,
                  (cudnnRNNDataDescriptor_t descriptor), (descriptor))
SIMULATED_FORWARD(cudnnStatus_t, ADV, cudnnSetRNNDataDescriptor,
                  (cudnnRNNDataDescriptor_t descriptor, cudnnDataType_t type,
                   cudnnRNNDataLayout_t layout, int steps, int batch, int size, const int lengths[],
                   void* padding),
                  (descriptor, type, layout, steps, batch, size, lengths, padding))
SIMULATED_FORWARD(cudnnStatus_t, ADV, cudnnRNNForward,
                  (cudnnHandle_t handle, cudnnRNNDescriptor_t descriptor, cudnnForwardMode_t mode,
                   const int32_t lengths[], cudnnRNNDataDescriptor_t x, const void* x_data,
                   cudnnRNNDataDescriptor_t y, void* y_data, cudnnTensorDescriptor_t h,
                   const void* hx, void* hy, cudnnTensorDescriptor_t c, const void* cx, void* cy,
                   size_t weight_bytes, const void* weights, size_t workspace_bytes,
                   void* workspace, size_t reserve_bytes, void* reserve),
                  (handle, descriptor, mode, lengths, x, x_data, y, y_data, h, hx, hy, c, cx, cy,
                   weight_bytes, weights, workspace_bytes, workspace, reserve_bytes, reserve))
SIMULATED_FORWARD(cudnnStatus_t, ADV, cudnnRNNBackwardData_v8,
                  (cudnnHandle_t handle, cudnnRNNDescriptor_t descriptor, const int32_t lengths[],
                   cudnnRNNDataDescriptor_t y, const void* y_data, const void* dy,
                   cudnnRNNDataDescriptor_t x, void* dx, cudnnTensorDescriptor_t h, const void* hx,
                   const void* dhy, void* dhx, cudnnTensorDescriptor_t c, const void* cx,
                   const void* dcy, void* dcx, size_t weight_bytes, const void* weights,
                   size_t workspace_bytes, void* workspace, size_t reserve_bytes, void* reserve),
                  (handle, descriptor, lengths, y, y_data, dy, x, dx, h, hx, dhy, dhx, c, cx, dcy,
                   dcx, weight_bytes, weights, workspace_bytes, workspace, reserve_bytes, reserve))
SIMULATED_FORWARD(cudnnStatus_t, ADV, cudnnRNNBackwardWeights_v8,
                  (cudnnHandle_t handle, cudnnRNNDescriptor_t descriptor, cudnnWgradMode_t mode,
                   const int32_t lengths[], cudnnRNNDataDescriptor_t x, const void* x_data,
                   cudnnTensorDescriptor_t h, const void* hx, cudnnRNNDataDescriptor_t y,
                   const void* y_data, size_t weight_bytes, void* weights, size_t workspace_bytes,
                   void* workspace, size_t reserve_bytes, void* reserve),
                  (handle, descriptor, mode, lengths, x, x_data, h, hx, y, y_data, weight_bytes,
                   weights, workspace_bytes, workspace, reserve_bytes, reserve))
#include "../../laboratory/simulated/operation_forwards.inc"
#endif
