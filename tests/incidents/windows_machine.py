# SPDX-License-Identifier: BSD-3-Clause
"""A person's Windows under wine: what lay where, and what cudnn-checked.exe says of the program."""

import functools
import pathlib
import re
import shutil
import tempfile

import beside  # noqa: F401
import wine
from dll_places import dlls_of, linked, windows_path
from museum import Museum, NothingFound
from stand_ins import identities, with_identity

# What the cuDNN for a CUDA opens of it.
OF_CUDA = {"11": ("cublas64_11.dll", "cublasLt64_11.dll", "nvrtc64_110_0.dll", "nvrtc64_112_0.dll"),
           "12": ("cublas64_12.dll", "cublasLt64_12.dll", "nvrtc64_120_0.dll")}
FIRST_FIX = re.compile(r"(?m)^  fix: (.*)$")
FINDING = re.compile(r"(?m)^  \[([a-z-]+)\]$")


class Workshop:
    """The programs and DLLs that all of these machines have, made once."""

    def __init__(self, folder):
        self.folder = folder
        self.tools = wine.Tools(folder)
        self.ids = identities()
        self.windows = wine.Windows()

    @functools.cached_property
    def fake(self):
        return self.tools.fake.read_bytes()

    @functools.cached_property
    def linked_with_8(self):
        """As tools.linked, for cuDNN 8."""
        names, library, program = (self.folder / name for name in ("cudnn8.def", "libcudnn8.a", "linked8.exe"))
        names.write_text("LIBRARY cudnn64_8.dll\nEXPORTS\ncudnnGetVersion\n")
        wine.run("env", f"TMPDIR={self.folder}", wine.DLLTOOL, "-d", names, "-l", library)
        wine.run(wine.CC, "-O1", "-municode", "-static", "-DLINKED", wine.HERE / "calls.c", "-o", program, library)
        return program


class Machine:
    """`app` has the program; `path` are the folders of PATH, in their order; a stand-in for NVIDIA's shim does not speak."""

    speaks = True

    def __init__(self, workshop, root):
        self.workshop, self.root, self.path = workshop, root, []
        (root / "app").mkdir()

    def folder(self, name):
        (self.root / name).mkdir(parents=True, exist_ok=True)
        return self.root / name

    def add_path(self, *names):
        self.path += [windows_path(self.folder(name)) for name in names]

    def start(self, command, *arguments):
        done = self.workshop.windows.start([command, *arguments], self.root / "app", ";".join(self.path))
        return done.status, (done.output + done.errors).replace("\r\n", "\n")

    def shown(self, output):
        """Without the place of the test."""
        return output.replace("\\", "/").replace(f"Z:{self.root}", "{}")

    def verify(self):
        program = wine.build_for_windows() / "tool" / "cli" / "cudnn-checked.exe"
        return self.start(program, "verify", "--no-gpu", windows_path(self.root / "app" / "app.exe"))

    def type(self, line):
        """A line of cmd, and what verify says in the same shell."""
        program = wine.build_for_windows() / "tool" / "cli" / "cudnn-checked.exe"
        batch = self.root / "app" / "typed.bat"
        batch.write_text(f"@echo off\r\n{line}\r\n\"{windows_path(program)}\" verify --no-gpu app.exe\r\n", encoding="utf-8")
        return self.start("cmd", "/c", "typed.bat")


# --- What lay where ----------------------------------------------------------------------------

def all_of(*parts):
    return lambda machine: [part(machine) for part in parts] and None


def program(major):
    """It imports cudnnGetVersion of that major release."""
    def make(machine):
        made = machine.workshop.tools.linked if major == 9 else machine.workshop.linked_with_8
        shutil.copyfile(made, machine.root / "app" / "app.exe")
    return make


def dlls(folder, release, cuda="12", only=(), without=()):
    """Stand-ins with the identities of NVIDIA's DLLs."""
    def make(machine):
        target = machine.folder(folder)
        for (number, major, name), identity in machine.workshop.ids.items():
            if (number, major) == (release, cuda) and name not in without and (not only or name in only):
                (target / name).write_bytes(with_identity(machine.workshop.fake, identity))
        for name in OF_CUDA[cuda]:
            (machine.folder("cuda") / name).write_bytes(machine.workshop.fake)
    return make


def real_dll(folder, release, name):
    """NVIDIA's own, where they were fetched; else a stand-in."""
    def make(machine):
        found = dlls_of(release).get(name)
        if found:
            linked(found, machine.folder(folder) / name)
        else:
            dlls(folder, release, only=(name,))(machine)
            machine.speaks = False
    return make


def of_32_bits(folder, name):
    return lambda machine: shutil.copyfile(machine.workshop.tools.fake_32, machine.folder(folder) / name) and None


def of_64_bits(folder, name):
    return lambda machine: (machine.folder(folder) / name).write_bytes(machine.workshop.fake) and None


def path(*names):
    """They stand in PATH, and behind them the DLLs of CUDA."""
    return lambda machine: machine.add_path(*names, "cuda")


def first_in_path(name):
    return lambda machine: machine.path.insert(0, windows_path(machine.folder(name)))


class WindowsMuseum(Museum):
    """Each row of OnWindows."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.workshop = None
        if not wine.why_not_here():
            folder = pathlib.Path(tempfile.mkdtemp(prefix="cudnn_checked_windows_"))
            cls.addClassCleanup(shutil.rmtree, folder)
            cls.workshop = Workshop(folder)
            cls.addClassCleanup(cls.workshop.windows.wait)

    def parts(self, row):
        yield from super().parts(row)
        if row.scene:
            if self.workshop is None:
                self.skipTest(wine.why_not_here())
            yield row.thread, lambda: self.meet_on_windows(row)

    def meet_on_windows(self, row):
        root = pathlib.Path(tempfile.mkdtemp(dir=self.workshop.folder))
        machine = Machine(self.workshop, root)
        row.scene(machine)
        if row.ran and machine.speaks:
            status, output = machine.start(root / "app" / "app.exe", *row.ran.split()[1:])
            self.assertNotEqual(status, 0, output)
            self.assertIn(row.says, output)
        status, output = machine.verify()
        told = FINDING.findall(output)
        if told == ["not-stamped"]:
            raise NothingFound(output)
        self.assertEqual(told[:1], [row.finding], output)
        self.assertEqual(status, 1)
        self.assertIn(row.tells, machine.shown(output))
        fix = FIRST_FIX.search(output)[1]
        if fix.startswith("set "):
            status, after = machine.type(fix)
        else:
            row.mended(machine)
            status, after = machine.verify()
        self.assertIn("cudnn-checked: ok: app.exe takes cuDNN ", after, f"{output}\nfix: {fix}\n{after}")
        self.assertEqual(status, 0)
