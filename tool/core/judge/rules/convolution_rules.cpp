// SPDX-License-Identifier: BSD-3-Clause
//
// What the probe's convolutions and fused operations showed, at configure time.
#include <cstdio>

#include "../../model/format.h"
#include "rules.h"
#include "tolerance.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

static arena_string kind_of(const convolution& c) {
  if (is_fused(c)) return format("%s/%s", to_string(c.operation), to_string(c.type));
  return format("%s/%s/%s", to_string(c.api), to_string(c.type), to_string(c.layout));
}

arena_string two_digits(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2g", value);
  return text;
}

static arena_string where_it_ran(const convolution& c) {
  const arena_string output = c.output.empty() ? c.output : ", " + c.output;
  arena_string by = is_legacy(c.operation) ? ", algorithm " : ", engine ";
  by += to_string(c.engine);
  // Most operations of the legacy API have one algorithm.
  if (is_legacy(c.operation) && c.engine < 0) by = "";
  return kind_of(c) + ", " + c.shape + output + by + " on GPU " + to_string(c.device);
}

arena_string error_text(const convolution& c) {
  if (c.unwritten > 0) return to_string(c.unwritten) + " elements never written";
  if (c.not_finite > 0) return to_string(c.not_finite) + " elements are NaN or infinite";
  const arena_string relative = "relative error " + two_digits(c.relative_error);
  return is_fused(c) ? two_digits(c.element_error) + " of the bound, " + relative : relative;
}

static arena_string tolerance_text(const convolution& c) {
  return two_digits(convolution_tolerance(c)) +
         (is_fused(c) ? " of the first-order bound" : " of sum |x*w|");
}

static bool has_wrong_convolution(const observation& observed) {
  return any_of(observed.convolutions, [&](const convolution& c) {
    return !is_fused(c) && c.ran && !has_right_numbers(c);
  });
}

static void tell_wrong_numbers_fix(const rule_input& input, finding& f) {
  const bool all_fused = !has_wrong_convolution(input.observed);
  if (!input.set.coherent()) {
    tell(f, ">repair the set of libraries first: see mixed-sublibraries");
    return;
  }
  if (all_fused && may_be_in_every_release(f)) {
    tell(f, ">%s", leave_out_operation);
    return;
  }
  if (input.set.jit_only) {
    tell(f, ">%s", instead_of_jit_only);
    tell(f, ">%s",
         all_fused ? leave_out_operation : "exclude this kind: CuDNNChecked_CONVOLUTIONS");
    return;
  }
  for (const library_role& role : input.needs) {
    if (input.set.find(role) == nullptr && !is_spared(input, role)) {
      tell(f, ">repair the set of libraries first: see sublibrary-missing");
      return;
    }
  }
  tell(f, ">take another release of cuDNN");
  tell(f, ">%s",
       all_fused ? leave_out_operation
                 : "report it to NVIDIA, if this one is NVIDIA's complete package");
}

/// A machine on which everything fails must not fill the screen.
static void add_also(finding& f, int& count, const fact& line) {
  constexpr int shown = 4;
  ++count;
  if (count <= shown) {
    f.more.push_back(line);
  } else if (count == shown + 1) {
    f.more.push_back({"also", "1 more", ""});
  } else {
    f.more.in_place().back().value = to_string(count - shown) + " more";
  }
}

/// Adds the evidence that the GPU itself computes right.
static void add_kernel(const rule_input& input, int device, finding& f) {
  const kernel_facts& kernel = input.observed.kernel;
  bool right = false;
  for (const convolution& run : kernel.runs) {
    if (run.device != device) continue;
    if (!has_right_numbers(run)) return;
    right = true;
  }
  if (right) f.more.push_back({"own kernel", "right", kernel.compiler + " on the same GPU"});
}

const gpu& gpu_of_run(const observation& observed, const convolution& run) {
  for (const gpu& device : observed.devices.gpus) {
    if (device.index == run.device) return device;
  }
  return observed.devices.gpus.front();
}

/// Yes: it computed, and all of it was right.
static answer computes_right(const observation& observed, int device) {
  answer right = answer::unknown;
  for (const convolution& c : observed.convolutions) {
    if (c.device != device) continue;
    if (!c.ran || !has_right_numbers(c)) return answer::no;
    right = answer::yes;
  }
  return right;
}

/// The other GPUs of its architecture that computed all right.
static arena_vector<gpu> right_gpus_like(const observation& observed, int wrong) {
  arena_vector<gpu> right;
  for (const gpu& device : observed.devices.gpus) {
    if (device.index != wrong) continue;
    for (const gpu& other : observed.devices.gpus) {
      const bool is_like = other.capability == device.capability;
      if (is_like && computes_right(observed, other.index) == answer::yes) right.push_back(other);
    }
  }
  return right;
}

/// Which GPU, where there are several.
static void add_gpu(const observation& observed, int device, finding& f) {
  if (observed.devices.gpus.size() < 2) return;
  for (const gpu& which : observed.devices.gpus) {
    if (which.index != device) continue;
    f.more.push_back({"GPU " + to_string(device), which.uuid, which.name});
  }
}

static void tell_defective_gpu(const observation& observed, const gpu& wrong,
                               const arena_vector<gpu>& right, arena_string kinds, finding& f) {
  arena_string others;
  for (const gpu& other : observed.devices.gpus) {
    if (computes_right(observed, other.index) == answer::no) continue;
    others += (others.empty() ? "" : ",") + other.uuid;
  }
  tell(f,
       "GPU %d computes wrong numbers: %s\n"
       "+right on|%d GPUs|the same cuDNN, %s\n"
       ".CUDA and cuDNN report no error, and others of its kind compute right: it is the GPU.\n"
       "$export CUDA_VISIBLE_DEVICES=%s\n"
       "$nvidia-smi -q -i %s\n"
       "$dcgmi diag -r 3",
       wrong.index, kinds, static_cast<int>(right.size()), wrong.capability, others, wrong.uuid);
}

static bool has_device(const arena_vector<int>& devices, int device) {
  return contains(devices, device);
}

/// The finding about wrong numbers on these GPUs.
static finding wrong_numbers_on(const rule_input& input, const arena_vector<int>& devices,
                                arena_string& kinds) {
  finding f(finding_id::wrong_numbers);
  int also = 0;
  for (const convolution& c : input.observed.convolutions) {
    if (!c.ran || has_right_numbers(c) || !has_device(devices, c.device)) continue;
    const arena_string kind = kind_of(c);
    const bool known = (" " + kinds + " ").find(" " + kind + " ") != arena_string::npos;
    if (!known) kinds += (kinds.empty() ? "" : " ") + kind;
    if (f.found.label.empty()) {
      f.expected = {"tolerance", tolerance_text(c), "float64 reference"};
      f.found = {"computed", error_text(c), where_it_ran(c)};
    } else {
      add_also(f, also, {"also", error_text(c), where_it_ran(c)});
    }
  }
  for (const convolution& c : input.observed.convolutions) {
    if (is_fused(c) && c.ran && !has_right_numbers(c) && has_device(devices, c.device)) {
      add_known_defects(input, c, f);
    }
  }
  add_kernel(input, devices[0], f);
  add_gpu(input.observed, devices[0], f);
  return f;
}

void rule_wrong_numbers(const rule_input& input, arena_vector<finding>& findings) {
  arena_vector<int> seen;
  arena_vector<int> wrong;  // no other GPU of its kind shows that cuDNN is right
  for (const convolution& c : input.observed.convolutions) {
    if (!c.ran || has_right_numbers(c) || has_device(seen, c.device)) continue;
    seen.push_back(c.device);
    const arena_vector<gpu> right = right_gpus_like(input.observed, c.device);
    if (right.empty()) {
      wrong.push_back(c.device);
      continue;
    }
    arena_string kinds;
    finding f = wrong_numbers_on(input, {c.device}, kinds);
    tell_defective_gpu(input.observed, gpu_of_run(input.observed, c), right, kinds, f);
    findings.push_back(f);
  }
  if (wrong.empty()) return;
  arena_string kinds;
  finding f = wrong_numbers_on(input, wrong, kinds);
  f.summary = "cuDNN computes wrong numbers: " + kinds;
  f.because = why<finding_id::wrong_numbers>();
  tell_wrong_numbers_fix(input, f);
  findings.push_back(f);
}

static arena_string megabytes(unsigned long long bytes) {
  return to_string(bytes / (1024 * 1024)) + " MiB";
}

// A context and a handle of cuDNN take some hundred MiB; where they do not fit, cuDNN answers
// CUDNN_STATUS_NOT_INITIALIZED (haotian-liu/LLaVA#392).
static bool is_memory_full(const convolution& c) {
  return c.memory_total != 0 && c.memory_free < (512ULL << 20);
}

static bool has_full_gpu(const observation& observed) {
  return any_of(observed.convolutions,
                [&](const convolution& c) { return !c.ran && is_memory_full(c); });
}

static bool has_failed_convolution(const observation& observed) {
  return any_of(observed.convolutions,
                [&](const convolution& c) { return !is_fused(c) && !c.ran; });
}

static const char* convolution_failed_fix(const rule_input& input) {
  if (!input.set.coherent()) return ">repair the set of libraries first: see mixed-sublibraries";
  if (has_full_gpu(input.observed)) {
    return ">memory of this GPU must be freed: nvidia-smi lists the processes that hold it\n"
           ">let CuDNNChecked_DEVICES name another GPU";
  }
  return ">the status is explained in cuDNN's documentation\n"
         ">CUDNN_LOGLEVEL_DBG=2 CUDNN_LOGDEST_DBG=stderr makes cuDNN log more";
}

void rule_convolution_failed(const rule_input& input, arena_vector<finding>& findings) {
  finding f(finding_id::convolution_failed);
  int also = 0;
  for (const convolution& c : input.observed.convolutions) {
    if (c.ran) continue;
    const arena_string status = c.status_name + " (" + to_string(c.status) + ")";
    if (f.found.label.empty()) {
      f.summary = c.failed_call + " failed with " + status;
      f.expected = {"expected", "success", kind_of(c) + ", " + c.shape};
      f.found = {"answered", status, c.status_text};
      if (c.memory_total != 0) {
        f.more.push_back({"memory", megabytes(c.memory_free) + " free",
                          "of " + megabytes(c.memory_total) + " on GPU " + to_string(c.device)});
      }
      add_gpu(input.observed, c.device, f);
    } else {
      add_also(f, also, {"also", status, c.failed_call + ", " + kind_of(c) + ", " + c.shape});
    }
  }
  if (f.found.label.empty()) return;
  const bool all_fused = !has_failed_convolution(input.observed);
  f.because = all_fused ? "The program's own calls of this operation would fail in the same way."
                        : why<finding_id::convolution_failed>();
  tell(f, convolution_failed_fix(input));
  if (all_fused) tell(f, ">%s", leave_out_operation);
  findings.push_back(f);
}

/// Why no convolution was run, in a few words.
static arena_string reason_not_run(const rule_input& input) {
  if (input.options.level_required && input.options.required < level::ran) {
    return arena_string("level ") + to_string(input.options.required) + " was asked for";
  }
  if (!input.observed.answers.asked) {
    return "cuDNN was not called, because its files could end the process";
  }
  if (input.observed.driver.present == answer::no || input.observed.driver.stub)
    return "no NVIDIA driver here";
  if (input.observed.devices.visible == answer::no) {
    return input.observed.devices.hidden_by.empty()
               ? arena_string("no GPU here")
               : input.observed.devices.hidden_by + " hides the GPUs";
  }
  return "the GPUs of this machine could not be used";
}

// A driver that answers with an error is not a machine without a GPU: there is something to repair.
void rule_gpus_unusable(const rule_input& input, arena_vector<finding>& findings) {
  const gpu_facts& devices = input.observed.devices;
  if (devices.failed_call.empty()) return;
  if (input.observed.driver.present == answer::no || input.observed.driver.stub) return;
  const arena_string status = devices.status_name + " (" + to_string(devices.status) + ")";
  finding f(finding_id::convolution_failed);
  f.summary = devices.failed_call + " failed with " + status;
  f.expected = {"expected", "success", ""};
  f.found = {"answered", status, devices.status_text};
  f.more.push_back(
      {"driver", to_driver_string(input.observed.driver.library), input.observed.driver.path});
  f.because = "No program could use a GPU through this driver and this CUDA runtime.";
  tell(f,
       ">the status is explained in the CUDA Runtime API, cudaError\n"
       ">nvidia-smi shows what the driver detects");
  findings.push_back(f);
}

// A level that was not reached is reported and stamped, never assumed.
void rule_not_verified(const rule_input& input, arena_vector<finding>& findings) {
  if (!input.observed.convolutions.empty()) return;
  finding f(finding_id::not_verified);
  const bool wanted = input.options.level_required && input.options.required == level::ran;
  f.weight = wanted ? severity::error : severity::note;
  f.summary = "no convolution was run: " + reason_not_run(input);
  const level reached = input.observed.answers.asked ? level::loaded : level::linked;
  f.expected = {"proved by running", to_string(level::ran), ""};
  f.found = {"reached", to_string(reached), ""};
  f.because = why<finding_id::not_verified>();
  tell(f, wanted ? ">configure on a machine with a GPU\n"
                   ">let CuDNNChecked_REQUIRE be AUTO or LOADED"
                 : ">nothing; to verify it, do the same on a machine with a GPU");
  findings.push_back(f);
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
