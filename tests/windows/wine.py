# SPDX-License-Identifier: BSD-3-Clause
"""Debian's wine and mingw-w64: programs for Windows, and a Windows of the tests' own to run them in."""

import contextlib
import fcntl
import functools
import os
import pathlib
import re
import shutil
import struct
import subprocess
import tempfile
import termios
import typing
import unittest

from support.environment import REPOSITORY, cache_directory, locked
from support.terminal import fork_on_terminal

HERE = pathlib.Path(__file__).resolve().parent
CC = "x86_64-w64-mingw32-gcc-posix"
CXX = "x86_64-w64-mingw32-g++-posix"
CC_32 = ("i686-w64-mingw32-gcc-posix", "i686-w64-mingw32-gcc")
DLLTOOL = "x86_64-w64-mingw32-dlltool"
OBJDUMP = "x86_64-w64-mingw32-objdump"


def program_of_wine(*names):
    """wine's programs lie outside PATH where wine for 32 bits is not installed."""
    return next(filter(None, (shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/lib/wine")
                              for name in names)), None)


def build_for_windows():
    """A build tree of this project for Windows: see mingw-w64.cmake."""
    return pathlib.Path(os.environ.get("CUDNN_CHECKED_WINDOWS_BUILD") or REPOSITORY / "build" / "windows")


def core_libraries():
    return [build_for_windows() / "tool" / "core" / f"libcudnn_checked_{name}.a" for name in ("core", "judge")]


def why_no_tools():
    if program_of_wine("wine64", "wine") is None:
        return "wine is not installed"
    if shutil.which(CC) is None or shutil.which(CXX) is None:
        return "mingw-w64 is not installed"
    return ""


def why_not_here():
    if why_no_tools():
        return why_no_tools()
    if not all(library.exists() for library in core_libraries()):
        return "core is not built for Windows (tests/windows/mingw-w64.cmake)"
    return ""


def run(*command):
    done = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        raise AssertionError(done.stdout)


class Tools:
    """The programs of this folder, built in `folder`."""

    def __init__(self, folder):
        self.folder = folder
        self.calls, self.linked = (folder / f"{name}.exe" for name in ("calls", "linked"))
        self.delayed = folder / "delayed.exe"
        self.fake, self.fake_32 = folder / "fake.dll", folder / "fake32.dll"
        definition = folder / "cudnn.def"
        definition.write_text("LIBRARY cudnn64_9.dll\nEXPORTS\ncudnnGetVersion\n")
        # It leaves files in the temporary directory (binutils 2.40).
        run("env", f"TMPDIR={folder}", DLLTOOL, "-d", definition, "-l", folder / "libcudnn.a", "-y", folder / "libdelayed.a")
        plain = (CC, "-O1", "-municode", "-static", HERE / "calls.c")
        run(*plain, "-o", self.calls)
        run(*plain, "-DLINKED", "-o", self.linked, folder / "libcudnn.a")
        run(*plain, "-DLINKED", "-o", self.delayed, folder / "libdelayed.a")
        self.delayed.write_bytes(with_delayed_imports(self.delayed))
        run(CC, "-shared", "-nostdlib", "-s", "-o", self.fake, HERE / "fake.c")
        self.plugin = folder / "plugin.dll"
        run(CC, "-shared", "-nostdlib", "-s", "-DPLUGIN", "-o", self.plugin, HERE / "fake.c", folder / "libcudnn.a")
        self._make_fake_32()

    @functools.cached_property
    def predict(self):
        program = self.folder / "predict.exe"
        run(CXX, "-std=c++17", "-O1", "-static", "-I", REPOSITORY / "tool", HERE / "predict.cpp", "-o", program,
            *core_libraries())
        return program

    def _make_fake_32(self):
        compiler = next(filter(None, map(shutil.which, CC_32)), None)
        if compiler is not None:
            run(compiler, "-shared", "-nostdlib", "-s", "-Wl,-e,_DllMainCRTStartup", "-o", self.fake_32, HERE / "fake.c")
        else:
            self.fake_32.write_bytes(with_machine(self.fake.read_bytes(), 0x014C))


def with_machine(dll, number):
    """A DLL that says that it is for another machine ("PE Format", Machine Types)."""
    at = int.from_bytes(dll[60:64], "little") + 4
    return dll[:at] + number.to_bytes(2, "little") + dll[at + 2:]


def with_directory(image, index, address):
    """A program or DLL that names another address of a table ("PE Format", Optional Header Data Directories)."""
    at = int.from_bytes(image[60:64], "little") + 24 + 112 + 8 * index
    return image[:at] + struct.pack("<2I", address, 32) + image[at + 8:]


def with_delayed_imports(program):
    """The address of their table, which binutils 2.40 and zig leave out of the headers ("PE Format", Delay-Load Directory
    Table: its attributes are 1, then come the addresses of the DLL's name, of its handle and of its functions).  The
    section of the functions becomes writable: dlltool's first call writes to it, and binutils 2.44 (bug 32264) and zig
    make it read-only."""
    image = bytearray(program.read_bytes())
    header = int.from_bytes(image[60:64], "little")
    count, optional = (int.from_bytes(image[header + at:header + at + 2], "little") for at in (6, 20))
    headers = [header + 24 + optional + 40 * i for i in range(count)]
    sections = [(*struct.unpack_from("<4I", image, at + 8), at + 36) for at in headers]

    def address(offset):
        return next(offset - at + start for _, start, size, at, _ in sections if at <= offset < at + size)

    names = [address(found.start()) for found in re.finditer(rb"cudnn64_9\.dll\0", image)]
    table = max(image.find(struct.pack("<2I", 1, name)) for name in names)
    functions, = struct.unpack_from("<I", image, table + 12)
    attributes = next(at for size, start, _, _, at in sections if start <= functions < start + size)
    image[attributes + 3] |= 0x80  # IMAGE_SCN_MEM_WRITE
    return with_directory(bytes(image), 13, address(table))


class Outcome(typing.NamedTuple):
    status: int
    output: str
    errors: str


class Windows:
    """CUDNN_CHECKED_WINEPREFIX; else one that is made once and kept in the cache."""

    def __init__(self):
        named = os.environ.get("CUDNN_CHECKED_WINEPREFIX")
        self.prefix = pathlib.Path(named) if named else cache_directory() / "wine"
        with locked(self.prefix):
            if not (self.prefix / "system.reg").exists():
                self.prefix.mkdir(parents=True, exist_ok=True)
                self.start(["wineboot", "-i"], cwd=self.prefix, timeout=300)
                self.wait()

    @property
    def system32(self):
        return self.prefix / "drive_c" / "windows" / "system32"

    def environment(self, path=""):
        # Debian's wineserver keeps a folder in TMPDIR, and never removes it.
        environment = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "HOME": str(self.prefix), "TMPDIR": str(self.prefix),
                       "WINEPREFIX": str(self.prefix), "WINEDEBUG": os.environ.get("WINEDEBUG", "-all"),
                       # Nothing is installed, and nobody looks at a program that crashed.
                       "WINEDLLOVERRIDES": "mscoree=d;mshtml=d;winemenubuilder.exe=d;winedbg.exe=d"}
        if path:
            environment["WINEPATH"] = path
        return environment

    def start(self, *arguments, **options):
        """A server that ends just then closes the connection (wine 8.0); the next program starts another one."""
        for _ in range(3):
            done = self._start_once(*arguments, **options)
            # "wine client error", "wineserver: ..."
            if done.output or not done.errors.startswith("wine"):
                break
        return done

    def _start_once(self, command, cwd, path="", timeout=120, **variables):
        """`path` comes before the directories of wine's own PATH (wine(1), WINEPATH)."""
        # The services that the first program starts would hold a pipe open.
        with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
            done = subprocess.run([program_of_wine("wine64", "wine"), *map(str, command)], cwd=cwd,
                                  env={**self.environment(path), **variables}, stdout=output, stderr=errors,
                                  stdin=subprocess.DEVNULL, timeout=timeout)
            for file in (output, errors):
                file.seek(0)
            return Outcome(done.returncode, output.read().decode("utf-8"), errors.read().decode("utf-8", "replace"))

    def start_in_console(self, command, cwd, path=""):
        """What a person sees.  Where wine is started in a terminal, a program has a console, whose code page is 437."""
        terminal = {**self.environment(path), "TERM": "xterm"}
        child, master = fork_on_terminal()
        if child == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("4H", 50, 500, 0, 0))
            os.chdir(cwd)
            wine = program_of_wine("wine64", "wine")
            os.execve(wine, [wine, *map(str, command)], terminal)
        shown = b""
        with open(master, "rb", buffering=0) as screen, contextlib.suppress(OSError):  # EIO: the program has ended
            while part := screen.read(1 << 16):
                shown += part
        os.waitpid(child, 0)
        return re.sub(r"\x1b\[[?0-9;]*[a-zA-Z]|\r", "", shown.decode("utf-8"))

    def keep(self, command, cwd):
        """Starts a program that ends when its standard input does: until then the services run on
        and need not start for each program (2 s)."""
        return subprocess.Popen([program_of_wine("wine64", "wine"), *map(str, command)], cwd=cwd,
                                env=self.environment(), stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                                stderr=subprocess.DEVNULL)

    def end(self, kept):
        kept.stdin.close()
        kept.wait(timeout=60)
        self.wait()

    def wait(self):
        """Until everything in it has ended."""
        server = program_of_wine("wineserver64", "wineserver")
        if server is not None:
            subprocess.run([server, "-w"], env=self.environment(), timeout=60, check=False)


class OwnWindows(Windows):
    """A copy in that folder, whose drive C a test may change."""

    def __init__(self, folder):
        super().__init__()

        def copied(source, target):
            (shutil.copyfile if source.endswith(".reg") else os.link)(source, target)

        common, self.prefix = self.prefix, folder / "wine"
        shutil.copytree(common, self.prefix, symlinks=True, copy_function=copied)


def skip_where_absent():
    reason = why_not_here()
    if reason:
        raise unittest.SkipTest(reason)
