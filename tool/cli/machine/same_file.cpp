// SPDX-License-Identifier: BSD-3-Clause
#include "same_file.h"

#include <sys/stat.h>

namespace cudnn_checked::cli {

bool is_same_file(const char* a, const char* b) {
  struct stat of_a;
  struct stat of_b;
  return ::stat(a, &of_a) == 0 && ::stat(b, &of_b) == 0 && of_a.st_dev == of_b.st_dev &&
         of_a.st_ino == of_b.st_ino;
}

}  // namespace cudnn_checked::cli
