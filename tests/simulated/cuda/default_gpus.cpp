// SPDX-License-Identifier: BSD-3-Clause
//
// Alone in its file: SDKs that differ in their GPUs compile nothing else anew.
namespace simulated {

extern const char* const default_gpus;
const char* const default_gpus = SIMULATED_DEFAULT_GPUS;

}  // namespace simulated
