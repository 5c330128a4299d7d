// SPDX-License-Identifier: BSD-3-Clause
//
// The NVIDIA driver: its library, its kernel module, and the CUDA that it knows.
#include "../../model/format.h"
#include "../../model/library_spelling.h"
#include "../../model/platform_words.h"
#include "coverage.h"
#include "cuda_drivers.h"
#include "rules.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

static fix_line stub_fix(const observation& observed) {
  const driver_facts& driver = observed.driver;
  const arena_string directory = directory_part(driver.path);
  if (driver.chosen_by.reason == choice_reason::ld_library_path) {
    return remove_from_library_path(driver.chosen_by.index, observed.ld_library_path);
  }
  if (driver.chosen_by.reason == choice_reason::ld_so_cache) {
    return remove_from_loader_cache(directory);
  }
  return advice(format(driver.chosen_by.by_run_path()
                           ? "link without a run path to %s: stubs are for the linker only"
                           : "let the loader find no file of %s: stubs are for the linker only",
                       directory));
}

const char* driver_summary(const driver_facts& driver) {
  if (driver.stub) return "the loader finds the toolkit's stub instead of the NVIDIA driver";
  if (driver.wsl) return "the loader does not find the NVIDIA driver of WSL2";
  if (!driver.kernel_module.known()) return "there is no NVIDIA driver on this machine";
  return "the NVIDIA kernel module is loaded, but the driver's library was not found";
}

void tell_driver_fix(finding& f, const observation& observed) {
  const driver_facts& driver = observed.driver;
  if (driver.stub) {
    f.fix.push_back(stub_fix(observed));
  } else if (driver.wsl) {
    f.fix.push_back(prepend_library_path("/usr/lib/wsl/lib", observed.ld_library_path));
    tell(f,
         ">where libcuda.so.1 is not in there, install NVIDIA's driver in Windows, none in Linux");
  } else {
    const bool module = driver.kernel_module.known();
    if (!module) tell(f, ">run it on a machine with a GPU");
    tell(f, ">%s", driver_advice());
    if (module)
      tell(f, ">elsewhere, add the directory of libcuda.so.1 to %s", searched_list(observed));
  }
}

static void tell_kernel_module(finding& f, const char* pattern, const driver_facts& driver) {
  tell(f, pattern, as_driver(driver.kernel_module), "/proc/driver/nvidia/version");
}

// libcuda.so.1 comes with the driver; without it every CUDA call fails (CUDA Runtime API,
// cudaErrorInsufficientDriver).  The stub in the toolkit serves the linker only.  WSL2's driver is
// Windows' own, whose libraries are shown in /usr/lib/wsl/lib (CUDA on WSL User Guide).
void rule_driver_missing(const rule_input& input, arena_vector<finding>& findings) {
  const driver_facts& driver = input.observed.driver;
  if (driver.present != answer::no && !driver.stub) return;
  if (input.at_configure() &&
      !(input.options.level_required && input.options.required == level::ran))
    return;
  finding& f = add_finding<finding_id::driver_missing>(findings);
  if (input.options.gpu_optional) f.weight = severity::note;
  tell(f, "%s\n=needed|%s|of the NVIDIA driver", driver_summary(driver), driver_library_name());
  tell_driver_fix(f, input.observed);
  if (driver.stub) {
    tell(f, ":found|a stub|%s", driver);
  } else {
    tell(f, ":found|nothing|in the directories that the loader searches");
  }
  if (driver.wsl) tell(f, "+WSL2 keeps it in|/usr/lib/wsl/lib");
  if (driver.kernel_module.known()) tell_kernel_module(f, "+kernel module|%s|%s", driver);
}

// A program that may run without a GPU may run without a driver.  A driver that does not serve a
// GPU that is there is an error for it, too.  At configure time it is a note, unless the proof was
// asked for or CUDA has failed already.
static severity weight_of_driver(const rule_input& input) {
  if (!input.options.gpu_optional) return severity::error;
  const gpu_facts& devices = input.observed.devices;
  const bool needed =
      input.at_configure() ? !devices.failed_call.empty() : devices.visible == answer::yes;
  return needed ? severity::error : severity::note;
}

static bool is_in_use(const driver_facts& driver) {
  return driver.present == answer::yes && !driver.stub;
}

void tell_driver(finding& f, const driver_facts& driver) {
  const version knows = driver.cuda.known() ? driver.cuda : cuda_of_driver(driver.library);
  const bool library = driver.library.known();
  tell(f, ":found|%s%s%s|%s", library ? to_driver_string(driver.library) : arena_string(),
       knows.known() && library ? ", " : "",
       knows.known() ? format("CUDA %s", as_cuda(knows)) : arena_string(), driver);
}

/// "580.65.06"; the floor of CUDA 13 is a branch, "580".
static arena_string driver_number(version v) {
  return v.minor == 0 ? to_string(v.major) : to_driver_string(v);
}

/// The CUDA that the driver must run: the program's, or the runtime inside cuDNN where that is of a
/// newer major version.
static version needed_cuda(const rule_input& input, arena_string& whose) {
  version toolkit = input.stamped.toolkit;
  version inside =
      input.observed.answers.cudart.known() ? input.observed.answers.cudart : input.stamped.cudart;
  if (inside.major > toolkit.major) {
    whose = "the runtime inside cuDNN";
    return inside;
  }
  whose = input.at_configure() ? arena_string("the toolkit's headers")
                               : format("stamp of %s", input.stamped.program);
  return toolkit;
}

static void add_below_floor(const rule_input& input, version cuda, arena_string whose,
                            arena_vector<finding>& findings) {
  const version own = driver_of_cuda(cuda);
  version floor = driver_floor(cuda.major);
  if (!floor.known()) floor = own;
  finding& f = add_finding<finding_id::driver_too_old>(findings);
  f.weight = weight_of_driver(input);
  tell(f,
       "the NVIDIA driver is too old for CUDA %s\n"
       "=needed|a driver for CUDA %s\n"
       "+built for|CUDA %s|%s\n"
       ">upgrade the driver to %s, for a container on its host\n"
       ">on a data-center GPU, install the package cuda-compat-%d-%d",
       as_cuda(cuda), as_cuda(cuda), as_cuda(cuda), whose,
       own.known() ? format("%s or newer", as_driver(own)) : arena_string("for it"), cuda.major,
       cuda.minor);
  if (floor.known()) {
    tell(f, "=needed|%s or newer|CUDA Toolkit Release Notes, minimum driver for CUDA %d.x",
         driver_number(floor), cuda.major);
  }
  tell_driver(f, input.observed.driver);
}

// CUDA Compatibility, "Minor Version Compatibility": below the driver of the toolkit only machine
// code runs.  PTX of a newer toolkit than the driver's own compiler fails with error 222 (CUDA
// Runtime API, cudaErrorUnsupportedPtxVersion).  The PTX is taken to be of the toolkit that the
// program was built with.
static void add_ptx_too_new(const rule_input& input, const gpu& device,
                            const arena_vector<code_container>& containers,
                            arena_vector<finding>& findings) {
  const version own = driver_of_cuda(input.stamped.toolkit);
  finding& f = append_finding(findings, finding_id::driver_too_old);
  f.weight = weight_of_driver(input);
  tell(f,
       "the NVIDIA driver cannot compile the PTX that this program has for its GPU, %s\n"
       "=PTX of|CUDA %s|stamp of %s\n"
       ".Its first kernel would fail with error 222, the PTX was compiled with an unsupported "
       "toolchain: an older driver runs a newer toolkit's machine code, not its PTX.\n"
       ">%s",
       device.capability, as_cuda(input.stamped.toolkit), input.stamped.program,
       fix_by_architecture(containers, device));
  if (own.known()) tell(f, ">upgrade the driver to %s or newer", as_driver(own));
  tell_driver(f, input.observed.driver);
  tell_gpu(f, "+GPU %d|%s|%s", device);
}

static void judge_ptx(const rule_input& input, arena_vector<finding>& findings) {
  const arena_vector<code_container> containers = code_of_program(input);
  if (containers.empty() || input.at_configure()) return;
  const std::size_t first = findings.size();
  bool any_runs = false;
  for (const gpu& device : input.observed.devices.gpus) {
    if (!device.capability.known()) continue;
    const coverage covered = coverage_of(containers, device.capability);
    if (covered == coverage::cubin) any_runs = true;
    if (covered == coverage::ptx_only) add_ptx_too_new(input, device, containers, findings);
  }
  if (any_runs) make_notes(first, findings);
}

void rule_driver_too_old(const rule_input& input, arena_vector<finding>& findings) {
  if (!is_in_use(input.observed.driver)) return;
  arena_string whose;
  const version cuda = needed_cuda(input, whose);
  if (fit_of(input.observed.driver, cuda) == driver_fit::too_old) {
    add_below_floor(input, cuda, whose, findings);
  } else if (fit_of(input.observed.driver, input.stamped.toolkit) == driver_fit::code_only) {
    judge_ptx(input, findings);
  }
}

/// Its library and its kernel module are known, and are not of one release.
static bool halves_differ(const driver_facts& driver) {
  return is_in_use(driver) && !driver.wsl && driver.library.known() &&
         driver.kernel_module.known() && driver.library != driver.kernel_module;
}

// The driver's libraries work with the kernel module of the same release only; cuda-compat is the
// exception (CUDA Runtime API, cudaErrorSystemDriverMismatch; CUDA Compatibility, "Forward
// Compatibility").
void rule_driver_mismatch(const rule_input& input, arena_vector<finding>& findings) {
  const driver_facts& driver = input.observed.driver;
  if (!halves_differ(driver) || driver.compat) return;
  finding& f = add_finding<finding_id::driver_mismatch>(findings);
  f.weight = weight_of_driver(input);
  tell(f,
       "the NVIDIA driver's library and its kernel module are of different releases\n"
       "=libcuda.so.1|%s|%s\n"
       ">reboot, which loads the kernel module of the driver that is installed\n"
       ">in a container, remove libcuda from the image, so that the host's is used",
       as_driver(driver.library), driver);
  tell_kernel_module(f, ":kernel module|%s|%s", driver);
}

// CUDA Compatibility, "Forward Compatibility": data-center GPUs, some RTX and Jetson only; GeForce
// and TITAN are none of them, and one that is visible is enough (CUDA Runtime API,
// cudaErrorCompatNotSupportedOnDevice).  Where the name does not show it, it is not known.
static const gpu* gpu_without_compat(const gpu_facts& devices) {
  for (const gpu& device : devices.gpus) {
    if (device.name.find("GeForce") != arena_string::npos ||
        device.name.find("TITAN") != arena_string::npos) {
      return &device;
    }
  }
  return nullptr;
}

static fix_line compat_fix(const observation& observed) {
  const driver_facts& driver = observed.driver;
  return driver.chosen_by.reason == choice_reason::ld_library_path
             ? remove_from_library_path(driver.chosen_by.index, observed.ld_library_path)
             : remove_from_loader_cache(directory_part(driver.path));
}

// A cuda-compat older than the kernel module gives error 803, even of the same branch (measured on
// an H200, 580.95.05 with 580.159.04: docs/measurements.md).
void rule_compat_driver(const rule_input& input, arena_vector<finding>& findings) {
  const driver_facts& driver = input.observed.driver;
  if (!halves_differ(driver) || !driver.compat) return;
  const bool older = driver.library < driver.kernel_module;
  const gpu* device = older ? nullptr : gpu_without_compat(input.observed.devices);
  if (!older && device == nullptr) return;
  finding& f = append_finding(findings, finding_id::compat_driver);
  f.weight = weight_of_driver(input);
  tell(f, "=cuda-compat|%s|%s", as_driver(driver.library), driver);
  tell_kernel_module(f, ":kernel module|%s|%s", driver);
  if (older) {
    tell(f,
         "cuda-compat is older than the NVIDIA driver that is installed\n"
         ".Every CUDA call would fail with error 803, driver and library do not match.");
  } else {
    tell(f,
         "cuda-compat does not work on this GPU, %s\n"
         "+GPU %d|%s\n"
         ".Every CUDA call would fail with error 804: forward compatibility is for data-center "
         "GPUs.",
         device->name, device->index, device->name);
  }
  f.fix.push_back(compat_fix(input.observed));
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
