/* SPDX-License-Identifier: BSD-3-Clause
 *
 * usage: calls FUNCTION...
 *
 * A program without a guard that calls into cuDNN 9 in the order of its arguments: version, graph,
 * ops, cnn, adv, engines; maps lists what of cuDNN and CUDA is mapped then.  The answers go to standard
 * output; it ends without closing anything.
 */
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

size_t cudnnGetVersion(void);
int cudnnGraphVersionCheck(void);
int cudnnOpsVersionCheck(void);
int cudnnCnnVersionCheck(void);
int cudnnAdvVersionCheck(void);
int cudnnBackendCreateDescriptor(int, void**);
int cudnnBackendFinalize(void*);

/* The first tensor descriptor makes the graph library load its engines and heuristic; that it has
 * no attributes and there is no GPU does not matter (measured: 9.13 to 9.28). */
static int make_tensor(void) {
  const int tensor = 17; /* CUDNN_BACKEND_TENSOR_DESCRIPTOR */
  void* descriptor = NULL;
  const int status = cudnnBackendCreateDescriptor(tensor, &descriptor);
  return status != 0 ? status : cudnnBackendFinalize(descriptor);
}

/* Each file of /proc/self/maps whose name begins with libcu or libnv, once. */
static long print_maps(void) {
  FILE* const maps = fopen("/proc/self/maps", "r");
  char line[4096];
  char last[4096] = "";
  long count = 0;
  while (maps != NULL && fgets(line, sizeof line, maps) != NULL) {
    const char* const path = strchr(line, '/');
    if (path == NULL || strcmp(path, last) == 0) continue;
    if (strstr(path, "/libcu") == NULL && strstr(path, "/libnv") == NULL) continue;
    printf("mapped %s", strcpy(last, path));
    ++count;
  }
  return count;
}

int main(int count, char** names) {
  for (int i = 1; i < count; ++i) {
    const char* name = names[i];
    long answer = -1;
    if (strcmp(name, "version") == 0) answer = (long)cudnnGetVersion();
    if (strcmp(name, "graph") == 0) answer = cudnnGraphVersionCheck();
    if (strcmp(name, "ops") == 0) answer = cudnnOpsVersionCheck();
    if (strcmp(name, "cnn") == 0) answer = cudnnCnnVersionCheck();
    if (strcmp(name, "adv") == 0) answer = cudnnAdvVersionCheck();
    if (strcmp(name, "engines") == 0) answer = make_tensor();
    if (strcmp(name, "maps") == 0) answer = print_maps();
    printf("%s %ld\n", name, answer);
    fflush(stdout);
  }
  _exit(0);
}
