// SPDX-License-Identifier: BSD-3-Clause
//
// A program in the dialect of MSVC, without its C runtime: what that does before main() stands here
// (Microsoft, "CRT initialization": all between .CRT$XCA and .CRT$XCZ is called, in the order of
// the sections' names).
using function = void (*)();
#pragma section(".CRT$XCA", read)
#pragma section(".CRT$XCU", read)
#pragma section(".CRT$XCZ", read)

extern "C" {
__declspec(dllimport) void* __stdcall GetStdHandle(unsigned);
__declspec(dllimport) int __stdcall WriteFile(void*, const void*, unsigned, unsigned*, void*);
__declspec(dllimport) void __stdcall ExitProcess(unsigned);

static void say(const char* text) {
  unsigned size = 0;
  while (text[size] != '\0') ++size;
  unsigned written = 0;
  WriteFile(GetStdHandle(static_cast<unsigned>(-11)), text, size, &written, nullptr);
}

void cudnn_checked_0_1_before_main(const char* stamp) { say(stamp); }

static void initialiser() { say("an initialiser\n"); }
__declspec(allocate(".CRT$XCA")) extern const function begin_of_all = nullptr;
__declspec(allocate(".CRT$XCU")) extern const function of_program = initialiser;
__declspec(allocate(".CRT$XCZ")) extern const function end_of_all = nullptr;

void start() {
  for (const function volatile* f = &begin_of_all; f < &end_of_all; ++f) {
    if (*f != nullptr) (*f)();
  }
  say("main\n");
  ExitProcess(0);
}
}
