// SPDX-License-Identifier: BSD-3-Clause
//
// Alone in its file: SDKs that differ in their faults compile nothing else anew.
namespace simulated {

extern const char* const default_faults;
const char* const default_faults = SIMULATED_FAULTS;

}  // namespace simulated
