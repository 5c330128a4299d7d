/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the real loader does with a library that takes cuDNN.  Prints, one a line:
 *
 *   error TEXT           the loader's reason for not opening a library
 *   call NAME STATUS     what a function of cuDNN returned
 *   mapped PATH          a file of cuDNN in /proc/self/maps; repeated after every call, because the next
 *                        call may end the process
 *   end
 *
 * Compiled twice: as a program (-DPROGRAM), and as a library for a Python that has imported a framework.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char* file_name(const char* path) {
  const char* slash = strrchr(path, '/');
  return slash == NULL ? path : slash + 1;
}

static void print_mapped(void) {
  char line[PATH_MAX + 128], last[PATH_MAX + 128] = "";
  FILE* maps = fopen("/proc/self/maps", "r");
  while (maps != NULL && fgets(line, sizeof line, maps) != NULL) {
    const char* path = strchr(line, '/');
    if (path == NULL || strncmp(file_name(path), "libcudnn", 8) != 0) continue;
    if (strcmp(path, last) != 0) printf("mapped %s", path);
    strcpy(last, path);
  }
  if (maps != NULL) fclose(maps);
  fflush(stdout);
}

static void* open_or_say(const char* name) {
  void* handle = dlopen(name, RTLD_LAZY | RTLD_GLOBAL);
  if (handle == NULL) printf("error %s\n", dlerror());
  return handle;
}

#ifdef __x86_64__
/* A call whose return address is `gadget`, a byte 0xc3 (ret) in another library: dlopen searches the run
 * path of the object that its return address is in. */
void* call_from(void* (*function)(const char*, int), const char* name, int flags, const void* gadget);
__asm__(
    ".text\n.globl call_from\n.hidden call_from\n.type call_from, @function\ncall_from:\n"
    "  mov %rdi, %rax\n  mov %rsi, %rdi\n  mov %edx, %esi\n"
    "  lea 1f(%rip), %r8\n  push %r8\n  push %rcx\n  jmp *%rax\n1: ret\n"
    ".size call_from, .-call_from\n");

struct search {
  const char* address; /* an address in the library */
  const void* gadget;
};

static int has_address(const struct dl_phdr_info* object, const char* address) {
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr)* segment = &object->dlpi_phdr[i];
    const char* begin = (const char*)object->dlpi_addr + segment->p_vaddr;
    if (segment->p_type == PT_LOAD && address >= begin && address < begin + segment->p_memsz)
      return 1;
  }
  return 0;
}

static int find_ret(struct dl_phdr_info* object, size_t size, void* data) {
  struct search* search = data;
  (void)size;
  if (!has_address(object, search->address)) return 0;
  for (int i = 0; i < object->dlpi_phnum && search->gadget == NULL; ++i) {
    const ElfW(Phdr)* segment = &object->dlpi_phdr[i];
    const char* begin = (const char*)object->dlpi_addr + segment->p_vaddr;
    if (segment->p_type == PT_LOAD && (segment->p_flags & PF_X) != 0)
      search->gadget = memchr(begin, 0xc3, segment->p_filesz);
  }
  return 1;
}
#endif

/* What dlopen(name) in the code of `library` gives. */
static void* open_from(void* library, const char* name) {
#ifdef __x86_64__
  struct link_map* map = NULL;
  if (dlinfo(library, RTLD_DI_LINKMAP, &map) != 0) return NULL;
  struct search search = {(const char*)map->l_ld, NULL};
  dl_iterate_phdr(find_ret, &search);
  if (search.gadget == NULL) return NULL;
  void* handle = call_from(dlopen, name, RTLD_LAZY, search.gadget);
  if (handle == NULL) printf("error %s\n", dlerror());
  return handle;
#else
  (void)library;
  printf("error opening %s from another library is written for x86-64 only\n", name);
  return NULL;
#endif
}

static int find_shim(struct dl_phdr_info* object, size_t size, void* data) {
  (void)size;
  const char* name = file_name(object->dlpi_name);
  const char after = strncmp(name, "libcudnn", 8) == 0 ? name[8] : '\0';
  if (after != '.' && after != '-') return 0; /* libcudnn-1a2b3c4d.so: a copy that auditwheel made */
  *(void**)data = dlopen(object->dlpi_name, RTLD_LAZY | RTLD_NOLOAD);
  return 1;
}

static void call_all(void* shim, const char* functions) {
  char names[1024];
  snprintf(names, sizeof names, "%s", functions);
  for (char* name = strtok(names, ","); name != NULL; name = strtok(NULL, ",")) {
    long status = -1;
    if (strcmp(name, "tensor") == 0) {
      /* The first descriptor of a tensor makes graph load its heuristic and engines; it has no
       * attributes, so its status says nothing. */
      int (*create)(int, void**) = (int (*)(int, void**))dlsym(shim, "cudnnBackendCreateDescriptor");
      int (*finalize)(void*) = (int (*)(void*))dlsym(shim, "cudnnBackendFinalize");
      void* descriptor = NULL;
      if (create == NULL || finalize == NULL) continue;
      status = create(17, &descriptor); /* CUDNN_BACKEND_TENSOR_DESCRIPTOR */
      if (status == 0) finalize(descriptor);
    } else if (strcmp(name, "cudnnGetVersion") == 0) {
      size_t (*version)(void) = (size_t(*)(void))dlsym(shim, name);
      if (version != NULL) status = (long)version();
    } else {
      int (*check)(void) = (int (*)(void))dlsym(shim, name);
      if (check == NULL) continue;
      status = check();
    }
    printf("call %s %ld\n", name, status);
    print_mapped();
  }
}

/* Opens `library`; then, if no cuDNN is mapped and `soname` is not empty, opens that from its code; then
 * calls `functions`, separated by commas. */
__attribute__((visibility("default"))) void look(const char* library, const char* soname,
                                                  const char* functions) {
  void* handle = open_or_say(library);
  void* shim = NULL;
  if (handle != NULL) {
    dl_iterate_phdr(find_shim, &shim);
    if (shim == NULL && *soname != '\0') {
      printf("opened %s\n", soname);
      shim = open_from(handle, soname);
    }
  }
  print_mapped();
  if (shim != NULL) call_all(shim, functions);
  printf("end\n");
  fflush(stdout);
}

#ifdef PROGRAM
int main(int count, char** arguments) {
  if (count != 4) return 2;
  look(arguments[1], arguments[2], arguments[3]);
  _Exit(0); /* without the destructors of CUDA's libraries */
}
#endif
