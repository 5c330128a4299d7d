/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A DLL that stands for one of cuDNN's where only its name counts; it needs no other.  With PLUGIN one that is linked with
 * cuDNN.
 */
#ifdef PLUGIN
__declspec(dllimport) int cudnnGetVersion(void);
__declspec(dllexport) int compute(void) { return cudnnGetVersion(); }
#else
__declspec(dllexport) int cudnnGetVersion(void) { return 90000; }
#endif

int DllMainCRTStartup(void* module, unsigned reason, void* reserved) {
  (void)module;
  (void)reason;
  (void)reserved;
  return 1;
}
