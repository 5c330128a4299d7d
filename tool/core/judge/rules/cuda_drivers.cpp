// SPDX-License-Identifier: BSD-3-Clause
#include "cuda_drivers.h"

#include "../../model/cuda_major.h"

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

#define NUMBER(major, minor, patch) \
  { major, minor, patch }
static constexpr cuda_driver_row cuda_driver_rows[] = {
#define CUDA_DRIVER(cuda, driver) {NUMBER cuda, NUMBER driver},
#include "cuda_drivers.def"
#undef CUDA_DRIVER
};
#undef NUMBER

static constexpr const cuda_driver_row& newest_cuda_driver = cuda_driver_rows[0];

version driver_of_cuda(version cuda) {
  for (const cuda_driver_row& row : cuda_driver_rows) {
    if (row.cuda.major == cuda.major && row.cuda.minor == cuda.minor) return row.driver;
  }
  return {};
}

version driver_floor(int cuda_major) {
  const cuda_major_row* const row = find_cuda_major(cuda_major);
  return row == nullptr ? version() : row->driver;
}

version cuda_of_driver(version driver) {
  if (newest_cuda_driver.driver < driver) return {};  // it may know a release to come
  for (const cuda_driver_row& row : cuda_driver_rows) {
    if (!(driver < row.driver)) return row.cuda;
  }
  return {};
}

static driver_fit fit_of_cuda(version driver, version cuda) {
  if (driver.major < cuda.major) return driver_fit::too_old;
  return driver < version{cuda.major, cuda.minor, 0} ? driver_fit::code_only : driver_fit::full;
}

driver_fit fit_of(const driver_facts& driver, version cuda) {
  if (!cuda.known()) return driver_fit::unknown;
  if (driver.cuda.known()) return fit_of_cuda(driver.cuda, cuda);
  version number = driver.library;
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
