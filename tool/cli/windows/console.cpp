// SPDX-License-Identifier: BSD-3-Clause
#include "../system/console.h"

#include <fcntl.h>
#include <io.h>

#include "../../core/windows/windows_header.h"
namespace cudnn_checked::cli {

static HANDLE handle_of(int descriptor) {
  return reinterpret_cast<HANDLE>(::_get_osfhandle(descriptor));
}

bool is_terminal(int descriptor) {
  DWORD mode = 0;
  return ::GetConsoleMode(handle_of(descriptor), &mode) != 0;
}

std::size_t terminal_columns() {
  CONSOLE_SCREEN_BUFFER_INFO shown = {};
  if (::GetConsoleScreenBufferInfo(handle_of(standard_output), &shown) == 0) return 0;
  return static_cast<std::size_t>(shown.srWindow.Right - shown.srWindow.Left + 1);
}

// A console has no jobs in the background.
bool is_in_foreground() { return true; }

void write_to_terminal(std::string_view text) {
  (void)::_write(standard_error, text.data(), static_cast<unsigned>(text.size()));
}

/// Sequences that begin with "\x1b" move the cursor and choose colours.
static void obey_sequences(int descriptor) {
  DWORD mode = 0;
  if (::GetConsoleMode(handle_of(descriptor), &mode) == 0) return;
  ::SetConsoleMode(handle_of(descriptor), mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
}

// _get_osfhandle ends the program where there is no such file.  STD_INPUT_HANDLE is -10,
// STD_OUTPUT_HANDLE -11, STD_ERROR_HANDLE -12.
static bool is_closed(int descriptor) {
  const HANDLE stream = ::GetStdHandle(STD_INPUT_HANDLE - static_cast<DWORD>(descriptor));
  return stream == nullptr || stream == INVALID_HANDLE_VALUE;
}

bool open_closed_streams() {
  const bool output_is_closed = is_closed(standard_output);
  for (int descriptor = standard_input; descriptor <= standard_error; ++descriptor) {
    if (is_closed(descriptor)) {
      const int nothing = ::_open("NUL", _O_RDWR | _O_NOINHERIT | _O_BINARY);
      if (nothing >= 0 && nothing != descriptor) {
        ::_dup2(nothing, descriptor);
        ::_close(nothing);
      }
    }
    // The same bytes as on every platform.
    ::_setmode(descriptor, _O_BINARY);
  }
  obey_sequences(standard_output);
  obey_sequences(standard_error);
  return output_is_closed;
}

}  // namespace cudnn_checked::cli
