// SPDX-License-Identifier: BSD-3-Clause
//
// A part of each program: what is printed of the machine, and the ways in which a program ends.

[[noreturn]] static void end(int status, const std::string& text) {
  std::printf("%s\n", text.c_str());
  std::fflush(stdout);
  std::_Exit(status);
}

static void check(cudnnStatus_t status, const char* call, int exit_status = 2) {
  if (status == CUDNN_STATUS_SUCCESS) return;
  end(exit_status, std::string(exit_status == 1 ? "WRONG: " : "not tried: ") + call + ": " +
                       cudnnGetErrorString(status));
}
static void check(cudaError_t status, const char* call, int exit_status = 2) {
  if (status == cudaSuccess) return;
  end(exit_status, std::string(exit_status == 1 ? "WRONG: " : "not tried: ") + call + ": " +
                       cudaGetErrorString(status));
}

static void print_machine() {
  int driver = 0, runtime = 0;
  cudaDeviceProp device{};
  check(cudaGetDeviceProperties(&device, 0), "cudaGetDeviceProperties");
  check(cudaDriverGetVersion(&driver), "cudaDriverGetVersion");
  check(cudaRuntimeGetVersion(&runtime), "cudaRuntimeGetVersion");
  std::printf("cuDNN %zu, CUDA runtime %d, driver for CUDA %d, %s (compute capability %d.%d)\n",
              cudnnGetVersion(), runtime, driver, device.name, device.major, device.minor);
  std::fflush(stdout);
}

static void ended(int) {
  const char text[] = "WRONG: a signal, or no end within 60 s\n";
  _exit(write(STDOUT_FILENO, text, sizeof text - 1) < 0 ? 3 : 1);
}
static void watch() {
  for (const int one : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM}) {
    std::signal(one, ended);
  }
  alarm(60);
}
