// SPDX-License-Identifier: BSD-3-Clause
#include "cuda_drivers.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

struct cuda_driver_row {
  struct number {
    unsigned short major, minor, patch;
    operator version() const { return {major, minor, patch}; }
  };
  number cuda;
  number driver;
};

// CUDA Toolkit Release Notes, "CUDA Toolkit and Corresponding Driver Versions", the first driver of
// each release (GA) for Linux x86_64: up to 13.2 as of 13.2 Update 2, 13.3 as of 13.3.  Newest
// first.
static constexpr cuda_driver_row cuda_driver_rows[] = {
    {{13, 3, 0}, {610, 43, 2}},  {{13, 2, 0}, {595, 45, 4}}, {{13, 1, 0}, {590, 44, 1}},
    {{13, 0, 0}, {580, 65, 6}},  {{12, 9, 0}, {575, 51, 3}}, {{12, 8, 0}, {570, 26, 0}},
    {{12, 6, 0}, {560, 28, 3}},  {{12, 5, 0}, {555, 42, 2}}, {{12, 4, 0}, {550, 54, 14}},
    {{12, 3, 0}, {545, 23, 6}},  {{12, 2, 0}, {535, 54, 3}}, {{12, 1, 0}, {530, 30, 2}},
    {{12, 0, 0}, {525, 60, 13}}, {{11, 8, 0}, {520, 61, 5}}, {{11, 7, 0}, {515, 43, 4}},
    {{11, 6, 0}, {510, 39, 1}},  {{11, 5, 0}, {495, 29, 5}}, {{11, 4, 0}, {470, 42, 1}},
    {{11, 3, 0}, {465, 19, 1}},  {{11, 2, 0}, {460, 27, 3}}, {{11, 1, 0}, {455, 23, 0}},
    {{11, 0, 0}, {450, 51, 5}},  {{10, 2, 0}, {440, 33, 0}}, {{10, 1, 0}, {418, 39, 0}},
    {{10, 0, 0}, {410, 48, 0}},
};

static constexpr const cuda_driver_row& newest_cuda_driver = cuda_driver_rows[0];

version driver_of_cuda(const version& cuda) {
  for (const cuda_driver_row& row : cuda_driver_rows) {
    if (row.cuda.major == cuda.major && row.cuda.minor == cuda.minor) return row.driver;
  }
  return {};
}

// CUDA Compatibility, "Minor Version Compatibility", and CUDA Toolkit Release Notes, "CUDA Toolkit
// and Minimum Required Driver Version for CUDA Minor Version Compatibility".
version driver_floor(int cuda_major) {
  switch (cuda_major) {
    case 11:
      return {450, 80, 2};
    case 12:
      return {525, 60, 13};
    case 13:
      return {580, 0, 0};
    default:
      return {};
  }
}

version cuda_of_driver(const version& driver) {
  if (newest_cuda_driver.driver < driver) return {};  // it may know a release to come
  for (const cuda_driver_row& row : cuda_driver_rows) {
    if (!(driver < row.driver)) return row.cuda;
  }
  return {};
}

static driver_fit fit_of_cuda(const version& driver, const version& cuda) {
  if (driver.major < cuda.major) return driver_fit::too_old;
  return driver < version{cuda.major, cuda.minor, 0} ? driver_fit::code_only : driver_fit::full;
}

driver_fit fit_of(const driver_facts& driver, const version& cuda) {
  if (!cuda.known()) return driver_fit::unknown;
  if (driver.cuda.known()) return fit_of_cuda(driver.cuda, cuda);
  const version& number = driver.library;
  if (!number.known()) return driver_fit::unknown;
  const version own = driver_of_cuda(cuda);
  if (own.known() && !(number < own)) return driver_fit::full;
  const version floor = driver_floor(cuda.major);
  if (floor.known() && number < floor) return driver_fit::too_old;
  if (own.known()) return floor.known() ? driver_fit::code_only : driver_fit::too_old;
  // A release that the table does not have: what the driver knows is either less or not known.
  const version knows = cuda_of_driver(number);
  return knows.known() ? fit_of_cuda(knows, cuda) : driver_fit::unknown;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
