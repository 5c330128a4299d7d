/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One library of a small cuDNN: the names, what it opens, and its words where that is missing, as the real one of
 * the same release.  It computes nothing.  ROLE_<role> says which library this is; VERSION is that of cudnnGetVersion();
 * MAJOR, MINOR, PATCH and CUDA are numbers.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default"), unused))
#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)
enum { success = 0, not_initialized = 1001, version_mismatch = 1002, loading_failed = 1008, unavailable = 3009 };

#if MAJOR >= 9
#define RELEASE TEXT(MAJOR) "." TEXT(MINOR) "." TEXT(PATCH)
/* Asks for libcudnn_<role>.so.9.1.0, .so.9.1, .so.9 and .so. */
static __attribute__((unused)) void* open_part(const char* role) {
  static const char* const endings[] = {"." RELEASE, "." TEXT(MAJOR) "." TEXT(MINOR), "." TEXT(MAJOR), ""};
  char name[4][80];
  for (int i = 0; i < 4; ++i) {
    snprintf(name[i], sizeof name[i], "libcudnn_%s.so%s", role, endings[i]);
    void* const library = dlopen(name[i], RTLD_NOW | RTLD_LOCAL);
    if (library != NULL) return library;
  }
  fprintf(stderr, "Unable to load any of {%s, %s, %s, %s}\n", name[0], name[1], name[2], name[3]);
  return NULL;
}
#else
static __attribute__((unused)) void* open_part(const char* role) {
  char name[80];
  snprintf(name, sizeof name, "libcudnn_%s.so.8", role);
  void* const library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (library != NULL) return library;
  fprintf(stderr, "Could not load library %s. Error: %s\nPlease make sure %s is in your library path!\n", name,
          dlerror(), name);
  abort();
}
#endif

/* What the loader would not let pass if it came with another release. */
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#if MAJOR < 9 && VERSION >= 8800
#define OF_RELEASE _ZN11nvrtcHelper4loadEb
#elif MAJOR < 9
#define OF_RELEASE _ZN15TracebackLoggerC1EPKc
#else
#define OF_RELEASE JOIN(cudnn_of_release_, VERSION)
#endif

#if defined(ROLE_shim)
static void* library_of(const char* role) {
  static struct { const char* role; void* library; } known[8];
  int i = 0;
  while (known[i].role != NULL && strcmp(known[i].role, role) != 0) ++i;
  known[i].role = role;
  if (known[i].library == NULL) known[i].library = open_part(role);
  return known[i].library;
}
static size_t forward(const char* role, const char* name) {
  void* const library = library_of(role);
  void* const address = library == NULL ? NULL : dlsym(library, name);
  if (address != NULL) return ((size_t(*)(void))address)();
  fprintf(stderr, "Invalid handle. Cannot load symbol %s\n", name);
  if (VERSION < 91900 || strcmp(role, "graph") == 0) abort();
  return unavailable;
}
#define FORWARD(role, name) \
  EXPORT size_t name(void) { return forward(role, #name); }
#if MAJOR >= 9
#define BASE "graph"
#define ROLE_OF(nine, eight) nine
FORWARD("graph", cudnnGraphVersionCheck)
FORWARD("ops", cudnnOpsVersionCheck)
FORWARD("cnn", cudnnCnnVersionCheck)
FORWARD("adv", cudnnAdvVersionCheck)
#else
#define BASE "ops_infer"
#define ROLE_OF(nine, eight) eight
#endif
FORWARD(BASE, cudnnGetVersion)
FORWARD(BASE, cudnnGetCudartVersion)
FORWARD(BASE, cudnnCreate)
FORWARD(ROLE_OF("ops", "ops_infer"), cudnnCreateTensorDescriptor)
FORWARD(ROLE_OF("cnn", "cnn_infer"), cudnnConvolutionForward)
FORWARD(ROLE_OF("adv", "adv_infer"), cudnnRNNForward)
FORWARD(ROLE_OF("cnn", "cnn_train"), cudnnConvolutionBackwardFilter)
FORWARD(ROLE_OF("graph", "cnn_infer"), cudnnBackendFinalize)
/* Who opens cuDNN looks for them, and calls none of them without a GPU. */
EXPORT const char* cudnnGetErrorString(int status) { return status == success ? "success" : "failure"; }
#define NEVER_CALLED(name) \
  EXPORT size_t name(void) { return unavailable; }
NEVER_CALLED(cudnnDestroy)
NEVER_CALLED(cudnnDestroyTensorDescriptor)
NEVER_CALLED(cudnnSetTensor4dDescriptor)
NEVER_CALLED(cudnnCreateFilterDescriptor)
NEVER_CALLED(cudnnDestroyFilterDescriptor)
NEVER_CALLED(cudnnSetFilter4dDescriptor)
NEVER_CALLED(cudnnCreateConvolutionDescriptor)
NEVER_CALLED(cudnnDestroyConvolutionDescriptor)
NEVER_CALLED(cudnnSetConvolution2dDescriptor)
NEVER_CALLED(cudnnSetConvolutionMathType)
NEVER_CALLED(cudnnGetConvolutionForwardWorkspaceSize)
NEVER_CALLED(cudnnBackendCreateDescriptor)
NEVER_CALLED(cudnnBackendDestroyDescriptor)
NEVER_CALLED(cudnnBackendSetAttribute)
NEVER_CALLED(cudnnBackendGetAttribute)
NEVER_CALLED(cudnnBackendExecute)

#elif defined(ROLE_graph) || defined(ROLE_ops_infer)
EXPORT void OF_RELEASE(void) {}
EXPORT size_t cudnnGetVersion(void) { return VERSION; }
EXPORT size_t cudnnGetCudartVersion(void) { return CUDA * 1000; }
EXPORT size_t cudnn_release(void) { return VERSION; }
#ifdef ROLE_graph
EXPORT size_t cudnnCreate(void) { return success; }
EXPORT size_t cudnnGraphVersionCheck(void) { return success; }
/* The engines are opened when the first tensor descriptor is finalized. */
EXPORT size_t cudnnBackendFinalize(void) {
#ifndef JIT
  if (open_part("engines_precompiled") == NULL && VERSION < 91000) return not_initialized;
  open_part("heuristic");
#endif
  return open_part("engines_runtime_compiled") == NULL ? loading_failed : success;
}
#else
EXPORT size_t cudnnCreateTensorDescriptor(void) { return success; }
EXPORT size_t cudnnCreate(void) {
#if VERSION >= 8800
  if (dlopen("libcublasLt.so." TEXT(CUDA), RTLD_NOW) == NULL) {
    fprintf(stderr, "Could not load library libcublasLt.so." TEXT(CUDA) ". Error: %s\n", dlerror());
    abort();
  }
#endif
  return success;
}
#endif

#elif defined(ROLE_cnn_infer)
void OF_RELEASE(void);
/* Its engines are compiled by NVRTC and launched through the driver. */
EXPORT size_t cudnnBackendFinalize(void) {
  OF_RELEASE();
  for (int i = 0; i < 2; ++i) {
    if (dlopen(i == 0 ? "libnvrtc.so" : "libcuda.so", RTLD_NOW) != NULL) continue;
    fprintf(stderr, "Could not load library libcudnn_cnn_infer.so.8. Error: %s\n", dlerror());
    abort();
  }
  return success;
}
EXPORT size_t cudnnConvolutionForward(void) {
  OF_RELEASE();
  return success;
}

#elif defined(ROLE_ops) || defined(ROLE_adv)
size_t cudnn_release(void); /* of the graph library */
static size_t check(void) { return cudnn_release() == VERSION ? success : version_mismatch; }
EXPORT size_t cudnnOpsVersionCheck(void) { return check(); }
EXPORT size_t cudnnAdvVersionCheck(void) { return check(); }
EXPORT size_t cudnnCreateTensorDescriptor(void) { return check(); }
EXPORT size_t cudnnRNNForward(void) { return check(); }

#elif MAJOR >= 9 && !defined(ROLE_ext)
void OF_RELEASE(void);
EXPORT void cudnn_start(void) { OF_RELEASE(); }
EXPORT size_t cudnnCnnVersionCheck(void) { return success; }
EXPORT size_t cudnnConvolutionForward(void) { return success; }
EXPORT size_t cudnnConvolutionBackwardFilter(void) { return success; }
#ifdef ROLE_engines_runtime_compiled
static __attribute__((constructor)) void without_nvrtc(void) {
  if (dlopen("libnvrtc.so." TEXT(CUDA), RTLD_NOW) == NULL) fprintf(stderr, "%s\n", dlerror());
}
#endif
#else
EXPORT size_t cudnnRNNForward(void) { return success; }
EXPORT size_t cudnnConvolutionBackwardFilter(void) { return success; }
#endif
