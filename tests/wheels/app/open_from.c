/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What dlopen gives in the code of another library, as ./dev frameworks asks it. */
#include "../../frameworks/opened.c"

void* opened_from(const char* library, const char* name) {
  void* asker = open_or_say(library);
  return asker == NULL ? NULL : open_from(asker, name);
}
