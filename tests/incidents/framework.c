/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A library that uses cuDNN, as those of frameworks: CALLS has words for what it calls, COMPILED is the release that it was
 * compiled with, and OPENS a name to open where it is not linked with cuDNN.  Its words are those of the frameworks.
 * With THROUGH another library that it is linked with opens it.
 * STAMP is the stamp of a program that cudnn_checked_guard() has made one of its own.
 */
#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#ifndef COMPILED
#define COMPILED 0
#endif
typedef size_t (*function)(void);

#ifdef STAMP /* as tool/guard/linux/stamp_object.h */
__attribute__((section(".note.cudnn_checked"), used, aligned(4))) static const struct {
  unsigned name_size, text_size, type;
  char name[16], text[(sizeof STAMP + 3) / 4 * 4];
} note = {14, sizeof STAMP, 1, "cudnn_checked", STAMP};
#endif

#ifdef OPENS
static void* opened;
#define OF(name) ((function)dlsym(opened, #name))
#define CALL(name, type) ((type)dlsym(opened, #name))
#else
#define CALL(name, type) name
#define DECLARE(name) size_t name(void) __attribute__((weak));
DECLARE(cudnnGetVersion)
DECLARE(cudnnCreate)
DECLARE(cudnnCreateTensorDescriptor)
DECLARE(cudnnConvolutionForward)
DECLARE(cudnnRNNForward)
DECLARE(cudnnConvolutionBackwardFilter)
int cudnnBackendCreateDescriptor(int type, void** made) __attribute__((weak));
int cudnnBackendFinalize(void* descriptor) __attribute__((weak));
#define OF(name) ((function)name)
#endif

#ifdef THROUGH
void* open_cudnn(const char* name);
#else
__attribute__((visibility("default"))) void* open_cudnn(const char* name) { return dlopen(name, RTLD_NOW | RTLD_GLOBAL); }
#endif

/* Makes a real cuDNN open its engines, as tests/real/audit/calls.c does: without a GPU nothing more can be asked. */
static size_t open_engines(void) {
  const int tensor = 17; /* CUDNN_BACKEND_TENSOR_DESCRIPTOR */
  void* descriptor = NULL;
  if (CALL(cudnnBackendCreateDescriptor, int (*)(int, void**))(tensor, &descriptor) != 0) return 1001;
  const int status = CALL(cudnnBackendFinalize, int (*)(void*))(descriptor);
  return status == 1002 || status == 1008 ? (size_t)status : 0;
}

static const char* text_of(size_t status) {
  return status == 1001   ? "CUDNN_STATUS_NOT_INITIALIZED"
         : status == 1002 ? "CUDNN_STATUS_SUBLIBRARY_VERSION_MISMATCH"
         : status == 1008 ? "CUDNN_STATUS_SUBLIBRARY_LOADING_FAILED"
                          : "CUDNN_STATUS_NOT_SUPPORTED_SUBLIBRARY_UNAVAILABLE";
}

static int minor_of(size_t version) { return (int)(version < 90000 ? version / 100 % 10 : version / 100 % 100); }
static int major_of(size_t version) { return (int)(version < 90000 ? version / 1000 : version / 10000); }

__attribute__((visibility("default"))) int work(void) {
#ifdef OPENS
  opened = open_cudnn(OPENS);
  if (opened == NULL) {
    fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  if (OF(cudnnGetVersion) == NULL) {
    fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
#endif
  const struct { const char *word, *name; function call; } all[] = {
      {"create", "cudnnCreate", OF(cudnnCreate)},
      {"ops", "cudnnCreateTensorDescriptor", OF(cudnnCreateTensorDescriptor)},
      {"cnn", "cudnnConvolutionForward", OF(cudnnConvolutionForward)},
      {"adv", "cudnnRNNForward", OF(cudnnRNNForward)},
      {"train", "cudnnConvolutionBackwardFilter", OF(cudnnConvolutionBackwardFilter)},
      {"finalize", "cudnnFinalize", OF(cudnnBackendFinalize)}};
  if (COMPILED != 0) {
    const size_t found = OF(cudnnGetVersion)();
    if (major_of(found) != major_of(COMPILED) || minor_of(found) < minor_of(COMPILED)) {
      fprintf(stderr, "Loaded runtime CuDNN library: %d.%d.%d but source was compiled with: %d.%d.%d.\n",
              major_of(found), minor_of(found), (int)(found % 100), major_of(COMPILED), minor_of(COMPILED),
              COMPILED % 100);
      return 1;
    }
  }
  const size_t engines = strstr(CALLS, "engines") == NULL ? 0 : open_engines();
  if (engines != 0) {
    fprintf(stderr, "RuntimeError: cudnn_status: %s\n", text_of(engines));
    return 1;
  }
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
    if (strstr(CALLS, all[i].word) == NULL || all[i].call == NULL) continue;
    const size_t status = all[i].call();
    if (status == 0) continue;
    fprintf(stderr, "RuntimeError: CUDNN_BACKEND_TENSOR_DESCRIPTOR %s failed cudnn_status: %s\n", all[i].name,
            text_of(status));
    return 1;
  }
  return 0;
}

#ifdef PROGRAM
/* Opens a library as an interpreter does, and lets it work. */
int main(int count, char** names) {
  if (count < 2) return work();
  void* const library = dlopen(names[1], RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    fprintf(stderr, "ImportError: %s\n", dlerror());
    return 1;
  }
  return ((int (*)(void))dlsym(library, "work"))();
}
#endif
