// SPDX-License-Identifier: BSD-3-Clause
#include "../loader/loader.h"
#include "../model/library_spelling.h"
#include "../model/paths.h"
#include "../system/platform.h"
#include "observe.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

// The toolkit keeps its stub in .../lib64/stubs.
static bool has_stubs_directory(arena_string path) {
  return path.find("/stubs/") != arena_string::npos;
}

// cuda-compat packages: /usr/local/cuda-13.0/compat, /usr/lib/.../compat, "compat/lib.real" in
// NVIDIA's container images, and <prefix>/cuda-compat of conda.
static bool has_compat_directory(arena_string path) {
  return path.find("/compat/") != arena_string::npos ||
         path.find("/cuda-compat/") != arena_string::npos;
}

// "libcuda.so.580.159.04"; "libcuda.so.1" has no number, nor has the "libcuda.so.1.1" of WSL2 and
// Jetson.  No driver that knows cuDNN has a number below 100.
static version version_of_libcuda(arena_string path) {
  const arena_string name = base_name(path);
  constexpr std::string_view prefix = "libcuda.so.";
  if (!starts_with(name, prefix) || name.find('.', prefix.size()) == arena_string::npos) return {};
  const version v = parse_version(part_of(name, prefix.size()));
  return v.major >= 100 ? v : version{};
}

// The runtime and cuDNN load libcuda themselves, so that their own run paths lead to it as well:
// nixpkgs gives every one of them the driver's directory.
static loader_hit find_libcuda(loader& search) {
  const arena_string name = driver_library_name();
  loader_hit hit = search.find(name, {}, loader::view::as_is);
  for (const mapped_object& object : search.mapped()) {
    if (hit.taken()) break;
    if (!starts_with(object.soname, "libcudart") && !starts_with(object.soname, "libcudnn")) {
      continue;
    }
    const loader_hit other = search.find(name, {object.path}, loader::view::as_is);
    if (other.taken() || hit.state == file_state::missing) hit = other;
  }
  return hit;
}

void observe_driver(loader& search, observation& observed) {
  const system_interface& os = search.system();
  driver_facts& driver = observed.driver;
  driver = driver_facts();
  read_kernel_driver(os, driver);
  const loader_hit hit = find_libcuda(search);
  if (!hit.taken()) {
    // A file that may not be read is no proof that there is no driver.
    const bool unreadable = hit.state == file_state::unreadable;
    driver.present = unreadable ? answer::unknown : answer::no;
    return;
  }
  driver.present = answer::yes;
  driver.chosen_by = hit.chosen_by;
  driver.path = search.real_path(hit.path);
  if (hit.mapped) {  // why it was taken is what a new search says
    const loader_hit own = search.find(driver_library_name(), {}, loader::view::afresh);
    if (own.taken() && search.real_path(own.path) == driver.path) driver.chosen_by = own.chosen_by;
  }
  driver.stub = has_stubs_directory(hit.path) || has_stubs_directory(driver.path);
  driver.compat = has_compat_directory(hit.path) || has_compat_directory(driver.path);
  driver.library = version_of_libcuda(driver.path);
  if (driver.stub || driver.library.known()) return;
  const int number = os.cuda_driver_version();
  if (number > 0) driver.cuda = decode_cuda_version(static_cast<unsigned>(number));
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
