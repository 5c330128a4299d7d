// SPDX-License-Identifier: BSD-3-Clause
//
// usage: measure_calls LIBRARY create | finalize | FUNCTION
//
// One call of the cuDNN that the loader finds by that name, for measure.py: prints what it returns,
// "absent" where cuDNN has no such function, "not loaded" where the loader gives the library up. It
// is built without cuDNN's headers: the numbers below are the same in all of them from 8.5 on.
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum {
  descriptor_tensor = 17,  // CUDNN_BACKEND_TENSOR_DESCRIPTOR
  attribute_alignment = 900,
  attribute_data_type = 901,
  attribute_dimensions = 902,
  attribute_strides = 903,
  attribute_unique_id = 906,
  type_data_type = 1,
  type_int64 = 3
};

typedef int create_handle(void** handle);
typedef int create_descriptor(int kind, void** descriptor);
typedef int set_attribute(void* descriptor, int name, int type, int64_t count, const void* values);
typedef int finalize_descriptor(void* descriptor);
typedef int version_check(void);

static void* library;

static void* function(const char* name) {
  void* found = dlsym(library, name);
  if (found == NULL) puts("absent");
  return found;
}

static int create(int* status) {
  void* handle = NULL;
  create_handle* call = (create_handle*)function("cudnnCreate");
  if (call == NULL) return 0;
  *status = call(&handle);
  return 1;
}

// The first failure on the way is the answer: nothing is finalized after it.
static int finalize(int* status) {
  static const int64_t dimensions[] = {1, 8, 16, 16}, strides[] = {2048, 256, 16, 1}, unique_id = 1,
                       alignment = 16;
  static const int data_type = 0;  // CUDNN_DATA_FLOAT
  create_descriptor* make = (create_descriptor*)function("cudnnBackendCreateDescriptor");
  if (make == NULL) return 0;
  set_attribute* set = (set_attribute*)function("cudnnBackendSetAttribute");
  if (set == NULL) return 0;
  finalize_descriptor* end = (finalize_descriptor*)function("cudnnBackendFinalize");
  if (end == NULL) return 0;
  void* tensor = NULL;
  *status = make(descriptor_tensor, &tensor);
  if (*status == 0) *status = set(tensor, attribute_data_type, type_data_type, 1, &data_type);
  if (*status == 0) *status = set(tensor, attribute_dimensions, type_int64, 4, dimensions);
  if (*status == 0) *status = set(tensor, attribute_strides, type_int64, 4, strides);
  if (*status == 0) *status = set(tensor, attribute_unique_id, type_int64, 1, &unique_id);
  if (*status == 0) *status = set(tensor, attribute_alignment, type_int64, 1, &alignment);
  if (*status == 0) *status = end(tensor);
  return 1;
}

static int check(const char* name, int* status) {
  version_check* call = (version_check*)function(name);
  if (call == NULL) return 0;
  *status = call();
  return 1;
}

int main(int count, char** words) {
  if (count != 3) return 2;
  library = dlopen(words[1], RTLD_NOW);
  if (library == NULL) {
    puts("not loaded");
    return 0;
  }
  int status = 0;
  const int called = strcmp(words[2], "create") == 0     ? create(&status)
                     : strcmp(words[2], "finalize") == 0 ? finalize(&status)
                                                         : check(words[2], &status);
  if (called) printf("%d\n", status);
  fflush(stdout);
  return 0;
}
