/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A DLL that stands for one of cuDNN's where only its name counts; it needs no other.
 */
__declspec(dllexport) int cudnnGetVersion(void) { return 90000; }

int DllMainCRTStartup(void* module, unsigned reason, void* reserved) {
  (void)module;
  (void)reason;
  (void)reserved;
  return 1;
}
