// SPDX-License-Identifier: BSD-3-Clause
//
// What the probe's own kernel showed, at configure time: of the project's CUDA compiler, its flags
// and CMAKE_CUDA_ARCHITECTURES.
#include "../../model/format.h"
#include "coverage.h"
#include "cuda_drivers.h"
#include "rules.h"
#include "tolerance.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

static arena_vector<device_code> code_of_kernel(const observation& observed) {
  arena_vector<device_code> codes;
  for (const code_container& container : observed.code.containers) {
    for (const device_code& code : container.codes) codes.push_back(code);
  }
  return codes;
}

/// Configures the project again.  Where its build directory is not known there is nothing to type.
static fix_line configure_with(const observation& observed, arena_string setting) {
  const kernel_facts& kernel = observed.kernel;
  if (kernel.build_directory.empty()) {
    return advice(format("configure again with -D %s", quoted(setting)));
  }
  return command(
      format("%s -D %s %s", quoted(kernel.cmake), quoted(setting), quoted(kernel.build_directory)));
}

static fix_line add_to_architectures(const observation& observed, const gpu& device) {
  arena_string list;
  for (const arena_string item : to_cuda_architectures(code_of_kernel(observed)))
    list += item + ";";
  return configure_with(observed,
                        "CMAKE_CUDA_ARCHITECTURES=" + list + to_string(device.capability));
}

// People build for other machines.  So it is an error only with an explicit
// CuDNNChecked_REQUIRE=RAN that this GPU cannot run the code.
static severity weight_of_code(const rule_input& input) {
  const bool asked_for = input.options.level_required && input.options.required == level::ran;
  return asked_for ? severity::error : severity::warning;
}

static void tell_code(const rule_input& input, const convolution& run, finding& f) {
  const gpu& device = gpu_of_run(input.observed, run);
  tell(f, "=compiled for|%s|CMAKE_CUDA_ARCHITECTURES",
       list_of_code(code_of_kernel(input.observed)));
  tell_gpu(f, ":GPU %d|%s|%s", device);
}

static void tell_status(const convolution& run, finding& f) {
  tell(f, "+%s|%s (%d)|%s", run.failed_call, run.status_name, run.status, run.status_text);
}

// CUDA Runtime API, cudaErrorNoKernelImageForDevice.
static void add_no_code(const rule_input& input, const convolution& run,
                        arena_vector<finding>& findings) {
  const gpu& device = gpu_of_run(input.observed, run);
  finding& f = add_finding<finding_id::arch_not_built>(findings);
  f.weight = weight_of_code(input);
  tell_code(input, run, f);
  tell_status(run, f);
  tell(f, "this project compiles no code for this GPU, %s", device.capability);
  f.fix.push_back(add_to_architectures(input.observed, device));
}

// CUDA Runtime API, cudaErrorUnsupportedPtxVersion.
static void add_new_ptx(const rule_input& input, const convolution& run,
                        arena_vector<finding>& findings) {
  const gpu& device = gpu_of_run(input.observed, run);
  const version own = driver_of_cuda(input.observed.kernel.release);
  finding& f = append_finding(findings, finding_id::driver_too_old);
  f.weight = weight_of_code(input);
  tell_code(input, run, f);
  tell_status(run, f);
  tell(f,
       "the NVIDIA driver cannot compile the PTX that this project has for its GPU, %s\n"
       "+PTX of|%s|CMAKE_CUDA_COMPILER\n"
       ".An older driver runs a newer toolkit's machine code, not its PTX.",
       device.capability, input.observed.kernel.compiler);
  f.fix.push_back(add_to_architectures(input.observed, device));
  if (own.known()) tell(f, ">upgrade the driver to %s or newer", as_driver(own));
  finding driver(finding_id::driver_too_old);
  tell_driver(driver, input.observed.driver);
  f.more.push_back({"driver", driver.found.value, driver.found.where});
}

static void add_failed(const rule_input& input, const convolution& run,
                       arena_vector<finding>& findings) {
  finding& f = add_finding<finding_id::kernel_failed>(findings);
  tell(f,
       "a kernel that this project's CUDA compiler made fails: %s (%d)\n"
       "=expected|success|%s, kernel on GPU %d\n"
       ":answered|%s (%d)|%s\n"
       "+compiler|%s|CMAKE_CUDA_COMPILER\n"
       ">the status is explained in the CUDA Runtime API, cudaError",
       run.status_name, run.status, run.failed_call, run.device, run.status_name, run.status,
       run.status_text, input.observed.kernel.compiler);
  f.fix.push_back(configure_with(input.observed, "CuDNNChecked_KERNEL=OFF"));
}

/// What cuDNN's convolutions showed on the same GPU.
static const char* cudnn_on(const observation& observed, int device) {
  bool ran = false;
  for (const convolution& c : observed.convolutions) {
    if (c.device != device || !c.ran || is_fused(c)) continue;
    if (!has_right_numbers(c)) return "wrong as well";
    ran = true;
  }
  return ran ? "right" : "nothing";
}

static void add_wrong_kernel(const rule_input& input, const convolution& run,
                             arena_vector<finding>& findings) {
  const arena_string cudnn = cudnn_on(input.observed, run.device);
  finding& f = add_finding<finding_id::wrong_numbers>(findings);
  tell(f,
       "a kernel that this project's CUDA compiler made computes wrong numbers\n"
       "=tolerance|%s%s|float64 reference\n"
       ":computed|%s|kernel, %s on GPU %d\n"
       "+cuDNN computed|%s|on the same GPU\n"
       "+compiler|%s|CMAKE_CUDA_COMPILER\n"
       ".CUDA reports no error: every status was cudaSuccess.",
       two_digits(convolution_tolerance(run)), " of sum |x*w|", error_text(run), run.shape,
       run.device, cudnn, input.observed.kernel.compiler);
  if (cudnn == "wrong as well") {
    tell(f, "$dcgmi diag -r 3\n$nvidia-smi -q");
  } else {
    tell(f,
         ">remove flags from CMAKE_CUDA_FLAGS one by one\n"
         ">use another release of the CUDA compiler");
  }
}

static void add_jit_only(const rule_input& input, const convolution& run,
                         arena_vector<finding>& findings) {
  const gpu& device = gpu_of_run(input.observed, run);
  finding& f = add_finding<finding_id::arch_jit_only>(findings);
  tell_code(input, run, f);
  tell(f, "this project compiles no machine code for this GPU, %s, only PTX", device.capability);
  f.fix.push_back(add_to_architectures(input.observed, device));
}

void rule_kernel(const rule_input& input, arena_vector<finding>& findings) {
  constexpr int no_kernel_image = 209;
  constexpr int unsupported_ptx = 222;
  const arena_vector<convolution>& runs = input.observed.kernel.runs;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const convolution& run = runs[i];
    const bool first_of_gpu = i == 0 || runs[i - 1].device != run.device;
    // One message for each GPU.
    if (!first_of_gpu && runs[i - 1].ran && !has_right_numbers(runs[i - 1])) continue;
    if (!run.ran) {
      const auto add = run.status == no_kernel_image   ? add_no_code
                       : run.status == unsupported_ptx ? add_new_ptx
                                                       : add_failed;
      add(input, run, findings);
    } else if (!has_right_numbers(run)) {
      add_wrong_kernel(input, run, findings);
    } else if (first_of_gpu &&
               coverage_of(input.observed.code.containers,
                           gpu_of_run(input.observed, run).capability) == coverage::ptx_only) {
      add_jit_only(input, run, findings);
    }
  }
}

// nvcc's own headers (crt/) belong to its release.  The headers that cuDNN was found with may be of
// another release of the same major version (CUDA Compatibility, "Minor Version Compatibility").
void rule_toolkit_mixed(const rule_input& input, arena_vector<finding>& findings) {
  const kernel_facts& kernel = input.observed.kernel;
  version others = input.stamped.toolkit;
  if (!kernel.release.known()) return;
  const bool own = kernel.headers == kernel.release;
  if (own && (!others.known() || others.major == kernel.release.major)) return;
  finding& f = add_finding<finding_id::toolkit_mixed>(findings);
  tell(f,
       "the CUDA compiler and the CUDA headers are of different releases\n"
       "=compiler|%s|CMAKE_CUDA_COMPILER\n"
       ":headers|CUDA %s|%s\n"
       ">%s",
       kernel.compiler, as_cuda(own ? others : kernel.headers),
       own ? "found with cuDNN" : "found by the CUDA compiler",
       own ? "let CUDAToolkit_ROOT and CMAKE_CUDA_COMPILER name the same toolkit"
           : "remove the directory of the other headers from CPATH, CMAKE_CUDA_FLAGS and "
             "NVCC_APPEND_FLAGS");
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
