// SPDX-License-Identifier: BSD-3-Clause
//
// What the end of a child by an exception is called.
#include <cstdio>
#include <string>

#include "../spawn.h"
#include "wide.h"

namespace cudnn_checked::spawn {

namespace {

struct exception_name {
  DWORD code;
  const char* name;
  const char* text;
};

}  // namespace

// winbase.h, "EXCEPTION_..."; ntstatus.h for the others.
static constexpr exception_name exception_names[] = {
    {0xC0000005, "EXCEPTION_ACCESS_VIOLATION", "access violation"},
    {0xC0000006, "EXCEPTION_IN_PAGE_ERROR", "in-page error"},
    {0xC000001D, "EXCEPTION_ILLEGAL_INSTRUCTION", "illegal instruction"},
    {0xC0000094, "EXCEPTION_INT_DIVIDE_BY_ZERO", "integer division by zero"},
    {0xC00000FD, "EXCEPTION_STACK_OVERFLOW", "stack overflow"},
    {0xC0000135, "STATUS_DLL_NOT_FOUND", "a DLL was not found"},
    {0xC0000139, "STATUS_ENTRYPOINT_NOT_FOUND", "a DLL lacks a function"},
    {0xC0000142, "STATUS_DLL_INIT_FAILED", "a DLL failed to start"},
    {0xC0000374, "STATUS_HEAP_CORRUPTION", "heap corruption"},
    {0xC0000409, "STATUS_STACK_BUFFER_OVERRUN", "stack buffer overrun, or abort"}};

static std::string hexadecimal(int number) {
  char text[16];
  std::snprintf(text, sizeof text, "0x%08X", static_cast<unsigned>(number));
  return text;
}

const char* signal_word() { return "exception"; }

std::string signal_name(int number) {
  for (const exception_name& one : exception_names) {
    if (one.code == static_cast<DWORD>(number)) return one.name;
  }
  return "exception " + hexadecimal(number);
}

std::string signal_text(int number) {
  for (const exception_name& one : exception_names) {
    if (one.code == static_cast<DWORD>(number)) return one.text;
  }
  return "exception " + hexadecimal(number);
}

}  // namespace cudnn_checked::spawn
